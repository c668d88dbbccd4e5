import { expect, test } from "bun:test"
import { casesUnder, ownCases } from "../corpus-run.ts"
import { type Change, harmed } from "../harmless.ts"

/** Changes that once led to other items; other changes are tested where all cases run. */
const mended: [slug: string, name: string, change: Change][] = [
  ["amazon-reviews-scraper", "kettle-de", "addresses without a scheme"],
  ["apartments-listings-scraper", "ames", "addresses without a scheme"],
  ["apartments-listings-scraper", "ames", "empty items"],
  ["apartments-listings-scraper", "ames", "spans around texts"],
  ["app-store-reviews-scraper", "reviews-none-missing-changed", "data's keys reversed"],
  ["bestbuy-product-scraper", "speaker", "addresses without a scheme"],
  ["clutch-agencies-scraper", "three-pages", "comments in texts"],
  ["craigslist-search-scraper", "london-desks", "linked data in a comment"],
  ["ebay-product-scraper", "kettle-uk", "addresses without a host"],
  ["ebay-product-scraper", "kettle-uk", "addresses without a scheme"],
  ["ebay-search-scraper", "brass-lamps", "addresses without a scheme"],
  ["etsy-product-scraper", "clay-mug", "lists of one"],
  ["etsy-product-scraper", "clay-mug", "more scripts"],
  ["faq-extractor-scraper", "data-accordion-and-404", "comments between elements"],
  ["finviz-screener-scraper", "two-pages", "advertisements"],
  ["github-trending-scraper", "weekly-rust", "addresses with a host"],
  ["google-play-app-scraper", "record-structured-missing", "types as lists"],
  ["homedepot-product-scraper", "ladder", "lists of one"],
  ["homedepot-product-scraper", "ladder", "more scripts"],
  ["linkedin-company-scraper", "graph-page-wall-and-missing", "charset of the type"],
  ["telegram-channel-scraper", "two-pages-and-a-user", "addresses without a host"],
  ["telegram-channel-scraper", "two-pages-and-a-user", "data attributes"],
  ["telegram-channel-scraper", "two-pages-and-a-user", "names instead of properties"],
  ["twitter-profile-scraper", "page-without-login", "types as lists"],
  ["twitter-search-scraper", "query-id-from-the-bundle", "addresses without a scheme"],
  ["yelp-business-scraper", "page-and-feed", "addresses without a scheme"],
]

for (const [slug, name, change] of mended) {
  test(`${slug}/${name}: ${change}`, async () => {
    const [one] = casesUnder(ownCases, slug).filter((recorded) => recorded.case === name)
    expect(await harmed(one!, { wanted: [change] })).toBeUndefined()
  })
}
