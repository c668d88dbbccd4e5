import {
  announcedFeeds,
  type Feed,
  type FeedLink,
  linkedFeeds,
  serviceFeeds,
  usualFeedPaths,
} from "../../../extract/feed/index.ts"
import { normaliseUrl } from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  Blocked,
  type Context,
  defineScraper,
  feedIn,
  field,
  type InputOf,
  inputs,
  items,
  NotFound,
  pageUrls,
  RateLimited,
  record,
  toPageUrl,
  Unreachable,
  UnsupportedContent,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { openPage, openUrl, pageFailure } from "../page/open.ts"

const maxFeedBytes = 25 * 1024 * 1024
/** Entries that are checked for the newest date and for audio. */
const entriesRead = 50

const item = record({
  siteUrl: items.requiredText("Site as written in the input."),
  found: items.requiredBoolean(
    "Whether the site has a feed. A site without feeds returns one item with false.",
  ),
  feedUrl: field.text("candidate.url", "URL of the feed, after redirects if it was requested."),
  title: items.text("Title of the link to the feed, else title of the feed."),
  type: field.text("feed.type|candidate.type", "Format: rss, atom, rdf, json or unknown."),
  source: items.text("Method that found it: self, link-tag, anchor, service or common-path."),
  verified: items.requiredBoolean("Whether the feed was requested, and is a feed."),
  isCommentFeed: items.requiredBoolean("Whether the feed contains comments."),
  feedTitle: field.text("feed.title", "Title of the feed itself."),
  feedDescription: field.text("feed.description", "Description of the feed."),
  language: field.text("feed.language", "Language of the feed."),
  itemCount: field.integer("feed.entryCount", "Number of entries in the feed."),
  lastPublished: items.text("Time of the newest entry (ISO 8601)."),
  isPodcast: items.boolean("Whether entries have audio."),
})

type Candidate = FeedLink & { source: string }

const input = {
  urls: pageUrls(500, "Site or page URLs"),
  probeCommonPaths: inputs.flag(
    "Check every candidate and the usual feed paths; false reads only the feeds to which the page links.",
    true,
  ),
  maxFeedsPerSite: inputs.count("Maximum feeds per site", { max: 200, or: 20 }),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "rss-discovery-scraper",
  name: "Feed Finder",
  tagline: "Find every RSS, Atom and JSON feed of a website.",
  notServed: ["feed entries"],
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  input,
  item,
  example: { urls: ["https://www.theguardian.com/international"], probeCommonPaths: false },
  probe: {
    expect: [
      "items.length gte 1",
      "items[*].found equals true",
      'items[*].feedUrl matches "theguardian.com/.*rss"',
      "?items[*].verified equals true",
    ],
  },
  rateLimit: { "*": { concurrency: 1 } },
  targets: (input) => input.urls,
  identify: (target) => ({ input: target, siteUrl: target }),

  async *scrape(target, ctx) {
    yield* await ctx.escalate(toPageUrl(target), (ctx) => Array.fromAsync(feedsOf(target, ctx)))
  },
})

/** Uses one fetch method. If a page links to no feed, the next method may get a better response. */
async function* feedsOf(target: string, ctx: Context<Input>) {
  const { maxFeedsPerSite: max, probeCommonPaths } = ctx.input
  const response = await openSite(target, ctx)
  const self = feedIn(response)
  if (self) {
    const candidate = { url: response.url, title: null, type: self.type, source: "self" }
    yield described(target, candidate, self)
    return
  }
  if (!isHtml(response)) {
    throw new UnsupportedContent(`${response.url} is neither a page nor a feed.`, { response })
  }
  const known = new Set<string>()
  let count = 0
  for (const candidate of candidates(response, probeCommonPaths)) {
    if (count >= max) break
    if (known.has(feedKey(candidate.url))) continue
    known.add(feedKey(candidate.url))
    const checked = await check(candidate, ctx)
    if (checked === "stop") break
    if (checked === null) continue
    const { feed, url } = checked
    const names = [url, ...(feed?.selfUrl ? [feed.selfUrl] : [])].map(feedKey)
    const first = feedKey(candidate.url)
    if (names.some((name) => name !== first && known.has(name))) continue
    for (const name of names) known.add(name)
    count++
    yield described(target, { ...candidate, url }, feed)
  }
  if (count > 0) return
  const failure = pageFailure(response, "a feed link")
  if (failure) throw failure
  yield described(target, null, null)
}

