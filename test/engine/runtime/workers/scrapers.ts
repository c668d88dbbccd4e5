import { getPriority } from "node:os"
import { Type } from "@sinclair/typebox"
import { type AnyScraper, defineScraper, NotFound } from "../../../../src/catalogue/kit/index.ts"
import brokenLinks from "../../../../src/catalogue/web/links/broken-link-checker.ts"
import { burn, crowdOntoOneProcessor } from "./processor.ts"

const base = {
  category: "web",
  tier: "free",
  item: Type.Object({}),
  tagline: "For the tests of durable runs",
} as const

/** Fetches pages of the local site; each target returns `perTarget` items. */
const pages = defineScraper({
  ...base,
  slug: "pages",
  name: "Pages",
  input: Type.Object({
    urls: Type.Array(Type.String()),
    perTarget: Type.Optional(Type.Integer()),
  }),
  example: { urls: [] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    const response = await ctx.get(url, { retries: 0 })
    const count = ctx.input.perTarget ?? 1
    for (let index = 0; index < count; index++) yield { url, index, text: response.text() }
  },
})

/** Follows the links of the local site, which returns a JSON list of URLs. */
const crawl = defineScraper({
  ...base,
  slug: "crawl",
  name: "Crawl",
  concurrency: 16,
  input: Type.Object({ start: Type.String() }),
  example: { start: "" },
  targets: (input) => [input.start],
  async *scrape(url, ctx) {
    const links = await ctx.json<string[]>(url)
    for (const link of links) await ctx.follow(link)
    yield { url, links: links.length }
  },
})

/** Does to its worker what each target names. */
const acts = defineScraper({
  ...base,
  slug: "acts",
  name: "Acts",
  concurrency: 1,
  input: Type.Object({ acts: Type.Array(Type.String()) }),
  example: { acts: [] },
  targets: (input) => input.acts,
  async *scrape(act, ctx) {
    const [command, argument] = act.split(":")
    if (command === "loop") for (;;);
    if (command === "grow")
      for (const held: number[][] = []; ; held.push(new Array(1_000_000).fill(Math.random())))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    if (command === "exit") process.exit(3)
    if (command === "block")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(argument))
    if (command === "standing") {
      yield { act, priority: getPriority(0) }
      return
    }
    if (command === "crowd") crowdOntoOneProcessor()
    if (command === "burn") {
      yield { act, ...burn(Number(argument)) }
      return
    }
    if (command === "missing") throw new NotFound("There is no such thing.")
    if (command === "sleep") await Bun.sleep(Number(argument))
    if (command === "deaf") await new Promise(() => {})
    if (command === "wait") await ctx.pause(Number(argument), "the test says so")
    if (command === "remember") {
      const before = await ctx.memory.get<number>("count")
      await ctx.memory.set("count", (before ?? 0) + 1)
      yield { act, before: before ?? null }
      return
    }
    if (command === "many") {
      for (let index = 0; index < Number(argument); index++) yield { act, index }
      return
    }
    ctx.log(`Did ${act}`)
    yield { act }
  },
})

/** Returns as many items as each target specifies, in small steps. */
const counts = defineScraper({
  ...base,
  slug: "counts",
  name: "Counts",
  concurrency: 3,
  input: Type.Object({ counts: Type.Array(Type.Integer()) }),
  example: { counts: [] },
  targets: (input) => input.counts.map(String),
  async *scrape(count) {
    for (let index = 0; index < Number(count); index++) {
      await Bun.sleep(1)
      yield { count, index }
    }
  },
})

/** Treats every plain response as a challenge. */
const challenged = defineScraper({
  ...base,
  slug: "walled",
  name: "Walled",
  fetchMethods: ["http", "unlocker"],
  input: Type.Object({ urls: Type.Array(Type.String()) }),
  example: { urls: [] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    const response = await ctx.data(url, {
      has: (response) => response.text().startsWith("unlocked"),
      refusal: { sign: () => true },
    })
    yield { text: response.text() }
  },
})

const all: AnyScraper[] = [pages, crawl, acts, counts, challenged, brokenLinks]

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return all.find((scraper) => scraper.slug === slug)
}

export { acts, challenged, counts, crawl, pages }
