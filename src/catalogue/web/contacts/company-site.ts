import {
  contactLinks,
  type EmailMatch,
  mailProviderOf,
  ownerName,
  readContacts,
} from "../../../extract/contact/index.ts"
import { parseDocument, words } from "../../../extract/core/index.ts"
import { JsonReader } from "../../../extract/embedded/index.ts"
import { completeUrl, normaliseUrl, ownerDomain } from "../../../extract/links/index.ts"
import {
  assertScrapeError,
  BadInput,
  type Context,
  items,
  NotFound,
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
import providerNames from "./mail-providers.json"
import { officeMailboxes } from "./words.json"

/** A page of a company's site, with its contacts. */
export type SitePage = ReturnType<typeof sitePage>

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

function sitePage(response: UpstreamResponse) {
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

/**
 * Returns the first page and further pages of the given kinds, the likeliest first, at most
 * `maxPages` in total, and `links` to pages of these kinds, whether they were read or not. If the
 * first page links to none, they are looked up in the sitemap (if `sitemap` is set) and by usual
 * paths.
 */
export async function visitSite(
  first: SitePage,
  kinds: readonly string[],
  maxPages: number,
  ctx: Context,
  { sitemap = false } = {},
) {
  let links = contactLinks(first.response.document, first.url, kinds)
  if (sitemap && links.length === 0 && maxPages > 1) links = await sitemapLinks(first, kinds, ctx)
  const visit = { pages: [first], links, failed: 0 }
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

/** The parts of a postal address as a page displays it. */
export const visibleAddress = {
  street: items.text("Street and number."),
  postalCode: items.text("Postal code."),
  city: items.text("City or town."),
  region: items.text("State, province or region."),
  country: items.text("Country: a code (ISO 3166 alpha-2) or a name, as on the page."),
  text: items.requiredText("Postal address on one line."),
}

const roleNames = new RegExp(String.raw`^(?:${words(officeMailboxes)})(?:[._+-].*|\d*)$`, "i")

export const isRoleAddress = (email: string) => roleNames.test(email.split("@")[0]!)

/** Returns whether an email address belongs to the site's domain, whatever the subdomains. */
export function isOnDomain(email: string, siteUrl: string): boolean {
  const domain = ownerDomain(new URL(siteUrl).hostname)
  return domain !== null && ownerDomain(email.split("@")[1]!) === domain
}

export interface SourcedEmail extends EmailMatch {
  sources: string[]
}

/** Returns the email addresses of several pages without duplicates, in the order of discovery. */
export function mergedEmails(pages: readonly SitePage[]): SourcedEmail[] {
  const emails = new Map<string, SourcedEmail>()
  for (const { url, contacts } of pages) {
    for (const match of contacts.emails) {
      const known = emails.get(match.email.toLowerCase())
      if (known) known.sources.push(url)
      else emails.set(match.email.toLowerCase(), { ...match, sources: [url] })
    }
  }
  return [...emails.values()]
}

/** Returns the entries of several pages, each with its first page. `keyOf` finds duplicates. */
function merged<T>(
  pages: readonly SitePage[],
  entriesOf: (page: SitePage) => readonly T[],
  keyOf: (entry: T) => string,
): (T & { source: string })[] {
  const known = new Map<string, T & { source: string }>()
  for (const page of pages) {
    for (const entry of entriesOf(page)) {
      if (!known.has(keyOf(entry))) known.set(keyOf(entry), { ...entry, source: page.url })
    }
  }
  return [...known.values()]
}

export const mergedPhones = (pages: readonly SitePage[]) =>
  merged(
    pages,
    ({ contacts }) => contacts.phones,
    ({ e164, national }) => e164 ?? national.replace(/\D/g, ""),
  )

export const mergedAddresses = (pages: readonly SitePage[]) =>
  merged(
    pages,
    ({ contacts }) => contacts.addresses,
    ({ street, text, postalCode }) =>
      `${street ?? text}${postalCode ?? ""}`.toLowerCase().replace(/[^\p{L}\d]/gu, ""),
  )

export function mergedSocials(pages: readonly SitePage[]): Record<string, string[]> {
  const socials: Record<string, string[]> = {}
  for (const { contacts } of pages) {
    for (const [network, urls] of Object.entries(contacts.socials)) {
      socials[network] ??= []
      const known = new Set(socials[network].map(profileKey))
      socials[network].push(...urls.filter((url) => !known.has(profileKey(url))))
    }
  }
  return socials
}

const profileKey = (url: string) =>
  url
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/\/$/, "")

/** Returns the first value that is not null. Pages after it are not read. */
export const firstOfPages = <T>(pages: readonly SitePage[], read: (page: SitePage) => T | null) =>
  pages
    .values()
    .map(read)
    .find((value) => value !== null) ?? null

/** Returns the name of the site's owner; null if no page states it. */
export const ownerOf = (pages: readonly SitePage[]) =>
  firstOfPages(pages, ({ contacts, response, url }) => ownerName(contacts, response.document, url))

/**
 * Returns the mail servers of a domain by preference, and their operator, from its MX records. No mail
 * server is contacted. If DNS could not be queried, it is unknown whether the domain accepts mail, so
 * `mxFound` is null.
 */
export async function mailHost(domain: string, ctx: Context) {
  try {
    const records = new JsonReader([await ctx.dns(domain, "MX")].flat()).list()
    const mxHosts = records
      .toSorted((a, b) => (a.number("priority") ?? 0) - (b.number("priority") ?? 0))
      .map((record) => (record.text("exchange") ?? "").toLowerCase().replace(/\.$/, ""))
      // A single "." means that the domain accepts no mail.
      .filter((host) => host !== "")
    const provider = mailProviderOf(mxHosts)
    const names: Readonly<Record<string, string>> = providerNames
    const mailProvider = provider && (names[provider] ?? provider)
    return { mxFound: mxHosts.length > 0, mxHosts, mailProvider }
  } catch (error) {
    assertScrapeError(error, ctx)
    const isKnown = error instanceof NotFound
    if (!isKnown) ctx.log(`The mail servers of ${domain} are unknown: ${error.message}`, "warning")
    return { mxFound: isKnown ? false : null, mxHosts: [], mailProvider: null }
  }
}

/** Returns the texts of a domain's TXT records; none if DNS cannot be queried. */
export async function textRecords(domain: string, ctx: Context): Promise<string[]> {
  const records = [(await ifAvailable(ctx, () => ctx.dns(domain, "TXT"))) ?? []].flat(1)
  return (records as (string | string[])[]).map((record) => [record].flat().join(""))
}
