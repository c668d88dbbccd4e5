import { decodeXml } from "../../extract/core/index.ts"
import { type Feed, readFeed } from "../../extract/feed/index.ts"
import type { Context, Refusal, RequestOptions, UpstreamResponse } from "./context.ts"
import { Changed } from "./core/errors.ts"
import { readOnce } from "./core/refusal.ts"

/**
 * Returns the feed of a response; null if it is not a feed. Throws Changed if the response ends
 * before the feed's first entry.
 * @example feedIn(response)?.entryCount // 20
 */
export const feedIn = readOnce((response): Feed | null => {
  const text = decodeXml(response.bytes, response.headers.get("content-type") ?? "")
  const feed = readFeed(text, response.url)
  if (!feed?.broken || feed.entryCount > 0) return feed
  throw new Changed("The feed ends before its first entry.", { response })
})

/**
 * Returns a feed of a search site. Throws Blocked if the site sends a page instead, of which
 * `refusal` has the site's own signs.
 * @example const feed = await searchFeed(url, "Bing", ctx, { query: { q: words, format: "rss" } })
 */
export async function searchFeed(
  url: string,
  site: string,
  ctx: Context,
  { refusal, headers, ...options }: RequestOptions & { refusal?: Refusal } = {},
): Promise<Feed> {
  const what = "a feed"
  const response = await ctx.data(url, {
    has: (response) => feedIn(response) !== null,
    what,
    refusal: { vendor: site, sign: isPage, ...refusal },
    identity: "browser",
    // These sites limit the request rate and request a wait.
    retries: 3,
    headers: { accept: "application/rss+xml, application/xml;q=0.9, */*;q=0.5", ...headers },
    ...options,
  })
  const feed = feedIn(response)
  if (!feed) throw response.explainMissing(what)
  if (feed.broken) ctx.log("The feed's XML is broken; entries may be missing.", "warning")
  return feed
}

/**
 * Returns whether a response is a page or a feed without a channel. At a feed's URL these sites
 * send them only to bots.
 */
const isPage = (response: UpstreamResponse) =>
  /<(?:html|rss)\b/i.test(response.text().slice(0, 2000))
