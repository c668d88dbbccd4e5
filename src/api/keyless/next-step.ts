import { type AnyScraper, briefText } from "../../catalogue/kit/index.ts"
import { needsOf } from "../../catalogue/search.ts"
import { worksOnAnySite } from "../../catalogue/which.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { CoreParts, ScraperParts } from "../service-parts.ts"
import { onlyErrors } from "./settlement.ts"

/** Error codes for which repeating the call does not help. */
const hopeless = new Set(["blocked", "login_required", "signin_required", "geo_blocked"])
const maxOthers = 2
const webSearch = "duckduckgo-search-scraper"

/**
 * Returns the next step if a site refused all targets of a run, because repeating the call would
 * not help, or if several values were probably sent as one. Undefined otherwise.
 */
export async function nextStep(
  service: CoreParts & ScraperParts,
  run: RunRow,
): Promise<string | undefined> {
  const scraper = service.scraper(run.slug)
  const errors = (await onlyErrors(service, run)) ?? []
  const isHopeless = errors.length > 0 && errors.every(({ error }) => hopeless.has(error.code))
  if (!scraper || !isHopeless) return errors.length > 0 ? joinedValues(run) : undefined
  const methods: string[] = []
  if ("useUnlocker" in scraper.input.properties) {
    methods.push("send useUnlocker=true with an API key, if the operator has set up an unlocker")
  }
  if (worksOnAnySite(scraper)) methods.push(`find another site: ${webSearch}`)
  else {
    const others = otherSources(service, scraper)
    if (others.length > 0) methods.push(`use another source: ${others.join(" or ")}`)
  }
  methods.push("let your user know that the site blocks automated access")
  return `Repeating the call will not help: ${methods.join("; ")}.`
}

/** Words that are joined by commas, without spaces. */
const joined = /^[^\s,/]+(?:,[^\s,/]+)+$/

/** Explains how to send a list if the only value of one is several words joined by commas. */
function joinedValues({ input }: RunRow): string | undefined {
  const values = Object.values(JSON.parse(input) as Record<string, unknown>)
  const list = values.find(
    (value) => Array.isArray(value) && value.length === 1 && joined.test(String(value[0])),
  )
  if (!list) return undefined
  const [value] = list as [string]
  return `"${briefText(value)}" is one value. Separate several with |, or repeat the parameter; in JSON, send a list of texts.`
}

/** Returns the slugs of working scrapers of other sites that serve the same need. */
function otherSources(service: ScraperParts, scraper: AnyScraper): string[] {
  const need = needsOf(scraper.slug).needs[0] ?? scraper.tagline
  return service
    .search()
    .find(need, { limit: service.slugs.length })
    .filter(({ slug, category }) => slug !== scraper.slug && category === scraper.category)
    .filter(({ slug }) => !["blocked", "broken"].includes(service.health.of(slug).state))
    .slice(0, maxOthers)
    .map(({ slug }) => slug)
}
