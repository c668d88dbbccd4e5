import type { Feed } from "../../../extract/feed/index.ts"
import type { Context, Refusal, RequestOptions, UpstreamResponse } from "../context.ts"
import { readOnce } from "../core/refusal.ts"
import { feedIn } from "./feed-pages.ts"

interface FeedOptions extends RequestOptions {
  /** The site's own signs that it sent a page instead of the feed. */
  refusal?: Refusal
}

/**
 * Returns a feed of a search site. Throws Blocked if the site sends a page instead.
 * @example const feed = await searchFeed(url, "Bing", ctx, { query: { q: words, format: "rss" } })
 */
export async function searchFeed(
  url: string,
  site: string,
  ctx: Context,
  { refusal, headers, ...options }: FeedOptions = {},
): Promise<Feed> {
  const what = "a feed"
  const response = await ctx.data(url, {
    has: (response) => feedOf(response) !== null,
    what,
    refusal: { vendor: site, sign: isPage, ...refusal },
    identity: "browser",
    // These sites limit the request rate and request a wait.
    retries: 3,
    headers: { accept: "application/rss+xml, application/xml;q=0.9, */*;q=0.5", ...headers },
    ...options,
  })
  const feed = feedOf(response)
  if (!feed) throw response.explainMissing(what)
  if (feed.broken) ctx.log("The feed's XML is broken; entries may be missing.", "warning")
  return feed
}

const feedOf = readOnce(feedIn)

/**
 * Returns whether a response is a page or a feed without a channel. At a feed's URL these sites
 * send them only to bots.
 */
const isPage = (response: UpstreamResponse) =>
  /<(?:html|rss)\b/i.test(response.text().slice(0, 2000))
