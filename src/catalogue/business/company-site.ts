import { type ContactLink, contactLinks } from "../../extract/contact-links.ts"
import { type Contacts, readContacts } from "../../extract/contacts.ts"
import { completeAddress, normaliseUrl } from "../../extract/frontier.ts"
import type { Answer, Context } from "../context.ts"
import { BadInput, Outcome, RobotsDisallowed, Timeout, Unreachable } from "../outcome.ts"
import { requirePage } from "../web/pages.ts"

/** A page of a company's site that was read. */
export interface SitePage {
  url: string
  answer: Answer
  contacts: Contacts
}

/** Where such pages usually lie, for sites that link none. */
const usualPaths = ["/contact", "/kontakt", "/impressum", "/about", "/contact-us"]

/** The address of what callers write: a domain, an address, an e-mail address. */
export function siteAddress(written: string): string {
  const text = written.trim()
  const host = /^[^\s@/]+@([^\s@/]+)$/.exec(text)?.[1]
  const address = completeAddress(host ?? text)
  if (address === null || !new URL(address).hostname.includes(".")) {
    throw new BadInput(`"${written}" is no domain and no address.`)
  }
  return address
}

/**
 * The first page of a site. For a bare domain, `www.` and then plain http are tried where it
 * cannot be reached.
 */
export async function openSite(written: string, ctx: Context): Promise<SitePage> {
  const address = siteAddress(written)
  const url = new URL(address)
  const tries = [address]
  if (!/^\s*https?:/i.test(written)) {
    if (!url.hostname.startsWith("www.")) tries.push(`https://www.${url.host}${url.pathname}`)
    tries.push(address.replace(/^https:/, "http:"))
  }
  let first: unknown
  for (const one of tries) {
    try {
      return await readPage(await ctx.html(one))
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Unreachable || error instanceof Timeout)) throw error
      first ??= error
    }
  }
  throw first
}

async function readPage(answer: Answer): Promise<SitePage> {
  const contacts = readContacts(answer.document, answer.url, answer.text())
  if (contacts.lines.join("").length < 200) requirePage(answer, "a company's page")
  return { url: answer.url, answer, contacts }
}

export interface Visit {
  pages: SitePage[]
  /** Pages of the site that looked right, read or not. */
  links: ContactLink[]
  failed: number
}

/** The first page and further ones of these kinds, the likeliest first, `maxPages` in all. */
export async function visitSite(
  first: SitePage,
  kinds: readonly string[],
  maxPages: number,
  ctx: Context,
): Promise<Visit> {
  const links = contactLinks(first.answer.document, first.url, kinds)
  const visit: Visit = { pages: [first], links, failed: 0 }
  const seen = new Set([normaliseUrl(first.url)])
  const guesses = usualPaths.map((path) => new URL(path, first.url).href)
  for (const url of links.length > 0 ? links.map((link) => link.url) : guesses) {
    if (visit.pages.length >= maxPages) break
    try {
      const answer = await ctx.html(url, { robots: true, retries: links.length > 0 ? 1 : 0 })
      if (seen.has(normaliseUrl(answer.url))) continue
      seen.add(normaliseUrl(answer.url))
      visit.pages.push(await readPage(answer))
    } catch (error) {
      ctx.signal.throwIfAborted()
      if (!(error instanceof Outcome)) throw error
      if (links.length === 0) continue
      if (!(error instanceof RobotsDisallowed)) visit.failed++
      ctx.log(`${url} was left out: ${error.message}`, "warning")
    }
  }
  return visit
}
