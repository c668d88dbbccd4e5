import { absoluteUrl, baseUrl, numberOrNull, textOf, words } from "../core/index.ts"
import {
  nodesAt,
  type SchemaNode,
  type StructuredData,
  textAt,
  textOfAny,
  valuesOf,
  valueText,
  valueUrl,
} from "../structured/index.ts"
import { type Contacts, organizationOf } from "./contacts.ts"
import { legalNameIn } from "./registrations.ts"
import { foundedIn, parkedPhrases, parkingHosts } from "./words.ts"

/** The facts in an organisation's own data. */
export interface CompanyFacts {
  legalName: string | null
  description: string | null
  slogan: string | null
  foundingYear: number | null
  employeeCount: number | null
  industry: string | null
  founders: string[]
  logo: string | null
}

export function companyFacts({ data }: Contacts, pageUrl: string): CompanyFacts {
  const node = organizationOf(data, pageUrl)
  if (!node) return { ...nothing, founders: [] }
  return {
    legalName: textAt(data, node, "legalName"),
    description: textAt(data, node, "description"),
    slogan: textAt(data, node, "slogan"),
    foundingYear: yearOf(textAt(data, node, "foundingDate")),
    employeeCount: employeesOf(data, node),
    industry: textOfAny(data, node, "industry", "knowsAbout"),
    founders: ["founder", "founders"].flatMap((name) =>
      valuesOf(data, node, name).flatMap((value) => valueText(value) ?? []),
    ),
    logo: absoluteUrl(valueUrl(valuesOf(data, node, "logo")[0] ?? null), pageUrl),
  }
}

const nothing = {
  legalName: null,
  description: null,
  slogan: null,
  foundingYear: null,
  employeeCount: null,
  industry: null,
  logo: null,
}

function employeesOf(data: StructuredData, node: SchemaNode): number | null {
  const [amount] = nodesAt(data, node, "numberOfEmployees")
  const written = amount
    ? textOfAny(data, amount, "value", "minValue")
    : textAt(data, node, "numberOfEmployees")
  return numberOrNull(written?.replace(/[^\d]/g, "") || null)
}

function yearOf(text: string | null): number | null {
  const year = Number(/\b(1[89]\d{2}|20\d{2})\b/.exec(text ?? "")?.[1] ?? Number.NaN)
  return Number.isFinite(year) ? year : null
}

const inTheYear = "in|im|en|nel|v|i|im jahr|im jahre|in the year"
const founded = new RegExp(
  [
    String.raw`\b(?:${words(foundedIn)})\b(?:\s+(?:${inTheYear}))?`,
    String.raw`\s+(?:the\s)?(?:\w+\s)?(1[89]\d{2}|20\d{2})\b`,
  ].join(""),
  "iu",
)

/** Returns the year in which a company states that it was founded, from 1800 to now. */
export function foundingYearIn(lines: readonly string[], thisYear: number): number | null {
  for (const line of lines) {
    const year = Number(founded.exec(line)?.[1] ?? Number.NaN)
    if (year >= 1800 && year <= thisYear) return year
  }
  return null
}

/** The company's name with its legal form in these lines: of several the one most like its name. */
export function legalNameAmong(lines: readonly string[], name: string | null): string | null {
  const names = lines.flatMap((line) => legalNameIn(line) ?? [])
  const wanted = plain(name ?? "")
  const like = names.filter(
    (legalName) =>
      wanted !== "" && (plain(legalName).startsWith(wanted) || wanted.startsWith(plain(legalName))),
  )
  return like.toSorted((a, b) => a.length - b.length)[0] ?? names[0] ?? null
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\d]/gu, "")

/** The image in a page's header that calls itself a logo; else its touch icon. */
export function logoOf(document: Document, pageUrl: string): string | null {
  const base = baseUrl(document, pageUrl)
  const isLogo = (image: Element) =>
    ["class", "id", "alt", "src"].some((name) => /logo/i.test(image.getAttribute(name) ?? "")) ||
    /logo/i.test(image.closest("a, div")?.getAttribute("class") ?? "")
  const images = document.querySelectorAll(
    "header img, [class*=header] img, [id*=header] img, nav img, a[href='/'] img",
  )
  for (const image of images) {
    if (!isLogo(image)) continue
    const url = absoluteUrl(image.getAttribute("src") ?? image.getAttribute("data-src"), base)
    if (url !== null) return url
  }
  return null
}

