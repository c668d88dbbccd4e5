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
import { decodedPath, type UpstreamResponse } from "../kit/index.ts"
import * as table from "./words.json"

const organizations = ["Organization", "CollegeOrUniversity", "EducationalOrganization"]

/** Returns the company of the public page, or null if the page has none. */
export function linkedinCompany(page: UpstreamResponse, requested: string) {
  const { document } = page
  const data = allSchemaNodes(document)
  const org = organizationOf(data)
  const name = unescaped(org.text("name")) ?? firstText(document, "h1.top-card-layout__title")
  const about = document.querySelector("[data-test-id=about-us]")
  if (!name || (!about && !org.has("name"))) return null
  const fact = (key: string) => firstText(document, `[data-test-id=about-us__${key}] dd`)
  const canonical = org.text("url") ?? firstAttribute(document, 'link[rel="canonical"]', "href")
  const slug = /\/(?:company|school|showcase)\/([^/?#]+)/.exec(canonical ?? "")?.[1] ?? requested
  const subline = firstText(document, "h3.top-card-layout__first-subline")
  const summary = firstAttribute(document, 'meta[property="og:description"]', "content")
  const companySize = fact("size")
  return {
    slug: decodedPath(slug),
    url: `https://www.linkedin.com/company/${slug}`,
    id: idOf(page.text()),
    name,
    tagline: firstText(document, "h4.top-card-layout__second-subline"),
    slogan: unescaped(org.text("slogan")),
    description:
      unescaped(org.text("description")) ??
      firstText(document, "[data-test-id=about-us__description]"),
    website: org.text("sameAs") ?? firstText(document, "[data-test-id=about-us__website] a"),
    industry: fact("industry") ?? firstText(document, "h2.top-card-layout__headline"),
    companySize,
    ...sizeOf(companySize),
    employeesOnLinkedIn:
      org.integer("numberOfEmployees", "value") ??
      parseCount(
        allTexts(document, "a, button")
          .map((text) => (text.length < 80 ? allEmployees.exec(text)?.[1] : undefined))
          .find(Boolean),
      ),
    headquarters: fact("headquarters"),
    companyType: fact("organizationType"),
    founded: integerOrNull(/\d{4}/.exec(fact("foundedOn") ?? "")?.[0]),
    specialties: listed(fact("specialties")),
    // In any language, the number is the last one of the line.
    followersCount: followersIn(subline) ?? followersIn(summary) ?? lastCount(subline),
    address: addressOf(org.in("address")),
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
    employees: cards(document, "employees-at").map((card) => ({
      name: firstText(card, ".base-main-card__title"),
      title: firstText(card, ".base-main-card__subtitle"),
      url: linkOf(card, page.url),
    })),
    similarCompanies: asides(document, "similar-pages", page.url),
    affiliatedPages: asides(document, "affiliated-pages", page.url),
    funding: fundingOf(document, page.url),
    products: [...document.querySelectorAll("[data-test-id=products] .base-card")].map((card) => ({
      name: firstText(card, ".base-main-card__title"),
      url: linkOf(card, page.url),
      description: firstText(card, ".base-main-card__subtitle", ".base-main-card__metadata"),
    })),
    recentPosts: postsOf(page, data),
  }
}

/** Returns the company itself, not the author of one of the posts on its page. */
function organizationOf(data: SchemaReader[]): SchemaReader {
  const posts = data.filter((node) => node.isOfType("DiscussionForumPosting"))
  const inPosts = new Set(posts.flatMap(({ root }) => [...findObjects(root, () => true)]))
  const matches = data.filter((node) => node.isOfType(...organizations))
  const own = matches.find(({ root }) => !inPosts.has(root as SchemaNode))
  return own ?? matches[0] ?? new SchemaReader(undefined)
}

const unescaped = (text: string | null) => (text === null ? null : decodeEntities(text).trim())

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

function addressOf(address: SchemaReader) {
  const parts = {
    street: unescaped(address.text("streetAddress")),
    city: unescaped(address.text("addressLocality")),
    region: unescaped(address.text("addressRegion")),
    postalCode: address.text("postalCode"),
    country: address.text("addressCountry"),
  }
  return Object.values(parts).some((part) => part !== null) ? parts : null
}

const cards = (document: Document, section: string) => [
  ...document.querySelectorAll(`[data-test-id=${section}] li`),
]

/** Returns the URL without tracking parameters. */
function linkOf(card: Element, base: string): string | null {
  const href = card.matches("a[href]")
    ? card.getAttribute("href")
    : firstAttribute(card, "a[href]", "href")
  return absoluteUrl(href, base)?.replace(/[?#].*$/s, "") ?? null
}

function asides(document: Document, section: string, base: string) {
  return cards(document, section)
    .filter((card) => card.querySelector(".base-aside-card__title"))
    .map((card) => ({
      name: firstText(card, ".base-aside-card__title"),
      industry: firstText(card, ".base-aside-card__subtitle"),
      location: firstText(card, ".base-aside-card__second-subtitle"),
      url: linkOf(card, base),
    }))
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
    url: linkOf(section, base),
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
