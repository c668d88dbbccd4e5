import {
  absoluteUrl,
  allTexts,
  decodeEntities,
  firstAttribute,
  firstText,
  integerOrNull,
  isoDate,
  parseCount,
  plainText,
  textOrNull,
  words,
} from "../../extract/core/index.ts"
import { findObjects } from "../../extract/embedded/index.ts"
import { allSchemaNodes, type SchemaNode, SchemaReader } from "../../extract/structured/index.ts"
import { css, decodedPath, field, items, recordOf, type UpstreamResponse } from "../kit/index.ts"
import * as table from "./words.json"

const organizations = ["Organization", "CollegeOrUniversity", "EducationalOrganization"]

type Parts = { document: Document; org: SchemaReader; base: string }
type Card = { card: Element; base: string }

/** Returns a source: a fact in the section about the company. */
const about = (key: string) => css(`[data-test-id=about-us__${key}] dd`)
const unescaped = (text: string) => decodeEntities(text).trim()

const cards =
  (section: string, part = "*", selector = "li") =>
  ({ document, base }: Parts): Card[] =>
    [...document.querySelectorAll(`[data-test-id=${section}] ${selector}`)]
      .filter((card) => card.querySelector(part))
      .map((card) => ({ card, base }))

const asideTitle = ".base-aside-card__title"
const asideFields = {
  name: field.text(css(asideTitle), "Name."),
  industry: field.text(css(".base-aside-card__subtitle"), "Industry."),
  location: field.text(css(".base-aside-card__second-subtitle"), "Location, as displayed."),
  url: field.text(linkOf, "URL of the page."),
}

export const company = recordOf<Parts>()({
  slug: items.requiredText("Name in URLs (slug)."),
  id: items.text("ID."),
  name: items.requiredText("Name."),
  tagline: field.text(css("h4.top-card-layout__second-subline"), "Tagline of the company."),
  slogan: field.trimmed("org.slogan", "Slogan.", unescaped),
  description: items.text("Text about the company."),
  website: items.text("URL of the website."),
  industry: items.text("Industry."),
  companySize: field.text(about("size"), "Company size, as the company states it."),
  sizeMin: items.integer("Minimum number of employees of the company size."),
  sizeMax: items.integer("Maximum number of employees of the company size; null if it has none."),
  employeesOnLinkedIn: items.integer("Number of employees who are LinkedIn members."),
  headquarters: field.text(about("headquarters"), "Headquarters."),
  companyType: field.text(about("organizationType"), "Type of company."),
  founded: items.integer("Year."),
  specialties: field.texts((row) => listed(about("specialties")(row)), "Specialties."),
  followersCount: items.integer("Number of followers."),
  address: field.object(addressOf, "Postal address of the headquarters.", {
    street: field.trimmed("streetAddress", "Street.", unescaped),
    city: field.trimmed("addressLocality", "City.", unescaped),
    region: field.trimmed("addressRegion", "Region.", unescaped),
    postalCode: field.trimmed("postalCode", "Postal code."),
    country: field.trimmed("addressCountry", "Country (two letters)."),
  }),
  locations: items.texts("Locations; the main one is marked Primary."),
  logoUrl: items.text("URL of the logo."),
  coverUrl: items.text("URL of the cover image."),
  employees: field.objects(cards("employees-at"), "Employees that the page lists.", {
    name: field.text(css(".base-main-card__title"), "Name."),
    title: field.text(css(".base-main-card__subtitle"), "Title."),
    url: field.text(linkOf, "URL of the profile."),
  }),
  similarCompanies: field.objects(
    cards("similar-pages", asideTitle),
    "Pages of similar companies.",
    asideFields,
  ),
  affiliatedPages: field.objects(
    cards("affiliated-pages", asideTitle),
    "Affiliated pages of the company.",
    asideFields,
  ),
  funding: items.object("Funding.", {
    rounds: items.integer("Total number of funding rounds."),
    lastRoundType: items.text("Type of the last funding round."),
    lastRoundDate: items.text("Day of the last funding round."),
    lastRoundAmount: items.text("Amount of the last funding round, as displayed."),
    url: items.text("URL of all funding rounds."),
  }),
  products: field.objects(cards("products", "*", ".base-card"), "Products.", {
    name: field.text(css(".base-main-card__title"), "Name."),
    url: field.text(linkOf, "URL of the page."),
    description: field.text(
      ({ card }) => firstText(card, ".base-main-card__subtitle", ".base-main-card__metadata"),
      "Description.",
    ),
  }),
  recentPosts: items.objects("Posts that the page contains.", {
    id: items.text("ID."),
    url: items.text("URL of the page."),
    text: items.text("Text."),
    age: items.text("Age of the post, as displayed, for example 4d."),
    publishedAt: items.text("Time of posting (ISO 8601, UTC); null if the page does not show it."),
    reactions: items.integer("Number of reactions."),
    commentsCount: items.integer("Number of comments."),
    author: items.text("Name of the author."),
  }),
})

