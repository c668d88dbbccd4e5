import { absoluteUrl, baseUrl } from "../core/index.ts"
import { normaliseUrl } from "./frontier.ts"

export interface PageLink {
  /** Absolute and normalised, without fragment: the key of the page that it leads to. */
  url: string
  /** Absolute as written, with its fragment. */
  address: string
  /** The `rel` words, lower case. */
  rel: string[]
  element: Element
}

const linkSelector = "a[href], area[href], link[rel~=next i][href]"

/**
 * Returns the links of a page to http(s) URLs in document order, with repeated ones.
 *
 * @example
 * ```ts
 * pageLinks(parseDocument("<a href=/b>B</a>"), "https://a.example/").map(({ url }) => url) // ["https://a.example/b"]
 * ```
 */
export function pageLinks(document: Document, pageUrl: string): PageLink[] {
  const base = baseUrl(document, pageUrl)
  const links: PageLink[] = []
  for (const element of document.querySelectorAll(linkSelector)) {
    const href = element.getAttribute("href")!.trim()
    if (/^(?:mailto|tel|javascript|data|sms|about|blob):/i.test(href)) continue
    const url = absoluteUrl(href, base)
    if (url === null) continue
    const rel = (element.getAttribute("rel") ?? "").toLowerCase().split(/\s+/).filter(Boolean)
    links.push({ url: normaliseUrl(url), address: url, rel, element })
  }
  return links
}

/** The distinct URLs of links, normalised, in order; the page's own left out. */
export function distinctAddresses(links: readonly PageLink[], pageUrl: string): string[] {
  const own = normaliseUrl(pageUrl)
  const addresses = new Set(links.map((link) => link.url))
  addresses.delete(own)
  return [...addresses]
}

export interface RobotsMeta {
  noindex: boolean
  /** The page asks for none of its links to be followed. */
  nofollow: boolean
}

/** Returns the directives of `<meta name=robots>` for crawlers. */
export function robotsMeta(document: Document): RobotsMeta {
  const words = [...document.querySelectorAll("meta[name=robots i]")].flatMap((meta) =>
    (meta.getAttribute("content") ?? "").toLowerCase().split(/[\s,]+/),
  )
  const none = words.includes("none")
  return {
    noindex: none || words.includes("noindex"),
    nofollow: none || words.includes("nofollow"),
  }
}

/** A refresh after this many seconds or fewer redirects; a later one reloads a live page. */
const redirectSeconds = 10

/** Returns the target of `<meta http-equiv=refresh>`; null if it has none, or reloads the page. */
export function refreshTarget(document: Document, pageUrl: string): string | null {
  for (const meta of document.querySelectorAll("meta[http-equiv=refresh i]")) {
    if (meta.closest("noscript")) continue
    const match = /^\s*([\d.]+)\s*(?:[;,]\s*(?:url\s*=\s*)?(['"]?)(.+?)\2\s*)?$/is.exec(
      meta.getAttribute("content") ?? "",
    )
    if (!match?.[3] || Number(match[1]) > redirectSeconds) continue
    const target = absoluteUrl(match[3], baseUrl(document, pageUrl))
    if (target !== null && normaliseUrl(target) !== normaliseUrl(pageUrl)) return target
  }
  return null
}
