import { indexPage, textLines, titleOrNull, words } from "../core/index.ts"
import { ownerDomain } from "../links/index.ts"
import { documentTitle, type MetaTags, metaContent, readMeta } from "../page/index.ts"
import {
  nodesOfType,
  readStructuredData,
  type SchemaNode,
  type StructuredData,
  textAt,
  valuesOf,
  valueUrl,
} from "../structured/index.ts"
import { type EmailMatch, findEmails } from "./emails.ts"
import { findPhones, type PhoneMatch, phoneCountry } from "./phones.ts"
import { findPostalAddresses, type PostalAddress } from "./postal-addresses.ts"
import { registrationIn, vatIdIn } from "./registrations.ts"
import { findSocials } from "./socials.ts"
import { builderSiteNames } from "./words.ts"

/** The contact details on one page. */
export interface Contacts {
  emails: EmailMatch[]
  phones: PhoneMatch[]
  /** Profiles by network. */
  socials: Record<string, string[]>
  addresses: PostalAddress[]
  vatId: string | null
  registration: string | null
  /** It has a form with a field for an email address and one for a text. */
  hasForm: boolean
  /** The lines of its visible text. */
  lines: string[]
  data: StructuredData
  meta: MetaTags
}

/**
 * Returns the contact details of a page. `html` is its source, in which obfuscated addresses are found.
 *
 * @example
 * ```ts
 * const html = '<a href="mailto:info@tides.org">Write to us</a>'
 * readContacts(parseDocument(html), "https://tides.org/").emails[0].email // "info@tides.org"
 * ```
 */
export function readContacts(document: Document, pageUrl: string, html?: string): Contacts {
  indexPage(document)
  const data = readStructuredData(document, pageUrl)
  const lines = document.body ? textLines(document.body) : []
  const text = lines.join("\n")
  return {
    emails: findEmails(document, data, html),
    phones: findPhones(document, data, phoneCountry(document, data, pageUrl), lines),
    socials: findSocials(document, data, pageUrl),
    addresses: findPostalAddresses(document, data, lines),
    vatId: vatIdIn(text),
    registration: registrationIn(text),
    hasForm: hasContactForm(document),
    lines,
    data,
    meta: readMeta(document),
  }
}

function hasContactForm(document: Document): boolean {
  return [...document.querySelectorAll("form")].some(
    (form) =>
      form.querySelector("textarea") !== null &&
      form.querySelector("input[type=email i], input[name*=mail i], input[id*=mail i]") !== null,
  )
}

const organizationTypes = (
  "Organization Corporation LocalBusiness ProfessionalService Store OnlineStore Restaurant " +
  "Hotel LegalService Attorney MedicalBusiness FinancialService EducationalOrganization NGO " +
  "GovernmentOrganization NewsMediaOrganization HomeAndConstructionBusiness AutomotiveBusiness " +
  "SoftwareCompany OnlineBusiness Physician Dentist SportsOrganization"
).split(" ")

const builderNames = new RegExp(`^(?:${words(builderSiteNames)})$`, "i")

/** The organisation that a site is of: of several nodes the one with the site's own address. */
export function organizationOf(data: StructuredData, pageUrl: string): SchemaNode | null {
  const nodes = nodesOfType(data, ...organizationTypes).filter(
    (node) => nameOf(data, node) !== null,
  )
  const domain = ownerDomain(new URL(pageUrl).hostname)
  const own = nodes.find((node) =>
    [...valuesOf(data, node, "url"), node["@id"]].some(
      (value) => domain !== null && ownerDomain(valueUrl(value) ?? "") === domain,
    ),
  )
  return own ?? nodes[0] ?? null
}

function nameOf(data: StructuredData, node: SchemaNode): string | null {
  const name = textAt(data, node, "name")
  return name === null || builderNames.test(name) ? null : name
}

/** Returns the name of a site's owner from its data, its tags or its title. */
export function ownerName(
  { data, meta }: Contacts,
  document: Document,
  pageUrl: string,
): string | null {
  const organization = organizationOf(data, pageUrl)
  const named = organization && nameOf(data, organization)
  if (named) return named
  for (const tag of ["og:site_name", "application-name"]) {
    const name = titleOrNull(metaContent(meta, tag))
    if (name && !builderNames.test(name)) return name
  }
  return titlePart(documentTitle(document), pageUrl)
}

/** The part of a title that is like the domain's name, else the shortest of several. */
export function titlePart(title: string | null, pageUrl: string): string | null {
  if (!title) return null
  const parts = title
    .split(/\s+[|\-–—·•:»›~]\s+|\s*[|»]\s*/)
    .map((part) => part.trim())
    .filter(Boolean)
  const label = (ownerDomain(new URL(pageUrl).hostname) ?? "")
    .split(".")[0]!
    .replace(/[^\p{L}\d]/gu, "")
  const plain = (part: string) => part.toLowerCase().replace(/[^\p{L}\d]/gu, "")
  const like = parts.find(
    (part) =>
      label !== "" &&
      (plain(part).includes(label) || (plain(part).length > 3 && label.includes(plain(part)))),
  )
  if (like) return like
  const [shortest] = parts.toSorted((a, b) => a.length - b.length)
  return parts.length > 1 && shortest && !builderNames.test(shortest) ? shortest : null
}
