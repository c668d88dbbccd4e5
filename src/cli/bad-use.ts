import { findSlug } from "../catalogue/find.ts"
import { catalogue, scraperBySlug } from "../catalogue/index.ts"
import type { AnyScraper } from "../catalogue/kit/index.ts"

/** What was asked for cannot be done as it was written; the message says why. Exit code 2. */
export class BadUse extends Error {}

/** By its slug, or by a part of it that no other has. @throws BadUse with the nearest ones */
export function scraperNamed(name: string): AnyScraper {
  const found = findSlug(
    name,
    catalogue.map((scraper) => scraper.slug),
  )
  if ("slug" in found) return scraperBySlug(found.slug)!
  const near = found.near.map((slug) => `"${slug}"`).join(" or ")
  const hint = near === "" ? "`trawl scrapers` lists them." : `Did you mean ${near}?`
  throw new BadUse(`Unknown scraper "${name}". ${hint}`)
}
