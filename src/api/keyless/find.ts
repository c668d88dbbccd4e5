import { type AnyScraper, briefText } from "../../catalogue/kit/index.ts"
import { inputForUrl } from "../../catalogue/which.ts"
import { beginning, tokensOf } from "../items/tokens.ts"
import type { ScraperParts } from "../service-parts.ts"
import { exampleUrl, requiredParams } from "./card.ts"
import { KeylessError } from "./error.ts"

const maxCards = 3
const taglineTokens = 24
const exampleTokens = 45

/**
 * Returns the scrapers that fit a need, each with enough information for a call. @throws
 * KeylessFault
 */
export function scraperCards(service: ScraperParts, need: string, root: string): object[] {
  const matches = service.search().find(need, { limit: maxCards })
  const [url] = /\bhttps?:\/\/[^\s"'<>]+/i.exec(need) ?? []
  if (matches.length > 0) return matches.map((scraper) => scraperCard(scraper, root, url))
  throw new KeylessError(
    "ERROR",
    `No scraper fits "${briefText(need)}". Try other words, search the web: ${root}/api/search?q=<words>, or read any page: ${root}/api/scrape?url=<page URL>.`,
  )
}

/**
 * Builds an example call with the URL of the need, if the scraper accepts it, or with the scraper's
 * example.
 */
function scraperCard(scraper: AnyScraper, root: string, url: string | undefined) {
  const { slug, tagline, notServed } = scraper
  const own = url === undefined ? undefined : inputForUrl(scraper, url)
  const example = exampleUrl(scraper, root, own)
  return {
    slug,
    tagline: beginning(tagline, taglineTokens),
    requiredParams: requiredParams(scraper),
    ...(notServed && { notServed: notServed.slice(0, 4).join(", ") }),
    url: tokensOf(example) > exampleTokens ? `${root}/api/scrape/${slug}` : example,
  }
}
