import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { tokensOf } from "../../src/api/mcp/tokens.ts"
import { isErrorItem } from "../../src/engine/run/journal.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"
import { Installation, type Serving } from "./process.ts"

/** A need in a person's words, the scraper and recorded upstream for it, and a fact of the right answer. */
const tasks: [need: string, slug: string, recorded: string, fact: string][] = [
  [
    "newest version of a Python package and its licence",
    "pypi-package-scraper",
    "old-times-two-licences",
    "Apache Software License OR BSD License",
  ],
  ["what does this kettle cost on Amazon", "amazon-product-scraper", "kettle-de", "1049.95"],
  [
    "jobs at a company with their salaries",
    "greenhouse-jobs-scraper",
    "board-and-missing",
    "50000",
  ],
  ["how often was a paper cited", "openalex-scraper", "search-with-cursor", "10.5555/w.1"],
  [
    "reviews of an Android app",
    "google-play-reviews-scraper",
    "two-pages-none-missing",
    "Thank you",
  ],
  [
    "contact e-mail of a toolmaker from its website",
    "contact-info-extractor",
    "toolmaker-and-silence",
    "zentrale@nordkai-werkzeuge.de",
  ],
  [
    "Markdown copy of the docs of a library",
    "docs-crawler-scraper",
    "small-docs",
    "https://windlass.example/guide/install/",
  ],
  ["alert me when this lamp gets cheaper", "price-monitor", "cheaper-than-before", "129.9"],
  ["top stories on Hacker News", "hacker-news-scraper", "show-with-comments", "Nice 'work'"],
  ["who owns this domain", "whois-rdap-scraper", "registrant-at-registrar", "Pilot Station Ltd"],
  [
    "fields of a page as a table by CSS selectors",
    "web-scraper",
    "fields-of-an-article",
    "The lamps of Corrie harbour burn again",
  ],
  ["is this site down", "uptime-checker", "findings", "http_error"],
  [
    "questions and answers of an FAQ page",
    "faq-extractor-scraper",
    "help-page-and-missing-page",
    "How do I hire a bike?",
  ],
  [
    "views and upload date of a YouTube video",
    "youtube-video-metadata",
    "live-and-upcoming",
    "1234",
  ],
  [
    "Trustpilot reviews of a company as CSV",
    "trustpilot-reviews-scraper",
    "two-pages-and-missing",
    "www.bluekettle.example",
  ],
  ["Zillow facts of a condo", "zillow-property-scraper", "condo", "201500"],
  [
    "search the web",
    "duckduckgo-search-scraper",
    "html-challenged-lite-answers",
    "Why the sea rises.",
  ],
  [
    "stock price over the last three months",
    "stock-price-history-scraper",
    "events-gaps-and-twins",
    "Ink plc",
  ],
  [
    "MX records of a domain",
    "dns-records-scraper",
    "all-types-and-missing",
    "a.mail.protection.outlook.com",
  ],
  [
    "is the certificate of my site valid",
    "certificate-expiry-monitor",
    "verdicts",
    "CERT_NOT_YET_VALID",
  ],
]

const cases = new Map(
  tasks.map(([, slug, name]) => {
    const found = casesUnder(ownCases, slug).find((one) => one.case === name)
    if (!found) throw new Error(`There is no case ${slug}/${name}.`)
    return [slug, found] as const
  }),
)

/** Maximum tokens of a response to a call that sets no limit: 20,000 of items, and the envelope. */
const maxTokens = 20_500
/** Needs whose scraper `find` has to list first. */
const minFirst = tasks.length - 1

describe("an agent that knows only the base URL", () => {
  const installation = new Installation({
    TRAWL_REPLAY: [...cases.values()].map(({ folder }) => folder).join(","),
    TRAWL_FREE_DAILY: "1000",
    TRAWL_RATE_LIMIT: "0",
  })
  let service: Serving
  let client: Client
  const spent = {
    http: { calls: 0, tokens: 0, first: 0 },
    mcp: { calls: 0, tokens: 0, first: 0 },
  }
  beforeAll(async () => {
    service = await installation.serve()
    client = new Client({ name: "agent", version: "1" })
    const url = new URL(`${service.root}/api/mcp?set=meta`)
    await client.connect(new StreamableHTTPClientTransport(url))
  }, 120_000)
  afterAll(async () => {
    for (const [api, { calls, tokens, first }] of Object.entries(spent)) {
      console.log(
        `${api}: ${tasks.length} tasks, ${first} found at rank 1, ${calls} calls, ${tokens} tokens`,
      )
    }
    await client.close()
    await service.end()
    installation.remove()
  })

  async function get(path: string) {
    const text = await (await fetch(service.root + path)).text()
    spent.http.calls++
    spent.http.tokens += tokensOf(text)
    expect(tokensOf(text)).toBeLessThanOrEqual(maxTokens)
    return JSON.parse(text)
  }

  async function tool(name: string, args: Record<string, unknown>) {
    const { content } = await client.callTool({ name, arguments: args })
    const [first] = content as { text: string }[]
    spent.mcp.calls++
    spent.mcp.tokens += tokensOf(first!.text)
    return first!.text
  }

  for (const [need, slug, , fact] of tasks) {
    const { input } = cases.get(slug)!

    test(`${need}, by HTTP`, async () => {
      const found = await get(`/api/scrape?find=${encodeURIComponent(need)}`)
      const slugs = found.items.map((card: { slug: string }) => card.slug)
      expect(slugs).toContain(slug)
      if (slugs[0] === slug) spent.http.first++
      const answer = await get(
        `/api/scrape/${slug}?input=${encodeURIComponent(JSON.stringify(input))}`,
      )
      expect([answer.status, answer.error]).toEqual(["SUCCEEDED", undefined])
      const good = answer.items.filter((item: Record<string, unknown>) => !isErrorItem(item))
      expect(JSON.stringify(good)).toContain(fact)
    }, 60_000)

    test(`${need}, by MCP`, async () => {
      const found = await tool("find_scrapers", { query: need, limit: 3 })
      expect(found).toContain(`${slug} (`)
      if (found.startsWith(`${slug} (`)) spent.mcp.first++
      const text = await tool("run_scraper", { scraper: slug, input: JSON.stringify(input) })
      expect(text).toMatch(/^\d+ items?[.;]/)
      expect(text).toContain(fact)
      expect(tokensOf(text)).toBeLessThan(9000)
    }, 60_000)
  }

  test("finds the scraper at rank 1 for all needs but one, by HTTP and by MCP", () => {
    expect(spent.http.first).toBeGreaterThanOrEqual(minFirst)
    expect(spent.mcp.first).toBeGreaterThanOrEqual(minFirst)
  })
})
