import { distinct, parseCount, round, words } from "../../extract/core/index.ts"
import { JsonReader, unwrapJson } from "../../extract/embedded/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import {
  amountOf,
  BadInput,
  Changed,
  type Context,
  isPlain,
  NotFound,
  orByCall,
  readPage,
  targetUrl,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { resultsByCall } from "./search-call.ts"
import * as table from "./words.json"

const stateScripts = 'script[id^="data-deferred-state"]'

/** Returns the search URL that the input contains, on any of Airbnb's hosts. */
export function searchUrl(target: string): URL {
  const url = targetUrl(target)
  if (!url || !/^(?:[a-z-]{2,6}\.)?airbnb\.[a-z.]+$/i.test(url.hostname)) {
    throw new BadInput(`"${target}" is not an Airbnb URL.`)
  }
  if (url.pathname.startsWith("/rooms/")) {
    throw new BadInput(
      `"${target}" is a listing, not a search. Use a search URL, for example https://www.airbnb.com/s/Berlin/homes.`,
    )
  }
  if (!/^\/s\/./.test(url.pathname)) {
    throw new BadInput(
      `"${target}" is not an Airbnb search. The path of a search URL begins with /s/.`,
    )
  }
  url.hash = ""
  return url
}

/** Returns a page of a search: from its HTML, or if that is refused, from its scripts' API call. */
export const staysPage = (search: URL, cursor: string | undefined, ctx: Context) =>
  ctx.escalate(search.href, {
    http: (ctx) =>
      orByCall(
        ctx,
        what,
        () => visiblePage(search, cursor, ctx),
        async () => pageOf(await resultsByCall(search, cursor, ctx), search.href),
      ),
    browser: (ctx) => visiblePage(search, cursor, ctx),
  })

const what = "the results of a search"

async function visiblePage(search: URL, cursor: string | undefined, ctx: Context) {
  const url = new URL(search)
  if (cursor) url.searchParams.set("cursor", cursor)
  const read = (response: UpstreamResponse) => {
    if (isHome(response.url)) return atHome(url, { response })
    const results = staysOf(response)
    return results && { results, address: response.url }
  }
  const { results, address } = await readPage(ctx, url.href, read, {
    what,
    // Every page of Airbnb contains a state. A page without one is a refusal.
    refusal: {
      statuses: [403, 429],
      sign: (response) =>
        (response.document.querySelector(stateScripts) === null && isPlain(response)) ||
        /are you human/i.test(response.text()),
    },
    headers: { "accept-language": "en" },
    waitFor: stateScripts,
  }).catch((error) => {
    throw error instanceof Unreachable && isHome(error.url ?? "") ? atHome(url) : error
  })
  return pageOf(results, address)
}

/** Returns a page's results and the cursors of all pages, the first page's first. */
function pageOf(results: JsonReader, url: string) {
  const list = results.list("searchResults")
  const stays = list.filter((result) => result.has("demandStayListing") || result.has("listing"))
  if (list.length > 0 && stays.length === 0) {
    throw new Changed("Airbnb's results have an unexpected structure.", { url })
  }
  return { results: stays, cursors: results.texts("paginationInfo", "pageCursors") }
}

const isHome = (url: string) => URL.parse(url)?.pathname === "/"

const atHome = ({ href: url }: URL, details: { response?: UpstreamResponse } = {}) =>
  new NotFound("Airbnb shows its home page instead of this search.", { url, ...details })

/** `staysSearch.results` with its list of stays. Other entries contain only the map. */
function staysOf({ document }: UpstreamResponse): JsonReader | undefined {
  for (const script of document.querySelectorAll(stateScripts)) {
    const state = new JsonReader(unwrapJson(script.textContent?.trim()))
    const data = state.has("niobeClientData") ? "niobeClientData" : "niobeMinimalClientData"
    for (const entry of state.list(data)) {
      const key = entry.text(0)
      if (key !== null && !/^StaysSearch\b/.test(key)) continue
      const results = entry.in(1, "data", "presentation", "staysSearch", "results")
      if (Array.isArray(results.value("searchResults"))) return results
    }
  }
  return undefined
}

