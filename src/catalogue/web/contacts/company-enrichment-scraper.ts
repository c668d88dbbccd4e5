import {
  companyFacts,
  contactLinks,
  foundingYearIn,
  iconOf,
  isParked,
  legalNameAmong,
  logoOf,
  servicesOf,
} from "../../../extract/contact/index.ts"
import { absoluteUrl, distinct, titleOrNull } from "../../../extract/core/index.ts"
import { announcedFeeds, clip } from "../../../extract/feed/index.ts"
import { ownerDomain } from "../../../extract/links/index.ts"
import { metaContent } from "../../../extract/page/index.ts"
import { detectTechnologies, type Technology } from "../../../extract/technologies/index.ts"
import { defineScraper, inputs, items, record } from "../../kit/index.ts"
import * as company from "./company-site.ts"

const readKinds = ["about", "contact", "imprint", "team", "careers"]
const namedKinds = ["about", "contact", "careers", "blog", "pricing", "privacy", "terms", "imprint"]

const item = record({
  domain: items.requiredText("Registered domain of the input."),
  input: items.requiredText("Input as written."),
  url: items.requiredText("URL of the home page after redirects."),
  redirectedTo: items.text("Other domain to which the site redirects."),
  parked: items.requiredBoolean("Whether the domain has no site and is for sale."),
  name: items.text("Name of the company."),
  legalName: items.text("Name with the legal form."),
  description: items.text("Description in the company's own words."),
  slogan: items.text("Slogan of the company."),
  foundingYear: items.integer("Year of foundation."),
  employeeCount: items.integer("Number of employees."),
  industry: items.text("Industry of the company."),
  founders: items.texts("Names of the founders."),
  logoUrl: items.text("URL of the company's logo."),
  favicon: items.text("URL of the site's icon."),
  emails: items.texts("Email addresses, those of the company's own domain first."),
  phones: items.texts("Phone numbers in international format."),
  addresses: items.objects("Postal addresses of the company.", company.visibleAddress),
  country: items.text(
    "Country (ISO 3166 alpha-2), from the postal address, phone prefix or domain.",
  ),
  socials: items.listsByName("Profiles by network; x.com is listed as twitter."),
  technologies: items.texts("Technologies of the home page."),
  mailProvider: items.text("Operator of the domain's mail servers."),
  services: items.texts("Services named in the domain's DNS records."),
  language: items.text("Language of the home page."),
  languages: items.texts("All languages of the site."),
  feeds: items.texts("URLs of the feeds to which the home page links."),
  pages: items.textsByName(
    "URLs of the site's pages by kind: about, contact, careers, blog, pricing, privacy, terms, imprint.",
  ),
  vatId: items.text("VAT number in the imprint."),
  registration: items.text("Entry in a company register."),
  openGraph: items.requiredObject("Data of the home page for social networks.", {
    title: items.text("Title in og:title."),
    image: items.text("URL of the image in og:image."),
    type: items.text("Type in og:type, for example website."),
  }),
  hasShop: items.requiredBoolean("Whether the site has a shop."),
  hasCareersPage: items.requiredBoolean("Whether the site has a page for jobs."),
  hasBlog: items.requiredBoolean("Whether the site has a blog or news."),
  hasChat: items.requiredBoolean("Whether the site has a live chat."),
  pagesCrawled: items.requiredInteger("Number of pages that were read."),
  sources: items.texts("URLs of the pages that were read."),
  fetchedAt: items.requiredText("Time of reading (ISO 8601)."),
})

export default defineScraper({
  slug: "company-enrichment-scraper",
  name: "Company Enrichment",
  tagline: "A company profile from its domain: name, contacts, socials, tech, address.",
  notServed: ["employees", "funding"],
  category: "business",
  fetchMethods: ["http", "browser-http", "browser"],
  input: {
    domains: inputs.texts(
      "Domains, website URLs or email addresses of companies, for example stripe.com.",
      { max: 500 },
    ),
    maxPagesPerDomain: inputs.count("Maximum pages per site, including the home page", {
      max: 30,
      or: 5,
    }),
  },
  item,
  example: { domains: ["creativecommons.org"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].name matches "creative commons"',
      "items[0].pagesCrawled gte 1",
      "items[0].parked equals false",
      "?items[0].technologies.length gte 1",
    ],
  },
  rateLimit: { "*": { perSecond: 2, concurrency: 2 } },
  targets: (input) => input.domains,
  identify: (target) => ({ input: target, domain: target }),

  async *scrape(target, ctx) {
    const requested = new URL(company.siteUrl(target)).hostname
    const domain = ownerDomain(requested) ?? requested
    const home = await company.openSite(company.homeUrl(target), ctx)
    const { document, headers } = home.response
    const html = home.response.text()
    const reached = ownerDomain(new URL(home.url).hostname)
    const parked = isParked(document, html, home.contacts.lines)
    const { pages } = parked
      ? { pages: [home] }
      : await company.visitSite(home, readKinds, ctx.input.maxPagesPerDomain, ctx)
    const mail = await company.mailHost(domain, ctx)
    const technologies = detectTechnologies({ document, url: home.url, headers, html })
    const named = namedPages(home)
    yield item.read({
      domain,
      input: target,
      url: home.url,
      redirectedTo: reached !== null && reached !== domain ? reached : null,
      parked,
      ...described(pages, parked, ctx.now().getUTCFullYear()),
      ...reachable(pages, home),
      technologies: technologies.map((technology) => technology.name),
      mailProvider: mail.mailProvider,
      services: servicesOf(mail.mxFound === null ? [] : await company.textRecords(domain, ctx)),
      ...pageFacts(home),
      pages: named,
      hasShop: ofCategory(technologies, "E-commerce"),
      hasCareersPage: named.careers !== undefined,
      hasBlog: named.blog !== undefined,
      hasChat: ofCategory(technologies, "Live chat"),
      pagesCrawled: pages.length,
      sources: pages.map((page) => page.url),
      fetchedAt: ctx.now().toISOString(),
    })
  },
})

