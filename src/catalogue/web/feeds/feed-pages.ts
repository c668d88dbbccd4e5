import { announcedFeeds, type Feed, type FeedEntry } from "../../../extract/feed/index.ts"
import { Blocked, Changed, type Context, feedIn, type UpstreamResponse } from "../../kit/index.ts"
import { openUrl } from "../page/open.ts"

const maxFeedBytes = 25 * 1024 * 1024
const maxPages = 10

const accept =
  "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5"

/** Returns the web URL of a `feed:` URL. Credentials are moved to a header. */
function feedRequest(written: string): { address: string; headers: Record<string, string> } {
  const scheme = /^feed:(?:\/\/(?!\/))?(?=https?:)/i
  let href = written
    .trim()
    .replace(scheme, "")
    .replace(/^feed:(?:\/\/)?/i, "")
  const headers: Record<string, string> = { accept }
  const url = /^https?:\/\/[^/]*@/i.test(href) ? URL.parse(href) : null
  if (url?.username) {
    const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`
    url.username = ""
    url.password = ""
    href = url.href
  }
  return { address: href, headers }
}

/** Returns the URL of a feed without credentials, for items. */
export function publicFeedUrl(written: string): string {
  return written.replace(/^((?:feed:(?:\/\/)?)?https?:\/\/)[^/@]*@/i, "$1")
}

/**
 * Returns the feed at a URL, or the first one that its page names; `resolvedFrom` is the URL of that
 * page, else null. Throws `not_a_feed`.
 */
export async function openFeed(written: string, ctx: Context) {
  const { address, headers } = feedRequest(written)
  let response = await open(address, ctx, headers)
  let resolvedFrom: string | null = null
  if (feedIn(response) === null) {
    const announcedUrl = announced(response)
    if (!announcedUrl || announcedUrl === response.url) throw notAFeed(response)
    ctx.log(`${response.url} is a page; reading the feed to which it links, ${announcedUrl}`)
    resolvedFrom = response.url
    response = await open(announcedUrl, ctx)
  }
  const feed = feedIn(response)
  if (!feed) throw notAFeed(response)
  return { feed, url: response.url, statusCode: response.status, resolvedFrom }
}

/** Statuses of hosts that refuse a client with Trawl's user agent, but accept a browser. */
const refusals = [401, 403, 405, 406]

/** Returns a feed, or a page that may link to one. */
async function open(url: string, ctx: Context, headers: Record<string, string> = { accept }) {
  const has = (response: UpstreamResponse) =>
    feedIn(response) !== null || announced(response) !== undefined
  const options = { has, what: "a feed", headers, maxBytes: maxFeedBytes }
  const asReader = await openUrl(url, ctx, {
    ...options,
    has: (response) => refusals.includes(response.status) || has(response),
    accept: refusals,
  }).catch((error) => {
    if (error instanceof Blocked && refusals.includes(error.statusCode ?? 0)) return null
    throw error
  })
  if (asReader && !refusals.includes(asReader.response.status)) return asReader.response
  return (await openUrl(url, ctx, { ...options, identity: "browser", retries: 0 })).response
}

function announced(response: UpstreamResponse): string | undefined {
  if (!/html/.test(response.contentType) && !/<html\b/i.test(response.text().slice(0, 2000))) return
  return announcedFeeds(response.document, response.url)[0]?.url
}

function notAFeed(response: UpstreamResponse): Changed {
  return new Changed(`${response.url} is not a feed (status ${response.status}).`, {
    code: "not_a_feed",
    response,
  })
}

/** Yields the entries of a feed and, as they are requested, of its further pages. */
export async function* allEntries(first: Feed, ctx: Context): AsyncGenerator<FeedEntry> {
  const seen = new Set<string>()
  let feed = first
  for (let page = 1; ; page++) {
    if (feed.broken) ctx.log("The feed's XML is broken; entries may be missing.", "warning")
    for (const entry of feed.entries()) {
      if (entry.guid !== null && page > 1 && seen.has(entry.guid)) continue
      if (entry.guid !== null) seen.add(entry.guid)
      yield entry
    }
    const next = feed.nextUrl
    if (next === null || page >= maxPages || seen.has(next)) return
    seen.add(next)
    try {
      const response = await ctx.data(next, {
        has: (response) => feedIn(response) !== null,
        what: "a feed",
        headers: { accept },
        maxBytes: maxFeedBytes,
      })
      const following = feedIn(response)
      if (following === null) throw notAFeed(response)
      feed = following
    } catch (error) {
      ctx.signal.throwIfAborted()
      ctx.log(`The feed's page ${page + 1} is missing: ${(error as Error).message}`, "warning")
      return
    }
  }
}