/** Splits "Condo in Panama City". In Japanese, Korean and Chinese the location comes first. */
function kindAndPlace(title: string | null, search: URL) {
  // "a" is an ordinary word in other languages.
  const ownWords = search.hostname.endsWith(".it") ? "a|ad" : words(table.inPlace)
  const [roomType, city] = title?.split(new RegExp(` (?:${ownWords}) (.*)`, "su")) ?? []
  if (city) return { roomType: roomType || null, city }
  const [, place, kind] = placeFirst.exec(title ?? "") ?? []
  return { roomType: kind ?? (roomType || null), city: place ?? null }
}

const placeFirst = new RegExp(`^(.+?)(?:${words(table.placeOf)})(.+)$`, "u")

/** Patterns for a number before or after the word. */
const counted = (word: string) => [
  new RegExp(`(?<!\\d)(\\d+)\\s*(?:[\\p{L}-]+\\s+)?(?:${word})(?!\\p{Script=Latin})`, "iu"),
  new RegExp(`(?:${word})\\s*(\\d+)`, "iu"),
]
const bedForms = counted(words(table.beds))
const bedroomForms = counted(words(table.bedrooms))

const superhost = new RegExp(words(table.superhost), "iu")
const guestFavorite = new RegExp(words(table.guestFavorite), "iu")

/** Returns whether a badge is present, or null if a badge is in an unsupported language. */
function marked(badges: string[], form: RegExp): boolean | null {
  if (badges.some((badge) => form.test(badge))) return true
  const known = (badge: string) =>
    /^[A-Z][A-Z_]+$/.test(badge) || superhost.test(badge) || guestFavorite.test(badge)
  return badges.every(known) ? false : null
}

/** Returns null for a result without a listing ID. */
export function listingOf(result: JsonReader, search: URL) {
  const id = numberOf(result.text("demandStayListing", "id") ?? result.text("listing", "id"))
  if (!id) return null
  const listing = result.in(result.has("demandStayListing") ? "demandStayListing" : "listing")
  const url = `${search.origin}/rooms/${id}`
  // Until 2024 these facts were in the listing.
  const at = (name: string) => (result.has(name) ? result : listing)
  const title = at("title").title("title")
  const badges = distinct(
    [...result.list("badges"), ...listing.list("formattedBadges")].flatMap(
      (badge) => badge.text("loggingContext", "badgeType") ?? badge.text("text") ?? [],
    ),
  )
  const hosted = marked(badges, superhost)
  const images = at("contextualPictures")
    .list("contextualPictures")
    .flatMap((image) => image.text("picture") ?? [])
  const summaryLines = summaryOf(at("structuredContent"))
  const point = (name: string) =>
    listing.number("location", "coordinate", name) ?? listing.number("coordinate", name)
  return {
    id,
    url,
    bookingUrl: bookingUrl(url, search),
    title,
    name:
      result.title(
        "demandStayListing",
        "description",
        "name",
        "localizedStringWithTranslationPreference",
      ) ??
      result.title("subtitle") ??
      result.title("nameLocalized", "localizedStringWithTranslationPreference") ??
      result.title("nameLocalized") ??
      listing.title("name"),
    ...kindAndPlace(title, search),
    ...[result, listing].map(ratingOf).find(({ rating }) => rating !== null),
    latitude: point("latitude"),
    longitude: point("longitude"),
    ...priceOf(
      result.has("structuredDisplayPrice")
        ? result.in("structuredDisplayPrice")
        : result.in("pricingQuote", "structuredStayDisplayPrice"),
      search,
    ),
    images,
    imageUrl: images[0] ?? null,
    badges,
    isSuperhost: hosted || (result.flag("passportData", "isSuperhost") ?? hosted),
    isGuestFavorite: marked(badges, guestFavorite),
    summaryLines,
    beds: countIn(summaryLines, bedForms),
    bedrooms: countIn(summaryLines, bedroomForms),
    freeCancellation:
      result.list("paymentMessages").flatMap((message) => message.title("text") ?? [])[0] ?? null,
  }
}

/** Returns the ID in "DemandStayListing:1750924089167503383", which Airbnb encodes as base64. */
function numberOf(id: string | null): string | null {
  if (!id) return null
  if (/^\d+$/.test(id)) return id
  try {
    return /:(\d+)$/.exec(atob(id.replace(/(?<!=)=+$/, "")))?.[1] ?? null
  } catch {
    return null
  }
}

