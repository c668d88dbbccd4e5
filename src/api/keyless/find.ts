import { type AnyScraper, briefText } from "../../catalogue/kit/index.ts"
import { inputForUrl, scrapersFor, worksOnAnySite } from "../../catalogue/which.ts"
import { beginning, tokensOf } from "../items/tokens.ts"
import type { ScraperParts } from "../service-parts.ts"
import { exampleUrl, requiredParams } from "./card.ts"
import { KeylessError } from "./error.ts"

const maxCards = 3
const taglineTokens = 24
const exampleTokens = 45

/** Returns the other ways to an answer if no scraper fits well. */
const otherWays = (root: string) =>
  `search the web: ${root}/api/search?q=<words>, or read any page: ${root}/api/scrape?url=<page URL>.`

/**
 * Returns the scrapers that fit a need, each with enough information for a call, and a notice if they
 * fit only in part.
 * @throws {KeylessError} if no scraper fits.
 */
export function scraperCards(
  service: ScraperParts,
  need: string,
  root: string,
): { items: object[]; notice?: string } {
  const { scrapers, isWeak } = service.search().rank(need, { limit: maxCards })
  const [url] = /\bhttps?:\/\/[^\s"'<>]+/i.exec(need) ?? []
  if (scrapers.length > 0) {
    const items = scrapers.map((scraper, index) =>
      scraperCard(scraper, root, url === undefined ? undefined : inputOf(scraper, url, index)),
    )
    const notice = `Weak matches: check the taglines. If none fits, ${otherWays(root)}`
    return { items, ...(isWeak && { notice }) }
  }
  throw new KeylessError(
    "ERROR",
    `No scraper fits "${briefText(need)}". Try other words, ${otherWays(root)}`,
  )
}

/**
 * Returns the input with the URL of a need. Scrapers after the first that are made for the URL's
 * site often read other pages of it.
 */
function inputOf(scraper: AnyScraper, url: string, index: number) {
  if (worksOnAnySite(scraper)) return inputForUrl(scraper, url)
  if (index > 0 || !URL.canParse(url)) return undefined
  return scrapersFor(url).find((suggestion) => suggestion.scraper === scraper)?.input
}

/** Builds an example call with an input, or with the scraper's example. */
function scraperCard(scraper: AnyScraper, root: string, own: Record<string, unknown> | undefined) {
  const { slug, tagline, notServed } = scraper
  const example = exampleUrl(scraper, root, own)
  return {
    slug,
    tagline: beginning(tagline, taglineTokens),
    requiredParams: requiredParams(scraper),
    ...(notServed && { notServed: notServed.slice(0, 4).join(", ") }),
    url: tokensOf(example) > exampleTokens ? `${root}/api/scrape/${slug}` : example,
  }
}
