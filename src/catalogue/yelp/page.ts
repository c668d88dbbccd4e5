import {
  absoluteUrl,
  allTexts,
  decodeEntities,
  distinct,
  firstAttribute,
  firstText,
  numberOrNull,
  parseCount,
  plainText,
  textLines,
  type WordTable,
  words,
} from "../../extract/core/index.ts"
import { at, findObjects, JsonReader, parseLoose } from "../../extract/embedded/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  type Context,
  lineAddress,
  NotFound,
  orNull,
  RateLimited,
  type Refusal,
  ratingsOf,
  refusedPage,
  type ScrapeError,
  schemaAddress,
  type Tab,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { dataReview, newestReviews } from "./feed.ts"
import * as table from "./words.json"
import { type BusinessUrl, businessUrl, hoursOf, weekdays, withLine } from "./yelp.ts"

type Json = Record<string, unknown>

/**
 * Returns the business in the page's normalised cache; empty if the page has none. References are
 * resolved, and field names have no arguments.
 */
function stateBusiness(document: Document, id: string | null): JsonReader {
  const script = document.querySelector("script[data-apollo-state]")?.textContent ?? ""
  const plain = script.replace(/^\s*<!--|-->\s*$/g, "")
  const state = plain === "" ? undefined : (parseLoose(plain) ?? parseLoose(decodeEntities(plain)))
  if (typeof state !== "object" || state === null) return new JsonReader(undefined)
  const key = id === null ? undefined : `Business:${id}`
  const business = (key && at<Json>(state, key)) ?? firstBusiness(state)
  const known = Object.entries(business ?? {}).filter(([name]) => fields.has(fieldName(name)))
  return new JsonReader(resolved(Object.fromEntries(known), state as Json, 0))
}

const firstBusiness = (state: object): Json | undefined =>
  findObjects(state, (object) => object.__typename === "Business" && "name" in object).next()
    .value as Json | undefined

const fields = new Set(
  (
    "name rating reviewCount priceRange categories phoneNumber externalResources location " +
    "operationHours organizedProperties"
  ).split(" "),
)

const fieldName = (key: string) => key.replace(/\(.*$/s, "")

/** Maximum depth. All fields are within it; the cache is circular. */
const depth = 5

function resolved(value: unknown, state: Json, level: number): unknown {
  if (typeof value !== "object" || value === null || level > depth) return value
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, state, level + 1))
  const { __ref: reference, ...own } = value as Json
  if (typeof reference === "string") return resolved(state[reference], state, level + 1)
  return Object.fromEntries(
    Object.entries(own).map(([key, field]) => [fieldName(key), resolved(field, state, level + 1)]),
  )
}

/** Returns the fields of a business in the cache; null for missing ones. */
function stateFacts(business: JsonReader) {
  const place = business.in("location")
  return {
    name: business.title("name"),
    rating: business.number("rating"),
    reviewCount: business.integer("reviewCount"),
    priceRange: business.text("priceRange", "display"),
    categories: business.list("categories").flatMap((category) => {
      const title = category.title("title")
      return title ? { title, alias: category.text("alias") } : []
    }),
    phone: business.text("phoneNumber", "formatted"),
    website: business.text("externalResources", "website", "url"),
    address: place.in("address"),
    neighborhoods: place.texts("neighborhoods"),
    latitude: place.number("coordinate", "latitude") ?? place.number("latitude"),
    longitude: place.number("coordinate", "longitude") ?? place.number("longitude"),
    hours: stateHours(business),
    attributes: business
      .list("organizedProperties")
      .flatMap((group) => group.list("properties"))
      .flatMap((property) => property.title("displayText") ?? []),
  }
}

function stateHours(business: JsonReader) {
  const days = business.list("operationHours", "regularHoursMergedWithSpecialHoursForCurrentWeek")
  return hoursOf((day) => {
    const own = days.find((entry) => entry.text("dayOfWeekShort")?.toLowerCase().startsWith(day))
    return own?.texts("regularHours") ?? own?.texts("hours") ?? []
  })
}

type Weekday = (typeof weekdays)[number]

/** Languages of Yelp's hosts, except Czech, whose "so" is a different day from German's. */
const languages = "en da de es fi fr it ja nb nl pl pt sv tr zh".split(" ")
const monday = Date.UTC(2024, 0, 1)

const plain = (name: string) => name.toLowerCase().replace(/\.$/, "")

/** No two languages use a name or an abbreviation for different days. */
function daysByName(): Map<string, Weekday> {
  const byKey = new Map<string, Weekday>()
  for (const language of languages) {
    for (const weekday of ["long", "short"] as const) {
      const format = new Intl.DateTimeFormat(language, { weekday, timeZone: "UTC" })
      weekdays.forEach((day, index) => {
        byKey.set(plain(format.format(monday + index * 86_400_000)), day)
      })
    }
  }
  return byKey
}

