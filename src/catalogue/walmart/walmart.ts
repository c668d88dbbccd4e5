import { JsonReader, nextState } from "../../extract/embedded/index.ts"
import { type Answer, Blocked, Changed, type Context, Outcome } from "../kit/index.ts"

export const walmart = "https://www.walmart.com"
export const walmartPace = { "www.walmart.com": { perSecond: 0.3, concurrency: 1 } }

/** Its refusals have no words in common: every page without the state is one. */
const refusal = { statuses: [403, 412, 429], sign: () => true }

/** `initialData` of the state that every page of the shop carries. */
export async function walmartData(url: string, ctx: Context): Promise<JsonReader> {
  const answer = await ctx.escalate(url, (ctx) => statePage(url, ctx))
  const data = new JsonReader(nextState(answer.document)).in("props", "pageProps", "initialData")
  if (data.has()) return data
  throw new Changed("Walmart's page holds no data in its state.", { url: answer.url })
}

async function statePage(url: string, ctx: Context): Promise<Answer> {
  try {
    return await ctx.page(url, {
      has: "script#__NEXT_DATA__",
      what: "the page state",
      refusal,
      waitFor: "network-quiet",
      headers: { "accept-language": "en-US,en;q=0.9" },
    })
  } catch (error) {
    // The page that robots are sent to may not answer them.
    const isWall = error instanceof Outcome && /\.com\/blocked\b/.test(error.url ?? "")
    throw isWall
      ? new Blocked("www.walmart.com turns robots away.", "HUMAN (PerimeterX)", { url })
      : error
  }
}

/** An address of the shop, absolute and without its query. */
export function walmartUrl(path: string | null): string | null {
  return path && `${walmart}${path.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/s, "")}`
}
