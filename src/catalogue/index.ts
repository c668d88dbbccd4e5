import type { AnyScraper } from "./define.ts"
import pypiPackageScraper from "./developer/pypi-package-scraper.ts"

/** Every scraper, by category and name; written by scripts/list-catalogue.ts. */
export const catalogue: readonly AnyScraper[] = [
  pypiPackageScraper,
]

const bySlug = new Map(catalogue.map((scraper) => [scraper.slug, scraper]))

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return bySlug.get(slug)
}