const ofCategory = (technologies: Technology[], category: Technology["categories"][number]) =>
  technologies.some((technology) => technology.categories.includes(category))

function namedPages(home: company.SitePage): Record<string, string> {
  const named: Record<string, string> = {}
  for (const { kind, url } of contactLinks(home.response.document, home.url, namedKinds))
    named[kind] ??= url
  return named
}

/** Placeholder texts of website builders. */
const builderTexts =
  /^(?:just another wordpress site|eine weitere wordpress-website|my wordpress blog)\.?$/i

function described(pages: readonly company.SitePage[], parked: boolean, thisYear: number) {
  const [home] = pages
  const facts = pages.map((page) => companyFacts(page.contacts, page.url))
  const fact = <K extends keyof (typeof facts)[number]>(key: K) =>
    facts.map((ofPage) => ofPage[key]).find((value) => value !== null) ?? null
  const name = parked ? null : company.ownerOf(pages)
  const lines = pages.flatMap((page) => page.contacts.lines)
  const { meta } = home!.contacts
  const descriptions = [
    titleOrNull(metaContent(meta, "description")),
    titleOrNull(metaContent(meta, "og:description")),
    fact("description"),
    aboutParagraph(pages),
  ]
  return {
    name,
    legalName: parked ? null : (fact("legalName") ?? legalNameAmong(lines, name)),
    description: descriptions.find((text) => text && !builderTexts.test(text)) ?? null,
    slogan: fact("slogan"),
    foundingYear: fact("foundingYear") ?? foundingYearIn(lines, thisYear),
    employeeCount: fact("employeeCount"),
    industry: fact("industry"),
    founders: facts.find(({ founders }) => founders.length > 0)?.founders ?? [],
    logoUrl: fact("logo") ?? pageLogo(home!),
    favicon: iconOf(home!.response.document, home!.url, "icon"),
  }
}

/** Returns the first full paragraph of a page about the company. */
function aboutParagraph(pages: readonly company.SitePage[]): string | null {
  const about = pages.find((page) => /about|ueber-uns|über-uns|unternehmen|company/i.test(page.url))
  const line = about?.contacts.lines.find((line) => line.length > 120)
  return line ? clip(line, 500) : null
}

function pageLogo({ response, url, contacts }: company.SitePage): string | null {
  return (
    logoOf(response.document, url) ??
    absoluteUrl(metaContent(contacts.meta, "og:image"), url) ??
    iconOf(response.document, url, "apple-touch-icon")
  )
}

function reachable(pages: readonly company.SitePage[], home: company.SitePage) {
  const emails = company.mergedEmails(pages).map(({ email }) => email)
  const own = emails.filter((email) => company.isOnDomain(email, home.url))
  const phones = company.mergedPhones(pages)
  const addresses = company.mergedAddresses(pages).map(({ source: _, ...address }) => address)
  const ending = new URL(home.url).hostname.split(".").at(-1)!.toUpperCase()
  const isCode = (text: string | null) => /^[A-Z]{2}$/.test(text ?? "")
  const country =
    addresses.find((address) => isCode(address.country))?.country ??
    phones.find((phone) => phone.country)?.country ??
    (isCode(ending) && !/^(?:EU|IO|CO|ME|TV|AI)$/.test(ending) ? ending : null)
  return {
    emails: distinct([...own, ...emails]),
    phones: phones.flatMap((phone) => phone.e164 ?? []),
    addresses,
    country: country === "UK" ? "GB" : country,
    socials: company.mergedSocials(pages),
    vatId: company.firstOfPages(pages, (page) => page.contacts.vatId),
    registration: company.firstOfPages(pages, (page) => page.contacts.registration),
  }
}

function pageFacts({ response, url, contacts }: company.SitePage) {
  const { document } = response
  const language = document.documentElement?.getAttribute("lang")?.trim() || null
  const alternates = [...document.querySelectorAll("link[rel~=alternate i][hreflang]")]
    .map((link) => link.getAttribute("hreflang")!.trim())
    .filter((code) => code !== "" && code !== "x-default")
  const tag = (name: string) => titleOrNull(metaContent(contacts.meta, name))
  return {
    language,
    languages: distinct([...(language ? [language] : []), ...alternates]),
    feeds: distinct(announcedFeeds(document, url).map((feed) => feed.url)),
    openGraph: {
      title: tag("og:title"),
      image: absoluteUrl(tag("og:image"), url),
      type: tag("og:type"),
    },
  }
}
