import { Type } from "@sinclair/typebox"
import { defineScraper } from "../../src/catalogue/kit/index.ts"

/** A minimal crawler: title and description of each page, every link followed. */
export const crawler = defineScraper({
  slug: "bench-crawler",
  name: "Benchmark crawler",
  tagline: "Title and description of every page of a site",
  category: "web",
  tier: "free",
  concurrency: 64,
  input: Type.Object({ url: Type.String() }),
  item: Type.Object({
    url: Type.String(),
    title: Type.String(),
    description: Type.Union([Type.String(), Type.Null()]),
  }),
  example: { url: "https://example.com/" },
  targets: (input) => [input.url],
  async *scrape(url, ctx) {
    const { document } = await ctx.page(url, { robots: true })
    for (const anchor of document.querySelectorAll("a[href]")) {
      await ctx.follow(new URL(anchor.getAttribute("href")!, url).href)
    }
    const description = document.querySelector("meta[name=description]")?.getAttribute("content")
    yield { url, title: document.title, description: description ?? null }
  },
})
