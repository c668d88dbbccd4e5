import { expect, test } from "bun:test"
import { tokensOf } from "../../../src/api/items/tokens.ts"
import { requiredParams } from "../../../src/api/keyless/card.ts"
import { found, inWords } from "../../../src/api/mcp/find.ts"
import { ToolSet, toolFilter } from "../../../src/api/mcp/tool-set.ts"
import { catalogue } from "../../../src/catalogue/index.ts"
import { ScraperSearch } from "../../../src/catalogue/search.ts"
import { verificationOf } from "../../../src/catalogue/verification.ts"

const finder = new ScraperSearch(catalogue)

test("a found scraper has its inputs, and a mark if no recording verifies it", () => {
  const [bitcoin] = finder.find("bitcoin address", { limit: 1 })
  expect(bitcoin!.slug).toBe("bitcoin-address-scraper")
  expect(inWords(bitcoin!, 280)).toContain("bitcoin-address-scraper (finance): ")
  const unverified = catalogue.find((one) => !verificationOf(one).verified)!
  expect(inWords(unverified, 280)).toContain(", unverified): ")
  const page = inWords(finder.find("url-to-markdown", { limit: 1 })[0]!, 280)
  expect(page).toContain("urls (required): array of string. Page URLs")
  expect(page).toContain('e.g. {"urls":["https://example.com"]}')
  expect(page).toContain("returns url, finalUrl, statusCode, title")
})

test("every tool without a recording is marked, and no date reads as out of date", () => {
  const tools = new ToolSet(catalogue, toolFilter(new URLSearchParams(), catalogue))
  const page = tools.page(undefined)!.tools
  const descriptions = new Map(page.map(({ name, description }) => [name, description]))
  for (const scraper of catalogue) {
    const { verified } = verificationOf(scraper)
    const mark = verified ? "" : ", unverified"
    expect(inWords(scraper, 280)).toContain(`(${scraper.category}${mark}): `)
    const isUnverified = descriptions.get(scraper.slug)?.includes(" Unverified.")
    expect([scraper.slug, isUnverified]).toEqual([scraper.slug, !verified])
  }
})

test("results are returned once: as text, or as structured content", () => {
  const answered = (query: string) => {
    const tools = new ToolSet(catalogue, toolFilter(new URLSearchParams(query), catalogue))
    return found(tools, { query: "reviews of a mobile app", limit: 5 })
  }
  const inText = answered("set=meta")
  expect(inText.structuredContent).toBeUndefined()
  const { content, structuredContent } = answered("set=meta&outputSchema=true")
  const { text } = content[0] as { text: string }
  const { scrapers } = structuredContent as { scrapers: { slug: string }[] }
  expect(text).toBe(`Found ${scrapers.length}: ${scrapers.map(({ slug }) => slug).join(", ")}.`)
  expect((inText.content[0] as { text: string }).text).toContain(`${scrapers[0]!.slug} (`)
})

test("five scrapers have at most 1,500 tokens, with the inputs that each needs", () => {
  const tools = new ToolSet(catalogue, toolFilter(new URLSearchParams("set=meta"), catalogue))
  for (const { tagline, category } of catalogue) {
    const { content } = found(tools, { query: `${tagline} ${category}`, limit: 5 })
    const text = content[0]?.type === "text" ? content[0].text : ""
    expect(text.match(/^\S/gm)?.length).toBeWithin(1, 6)
    expect(tokensOf(text)).toBeLessThanOrEqual(1500)
  }
  for (const scraper of catalogue) {
    const words = inWords(scraper, 280)
    for (const name of requiredParams(scraper)) expect(words).toContain(`  ${name} (required): `)
  }
})
