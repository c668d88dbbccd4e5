import type { AnyScraper } from "./kit/index.ts"

type Input = Record<string, unknown>

/** Inputs of crawls that end at this number of pages. */
const crawls = ["maxPages", "maxPagesPerDomain", "maxPagesPerSite"]

/**
 * Returns the maximum pages of a run, if the scraper or its input limits them, and null if nothing does.
 * Each page is fetched once, lists have full pages, and no page only redirects to another; the sitemaps of
 * a crawl are not counted.
 */
export function maxPagesOf(scraper: AnyScraper, input: Input, targets: number): number | null {
  const { pages } = scraper
  if (pages === null) return null
  if (pages) {
    return targets * ("ofTarget" in pages ? pages.ofTarget : pagesOfList(pages, scraper, input))
  }
  const maxPages = crawls.map((name) => input[name]).find((value) => typeof value === "number")
  if (typeof maxPages !== "number") return null
  // A crawl ends at this number, whatever its start URLs are.
  const isTotal = scraper.maxItems?.(input) === maxPages
  return isTotal ? Math.max(maxPages, targets) : maxPages * targets
}

function pagesOfList(
  { rows, cap }: { rows: number; cap?: string },
  scraper: AnyScraper,
  input: Input,
): number {
  const wanted = cap === undefined ? scraper.maxItems?.(input) : input[cap]
  return typeof wanted === "number" ? Math.max(1, Math.ceil(wanted / rows)) : 1
}
