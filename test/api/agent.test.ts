import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { tokensOf } from "../../src/api/mcp/tokens.ts"
import { isErrorItem } from "../../src/engine/run/journal.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"
import { Installation, type Serving } from "./process.ts"

/** What a person wants, in their words, and the recorded upstream that answers it. */
const tasks: [need: string, slug: string, recorded: string][] = [
  [
    "newest version of a Python package and its licence",
    "pypi-package-scraper",
    "old-times-two-licences",
  ],
  ["what does this kettle cost on Amazon", "amazon-product-scraper", "kettle-de"],
  ["jobs at a company with their salaries", "greenhouse-jobs-scraper", "board-and-missing"],
  ["how often was a paper cited", "openalex-scraper", "search-with-cursor"],
  ["reviews of an Android app", "google-play-reviews-scraper", "two-pages-none-missing"],
  [
    "contact e-mail of a toolmaker from its website",
    "contact-info-extractor",
    "toolmaker-and-silence",
  ],
  ["Markdown copy of the docs of a library", "docs-crawler-scraper", "small-docs"],
  ["alert me when this lamp gets cheaper", "price-monitor", "cheaper-than-before"],
  ["top stories on Hacker News", "hacker-news-scraper", "show-with-comments"],
  ["who owns this domain", "whois-rdap-scraper", "registrant-at-registrar"],
  ["fields of a page as a table by CSS selectors", "web-scraper", "fields-of-an-article"],
  ["is this site down", "uptime-checker", "findings"],
  ["questions and answers of an FAQ page", "faq-extractor-scraper", "help-page-and-missing-page"],
  ["views and upload date of a YouTube video", "youtube-video-metadata", "live-and-upcoming"],
  ["Trustpilot reviews of a company as CSV", "trustpilot-reviews-scraper", "two-pages-and-missing"],
  ["Zillow facts of a condo", "zillow-property-scraper", "condo"],
  ["search the web", "duckduckgo-search-scraper", "html-challenged-lite-answers"],
  [
    "stock price over the last three months",
    "stock-price-history-scraper",
    "events-gaps-and-twins",
  ],
  ["MX records of a domain", "dns-records-scraper", "all-types-and-missing"],
  ["is the certificate of my site valid", "certificate-expiry-monitor", "verdicts"],
]

const cases = new Map(
  tasks.map(([, slug, name]) => {
    const found = casesUnder(ownCases, slug).find((one) => one.case === name)
    if (!found) throw new Error(`There is no case ${slug}/${name}.`)
    return [slug, found] as const
  }),
)

/** What an answer may cost that asks for no size. */
const mostTokens = 20_500

describe("an agent that knows only the base URL", () => {
  const installation = new Installation({
    TRAWL_REPLAY: [...cases.values()].map(({ folder }) => folder).join(","),
    TRAWL_FREE_DAILY: "1000",
    TRAWL_RATE_LIMIT: "0",
  })
  let service: Serving
  let client: Client
  const spent = { http: { calls: 0, tokens: 0 }, mcp: { calls: 0, tokens: 0 } }
  beforeAll(async () => {
    service = await installation.serve()
    client = new Client({ name: "agent", version: "1" })
    const url = new URL(`${service.root}/api/mcp?set=meta`)
    await client.connect(new StreamableHTTPClientTransport(url))
  }, 120_000)
  afterAll(async () => {
    for (const [way, { calls, tokens }] of Object.entries(spent)) {
      console.log(`${way}: ${tasks.length} tasks, ${calls} calls, ${tokens} tokens`)
    }
    await client.close()
    await service.end()
    installation.remove()
  })

  async function get(path: string) {
    const text = await (await fetch(service.root + path)).text()
    spent.http.calls++
    spent.http.tokens += tokensOf(text)
    expect(tokensOf(text)).toBeLessThanOrEqual(mostTokens)
    return JSON.parse(text)
  }

  async function tool(name: string, args: Record<string, unknown>) {
    const { content } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    spent.mcp.calls++
    spent.mcp.tokens += tokensOf(first!.text)
    return first!.text
  }

  for (const [need, slug] of tasks) {
    const { input } = cases.get(slug)!

    test(`${need}, by HTTP`, async () => {
      const found = await get(`/api/scrape?find=${encodeURIComponent(need)}`)
      expect(found.items.map((card: { slug: string }) => card.slug)).toContain(slug)
      const answer = await get(
        `/api/scrape/${slug}?input=${encodeURIComponent(JSON.stringify(input))}`,
      )
      expect([answer.status, answer.error]).toEqual(["SUCCEEDED", undefined])
      expect(answer.items.some((item: Record<string, unknown>) => !isErrorItem(item))).toBe(true)
    }, 60_000)

    test(`${need}, by MCP`, async () => {
      expect(await tool("find_scrapers", { query: need, limit: 3 })).toContain(`${slug} (`)
      const text = await tool("run_scraper", { scraper: slug, input: JSON.stringify(input) })
      expect(text).toMatch(/^\d+ items?[.;]/)
      expect(tokensOf(text)).toBeLessThan(9000)
    }, 60_000)
  }
})
