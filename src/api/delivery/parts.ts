import { scraperFor } from "../recipes/own-scrapers.ts"
import type { CoreParts, ScraperParts } from "../service-parts.ts"

/** Returns the parts of the service by which destinations are created and changed. */
export function destinationParts(service: CoreParts & ScraperParts) {
  const { config, log, base, store } = service
  const knowsScraper = async (accountId: string, slug: string) =>
    (await scraperFor(service, accountId, slug)) !== undefined
  return { config, log, base, store, knowsScraper }
}