/** The icon of a page, by the relation that its link states. */
export function iconOf(document: Document, pageUrl: string, rel: string): string | null {
  const link = document.querySelector(`link[rel~="${rel}" i][href]`)
  return absoluteUrl(link?.getAttribute("href"), baseUrl(document, pageUrl))
}

const parked = new RegExp(words(parkedPhrases), "i")
const parkingHost = new RegExp(words(parkingHosts), "i")

/** Returns whether a page only offers its domain for sale. */
export function isParked(document: Document, html: string, lines: readonly string[]): boolean {
  const text = lines.join(" ")
  if (text.length > 3000) return false
  return (
    parked.test(`${textOf(document.querySelector("title")) ?? ""} ${text}`) ||
    parkingHost.test(html)
  )
}

/** Services that a domain's TXT records identify. */
const services: [record: RegExp, name: string][] = [
  [/^google-site-verification=/i, "Google Search Console"],
  [/^MS=ms\d+/i, "Microsoft 365"],
  [/^atlassian-domain-verification=/i, "Atlassian"],
  [/^stripe-verification=/i, "Stripe"],
  [/^facebook-domain-verification=/i, "Meta Business"],
  [/^docusign=/i, "DocuSign"],
  [/^apple-domain-verification=/i, "Apple"],
  [/^adobe-(?:idp|sign)-(?:site-)?verification=/i, "Adobe"],
  [/^ZOOM_verify_/i, "Zoom"],
  [/^slack-domain-verification=/i, "Slack"],
  [/^dropbox-domain-verification=/i, "Dropbox"],
  [/^hubspot-(?:developer-)?(?:domain-)?verification|hubspotemail\.net/i, "HubSpot"],
  [/^zoho-verification=|include:(?:zoho|transmail)/i, "Zoho"],
  [/^yandex-verification:/i, "Yandex"],
  [/^have-i-been-pwned-verification=/i, "Have I Been Pwned"],
  [/^mongodb-site-verification=/i, "MongoDB"],
  [/^onetrust-domain-verification=/i, "OneTrust"],
  [/^cisco-ci-domain-verification=/i, "Cisco Webex"],
  [/^1password-site-verification=/i, "1Password"],
  [/^miro-verification=/i, "Miro"],
  [/^notion[-_]domain[-_]verification=/i, "Notion"],
  [/^asv=|^github-verification|_github-challenge/i, "GitHub"],
  [/include:_spf\.google\.com/i, "Google Workspace"],
  [/include:spf\.protection\.outlook\.com/i, "Microsoft 365"],
  [/include:[\w.]*mailchimp|servers\.mcsv\.net|mandrillapp/i, "Mailchimp"],
  [/include:sendgrid\.net/i, "SendGrid"],
  [/include:mailgun\.org/i, "Mailgun"],
  [/include:amazonses\.com|^amazonses:/i, "Amazon SES"],
  [/include:[\w.]*zendesk\.com/i, "Zendesk"],
  [/include:[\w.]*salesforce\.com/i, "Salesforce"],
  [/include:[\w.]*(?:sendinblue|brevo)\.com|^(?:brevo|sendinblue)-code/i, "Brevo"],
  [/include:[\w.]*freshdesk|freshemail/i, "Freshdesk"],
  [/include:[\w.]*mimecast/i, "Mimecast"],
  [/include:[\w.]*pphosted\.com/i, "Proofpoint"],
  [/include:spf\.mtasv\.net/i, "Postmark"],
  [/include:[\w.]*klaviyo/i, "Klaviyo"],
]

export function servicesOf(records: readonly string[]): string[] {
  return services
    .filter(([pattern]) => records.some((record) => pattern.test(record)))
    .map(([, name]) => name)
    .filter((name, index, all) => all.indexOf(name) === index)
}
