import { JsonReader, nextState } from "../../extract/embedded/index.ts"
import { Blocked, Changed, type Context, guardedPage, lacking, Outcome } from "../kit/index.ts"

export const walmart = "https://www.walmart.com"
export const walmartPace = { "www.walmart.com": { perSecond: 0.3, concurrency: 1 } }

const wall = {
  statuses: [403, 412, 429],
  sign: /<title>\s*Robot or human\?|Activate and hold the button/i,
  wordless: true,
}

/** `initialData` of the state that every page of the shop carries. */
export async function walmartData(url: string, ctx: Context): Promise<JsonReader> {
  const answer = await guardedPage(ctx, url, wall, {
    headers: { "accept-language": "en-US,en;q=0.9" },
  }).catch((error) => {
    // The page that robots are sent to may not answer them.
    const isWall = error instanceof Outcome && /\.com\/blocked\b/.test(error.url ?? "")
    throw isWall
      ? new Blocked("www.walmart.com turns robots away.", "HUMAN (PerimeterX)", { url })
      : error
  })
  const data = new JsonReader(nextState(answer.document)).in("props", "pageProps", "initialData")
  if (data.has()) return data
  if (!answer.document.querySelector("script#__NEXT_DATA__")) {
    throw lacking(answer, "the page state", wall)
  }
  throw new Changed("Walmart's page holds no data in its state.", { url: answer.url })
}

/** An address of the shop, absolute and without its query. */
export function walmartUrl(path: string | null): string | null {
  return path && `${walmart}${path.replace(/^https?:\/\/[^/]+/, "").replace(/[?#].*$/s, "")}`
}
