import { findSlug } from "../../catalogue/find.ts"
import { catalogue, scraperBySlug } from "../../catalogue/index.ts"
import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { BadUse } from "./bad-use.ts"

/**
 * Finds a scraper by its slug or an unambiguous part of it. @throws BadUse with the nearest slugs
 */
export function scraperNamed(name: string): AnyScraper {
  const match = findSlug(
    name,
    catalogue.map((scraper) => scraper.slug),
  )
  if ("slug" in match) return scraperBySlug(match.slug)!
  const near = match.near.map((slug) => `"${slug}"`).join(" or ")
  const hint = near === "" ? "`trawl scrapers` lists all scrapers." : `Did you mean ${near}?`
  throw new BadUse(`Unknown scraper "${name}". ${hint}`)
}
