import {
  absoluteUrl,
  htmlToText,
  isoDate,
  isoDay,
  plainText,
  words,
} from "../../extract/core/index.ts"
import {
  Changed,
  feedIn,
  items,
  type NamedLink,
  record,
  siteOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { nothingFound } from "./words.json"

/** Bing's notice in the languages of its markets; the desktop page marks it with a class as well. */
const nothing = new RegExp(words(nothingFound), "iu")

/** A result of the feed or of the page. */
export const bingResult = record({
  type: items.requiredText('Always "organic".'),
  title: items.requiredText("Title."),
  url: items.requiredText("URL of the result."),
  displayedUrl: items.text("URL, as Bing displays it."),
  siteName: items.text("Name of the site."),
  domain: items.text("Host of the page without www."),
  snippet: items.text("Excerpt of the page."),
  publishedAt: items.text("Day of the page, if Bing displays it."),
  crawledAt: items.text("Time at which Bing last crawled the page (ISO 8601, UTC)."),
  sitelinks: items.objects("Other pages of the site that are displayed below the result.", {
    title: items.requiredText("Text."),
    url: items.requiredText("URL of the page."),
  }),
})
export type BingResult = ReturnType<typeof bingResult.read>

/** Returns the results of Bing's feed; null if the response is not a feed. */
export function feedResults(response: UpstreamResponse): BingResult[] | null {
  if (!/^\s*<(?:\?xml|rss)\b/i.test(response.text().slice(0, 500))) return null
  const feed = feedIn(response)
  if (!feed) return null
  const results = [...feed.entries()].flatMap(({ title, publishedAt, node }): BingResult | [] => {
    const url = node?.text("link")
    if (!title || !node || !url) return []
    return bingResult.read({
      type: "organic",
      title,
      url,
      domain: siteOf(url),
      snippet: htmlToText(node.text("description")),
      // The feed's date is the day on which Bing crawled the page, not the page's own.
      crawledAt: publishedAt,
    })
  })
  if (feed.entryCount > 0 && results.length === 0) {
    const message = "Bing's feed contains no result with a title and a URL."
    throw new Changed(message, { url: response.url })
  }
  return results
}

/** Returns the results of a page: empty if Bing reports none, null if it is not a results page. */
export function pageResults(response: UpstreamResponse): BingResult[] | null {
  const list = response.document.querySelector("#b_results")
  if (!list) return null
  const rows = [...list.children].filter((row) => row.classList.contains("b_algo"))
  const results = rows.flatMap((row) => resultOf(row, response.url) ?? [])
  if (results.length > 0) return results
  const statesNone = list.querySelector(".b_no") !== null || nothing.test(plainText(list) ?? "")
  return statesNone ? [] : null
}

function resultOf(row: Element, base: string): BingResult | null {
  // On the desktop page the link is inside the heading, on the mobile page around it.
  const heading = row.querySelector("h2 a[href]") ?? row.querySelector("a[href] h2")
  const link = linkOf(heading?.closest("a[href]") ?? null, base)
  if (!link) return null
  const caption = row.querySelector(".b_caption p") ?? row.querySelector("p")
  const date = plainText(row.querySelector(".news_dt"))
  const sitelinks = [...row.querySelectorAll(".b_deep a[href], .b_vlist2col a[href]")]
  return bingResult.read({
    type: "organic",
    ...link,
    displayedUrl: plainText(row.querySelector("cite")),
    siteName: plainText(row.querySelector(".tptt")),
    domain: siteOf(link.url),
    snippet: snippetOf(caption, date),
    publishedAt: isoDay(date) ?? isoDate(date),
    sitelinks: sitelinks.flatMap((sitelink) => linkOf(sitelink, base) ?? []),
  })
}

function linkOf(link: Element | null, base: string): NamedLink | null {
  const title = plainText(link)
  const url = absoluteUrl(link?.getAttribute("href"), base)
  return title && url ? { title, url: target(url) } : null
}

/** Returns the caption without Bing's own labels and without the leading date. */
function snippetOf(caption: Element | null, date: string | null): string | null {
  const icon = plainText(caption?.querySelector(".algoSlug_icon"))
  let text = plainText(caption)
  for (const mark of [icon, date]) {
    if (text && mark && text.startsWith(mark)) text = text.slice(mark.length)
  }
  return text?.replace(/^[\s·—-]+/, "").trim() || null
}

/** Returns the page in `bing.com/ck/a?…&u=a1<base64url>`, or an unreadable URL as it is. */
function target(href: string): string {
  const url = new URL(href)
  const packed = url.pathname === "/ck/a" ? url.searchParams.get("u") : null
  if (!packed?.startsWith("a1")) return href
  try {
    const bytes = Uint8Array.fromBase64(packed.slice(2).replace(/(?<!=)=+$/, ""), {
      alphabet: "base64url",
    })
    return absoluteUrl(new TextDecoder().decode(bytes), url.origin) ?? href
  } catch {
    return href
  }
}
