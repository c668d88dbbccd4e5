import {
  absoluteUrl,
  allTexts,
  blockText,
  distinct,
  firstAttribute,
  firstText,
  foldSpace,
  parseCount,
  plainText,
  unseen,
  words,
} from "../../extract/core/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import { SchemaReader, schemaNodes } from "../../extract/structured/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  NotFound,
  RateLimited,
  readOnce,
  targetUrl,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import * as table from "./words.json"

interface HotelUrl {
  country: string
  /** URL without the query. */
  page: string
  query: URLSearchParams
  hasDates: boolean
  currency: string
}

/** Returns the hotel URL in the input without tracking, with a fixed currency and language. */
export function hotelUrl(target: string): HotelUrl {
  const url = targetUrl(target)
  const form = /^\/hotel\/([a-z]{2})\/([^/.]+)(?:\.([a-z-]{2,5}))?\.html$/i
  const match = form.exec(url?.pathname ?? "")
  if (!url || !match || !/^(?:www\.|m\.)?booking\.com$/i.test(url.hostname)) {
    throw new BadInput(
      `"${target}" is not a hotel page. Use a URL such as https://www.booking.com/hotel/gb/name.html.`,
    )
  }
  const [, country, name, language] = match
  const requested = url.searchParams
  const currency = requested.get("selected_currency")?.toUpperCase() ?? "USD"
  const query = new URLSearchParams({
    selected_currency: currency,
    lang: requested.get("lang") ?? language ?? "en-us",
  })
  for (const key of ["checkin", "checkout", "group_adults", "group_children", "no_rooms"]) {
    const value = requested.get(key)
    if (value) query.set(key, value)
  }
  return {
    country: country!.toLowerCase(),
    page: `https://www.booking.com/hotel/${country!.toLowerCase()}/${name}.html`,
    query,
    hasDates: query.has("checkin") && query.has("checkout"),
    currency,
  }
}

const hotelPath = /^\/hotel\/[a-z]{2}\/[^/]+\.html$/i

const gone = ({ page: url }: HotelUrl, details: { response?: UpstreamResponse } = {}) =>
  new NotFound("Booking.com shows another page instead of this hotel, which no longer exists.", {
    url,
    ...details,
  })

/** Returns a hotel. Throws NotFound if the site shows its home page, a search or a city instead. */
export async function hotelPage(address: HotelUrl, ctx: Context) {
  const what = "the hotel's name"
  const read = readOnce((response) => hotelOf(response, address))
  const isKnown = (response: UpstreamResponse) =>
    nameOf(response.document) !== null && !isHollow(read(response))
  const page = ctx.page(address.page, {
    has: (response) => isElsewhere(response) || isKnown(response),
    what,
    refusal: {
      statuses: [403, 503],
      // Hotel pages are large and have the hotel's ID in a script.
      sign: (page) => page.text().length < 10_000 && !page.text().includes("b_hotel_id"),
    },
    query: Object.fromEntries(address.query),
    headers: { "accept-language": "en-US,en;q=0.9" },
    waitFor: '[data-testid="PropertyHeaderAddressDesktop-wrapper"], h2.pp-header__title',
    timeoutMs: 45_000,
  })
  const response = await page.catch((error) => {
    const redirectPath = error instanceof Unreachable && URL.parse(error.url ?? "")?.pathname
    if (redirectPath && !hotelPath.test(redirectPath)) throw gone(address)
    if (!(error instanceof Blocked) || error.statusCode !== 403) throw error
    const message = "www.booking.com limits the rate of requests (status 403)."
    throw new RateLimited(message, null, { url: address.page, statusCode: 403 })
  })
  if (isElsewhere(response)) throw gone(address, { response })
  if (nameOf(response.document) === null) throw response.explainMissing(what)
  const hotel = read(response)
  if (!isHollow(hotel)) return hotel
  throw new Changed("Booking.com's page has only the hotel's name.", { url: response.url })
}

/** Returns whether the response is another page of the site, by its URL or its canonical URL. */
function isElsewhere(response: UpstreamResponse): boolean {
  if (!hotelPath.test(new URL(response.url).pathname)) return true
  const canonical = firstAttribute(response.document, 'link[rel="canonical"]', "href")
  const itself = canonical && URL.parse(canonical, response.url)?.pathname
  return Boolean(itself) && !hotelPath.test(itself!) && !response.text().includes("b_hotel_id")
}

const isHollow = (hotel: ReturnType<typeof hotelOf>) =>
  !hotel.address && !hotel.description && hotel.latitude === null && hotel.reviewScore === null

