import type { EmailMatch } from "../../../extract/contact/index.ts"
import { words } from "../../../extract/core/index.ts"
import { ownerDomain } from "../../../extract/links/index.ts"
import { items } from "../../kit/index.ts"
import type { SitePage } from "./company-site.ts"
import { officeMailboxes } from "./words.json"

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
