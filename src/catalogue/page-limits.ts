import type { AnyScraper } from "./kit/index.ts"

type Input = Record<string, unknown>

/** Pages of one target, whatever its input is. */
const perTarget: Record<string, number> = {
  "bbb-business-scraper": 1,
  "booking-hotel-scraper": 1,
  "certificate-expiry-monitor": 1,
  "chrome-web-store-scraper": 1,
  // The crate, its versions and its downloads by day.
  "crates-io-scraper": 3,
  "crypto-price-history-scraper": 1,
  "ebay-product-scraper": 1,
  "ecommerce-product-scraper": 1,
  "faq-extractor-scraper": 1,
  // The repository, its languages and its contributors.
  "github-repo-scraper": 3,
  "github-trending-scraper": 1,
  "google-news-scraper": 1,
  "google-play-app-scraper": 1,
  "google-trends-scraper": 1,
  "greenhouse-jobs-scraper": 1,
  "imdb-search-scraper": 1,
  "keyword-monitor": 1,
  "meta-tags-scraper": 1,
  // The package and its downloads of a week and of a month.
  "npm-package-scraper": 3,
  "opengraph-scraper": 1,
  "packagist-package-scraper": 1,
  "page-change-monitor": 1,
  "price-monitor": 1,
  // The package, its index if the package has no releases, and its downloads.
  "pypi-package-scraper": 3,
  "remoteok-jobs-scraper": 1,
  // A search for the title, and its page.
  "rotten-tomatoes-scraper": 2,
  "rubygems-package-scraper": 2,
  "schema-org-scraper": 1,
  "seo-page-analyzer": 1,
  "stock-price-history-scraper": 1,
  "tech-stack-detector": 1,
  "walmart-product-scraper": 1,
  "zillow-property-scraper": 1,
}

interface List {
  /** Rows of a full page. */
  pageSize: number
  /** The input with the maximum rows of each target; without it, `maxItems` is that of the run. */
  cap?: string
}

/** Lists that are read page by page until they have enough rows, without a page for each row. */
const lists: Record<string, List> = {
  "crossref-scraper": { pageSize: 1000 },
  "finviz-screener-scraper": { pageSize: 20 },
  "github-repo-search-scraper": { pageSize: 100 },
  "gitlab-projects-scraper": { pageSize: 100, cap: "maxPerQuery" },
  "lobsters-scraper": { pageSize: 25 },
  "openalex-scraper": { pageSize: 100 },
  "sec-filings-scraper": { pageSize: 100 },
  "wikipedia-search-scraper": { pageSize: 500, cap: "resultsPerQuery" },
}

/** Scrapers whose pages their input limits, in addition to crawls. */
export const limitedSlugs: readonly string[] = [perTarget, lists].flatMap(Object.keys)

/** Crawls that end at the number of pages in the input. */
const crawls = ["maxPages", "maxPagesPerDomain", "maxPagesPerSite"]
/** Crawls that also fetch what they do not count: the links of each page. */
const uncounted = new Set(["broken-link-checker"])

/**
 * Returns the maximum pages of a run, if its input limits them, and null if it does not. Each page is
 * fetched once, lists have full pages, and no page only redirects to another; the sitemaps of a crawl
 * are not counted.
 */
export function maxPagesOf(scraper: AnyScraper, input: Input, targets: number): number | null {
  const { slug } = scraper
  const fixed = perTarget[slug]
  if (fixed !== undefined) return fixed * targets
  const list = lists[slug]
  if (list) return pagesOfList(list, scraper, input) * targets
  const maxPages = crawls.map((name) => input[name]).find((value) => typeof value === "number")
  if (typeof maxPages !== "number" || uncounted.has(slug)) return null
  // A crawl ends at this number, whatever its start URLs are.
  const isTotal = scraper.maxItems?.(input) === maxPages
  return isTotal ? Math.max(maxPages, targets) : maxPages * targets
}

function pagesOfList({ pageSize, cap }: List, scraper: AnyScraper, input: Input): number {
  const rows = cap === undefined ? scraper.maxItems?.(input) : input[cap]
  return typeof rows === "number" ? Math.max(1, Math.ceil(rows / pageSize)) : 1
}
