import {
  absoluteUrl,
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  foldSpace,
  integerOrNull,
  numberOrNull,
  parseCount,
  plainText,
} from "../../extract/core/index.ts"
import { type SchemaReader, schemaNode } from "../../extract/structured/index.ts"
import { lineAddress, schemaAddress, type UpstreamResponse } from "../kit/index.ts"

export const bbb = "https://www.bbb.org"

/** Returns a profile from JSON-LD, header and facts table, or null if the page has none. */
export function profileOf(response: UpstreamResponse) {
  const { document } = response
  const data = schemaNode(document, "LocalBusiness")
  const name = data.title("name") ?? firstText(document, ".bpr-header-business-name")
  if (!name) return null
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href")
  const url = data.text("url") ?? absoluteUrl(canonical, response.url) ?? response.url
  const facts = factsOf(document)
  const address = schemaAddress(data.in("address")) ?? visibleAddress(document)
  if (!data.has() && !address && facts.isEmpty) return null
  const first = (...labels: string[]) => facts.take(...labels)[0] ?? null
  const day = (...labels: string[]) => usDay(first(...labels))
  const management = facts.take("Business Management").map(personOf)
  const employees = employeesOf(data)
  const mailTo = firstAttribute(document, 'main a[href^="mailto:"]', "href")
  const linkedEmail = mailTo?.replace(/^mailto:|\?.*$/g, "") || null
  const localBbb = localBbbOf(document)
  facts.take("Local BBB")
  const areas = data.list("areaServed").flatMap((area) => area.title("name") ?? [])
  const images = data.list("image").flatMap((image) => image.text("url") ?? [])
  return {
    url,
    id: /-(\d{4}-\d+)(?:[/?#]|$)/.exec(url)?.[1] ?? /-(\d{4}-\d+)/.exec(response.url)?.[1] ?? null,
    name,
    legalName: data.title("legalName"),
    rating: firstText(document, ".bpr-header-rating"),
    accredited: accreditedOf(document),
    accreditedSince: day("Accredited Since", "BBB Accredited Since"),
    address,
    latitude: data.number("geo", "latitude"),
    longitude: data.number("geo", "longitude"),
    phone: data.text("telephone") ?? phoneOf(document),
    fax: data.text("faxNumber"),
    website: websiteOf(document) ?? data.text("sameAs"),
    email: data.text("email") ?? first("Email", "Email Address") ?? linkedEmail,
    description: data.text("description"),
    categories: categoriesOf(document),
    areaServed: distinct([...data.texts("areaServed").map(foldSpace), ...areas]),
    businessStarted: day("Business Started") ?? usDay(data.text("foundingDate")),
    businessIncorporated: day("Business Incorporated"),
    fileOpened: day("BBB File Opened"),
    newOwnerDate: day("New Owner Date"),
    yearsInBusiness: integerOrNull(first("Years in Business")),
    entityType: first("Type of Entity"),
    employeeCount: first("Number of Employees"),
    alternateNames: facts.take("Alternate Names", "Alternate Name"),
    management: employees.length > 0 ? employees : management,
    contacts: contactLabels.flatMap((role) =>
      facts.take(role).map((text) => {
        const { name: person, title } = personOf(text)
        return { role, name: person, title }
      }),
    ),
    localBbb,
    logoUrl: data.text("logo") ?? data.text("logo", "url"),
    images: distinct([...data.texts("image"), ...images]),
    facts: facts.rest(),
    ...countsOf(document),
  }
}

const contactLabels = ["Contact Information", "Principal Contacts", "Customer Contacts"]

/** Returns the facts table. Rows that have their own field are not among the rest. */
function factsOf(document: Document) {
  const facts = new Map<string, string[]>()
  for (const row of document.querySelectorAll(".bpr-details-dl-data")) {
    const label = firstText(row, "dt")?.replace(/(?<!\s)\s*:$/, "")
    const values = allTexts(row, "dd")
    if (!label || values.length === 0) continue
    const known = facts.get(label)
    // A copy for each row would take the square of the rows' time.
    if (known) for (const value of values) known.push(value)
    else facts.set(label, values)
  }
  return {
    isEmpty: facts.size === 0,
    take(...labels: string[]): string[] {
      const label = labels.find((label) => facts.has(label)) ?? ""
      const values = facts.get(label) ?? []
      facts.delete(label)
      return values
    },
    rest: (): Record<string, string | string[]> =>
      Object.fromEntries(
        [...facts].map(([label, values]) => [label, values.length === 1 ? values[0]! : values]),
      ),
  }
}

/** Parses "6/3/2005" and "08/11/1999", month first. */
function usDay(text: string | null): string | null {
  const match = /^\s*(\d{1,2})\/(\d{1,2})\/(\d{4})\b/.exec(text ?? "")
  if (!match) return null
  const [, month, day, year] = match
  return `${year}-${month!.padStart(2, "0")}-${day!.padStart(2, "0")}`
}

function accreditedOf(document: Document): boolean | null {
  const written = firstAttribute(document, ".bpr-header-accreditation-rating", "data-accredited")
  return written === null ? null : written === "true"
}

function visibleAddress(document: Document) {
  const lines = allTexts(document, ".bpr-overview-address p")
  return lineAddress(lines.length > 1 ? lines[0]! : null, lines.at(-1) ?? null)
}

function phoneOf(document: Document): string | null {
  const link = document.querySelector('.bpr-header a[href^="tel:"], a[href^="tel:"]')
  return plainText(link) ?? link?.getAttribute("href")?.slice(4) ?? null
}

function websiteOf(document: Document): string | null {
  const links = document.querySelectorAll('a[class*="bpr-header-website"], a[href^="http"]')
  const link = [...links].find(
    (link) =>
      /website/i.test(`${link.getAttribute("class")} ${plainText(link)}`) &&
      !/^https?:\/\/(?:[\w-]+\.)*bbb\.org\b/i.test(link.getAttribute("href") ?? ""),
  )
  return absoluteUrl(link?.getAttribute("href"), bbb)
}

function categoriesOf(document: Document): string[] {
  const linked = allTexts(document, '.bpr-header a[href*="/category/"]')
  if (linked.length > 0) return distinct(linked)
  const last = schemaNode(document, "BreadcrumbList")
    .list("itemListElement")
    .findLast((crumb) => crumb.has("name") || crumb.has("item"))
  const name = last?.title("item", "name") ?? last?.title("name")
  const path = last?.text("item", "id") ?? last?.text("item", "@id") ?? last?.text("item")
  return name && (!path || /\/category\//.test(path)) ? [name] : []
}

const honorific = /^((?:Mr|Mrs|Ms|Miss|Dr|Mx|Prof|Rev|Hon)\.?)\s+/i

/** Parses "Ms. Courtney Wendel, Senior Manager": the title follows the first comma. */
function personOf(text: string) {
  const prefix = honorific.exec(text)?.[1] ?? null
  const [name, ...title] = text.replace(honorific, "").split(", ")
  return { name: name!, title: title.join(", ") || null, prefix }
}

const employeesOf = (data: SchemaReader) =>
  data.list("employee").flatMap((employee) => {
    const parts = [employee.title("givenName"), employee.title("familyName")].filter(Boolean)
    const name = parts.join(" ") || employee.title("name")
    if (!name) return []
    return { name, title: employee.title("jobTitle"), prefix: employee.title("honorificPrefix") }
  })

function localBbbOf(document: Document) {
  const rows = [...document.querySelectorAll(".bpr-details-dl-data")]
  const row = rows.find((row) => /^Local BBB\b/.test(firstText(row, "dt") ?? ""))
  const name = row && firstText(row, "dd")
  return name ? { name, url: absoluteUrl(firstAttribute(row, "dd a", "href"), bbb) } : null
}

/** Parses the counts in the texts of header and overview. */
function countsOf(document: Document) {
  const text = plainText(document.querySelector("main") ?? document.body) ?? ""
  const average =
    /(?<![\d.])([\d.]+)\s*(?:\/|out of)\s*5(?:\s*stars)?\s*Average of [\d,]+ Customer Review/i
  const complaints = (time: string) => {
    const form = `(?<![\\d,])([\\d,]+) (?:total )?complaints? (?:closed )?in (?:the )?last ${time}`
    return parseCount(new RegExp(form, "i").exec(text)?.[1])
  }
  return {
    customerReviewAverage: numberOrNull(average.exec(text)?.[1]),
    customerReviewCount: parseCount(/Average of ([\d,]+) Customer Reviews?/i.exec(text)?.[1]),
    complaintsLast3Years: complaints("3 years"),
    complaintsLast12Months: complaints("12 months"),
  }
}
