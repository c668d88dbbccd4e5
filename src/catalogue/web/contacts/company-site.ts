import {
  type ContactLink,
  type Contacts,
  contactLinks,
  readContacts,
} from "../../../extract/contact/index.ts"
import { parseDocument } from "../../../extract/core/index.ts"
import { completeUrl, normaliseUrl } from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  BadInput,
  type Context,
  type PageOptions,
  RobotsDisallowed,
  readOnce,
  Timeout,
  Unreachable,
  type UpstreamResponse,
} from "../../kit/index.ts"
import { ifAvailable, requireWhole } from "../page/open.ts"
import { challengeOf } from "../page/readable.ts"
import { sitemapIn, sitemapOptions } from "../page/sitemaps.ts"

/** A page of a company's site, with its contacts. */
export interface SitePage {
  url: string
  response: UpstreamResponse
  contacts: Contacts
}

/** Usual paths of contact pages, for sites without links to them. */
const usualPaths = ["/contact", "/kontakt", "/impressum", "/about", "/contact-us"]

const maxSitemapUrls = 5_000

/** Returns the URL for a domain, URL or email address. Throws BadInput for other texts. */
export function siteUrl(written: string): string {
  const text = written.trim()
  const host = /^[^\s@/]+@([^\s@/]+)$/.exec(text)?.[1]
  const url = completeUrl(host ?? text)
  if (url === null || !new URL(url).hostname.includes(".")) {
    throw new BadInput(`"${written}" is not a domain or URL.`)
  }
  return url
}

/**
 * Returns the home page of a site from any of its URLs; a host without a scheme if the input has
 * none. Throws BadInput.
 */
export function homeUrl(written: string): string {
  const { origin, host } = new URL(siteUrl(written))
  return /^\s*https?:/i.test(written) ? `${origin}/` : host
}

/** Returns the first page of a site. For an unreachable bare domain, tries `www.`, then http. */
export async function openSite(written: string, ctx: Context): Promise<SitePage> {
  const href = siteUrl(written)
  const url = new URL(href)
  const tries = [href]
  if (!/^\s*https?:/i.test(written)) {
    if (!url.hostname.startsWith("www.")) tries.push(`https://www.${url.host}${url.pathname}`)
    tries.push(href.replace(/^https:/, "http:"))
  }
  let first: unknown
  for (const attempt of tries) {
    try {
      return sitePage(await ctx.page(attempt, companyPage))
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Unreachable || error instanceof Timeout)) throw error
      first ??= error
    }
  }
  throw first
}

const contactsOf = readOnce((response) =>
  readContacts(response.document, response.url, response.text()),
)

const hasText = (response: UpstreamResponse) => contactsOf(response).lines.join("").length >= 200

const companyPage: PageOptions = {
  documents: "files",
  has: (response) => challengeOf(response) === null && hasText(response),
  what: "a company's page",
}

function sitePage(response: UpstreamResponse): SitePage {
  if (!hasText(response)) requireWhole(response)
  return { url: response.url, response, contacts: contactsOf(response) }
}

async function sitemapLinks(first: SitePage, kinds: readonly string[], ctx: Context) {
  const href = new URL("/sitemap.xml", first.url).href
  const response = await ifAvailable(ctx, () => ctx.get(href, sitemapOptions))
  const sitemap = response && sitemapIn(response)
  if (!sitemap) return []
  const document = parseDocument("")
  for (const { url } of sitemap.urls().take(maxSitemapUrls)) {
    const link = document.createElement("a")
    link.setAttribute("href", url)
    document.body.append(link)
  }
  return contactLinks(document, first.url, kinds)
}

export interface Visit {
  pages: SitePage[]
  /** Links to the site's pages of the requested kinds, whether they were read or not. */
  links: ContactLink[]
  failed: number
}

/**
 * Returns the first page and further pages of the given kinds, the likeliest first, at most
 * `maxPages` in total. If the first page links to none, they are looked up in the sitemap (if
 * `sitemap` is set) and by usual paths.
 */
export async function visitSite(
  first: SitePage,
  kinds: readonly string[],
  maxPages: number,
  ctx: Context,
  { sitemap = false } = {},
): Promise<Visit> {
  let links = contactLinks(first.response.document, first.url, kinds)
  if (sitemap && links.length === 0 && maxPages > 1) links = await sitemapLinks(first, kinds, ctx)
  const visit: Visit = { pages: [first], links, failed: 0 }
  const seen = new Set([normaliseUrl(first.url)])
  const guesses = usualPaths.map((path) => new URL(path, first.url).href)
  for (const url of links.length > 0 ? links.map((link) => link.url) : guesses) {
    if (visit.pages.length >= maxPages) break
    try {
      const retries = links.length > 0 ? 1 : 0
      const response = await ctx.page(url, { ...companyPage, robots: true, retries })
      if (seen.has(normaliseUrl(response.url))) continue
      seen.add(normaliseUrl(response.url))
      visit.pages.push(sitePage(response))
    } catch (error) {
      assertScrapeError(error, ctx)
      if (links.length === 0) continue
      if (!(error instanceof RobotsDisallowed)) visit.failed++
      ctx.log(`${url} was skipped: ${error.message}`, "warning")
    }
  }
  return visit
}
