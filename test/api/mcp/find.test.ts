import { expect, test } from "bun:test"
import { ScraperFinder } from "../../../src/api/mcp/find.ts"
import { catalogue } from "../../../src/catalogue/index.ts"

const finder = new ScraperFinder(catalogue)
const found = (query: string) =>
  finder.find(query, { limit: catalogue.length }).map(({ slug }) => slug)

test("an old name of a field finds its scraper, the note that it is deprecated does not", () => {
  expect(found("zip")).toContain("redfin-listings-scraper")
  expect(found("deprecated")).toContain("npm-package-scraper")
  expect(found("deprecated")).not.toContain("redfin-listings-scraper")
})

test("what is found says whether a recording proves it", () => {
  const [bitcoin] = finder.find("bitcoin address", { limit: 1 })
  expect(bitcoin).toMatchObject({
    slug: "bitcoin-address-scraper",
    evidence: { status: "proven", unprovenWays: ["blockchain.info"] },
  })
})