function bookingUrl(url: string, search: URL): string {
  const booking = new URL(url)
  const wanted = ["checkin", "checkout", "check_in", "check_out", "adults", "children", "infants"]
  for (const name of wanted) {
    const value = search.searchParams.get(name)
    if (value) booking.searchParams.set(name, value)
  }
  return booking.href
}

/** Parses "4.86 (21)", with a decimal comma in some languages. "New" has no rating. */
function ratingOf(result: JsonReader) {
  const [, rating, count] =
    /^(\d(?:[.,]\d+)?)\s*\(([^)]+)\)/.exec(result.text("avgRatingLocalized") ?? "") ??
    /^(\d(?:[.,]\d+)?)\D+5\D+(\d[\d.,]*)/.exec(result.text("avgRatingA11yLabel") ?? "") ??
    []
  return {
    rating: rating === undefined ? null : Number(rating.replace(",", ".")),
    reviewCount: parseCount(count),
  }
}

const perNight = new RegExp(
  `^(?:(?:${words(table.each)})\\s*)?(?:${words(table.night)})(?!\\p{L})|泊あたり`,
  "iu",
)
const severalNights = new RegExp(`(?<!\\d)(\\d+)\\s*(?:${words(table.night)})`, "iu")

/**
 * Parses the price: "$1,322 for 7 nights, originally $1,907" as one text, or in parts.
 * Older pages have the price per night in the first line and the total in the second.
 */
function priceOf(visible: JsonReader, search: URL) {
  const line = visible.in("primaryLine")
  const label = line.text("accessibilityLabel")
  const [stated, ...rest] = label?.split(/,\s+(?=\p{L})/u) ?? []
  const now = line.text("discountedPrice") ?? line.text("price") ?? stated ?? null
  const before = line.text("originalPrice") ?? rest.find((part) => /\d/.test(part)) ?? null
  const qualifier = line.text("qualifier") ?? stated ?? ""
  const requested = search.searchParams.get("currency")?.toUpperCase()
  // The site's host determines the currency of `$`.
  const ending = search.hostname.replace(/^.*\./, "")
  const hints = { country: ending === "com" ? "US" : ending, currency: requested ?? null }
  const price = parsePrice(now ?? "", hints)
  const isNightly =
    perNight.test(qualifier.replace(/^[^\p{L}]*/u, "")) && !severalNights.test(qualifier)
  const total = isNightly
    ? amountOf(visible.text("secondaryLine", "price"), hints)
    : (price?.amount ?? null)
  const nights = Number(severalNights.exec(`${qualifier} ${label ?? ""}`)?.[1]) || nightsOf(search)
  return {
    priceTotal: total,
    priceOriginal: amountOf(before, hints),
    nights,
    pricePerNight: isNightly
      ? (price?.amount ?? null)
      : total !== null && nights
        ? round(total / nights)
        : null,
    // Airbnb may use the visitor's currency instead of the requested one.
    currency: price?.currency ?? requested ?? null,
    priceText: label ?? ([now, line.text("qualifier")].filter(Boolean).join(" ") || null),
    priceBreakdown: visible
      .list("explanationData", "priceDetails")
      .flatMap((group) => group.list("items"))
      .flatMap((part) => {
        const description = part.title("description")
        return description ? { description, amount: part.text("priceString") } : []
      }),
  }
}

function nightsOf(search: URL): number | null {
  const day = (name: string) => {
    const { searchParams } = search
    return Date.parse(searchParams.get(name) ?? searchParams.get(name.replace("k", "k_")) ?? "")
  }
  const nights = (day("checkout") - day("checkin")) / 86_400_000
  return nights > 0 ? Math.round(nights) : null
}

function summaryOf(result: JsonReader): string[] {
  const content = result.in("structuredContent")
  const lines = [...content.list("primaryLine"), ...content.list("secondaryLine")]
  return distinct(lines.flatMap((line) => line.title("body") ?? []))
}

function countIn(lines: string[], forms: RegExp[]): number | null {
  const [count] = forms.flatMap((form) => lines.flatMap((line) => form.exec(line)?.[1] ?? []))
  return count === undefined ? null : Number(count)
}
