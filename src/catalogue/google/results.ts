import { absoluteUrl, isoDay, parseCount, plainText, words } from "../../extract/core/index.ts"
import { type NamedLink, siteOf, upstreamTable } from "../kit/index.ts"
import { google, unwrapped } from "./google.ts"
import { nothingFound } from "./words.json"

/** CSS selectors and positions of the results pages; class names change every few months. */
export const searchTable = upstreamTable("google_search", "2026-08", {
  /** A single result with everything that belongs to it, innermost first. */
  block: ".MjjYud, .g, .tF2Cxc, .Gx5Zad, [data-hveid]",
  snippet:
    '.VwiC3b, [data-sncf="1"], [style*="-webkit-line-clamp"], .Gx5Zad .BNeawe.s3v9rd .BNeawe.s3v9rd',
  sitelinks: ".HiHjCd a[href], table a[href]",
  question: ".related-question-pair",
  answer: '[data-attrid^="wa:/description"] .hgKElc, .hgKElc, [data-attrid^="wa:/description"]',
  /** Elements whose links with headings are not results: questions, advertisements. */
  others: ".related-question-pair, [data-q], #tads, #bottomads, [data-text-ad]",
  /** User agent that gets the basic page for old phones. */
  basicAgent:
    "Nokia7610/2.0 (5.0509.0) SymbianOS/7.0s Series60/2.1 Profile/MIDP-2.0 Configuration/CLDC-1.0",
  basicResult: "div.zMzFAb",
  basicLink: "a.fuLhoc",
  basicTitle: "span.CVA68e",
  basicSnippet: "div.taTFJ span.FrIlee",
})
export type GoogleLayout = typeof searchTable.values

export type Organic = NamedLink & ReturnType<typeof resultAround>

/**
 * Returns the web results: links around a heading, without duplicates, questions and
 * advertisements.
 */
export function organicResults(document: Document, layout: GoogleLayout): Organic[] {
  // The page without scripts has only #main.
  const root = ["#rso", "#search", "#main"].map((id) => document.querySelector(id)).find(Boolean)
  const byKey = new Map<string, Organic>()
  for (const heading of root?.querySelectorAll("h3") ?? []) {
    const link = heading.closest("a[href]")
    const url = unwrapped(link?.getAttribute("href"))
    const title = plainText(heading)
    if (!link || !url || !title || byKey.has(url) || link.closest(layout.others)) continue
    const { hostname, pathname } = new URL(url)
    // Other searches, and advertisements.
    if (/^(?:www\.)?google\.[a-z.]+$/.test(hostname) && /^\/(?:search|aclk)/.test(pathname))
      continue
    byKey.set(url, { title, url, ...resultAround(link, url, layout) })
  }
  return [...byKey.values()]
}

function resultAround(link: Element, url: string, layout: GoogleLayout) {
  const block = blockOf(link, layout)
  const snippet = snippetOf(snippetElement(block, layout))
  const sitelinks = [...(block?.querySelectorAll(layout.sitelinks) ?? [])]
  return {
    displayedUrl: plainText(link.querySelector("cite") ?? block?.querySelector("cite")),
    domain: siteOf(url),
    snippet,
    publishedAt: isoDay(/^([\p{L}\d.,/ 年月日]{6,24}) (?:—|-|·)\s/u.exec(snippet ?? "")?.[1]),
    sitelinks: sitelinks.flatMap((sitelink): NamedLink[] => {
      const href = unwrapped(sitelink.getAttribute("href"))
      const title = plainText(sitelink)
      return href && title && href !== url ? [{ title, url: href }] : []
    }),
  }
}

/**
 * Returns the first element with text, because a strip of images has the same position in the
 * layout.
 */
const snippetElement = (block: Element | null, layout: GoogleLayout): Element | undefined =>
  [...(block?.querySelectorAll(layout.snippet) ?? [])].find(
    (element) => plainText(element) !== null,
  )

/** Returns the text without the "Read more" link at its end. */
function snippetOf(element: Element | undefined): string | null {
  const text = plainText(element)
  const more = plainText(element?.querySelector("a[href*='#:~:text=']"))
  return text && more && text.endsWith(more) ? text.slice(0, -more.length).trim() || null : text
}

/** Returns the nearest block around the link that has text but no second result. */
function blockOf(link: Element, layout: GoogleLayout): Element | null {
  let block = link.closest(layout.block)
  for (let outer = block; outer; outer = outer.parentElement?.closest(layout.block) ?? null) {
    if (outer.querySelectorAll("a h3").length > 1) break
    block = outer
    if (snippetElement(outer, layout)) break
  }
  return block
}

/** Returns the results of the basic page, the only one that Google fills without JavaScript. */
export const basicResults = (document: Document, layout: GoogleLayout): Organic[] =>
  [...document.querySelectorAll(layout.basicResult)].flatMap((row): Organic[] => {
    const link = row.querySelector(layout.basicLink)
    const url = unwrapped(link?.getAttribute("href"))
    const title = plainText(link?.querySelector(layout.basicTitle)) ?? plainText(link)
    if (!url || !title) return []
    return [
      {
        title,
        url,
        displayedUrl: null,
        domain: siteOf(url),
        snippet: plainText(row.querySelector(layout.basicSnippet)),
        publishedAt: null,
        sitelinks: [],
      },
    ]
  })

export function questions(document: Document, layout: GoogleLayout) {
  const seen = new Set<string>()
  return [...document.querySelectorAll(layout.question)].flatMap((pair) => {
    const question =
      pair.getAttribute("data-q") ?? pair.querySelector("[data-q]")?.getAttribute("data-q")
    if (!question || seen.has(question)) return []
    seen.add(question)
    const heading = pair.querySelector("a h3")
    const url = unwrapped(heading?.closest("a")?.getAttribute("href"))
    return {
      question,
      answer: plainText(pair.querySelector(layout.answer)),
      title: url ? plainText(heading) : null,
      url,
    }
  })
}

/** Returns the related searches, without the links to other pages of this search. */
export function relatedSearches(document: Document): { text: string; url: string }[] {
  const byKey = new Map<string, string>()
  for (const link of document.querySelectorAll("#bres a[href], #botstuff a[href]")) {
    const href = link.getAttribute("href")!
    const text = plainText(link)
    const url = absoluteUrl(href, google)
    const isSearch = /^(?:https:\/\/www\.google\.com)?\/search\?/.test(href)
    if (!isSearch || !text || !url || link.closest("[role=navigation], #botstuff table")) continue
    const isPage = new URL(url).searchParams.has("start") || /^(?:\d+|next|previous)$/i.test(text)
    if (!isPage && !byKey.has(text)) byKey.set(text, url)
  }
  return [...byKey].map(([text, url]) => ({ text, url }))
}

/** "About 128,000,000 results (0.24 s)". */
export const totalOf = (document: Document): number | null =>
  parseCount(plainText(document.querySelector("#result-stats"))?.replace(/\(.*$/, ""))

const nothing = new RegExp(words(nothingFound), "iu")

export function statesNothingFound(document: Document): boolean {
  const notice = [...document.querySelectorAll("#topstuff, .mnr-c, .card-section, #main .Gx5Zad")]
  if (notice.some((element) => nothing.test(plainText(element) ?? ""))) return true
  const search = document.querySelector("#search")
  return (
    search !== null &&
    plainText(search) === null &&
    document.querySelector(".mnr-c [role=heading] em") !== null
  )
}
