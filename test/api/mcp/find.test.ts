import { expect, test } from "bun:test"
import { requiredParams } from "../../../src/api/keyless/card.ts"
import { found, inWords, ScraperFinder } from "../../../src/api/mcp/find.ts"
import { tokensOf } from "../../../src/api/mcp/tokens.ts"
import { ToolSet, toolFilter } from "../../../src/api/mcp/tool-set.ts"
import { evidenceOf } from "../../../src/catalogue/evidence.ts"
import { catalogue } from "../../../src/catalogue/index.ts"

const finder = new ScraperFinder(catalogue)
const slugs = (query: string) =>
  finder.find(query, { limit: catalogue.length }).map(({ slug }) => slug)

test("an old name of a field finds its scraper, the note that it is deprecated does not", () => {
  expect(slugs("zip")).toContain("redfin-listings-scraper")
  expect(slugs("deprecated")).toContain("npm-package-scraper")
  expect(slugs("deprecated")).not.toContain("redfin-listings-scraper")
})

test("what is found says what it takes, and whether a recording proves it", () => {
  const [bitcoin] = finder.find("bitcoin address", { limit: 1 })
  expect(bitcoin!.slug).toBe("bitcoin-address-scraper")
  expect(inWords(bitcoin!, 280)).not.toContain("unproven")
  const unproven = catalogue.find((one) => evidenceOf(one).status === "unproven")!
  expect(inWords(unproven, 280)).toContain("unproven")
  const page = inWords(finder.find("url-to-markdown", { limit: 1 })[0]!, 280)
  expect(page).toContain("urls (required): array of string. Addresses of pages")
  expect(page).toContain('e.g. {"urls":["https://example.com"]}')
  expect(page).toContain("gives url, finalUrl, statusCode, title")
})

test("every tool says from when the recording is that proves it, and so does what is found", () => {
  const words = new Set<string>()
  const tools = new ToolSet(catalogue, toolFilter(new URLSearchParams(), catalogue))
  const page = tools.page(undefined)!.tools
  const descriptions = new Map(page.map(({ name, description }) => [name, description]))
  for (const scraper of catalogue) {
    const { status, newestRecording } = evidenceOf(scraper)
    const said = [status, newestRecording].filter(Boolean).join(" ")
    words.add(said.replace(/\d+/g, "0"))
    expect(inWords(scraper, 280)).toContain(`, ${said}):`)
    const sentence = said.replace(/^./, (sign) => sign.toUpperCase())
    expect(descriptions.get(scraper.slug)).toContain(` ${sentence}.`)
  }
  expect([...words].sort()).toEqual(["proven", "proven 0", "proven 0-0", "unproven"])
})

test("five scrapers take 1,500 tokens at most, with the inputs that each needs", () => {
  for (const query of ["set=meta", "set=meta&outputSchema=true"]) {
    const tools = new ToolSet(catalogue, toolFilter(new URLSearchParams(query), catalogue))
    for (const { tagline, category } of catalogue) {
      const { content } = found(tools, { query: `${tagline} ${category}`, limit: 5 })
      const text = content[0]?.type === "text" ? content[0].text : ""
      expect(text.match(/^\S/gm)?.length).toBe(5)
      expect(tokensOf(text)).toBeLessThanOrEqual(1500)
    }
  }
  for (const scraper of catalogue) {
    const words = inWords(scraper, 280)
    for (const name of requiredParams(scraper)) expect(words).toContain(`  ${name} (required): `)
  }
})
