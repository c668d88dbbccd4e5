import { JsonReader, nextState } from "../../extract/embedded/index.ts"
import { Changed, type Context, isPlain, type Refusal } from "../kit/index.ts"

export const walmart = "https://www.walmart.com"
export const walmartRateLimit = { "www.walmart.com": { perSecond: 0.3, concurrency: 1 } }

/** Walmart's refusals have no words in common, so each page without the state is one. */
const refusal: Refusal = {
  vendor: "HUMAN (PerimeterX)",
  statuses: [403, 412, 429],
  address: /\.com\/blocked\b/,
  sign: isPlain,
}

/** Returns `initialData` of the state that all pages of the shop contain. */
export async function walmartData(url: string, ctx: Context): Promise<JsonReader> {
  const response = await ctx.page(url, {
    has: "script#__NEXT_DATA__",
    what: "the page state",
    refusal,
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  const data = new JsonReader(nextState(response.document)).in("props", "pageProps", "initialData")
  if (data.has()) return data
  throw new Changed("Walmart's page has no data in its state.", { url: response.url })
}

/** Returns a URL of the shop, absolute and without its query. */
export const walmartUrl = (path: string | null) =>
  path && `${walmart}${path.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/s, "")}`