/** Returns the company of the public page, or null if the page has none. */
export function linkedinCompany(page: UpstreamResponse, requested: string) {
  const { document } = page
  const data = allSchemaNodes(document)
  const org = organizationOf(data)
  const name = textOf(org, "name") ?? firstText(document, "h1.top-card-layout__title")
  const hasAbout = document.querySelector("[data-test-id=about-us]") !== null
  if (!name || (!hasAbout && !org.has("name"))) return null
  const fact = (key: string) => about(key)(document)
  const canonical = org.text("url") ?? firstAttribute(document, 'link[rel="canonical"]', "href")
  const slug = /\/(?:company|school|showcase)\/([^/?#]+)/.exec(canonical ?? "")?.[1] ?? requested
  const subline = firstText(document, "h3.top-card-layout__first-subline")
  const summary = firstAttribute(document, 'meta[property="og:description"]', "content")
  const values = company.read({
    document,
    org,
    base: page.url,
    slug: decodedPath(slug),
    id: idOf(page.text()),
    name,
    description:
      textOf(org, "description") ?? firstText(document, "[data-test-id=about-us__description]"),
    website: org.text("sameAs") ?? firstText(document, "[data-test-id=about-us__website] a"),
    industry: fact("industry") ?? firstText(document, "h2.top-card-layout__headline"),
    ...sizeOf(fact("size")),
    employeesOnLinkedIn:
      org.integer("numberOfEmployees", "value") ??
      parseCount(
        allTexts(document, "a, button")
          .map((text) => (text.length < 80 ? allEmployees.exec(text)?.[1] : undefined))
          .find(Boolean),
      ),
    founded: integerOrNull(/\d{4}/.exec(fact("foundedOn") ?? "")?.[0]),
    // In any language, the number is the last one of the line.
    followersCount: followersIn(subline) ?? followersIn(summary) ?? lastCount(subline),
    locations: allTexts(document, "[data-test-id=locations] li"),
    logoUrl:
      org.text("logo", "contentUrl") ??
      org.text("logo") ??
      absoluteUrl(
        firstAttribute(document, "img.top-card-layout__entity-image", "data-delayed-url", "src"),
        page.url,
      ),
    coverUrl: absoluteUrl(
      firstAttribute(document, ".cover-img img", "src", "data-delayed-url"),
      page.url,
    ),
    funding: fundingOf(document, page.url),
    recentPosts: postsOf(page, data),
  })
  return { url: `https://www.linkedin.com/company/${slug}`, ...values }
}

/** Returns the company itself, not the author of one of the posts on its page. */
function organizationOf(data: SchemaReader[]): SchemaReader {
  const posts = data.filter((node) => node.isOfType("DiscussionForumPosting"))
  const inPosts = new Set(posts.flatMap(({ root }) => [...findObjects(root, () => true)]))
  const matches = data.filter((node) => node.isOfType(...organizations))
  const own = matches.find(({ root }) => !inPosts.has(root as SchemaNode))
  return own ?? matches[0] ?? new SchemaReader(undefined)
}

function textOf(node: SchemaReader, property: string): string | null {
  const text = node.text(property)
  return text === null ? null : unescaped(text)
}

function idOf(html: string): string | null {
  const id =
    /urn:li:(?:organization|company):(\d+)/.exec(html) ??
    /(?:f_C=|facetCurrentCompany=%5B)(\d+)/.exec(html)
  return id?.[1] ?? null
}

/** Matches a number with its thousands separators, in the style of any language. */
const wholeNumber = /\d{1,3}(?:[.,\s'’]\d{3})+(?!\d)|\d+/gu

/** Parses `51-200 employees`, `51–200 Beschäftigte`, `De 51 a 200 empleados` and `10,001+`. */
function sizeOf(size: string | null) {
  const [min = null, max] = [...(size ?? "").matchAll(wholeNumber)].map(([number]) =>
    Number(number.replace(/\D/g, "")),
  )
  // The largest size class has no upper end, in any words.
  const isOpen = /\+/.test(size ?? "") || (min !== null && max === undefined && min > 10_000)
  return { sizeMin: min, sizeMax: isOpen ? null : (max ?? min) }
}

const count = "(?<![\\d.,])((?:\\d{1,3}(?:[.,\\s]\\d{3})+|\\d+(?:[.,]\\d+)?)\\s?[KMB]?)"
/** In Japanese the word comes before the number. */
const followerForms = [
  new RegExp(`${count}\\s*(?:人の)?(?:${words(table.followers)})`, "iu"),
  new RegExp(`(?:${words(table.followers)})\\D{0,5}${count}`, "iu"),
]
const allEmployees = new RegExp(`${count}\\s*(?:${words(table.employees)})`, "iu")
const rounds = new RegExp(`${count}\\s*(?:${words(table.fundingRounds)})`, "iu")

/** A small number may be part of an address. */
function lastCount(line: string | null): number | null {
  const written = line?.split("·").at(-1)?.match(new RegExp(count, "giu"))?.at(-1)
  return line?.includes("·") ? parseCount(written) : null
}

const followersIn = (text: string | null) =>
  parseCount(followerForms.map((form) => form.exec(text ?? "")?.[1]).find(Boolean))

const lastOfList = new RegExp(`,\\s*(?:(?:${words(table.and)})\\s+)?|[、，]\\s*`, "u")
const lastTwo = new RegExp(` (?:${words(table.and)}) (?=[^ ]+(?: [^ ]+){0,3}$)`, "u")

function listed(text: string | null): string[] {
  if (!text) return []
  const parts = text.split(lastOfList)
  // In a list, "and" joins the last two parts if there is no comma.
  const last = (parts.pop() ?? "").split(lastTwo)
  return [...parts, ...last].map((part) => part.trim()).filter((part) => part !== "")
}

const addressParts = ["streetAddress", "addressLocality", "addressRegion", "postalCode"]

function addressOf({ org }: Parts): SchemaReader | null {
  const address = org.in("address")
  return [...addressParts, "addressCountry"].some((part) => address.text(part)) ? address : null
}

/** Returns the URL without tracking parameters. */
function linkOf({ card, base }: Card): string | null {
  const href = card.matches("a[href]")
    ? card.getAttribute("href")
    : firstAttribute(card, "a[href]", "href")
  return absoluteUrl(href, base)?.replace(/[?#].*$/s, "") ?? null
}

function fundingOf(document: Document, base: string) {
  const section = document.querySelector("[data-test-id=funding]")
  if (!section) return null
  const time = section.querySelector("time[datetime]")
  const day = plainText(time) ?? ""
  const round = plainText(time?.closest("a"))
  return {
    rounds: parseCount(rounds.exec(plainText(section) ?? "")?.[1]),
    lastRoundType: round?.replace(day, "").trim() || null,
    lastRoundDate: time?.getAttribute("datetime") ?? null,
    lastRoundAmount: firstText(section, ".text-display-lg"),
    url: linkOf({ card: section, base }),
  }
}

function postsOf(page: UpstreamResponse, data: SchemaReader[]) {
  const dates = new Map<string, string | null>()
  for (const posting of data) {
    if (!posting.isOfType("DiscussionForumPosting")) continue
    const id = activityIn(posting.text("url") ?? posting.text("mainEntityOfPage") ?? "")
    if (id) dates.set(id, isoDate(posting.text("datePublished")))
  }
  const articles = page.document.querySelectorAll(
    "[data-test-id=updates] article.main-feed-activity-card",
  )
  return [...articles].map((article) => {
    const id = /(?<!\d)(\d+)$/.exec(article.getAttribute("data-activity-urn") ?? "")?.[1] ?? null
    const link = article.parentElement?.querySelector('a[data-id="main-feed-card__full-link"]')
    const text = article.querySelector("[data-test-id=main-feed-activity-card__commentary]")
    const comments = article.querySelector("[data-test-id=social-actions__comments]")
    const age = plainText(article.querySelector("time"))
    return {
      id,
      url: absoluteUrl(link?.getAttribute("href"), page.url),
      text: linesOf(text),
      age: (age && /^\d+\p{L}+(?=\s|$)/u.exec(age)?.[0]) ?? age,
      publishedAt: (id && dates.get(id)) || null,
      reactions: parseCount(firstText(article, "[data-test-id=social-actions__reaction-count]")),
      commentsCount: integerOrNull(comments?.getAttribute("data-num-comments")),
      author: firstText(
        article,
        "[data-test-id=main-feed-activity-card__entity-lockup] a[data-tracking-control-name*=actor-name]",
        "[data-test-id=main-feed-activity-card__entity-lockup] a",
      ),
    }
  })
}

const activityIn = (url: string) => /activity[-:](\d+)/.exec(url)?.[1] ?? null

/** Returns the lines of a text, whose line breaks are in the text instead of the markup. */
const linesOf = (element: Element | null) =>
  textOrNull(element?.textContent?.replace(/(?<![ \t])[ \t]+$/gm, "").trim())
