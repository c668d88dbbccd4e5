import { type AnyScraper, briefText } from "../../catalogue/kit/index.ts"
import { beginning, tokensOf } from "../mcp/tokens.ts"
import type { Service } from "../service.ts"
import { exampleUrl, requiredParams } from "./card.ts"
import { KeylessFault } from "./fault.ts"

const mostCards = 3
const taglineTokens = 24
const exampleTokens = 45

/** Returns the scrapers that fit a need, each as a card that is enough for a call. @throws KeylessFault */
export function foundCards(service: Service, need: string, root: string): object[] {
  const found = service.search().find(need, { limit: mostCards })
  if (found.length > 0) return found.map((scraper) => foundCard(scraper, root))
  throw new KeylessFault(
    "ERROR",
    `No scraper fits "${briefText(need)}". Try other words, or read any page: ${root}/api/scrape?url=<page URL>.`,
  )
}

function foundCard(scraper: AnyScraper, root: string) {
  const { slug, tagline, lacks } = scraper
  const example = exampleUrl(scraper, root)
  return {
    slug,
    tagline: beginning(tagline, taglineTokens),
    requiredParams: requiredParams(scraper),
    ...(lacks && { lacks: lacks.slice(0, 4).join(", ") }),
    url: tokensOf(example) > exampleTokens ? `${root}/api/scrape/${slug}` : example,
  }
}