/** Made at its first use: it takes a tenth of the time that all scrapers take to load. */
let byName: Map<string, Weekday> | undefined

/** Returns the weekday of "Mon", "Montag", "lun." or "月曜日"; null for other texts. */
export function weekdayOf(text: string): Weekday | null {
  byName ??= daysByName()
  const name = plain(text.trim())
  return byName.get(name) ?? byName.get(name.split(/[\s,(]/)[0]!) ?? null
}

const whole = (meaning: WordTable) => new RegExp(`^(?:${words(meaning)})$`, "iu")
const phoneNumber = whole(table.phoneNumber)
const directions = whole(table.directions)
const website = whole(table.website)
const closed = whole(table.closed)
const about = whole(table.about)
const readMore = whole(table.readMore)
const within = (meaning: WordTable) =>
  new RegExp(`(?<!\\p{Script=Latin})(?:${words(meaning)})(?!\\p{Script=Latin})`, "iu")
const openNow = within(table.openNow)
const closedNow = within(table.closedNow)

const refusal: Refusal = {
  sign: (response) =>
    response.status === 403 || /You have been blocked|geo\.captcha/i.test(response.text()),
}

/**
 * Returns a business from its page, and the reviews that the page would load, in one browser
 * session.
 */
export async function pageBusiness(address: BusinessUrl, tab: Tab, ctx: Context) {
  const page = await tab.goto(businessUrl(address), {
    headers: { "accept-language": "en-US,en;q=0.9" },
  })
  const { document } = page
  const nodes = schemaNodes(document)
  const data =
    nodes.find((node) => node.has("address") && node.has("name")) ?? new SchemaReader(undefined)
  const id = firstAttribute(document, 'meta[name="yelp-biz-id"]', "content")
  const state = stateFacts(stateBusiness(document, id))
  const name = data.title("name") ?? state.name ?? (id ? firstText(document, "h1") : null)
  const isPlain = !data.has() && !state.name && !after(document, phoneNumber)
  if (!name || isPlain || page.status >= 400) throw missing(page, address)
  const reviews = id
    ? await orNull(ctx, "list of reviews", () => newestReviews(id, page, tab, ctx))
    : null
  const { rating, reviewCount } = ratingsOf(data.in("aggregateRating"))
  const canonical = absoluteUrl(firstAttribute(document, 'link[rel="canonical"]', "href"), page.url)
  const url = (canonical ?? page.url).replace(/[?#].*$/, "")
  const visibleAddress = after(document, directions)
  const lines = textLines(document.body)
  return {
    url,
    alias: /\/biz\/([^/?#]+)/.exec(url)?.[1] ?? address.alias,
    id,
    name,
    rating: rating ?? state.rating,
    reviewCount: reviewCount ?? state.reviewCount,
    priceRange: data.text("priceRange") ?? state.priceRange,
    categories: state.categories.length > 0 ? state.categories : visibleCategories(document, nodes),
    phone: data.text("telephone") ?? state.phone ?? after(document, phoneNumber),
    website: state.website ?? visibleWebsite(document),
    address: withLine(
      schemaAddress(data.in("address")) ??
        schemaAddress(state.address) ??
        lineAddress(null, visibleAddress),
      visibleAddress,
    ),
    neighborhoods: state.neighborhoods,
    ...locationOf(document, state),
    hours: visibleHours(document) ?? state.hours,
    openNow: flagOf(lines, openNow, closedNow),
    claimed: flagOf(lines, /(?:^|\s)Claimed\b/, /\bUnclaimed\b/),
    closed: closedForGood(document, lines),
    attributes: distinct(state.attributes),
    ...imagesOf(page, data, lines),
    about: aboutOf(document),
    reviews: reviews ?? data.list("review").map(dataReview),
  }
}

/** Returns null for pages in other languages than English, whose words are not supported. */
function closedForGood(document: Document, lines: string[]): boolean | null {
  if (lines.some((line) => /Yelpers report this location has closed/i.test(line))) return true
  return /^en\b/i.test(document.documentElement.lang || "en") ? false : null
}

function missing(page: UpstreamResponse, address: BusinessUrl): ScrapeError {
  const { status, url, document } = page
  const details = { url, statusCode: status }
  const heading = `${firstText(document, "h1") ?? ""} ${document.title}`
  if (status === 404 || status === 410 || /page not found/i.test(heading))
    return new NotFound(`No such business on Yelp: ${address.alias}.`, details)
  const scrapeError = page.explainMissing("the business")
  if (scrapeError.code === "blocked") return scrapeError
  const refused = refusedPage(page, refusal)
  if (refused) return refused
  if (status === 429) return new RateLimited("Yelp limits the rate of requests.", null, details)
  return status >= 500 ? new UpstreamError(`Yelp failed (status ${status}).`, details) : scrapeError
}

/** Returns the paragraph after the one that contains a label. */
function afterElement(document: Document, label: RegExp): Element | null {
  const labels = [...document.querySelectorAll("p, a")].filter((element) =>
    label.test(plainText(element) ?? ""),
  )
  for (const element of labels) {
    const next = element.nextElementSibling ?? element.parentElement?.nextElementSibling
    if (plainText(next)) return next!
  }
  return null
}

const after = (document: Document, label: RegExp) => plainText(afterElement(document, label))

/**
 * Returns the website's URL; the page displays it without its scheme, but the link has it in full.
 */
function visibleWebsite(document: Document): string | null {
  const block = afterElement(document, website)
  if (!block) return null
  const link = block.localName === "a" ? block : block.querySelector("a")
  const target = /[?&]url=([^&]+)/.exec(link?.getAttribute("href") ?? "")?.[1]
  const url = target ? decodeURIComponent(target) : `http://${plainText(block)}`
  return absoluteUrl(url, "http://x/")
}

function visibleCategories(document: Document, nodes: SchemaReader[]) {
  const links = document.querySelectorAll(
    'a[href*="/search?"][href*="find_desc="], a[href*="cflt="]',
  )
  const linked = [...links].flatMap((link) => {
    const title = plainText(link)
    const alias = /[?&]cflt=([^&]+)/.exec(link.getAttribute("href") ?? "")?.[1] ?? null
    return title && title.length < 40 ? { title, alias } : []
  })
  if (linked.length > 0) return linked.slice(0, 3)
  const crumbs = nodes.find((node) => node.isOfType("BreadcrumbList"))
  const crumb = (entry: SchemaReader) => entry.title("item", "name") ?? entry.title("name")
  const last = crumbs?.list("itemListElement").findLast(crumb)
  const title = last && crumb(last)
  return title ? [{ title, alias: null }] : []
}

function locationOf(document: Document, state: ReturnType<typeof stateFacts>) {
  const map = firstAttribute(document, 'img[src*="center="], a[href*="center="]', "src", "href")
  const [, latitude, longitude] = /center=(-?\d+\.\d+)(?:%2C|,)(-?\d+\.\d+)/i.exec(map ?? "") ?? []
  return {
    latitude: state.latitude ?? numberOrNull(latitude),
    longitude: state.longitude ?? numberOrNull(longitude),
  }
}

/** Reads rows of a weekday and its hours; a remark such as "Open now" may follow. */
function visibleHours(document: Document) {
  const rows = [...document.querySelectorAll("tr")].map((row) => ({
    day: weekdayOf(firstText(row, "th p", "th") ?? ""),
    texts: allTexts(row, "td p"),
  }))
  return hoursOf((day) => {
    const row = rows.find((row) => row.day === day)
    return row?.texts.filter((text) => /\d/.test(text) || closed.test(text)) ?? []
  })
}

function flagOf(lines: string[], yes: RegExp, no: RegExp): boolean | null {
  const short = lines.filter((line) => line.length < 80)
  if (short.some((line) => no.test(line))) return false
  return short.some((line) => yes.test(line)) ? true : null
}

function imagesOf({ document, url }: UpstreamResponse, data: SchemaReader, lines: string[]) {
  const visible = [...document.querySelectorAll('img[src*="/bphoto/"]')].flatMap(
    (image) => absoluteUrl(image.getAttribute("src"), url) ?? [],
  )
  const count = lines
    .map((line) => /^See (?:all )?([\d,.]+k?) photos/i.exec(line)?.[1])
    .find(Boolean)
  return {
    photos: distinct([...data.texts("image"), ...visible]),
    photoCount: parseCount(count),
    logoUrl: absoluteUrl(
      firstAttribute(document, 'img.businessLogo, img[src*="/businessregularlogo/"]', "src"),
      url,
    ),
  }
}

function aboutOf(document: Document): string | null {
  const heading = [...document.querySelectorAll("h2, h3")].find((element) =>
    about.test(plainText(element) ?? ""),
  )
  const section =
    heading?.closest("section") ??
    [...document.querySelectorAll("section[aria-label]")].find((section) =>
      about.test(section.getAttribute("aria-label")!),
    )
  const lines = section ? textLines(section) : []
  return lines.filter((line) => !about.test(line) && !readMore.test(line)).join("\n") || null
}
