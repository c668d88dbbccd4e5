import { describe, expect, test } from "bun:test"
import { scraperBySlug } from "../../../../src/catalogue/index.ts"
import { broken } from "../../../broken.ts"
import { casesUnder, ownCases } from "../../../corpus-run.ts"
import { play, requiredFields, seedDrift, verdictOf } from "../../../drift/drifted.ts"

function caseOf(path: string) {
  const [slug, name] = path.split("/")
  return casesUnder(ownCases, slug).find((recorded) => recorded.case === name)!
}

/** A few of each kind of source: `bun run drift` tests all scrapers. */
const drifts: [path: string, field: string, verdict: string][] = [
  ["airbnb-listings-scraper/second-page-by-chrome", "longitude", "degraded"],
  ["amazon-product-scraper/no-featured-offer", "title", "broken"],
  ["docs-crawler-scraper/small-docs", "generator", "degraded"],
  ["bing-search-scraper/later-page-walled", "title", "broken"],
  ["deezer-artist-scraper/artist-alone", "name", "broken"],
  ["duckduckgo-search-scraper/two-pages-and-challenge", "displayedUrl", "degraded"],
  ["pubmed-scraper/search", "keywords", "degraded"],
  ["rss-discovery-scraper/links-and-usual-paths", "feedTitle", "degraded"],
]

describe("the source of a required field is renamed", () => {
  for (const [path, field, state] of drifts) {
    test(`${path}: ${field}`, async () => {
      const recorded = caseOf(path)
      const before = await play(recorded)
      const scraper = scraperBySlug(recorded.slug)!
      expect(verdictOf(scraper, before, await play(recorded)).verdict).toBe("works")
      expect(requiredFields(scraper, before)).toContain(field)
      const drift = await seedDrift(recorded, before, field)
      expect(drift).toMatchObject({ outcome: "found", verdict: { verdict: state } })
    })
  }
})

describe("other failures of a case", () => {
  const verdictAfter = async (path: string, now: Parameters<typeof play>[0]) => {
    const recorded = caseOf(path)
    return verdictOf(scraperBySlug(recorded.slug)!, await play(recorded), await play(now))
  }

  for (const path of ["deezer-artist-scraper/artist-alone", "pubmed-scraper/search"]) {
    test(`a challenge's body: ${path}`, async () => {
      expect(await verdictAfter(path, broken(caseOf(path), "challenge"))).toMatchObject({
        verdict: "blocked",
        vendor: "Cloudflare",
      })
    })
  }

  test("an outdated site constant", async () => {
    const path = "twitch-channel-scraper/client-id-refused"
    const found = await verdictAfter(path, caseOf(path))
    expect(found.verdict).toBe("broken")
    expect(found.reason).toContain(`"clientId" of the table "twitch"`)
  })

  test("a missing target leaves the state", async () => {
    const path = "deezer-artist-scraper/artist-alone"
    const recorded = caseOf(path)
    const none = new TextEncoder().encode(JSON.stringify({ data: [], total: 0 }))
    const gone = recorded.exchanges.map((exchange) => ({ ...exchange, status: 404, bytes: none }))
    expect((await verdictAfter(path, { ...recorded, exchanges: gone })).verdict).toBe("works")
  })
})
