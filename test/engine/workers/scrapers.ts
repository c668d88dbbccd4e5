import { getPriority } from "node:os"
import { Type } from "@sinclair/typebox"
import { type AnyScraper, defineScraper, NotFound } from "../../../src/catalogue/kit/index.ts"
import brokenLinks from "../../../src/catalogue/web/links/broken-link-checker.ts"
import { burn, crowdOntoOneProcessor } from "./processor.ts"

const base = {
  category: "web",
  tier: "free",
  item: Type.Object({}),
  tagline: "For the tests of durable runs",
} as const

/** Fetches pages of the local site; each target gives `perTarget` items. */
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
    const answer = await ctx.get(url, { retries: 0 })
    const count = ctx.input.perTarget ?? 1
    for (let index = 0; index < count; index++) yield { url, index, text: answer.text() }
  },
})

/** Follows the links of the local site, which answers a JSON list of addresses. */
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
    const [verb, argument] = act.split(":")
    if (verb === "loop") for (;;);
    if (verb === "grow")
      for (const held: number[][] = []; ; held.push(new Array(1_000_000).fill(Math.random())))
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    if (verb === "exit") process.exit(3)
    if (verb === "block")
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(argument))
    if (verb === "standing") {
      yield { act, priority: getPriority(0) }
      return
    }
    if (verb === "crowd") crowdOntoOneProcessor()
    if (verb === "burn") {
      yield { act, ...burn(Number(argument)) }
      return
    }
    if (verb === "missing") throw new NotFound("There is no such thing.")
    if (verb === "sleep") await Bun.sleep(Number(argument))
    if (verb === "deaf") await new Promise(() => {})
    if (verb === "wait") await ctx.pause(Number(argument), "the test says so")
    if (verb === "remember") {
      const before = await ctx.memory.get<number>("count")
      await ctx.memory.set("count", (before ?? 0) + 1)
      yield { act, before: before ?? null }
      return
    }
    if (verb === "many") {
      for (let index = 0; index < Number(argument); index++) yield { act, index }
      return
    }
    ctx.log(`Did ${act}`)
    yield { act }
  },
})

/** Gives as many items as each target says, in small steps beside its neighbours. */
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

/** Takes every plain answer for a wall. */
const walled = defineScraper({
  ...base,
  slug: "walled",
  name: "Walled",
  access: ["http", "unlocker"],
  input: Type.Object({ urls: Type.Array(Type.String()) }),
  example: { urls: [] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    const answer = await ctx.data(url, {
      has: (answer) => answer.text().startsWith("unlocked"),
      refusal: { sign: () => true },
    })
    yield { text: answer.text() }
  },
})

const all: AnyScraper[] = [pages, crawl, acts, counts, walled, brokenLinks]

export function scraperBySlug(slug: string): AnyScraper | undefined {
  return all.find((scraper) => scraper.slug === slug)
}

export { acts, counts, crawl, pages, walled }