/** Returns the page at a URL. A feed is not a page, so it is requested again as any response. */
async function openSite(target: string, ctx: Context): Promise<UpstreamResponse> {
  try {
    return (await openPage(target, ctx)).response
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof UnsupportedContent)) throw error
    return (await openUrl(target, ctx, { maxBytes: maxFeedBytes })).response
  }
}

const isHtml = (response: UpstreamResponse) =>
  /html/.test(response.contentType) ||
  /<(?:!doctype html|html|head|body)\b/i.test(response.text().slice(0, 2000))

function* candidates(response: UpstreamResponse, probe: boolean): Generator<Candidate> {
  const { document, url } = response
  for (const link of announcedFeeds(document, url)) yield { ...link, source: "link-tag" }
  if (!probe) return
  for (const link of linkedFeeds(document, url)) yield { ...link, source: "anchor" }
  for (const link of serviceFeeds(document, url)) yield { ...link, source: "service" }
  const { origin, pathname } = new URL(url)
  const folder = pathname.slice(0, pathname.lastIndexOf("/"))
  for (const place of new Set([origin, `${origin}${folder}`])) {
    for (const path of usualFeedPaths) {
      yield { url: `${place}${path}`, title: null, type: "unknown", source: "common-path" }
    }
  }
}

/** Returns the same key for all spellings of a URL: without scheme, `www.` and trailing slash. */
function feedKey(url: string): string {
  return normaliseUrl(url)
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/(?=\?|$)/, "")
}

/**
 * Returns the feed at a candidate URL; null if there is none, and only the URL if it is not to be
 * read, or the page links to it and it could not be read. "stop" means that the site refuses more
 * requests.
 */
async function check(candidate: Candidate, ctx: Context<Input>) {
  const unread = { feed: null, url: candidate.url }
  if (!ctx.input.probeCommonPaths) return unread
  const announced = candidate.source === "link-tag"
  try {
    const response = await ctx.data(candidate.url, {
      has: (response) => feedIn(response) !== null,
      what: "a feed",
      headers: { accept: "*/*" },
      maxBytes: maxFeedBytes,
      retries: 0,
    })
    const feed = feedIn(response)
    if (feed) return { feed, url: response.url }
    // A page at the feed's URL means that the link is outdated.
    return announced && !isHtml(response) ? unread : null
  } catch (error) {
    assertScrapeError(error, ctx)
    if (announced && !(error instanceof NotFound || error instanceof Unreachable)) {
      const problem = `${candidate.url} is linked as a feed, but could not be read`
      ctx.log(`${problem}: ${error.message}`, "warning")
      return unread
    }
    const refused = error instanceof RateLimited || error instanceof Blocked
    if (!refused || candidate.source !== "common-path") return null
    ctx.log(`The other usual feed paths are skipped: ${error.message}`, "warning")
    return "stop"
  }
}

function described(siteUrl: string, candidate: Candidate | null, feed: Feed | null) {
  const entries = feed ? feed.entries().take(entriesRead).toArray() : []
  const title = candidate?.title ?? feed?.title ?? null
  return item.read({
    candidate,
    feed,
    siteUrl,
    found: candidate !== null,
    title,
    source: candidate?.source,
    verified: feed !== null,
    isCommentFeed: /comments|\bcomment\b|kommentar|commentaire|comentario/i.test(
      `${candidate?.url} ${title}`,
    ),
    lastPublished: entries
      .flatMap((entry) => entry.publishedAt ?? [])
      .sort()
      .at(-1),
    isPodcast: feed && entries.some((entry) => entry.enclosures.some(isAudio)),
  })
}

const isAudio = ({ type, url }: { type: string | null; url: string }) =>
  type?.startsWith("audio/") || /\.(?:mp3|m4a|ogg|opus)(?:\?|$)/i.test(url)