const checkIn = new RegExp(`^(?:${words(table.checkIn)})`, "iu")
const checkOut = new RegExp(`^(?:${words(table.checkOut)})`, "iu")
const reviewCount = new RegExp(
  `(?<![\\d.,])(\\d{1,3}(?:[.,\\s]\\d{3})+|\\d+)\\s*(?:${words(table.reviews)})`,
  "iu",
)

/** Returns only the name, or null if the page is not a hotel page. */
const nameOf = (document: Document): string | null =>
  lodgingNode(document).title("name") ??
  firstText(document, "h2.pp-header__title", "#hp_hotel_name h2", "h2")

function hotelOf(response: UpstreamResponse, address: HotelUrl) {
  const { document } = response
  const html = response.text()
  const node = lodgingNode(document)
  const place = node.in("address")
  const policies = policiesOf(document)
  const facilitiesSelector =
    '[data-testid="property-most-popular-facilities-wrapper"] li, .important_facility'
  return {
    hotelId:
      /b_hotel_id:\s*'(\d+)'/.exec(html)?.[1] ??
      /"hotelId"\s*:\s*"?(\d+)/.exec(html)?.[1] ??
      firstAttribute(document, 'input[name="hotel_id"]', "value"),
    name: nameOf(document) ?? "",
    type: node.type,
    description: descriptionOf(document) ?? node.title("description"),
    address:
      place.title("streetAddress") ??
      headerAddress(document) ??
      firstText(document, ".hp_address_subtitle"),
    postalCode: place.text("postalCode"),
    city: place.title("addressLocality"),
    country: address.country,
    ...positionOf(document, node),
    stars: starsOf(document, html),
    ...scoreOf(document, node),
    reviewSubscores: subscoresOf(document),
    priceRange: node.title("priceRange"),
    facilities: distinct(allTexts(document, facilitiesSelector)),
    facilityGroups: facilityGroupsOf(document),
    images: imagesOf(document, node, html),
    checkInFrom: hoursOf(policies, checkIn).at(0),
    checkOutUntil: hoursOf(policies, checkOut).at(-1),
    policies,
    rooms: address.hasDates ? roomsOf(document, address.currency) : [],
    availabilityChecked: address.hasDates,
  }
}

/** Returns the JSON-LD of any type of accommodation: Hotel, Hostel … all have an address. */
const lodgingNode = (document: Document): SchemaReader =>
  schemaNodes(document).find((node) => node.has("name") && node.has("address")) ??
  new SchemaReader(undefined)

function descriptionOf(document: Document): string | null {
  const element = document.querySelector(
    '[data-testid="property-description"], [data-capla-component-boundary$="PropertyDescriptionDesktop"], [id="property_description_content"]',
  )
  return element ? blockText(element) || null : null
}

/** Returns the postal address in the header, without the rating of the location inside it. */
function headerAddress(document: Document): string | null {
  const wrapper = '[data-testid="PropertyHeaderAddressDesktop-wrapper"]'
  const parts = `${wrapper} button > div, ${wrapper} button, ${wrapper} span > div`
  for (const part of document.querySelectorAll(parts)) {
    const texts = [...part.childNodes].filter((node) => node.nodeType === 3)
    const own = foldSpace(texts.map((node) => node.nodeValue ?? "").join(" "))
    if (own) return own
  }
  return firstText(document, `${wrapper} button > div`, `${wrapper} button`)
}

function positionOf(document: Document, node: SchemaReader) {
  const visible = firstAttribute(document, "[data-atlas-latlng]", "data-atlas-latlng")
  const mapped = /center=(-?[\d.]+(?:,|%2C)-?[\d.]+)/i.exec(node.text("hasMap") ?? "")?.[1]
  const [latitude, longitude] = (visible ?? mapped ?? "").split(/,|%2C/i).map(Number)
  const known = Number.isFinite(latitude) && Number.isFinite(longitude)
  return { latitude: known ? latitude! : null, longitude: known ? longitude! : null }
}

