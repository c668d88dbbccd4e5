import { absoluteUrl, baseUrl, foldSpace, textOf, words } from "../core/index.ts"

/** The URL of a possible feed, and its description on the page. */
export interface FeedLink {
  url: string
  title: string | null
  /** rss, atom, rdf, json or unknown, as declared. */
  type: string
}

const declaredTypes: [pattern: RegExp, type: string][] = [
  [/^(?:application|text)\/(?:x-)?rss\+xml$/, "rss"],
  [/^(?:application|text)\/(?:x-)?atom\+xml$/, "atom"],
  [/^(?:application|text)\/(?:x-)?rdf\+xml$/, "rdf"],
  [/^application\/(?:feed\+)?json$/, "json"],
  [/^(?:application|text)\/(?:x-)?(?:xml|rss|atom|x?feed)$/, "unknown"],
]

/** The feeds that `<link rel=alternate>` and `<link rel=feed>` announce, in document order. */
export function announcedFeeds(document: Document, pageUrl: string): FeedLink[] {
  const base = baseUrl(document, pageUrl)
  const links: FeedLink[] = []
  for (const link of document.querySelectorAll("link[rel][href]")) {
    const rel = link.getAttribute("rel")!.toLowerCase().split(/\s+/)
    const written = (link.getAttribute("type") ?? "").split(";")[0]!.trim().toLowerCase()
    const declared = declaredTypes.find(([pattern]) => pattern.test(written))?.[1]
    const type = declared ?? (rel.includes("feed") ? "unknown" : undefined)
    const href = link.getAttribute("href")!.trim()
    if (!type || !(rel.includes("alternate") || rel.includes("feed"))) continue
    if (href === "" || /oembed|wp-json|\/api\//i.test(href)) continue
    const url = absoluteUrl(href.replace(/^feed:(?:\/\/)?(?=https?:)/i, ""), base)
    if (url !== null)
      links.push({ url, title: foldSpace(link.getAttribute("title") ?? "") || null, type })
  }
  return links
}

const feedAddress = new RegExp(
  words(
    String.raw`\.(?:rss|atom|rdf)$|\/(?:feed|rss|atom)\/?$`,
    String.raw`\/(?:feed|rss|atom|index)\.xml$|\/feed\.json$`,
    String.raw`[?&]feed=(?:rss2?|atom|rdf)\b|\/feeds\/posts\/default`,
  ),
  "i",
)
const feedText =
  /^(?:rss(?:[\s-]*feeds?)?|atom(?:[\s-]*feeds?)?|(?:news|blog)?[\s-]*feed|subscribe via rss|xml)$/i

/** Links that look like feeds; only a request shows whether they are. */
export function linkedFeeds(document: Document, pageUrl: string): FeedLink[] {
  const base = baseUrl(document, pageUrl)
  const links: FeedLink[] = []
  for (const anchor of document.querySelectorAll("a[href]")) {
    const href = anchor.getAttribute("href")!.trim()
    if (href === "" || href.startsWith("#")) continue
    const schemed = /^feed:/i.test(href)
    const url = absoluteUrl(
      href.replace(/^feed:(?:\/\/)?(?=https?:)/i, "").replace(/^feed:\/\//i, "https://"),
      base,
    )
    if (url === null) continue
    const title = textOf(anchor) ?? (foldSpace(anchor.getAttribute("title") ?? "") || null)
    const { pathname, search } = new URL(url)
    if (schemed || feedAddress.test(pathname + search) || feedText.test(title ?? "")) {
      links.push({ url, title, type: "unknown" })
    }
  }
  return links
}

/** Returns the feeds that known services publish for a page. */
export function serviceFeeds(document: Document, pageUrl: string): FeedLink[] {
  const { origin, pathname, hostname, searchParams } = new URL(pageUrl)
  const host = hostname.replace(/^(?:www|m|old|new)\./, "")
  const path = pathname.replace(/\/+$/, "")
  const segments = path.split("/").filter(Boolean)
  const addresses: string[] = []
  if (host === "youtube.com") {
    const channel = youtubeChannel(document, path)
    const list = searchParams.get("list")
    const feed = "https://www.youtube.com/feeds/videos.xml"
    if (channel) addresses.push(`${feed}?channel_id=${channel}`)
    if (list) addresses.push(`${feed}?playlist_id=${list}`)
  } else if (host === "reddit.com") addresses.push(`https://www.reddit.com${path}/.rss`)
  else if (host === "github.com" && segments.length >= 2) {
    const repository = `https://github.com/${segments[0]}/${segments[1]}`
    addresses.push(`${repository}/releases.atom`, `${repository}/commits.atom`)
  } else if (host === "github.com" && segments.length === 1) addresses.push(`${origin}${path}.atom`)
  else if (host === "medium.com" && segments[0])
    addresses.push(`https://medium.com/feed/${segments[0]}`)
  else if (host.endsWith(".medium.com") || host.endsWith(".substack.com"))
    addresses.push(`${origin}/feed`)
  else if (host.endsWith(".tumblr.com")) addresses.push(`${origin}/rss`)
  else if (host.endsWith(".wordpress.com")) addresses.push(`${origin}/feed/`)
  else if (/\.blogspot\.[a-z.]+$/.test(host)) addresses.push(`${origin}/feeds/posts/default`)
  else if (host === "bsky.app" && segments[0] === "profile")
    addresses.push(`${origin}/profile/${segments[1]}/rss`)
  else if (
    /(?:^|\.)(?:stackoverflow|stackexchange|superuser|serverfault|askubuntu)\.com$/.test(host)
  ) {
    addresses.push(`${origin}/feeds`)
  } else if (/^\/@[\w.]+$/.test(path)) addresses.push(`${origin}${path}.rss`)
  return addresses.map((url) => ({ url, title: null, type: "unknown" }))
}

function youtubeChannel(document: Document, path: string): string | undefined {
  const inPath = /^\/channel\/(UC[\w-]{22})/.exec(path)?.[1]
  const meta = document.querySelector("meta[itemprop=identifier], meta[itemprop=channelId]")
  const canonical = document.querySelector("link[rel=canonical][href]")?.getAttribute("href") ?? ""
  return inPath ?? meta?.getAttribute("content") ?? /\/channel\/(UC[\w-]{22})/.exec(canonical)?.[1]
}

/** Usual paths of feeds that pages do not link, the likeliest first. */
export const usualFeedPaths = [
  "/feed",
  "/rss",
  "/feed.xml",
  "/rss.xml",
  "/atom.xml",
  "/index.xml",
  "/feed.json",
  "/feed/atom",
  "/rss/feed",
  "/blog/feed",
  "/blog/rss.xml",
  "/blog/index.xml",
  "/news/feed",
  "/news/rss.xml",
  "/feeds/posts/default",
  "/?feed=rss2",
  "/comments/feed",
]
