import { expect, test } from "bun:test"
import { tooLate } from "../../../src/api/search/part-runs.ts"
import { type PartRuns, SearchFailed, searchWeb } from "../../../src/api/search/web-search.ts"
import { catalogue } from "../../../src/catalogue/index.ts"

test("a search without time left reports that its engines did not finish in time", async () => {
  const runs: PartRuns = {
    scraper: (slug) => catalogue.find((scraper) => scraper.slug === slug),
    healthOf: () => undefined,
    run: async (parts) => parts.map(() => tooLate),
  }
  const query = { query: "tides", kind: "web" as const, limit: 5, waitMs: 0 }
  const failed = await searchWeb(runs, query).catch((error) => error)
  expect(failed).toBeInstanceOf(SearchFailed)
  expect(failed.code).toBe("timeout")
  expect(failed.message).toContain("It did not finish in time.")
})
