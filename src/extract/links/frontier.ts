import { getDomain } from "tldts"
import { wordSet } from "../core/index.ts"

/** Query parameters that identify a visitor's origin, and never change the page. */
const trackingParameters = new Set([
  "gclid",
  "fbclid",
  "mc_cid",
  "mc_eid",
  "msclkid",
  "igshid",
  "ref_src",
])

/** Extensions of files that are not pages. */
const fileExtensions = wordSet(`
  7z aac ai apk arj atom avi avif bin bmp bz2 cab css csv dat deb dmg doc docm docx eot eps epub exe
  f4v flac flv gif gz gzip ico ics ipa iso jar jpeg jpg js json jsonld jxl lz lzma m4a m4v map mid
  midi mjs mkv mobi mov mp2 mp3 mp4 mpeg mpg msi odp ods odt ogg ogv opus otf pdf pkg png ppt pptx
  ps psd rar rdf rpm rss rtf svg svgz swf tar tgz tif tiff ttf txz vcf wasm wav weba webm
  webmanifest webp wma wmv woff woff2 xls xlsm xlsx xml xpi xz z zip zst
`)

const maxAddressChars = 2000
const maxRepeatedSegments = 10
const maxQueriesPerPath = 100

/**
 * A URL as a user writes it, completed by a scheme and otherwise untouched: `example.com` is
 * `https://example.com`. Null if it cannot be the URL of a page.
 */
export function completeUrl(written: string): string | null {
  const text = written.trim()
  // "mailto:a@b.c" has a scheme and no host; "localhost:8080" has a host and a port.
  if (/^[a-z][a-z0-9+.-]*:(?!\/\/|\d)/i.test(text)) return null
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `https:${text.startsWith("//") ? "" : "//"}${text}`
  if (!URL.canParse(url)) return null
  const { protocol } = new URL(url)
  return protocol === "https:" || protocol === "http:" ? url : null
}

/**
 * One spelling for URLs of the same page: no fragment, no default port, no tracking
 * parameters, lower-case host. The trailing slash and the order of the query stay.
 */
export function normaliseUrl(href: string): string {
  const url = new URL(href)
  url.hash = ""
  if (url.search !== "") {
    const stored = url.search
      .slice(1)
      .split("&")
      .filter((pair) => pair !== "" && !isTracking(pair.split("=", 1)[0]!))
    url.search = stored.join("&")
  }
  return url.href
}

function isTracking(name: string): boolean {
  const lower = name.toLowerCase()
  return lower.startsWith("utm_") || trackingParameters.has(lower)
}

/** Callers that need several facts about a URL pass it parsed. */
const parsed = (url: string | URL) => (typeof url === "string" ? new URL(url) : url)

const plainHost = (url: URL) => url.host.replace(/^www\./, "")

/** The domain under which an owner registers names: `example.co.uk`, `name.github.io`. */
export function ownerDomain(hostOrUrl: string): string | null {
  return getDomain(hostOrUrl, { allowPrivateDomains: true })
}

/** Same host, `www.` ignored; with subdomains, same registrable domain. */
export function sameSite(a: string | URL, b: string | URL, includeSubdomains = false): boolean {
  const [first, second] = [parsed(a), parsed(b)]
  if (plainHost(first) === plainHost(second)) return true
  if (!includeSubdomains) return false
  const domain = ownerDomain(first.hostname)
  return domain !== null && domain === ownerDomain(second.hostname)
}

/** False for URLs of files that are not pages: images, archives, media. */
export function isPageUrl(url: string | URL): boolean {
  const name = parsed(url).pathname.split("/").at(-1)!
  const dot = name.lastIndexOf(".")
  return dot < 0 || !fileExtensions.has(name.slice(dot + 1).toLowerCase())
}

/** Extensions of documents that are read as pages. */
const documentExtensions = wordSet("pdf docx xlsx pptx odt ods odp epub rtf csv ipynb")

export function isDocumentAddress(url: string | URL): boolean {
  const { pathname } = parsed(url)
  return documentExtensions.has(pathname.slice(pathname.lastIndexOf(".") + 1).toLowerCase())
}

/** A URL that only a loop of relative links or a broken script produces. */
export function isTrapAddress(href: string | URL): boolean {
  const url = parsed(href)
  if (url.href.length > maxAddressChars) return true
  const segments = url.pathname.split("/").filter((segment) => segment !== "")
  return segments.length - new Set(segments).size > maxRepeatedSegments
}

/** Keeps a crawl out of infinite spaces: calendars, sorted lists, session ids. One for each run. */
export class TrapDetector {
  private readonly queries = new Map<string, Set<string>>()

  /** Returns whether a URL may be crawled; counts the queries seen for its path. */
  admits(url: string | URL): boolean {
    if (isTrapAddress(url)) return false
    const href = String(url)
    const start = href.indexOf("?")
    if (start < 0) return true
    const path = href.slice(0, start)
    const seen = this.queries.get(path) ?? new Set()
    this.queries.set(path, seen)
    const query = href.slice(start + 1)
    if (seen.has(query)) return true
    if (seen.size >= maxQueriesPerPath) return false
    seen.add(query)
    return true
  }
}