function starsOf(document: Document, html: string): number | null {
  for (const name of ["rating-stars", "quality-rating"]) {
    const spans = [...document.querySelectorAll(`[data-testid="${name}"] span`)]
    const stars = spans.filter((span) => span.querySelector("span") === null).length
    if (stars > 0 && stars <= 5) return stars
  }
  return Number(/"class"\s*:\s*"?([1-5])\b/.exec(html)?.[1]) || null
}

function scoreOf(document: Document, node: SchemaReader) {
  const rated = node.in("aggregateRating")
  const visible = firstText(document, '[data-testid="review-score-component"]') ?? ""
  const score = /\d{1,2}[.,]\d/.exec(visible)?.[0].replace(",", ".")
  return {
    reviewScore: rated.number("ratingValue") ?? (score ? Number(score) : null),
    reviewCount: rated.integer("reviewCount") ?? parseCount(reviewCount.exec(visible)?.[1]),
    bestRating: rated.number("bestRating"),
  }
}

const maxSubscore = 200

/** Each element has a text like "Staff 9.1". */
function subscoresOf(document: Document): Record<string, number> | null {
  const scores: Record<string, number> = {}
  for (const text of allTexts(document, '[data-testid="review-subscore"]')) {
    if (text.length > maxSubscore) continue
    const match = /^(.+?)\s*(\d{1,2}(?:[.,]\d)?)(?!.*\d)/.exec(text)
    if (match) scores[match[1]!.trim()] = Number(match[2]!.replace(",", "."))
  }
  return Object.keys(scores).length > 0 ? scores : null
}

function facilityGroupsOf(document: Document) {
  const groups = document.querySelectorAll('[data-testid="facility-group-container"]')
  const named = [...groups].flatMap((group) => {
    const name = firstText(group, "h3")
    return name ? { name, items: distinct(allTexts(group, "li")) } : []
  })
  return named.length > 0 ? named : iconGroupsOf(document)
}

/** Until 2024 a group had only an icon before its name. */
function iconGroupsOf(document: Document) {
  return [...document.querySelectorAll('[data-testid*="facility-group-icon"]')].flatMap((icon) => {
    const name = plainText(icon.parentElement)
    let group = icon.parentElement
    for (let levels = 0; group && levels < 4 && !group.querySelector("li"); levels++) {
      group = group.parentElement
    }
    const names = group ? distinct(allTexts(group, "li")) : []
    return name && names.length > 0 ? { name, items: names } : []
  })
}

/** Returns the images in large size without duplicates; the `k=` in their URLs signs them. */
function imagesOf(document: Document, node: SchemaReader, html: string): string[] {
  const place = "#photo_wrapper img, .bh-photo-grid img[src*='/hotel/']"
  const visible = [...document.querySelectorAll(place)].map((image) => image.getAttribute("src"))
  const photos = /hotelPhotos\s*[:=]\s*(\[[\s\S]*?\])\s*[,;\n]/.exec(html)?.[1] ?? ""
  const large = [...photos.matchAll(/large_url["']?\s*:\s*["']([^"']+)/g)].map((match) => match[1]!)
  const urls = [...visible, ...large, ...node.texts("image")].flatMap(
    (address) => absoluteUrl(address, "https://www.booking.com") ?? [],
  )
  const nameOf = (url: string) => /\/(\d+)\.\w+(?:\?|$)/.exec(url)?.[1] ?? url
  const images = unseen(urls, new Set(), nameOf)
  return images.map((url) => url.replace(/\/max(?:300|500)\//, "/max1024x768/"))
}

/** Returns the house rules: the first text of a row is its name, the others are the rule. */
function policiesOf(document: Document) {
  let list = document.querySelector('[data-testid="house-rules"]')
  while (list?.children.length === 1) list = list.children[0]!
  return [...(list?.children ?? [])].flatMap((row) => {
    const [name, ...texts] = leafTexts(row)
    return name && texts.length > 0 ? { name, text: texts.join(" ") } : []
  })
}

const leafTexts = (element: Element): string[] =>
  element.children.length > 0
    ? [...element.children].flatMap(leafTexts)
    : [plainText(element) ?? []].flat()

function hoursOf(policies: { name: string; text: string }[], name: RegExp): string[] {
  const text = policies.find((policy) => name.test(policy.name))?.text ?? ""
  return text.match(/\d{1,2}[:.]\d{2}(?:\s*[AP]M)?/gi) ?? []
}

/** Returns the offers for the dates. Only a room's first offer has the room's name. */
function roomsOf(document: Document, currency: string) {
  let name: string | null = null
  return [...document.querySelectorAll("#hprt-table tbody tr")].flatMap((row) => {
    name = firstText(row, ".hprt-roomtype-icon-link", '[data-testid="rt-roomtype"]') ?? name
    const price = firstText(row, ".prco-valign-middle-helper")
    if (!name || !price) return []
    const parsed = parsePrice(price, { currency })
    return {
      name,
      maxOccupancy: parseCount(firstText(row, ".hprt-occupancy-occupancy-info")),
      price: parsed?.amount ?? null,
      currency: parsed?.currency ?? null,
      conditions: distinct(allTexts(row, ".hprt-conditions li")),
    }
  })
}
