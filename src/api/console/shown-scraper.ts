import { evidenceOf } from "../../catalogue/evidence.ts"
import { type AnyScraper, accessOf } from "../../catalogue/kit/index.ts"
import { pageCost, unlockerCost } from "../../store/accounts/credits.ts"
import { exampleOf } from "../docs/examples.ts"
import { callerSchema } from "../http/json-schema.ts"

/** A scraper in a list. */
export function briefOf(scraper: AnyScraper) {
  const { slug, name, tagline, category } = scraper
  const proven = evidenceOf(scraper).status === "proven"
  return { slug, name, tagline, category, proven, access: [...accessOf(scraper)] }
}

/** All that its own screen shows. */
export function definitionFor(scraper: AnyScraper) {
  const { slug, tier, input, item, example } = scraper
  const { newestRecording, unprovenWays } = evidenceOf(scraper)
  return {
    ...briefOf(scraper),
    tier,
    creditsPerPage: pageCost[scraper.tier],
    creditsPerUnlockedPage: unlockerCost,
    newestRecording,
    unprovenWays,
    input: callerSchema(input),
    item,
    example,
    recorded: exampleOf(slug) ?? null,
  }
}
