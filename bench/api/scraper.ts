import { Type } from "@sinclair/typebox"
import {
  type AnyScraper,
  defineScraper,
  inputObject,
  itemObject,
} from "../../src/catalogue/kit/index.ts"
import { crawler } from "../crawl/scraper.ts"

/** Never ends, so its runs use all slots of the account, and further runs are queued. */
export const waitingScraper = defineScraper({
  slug: "waiting-scraper",
  name: "Waiting",
  tagline: "Waits",
  category: "web",
  tier: "free",
  input: inputObject({ urls: Type.Array(Type.String({ minLength: 1 }), { minItems: 1 }) }),
  item: itemObject({ url: Type.String() }),
  example: { urls: ["https://example.com/"] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    await new Promise((_, reject) => {
      ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason), { once: true })
    })
    yield { url }
  },
})

export const scrapers: readonly AnyScraper[] = [waitingScraper, crawler]
