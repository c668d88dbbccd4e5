import { type AnyScraper, fetchMethodsOf } from "../../catalogue/kit/index.ts"
import { markedItem, verificationOf } from "../../catalogue/verification.ts"
import { pageCost, unlockerCost } from "../../store/accounts/credits.ts"
import { exampleOf } from "../examples/examples.ts"
import { callerSchema } from "../http/json-schema.ts"
import type { ScraperParts } from "../service-parts.ts"

/** A scraper in a list. */
export function briefOf({ health }: ScraperParts, scraper: AnyScraper) {
  const { slug, name, tagline, category, own } = scraper
  const { verified } = verificationOf(scraper)
  const { state } = health.of((own?.scraper ?? scraper).slug)
  const fetchMethods = [...fetchMethodsOf(scraper)]
  return { slug, name, tagline, category, verified, state, fetchMethods, recipeId: own?.id ?? null }
}

/** The definition of a scraper for its screen. */
export function definitionFor(service: ScraperParts, scraper: AnyScraper) {
  const { slug, tier, input, example, watch } = scraper
  const { lastVerifiedAt, unverifiedFetchMethods } = verificationOf(scraper)
  return {
    ...briefOf(service, scraper),
    reason: service.health.of(slug).reason,
    days: service.health.days(slug),
    tier,
    creditsPerPage: pageCost[scraper.tier],
    creditsPerUnlockedPage: unlockerCost,
    lastVerifiedAt,
    unverifiedFetchMethods,
    input: callerSchema(input),
    item: markedItem(scraper),
    example,
    watch: watch ?? null,
    recorded: exampleOf(slug) ?? null,
  }
}
