import { distinct, isoFromUnix, plainTime } from "../../extract/core/index.ts"
import type { JsonReader } from "../../extract/embedded/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import {
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  listing,
  numbered,
  readRows,
  record,
} from "../kit/index.ts"
import { gisHomes, homesPerCall, searchPage, searchUrl } from "./redfin.ts"

/** Kinds of home by Redfin's number, from 1. */
const propertyTypes = "house condo townhouse multi_family land other manufactured co_op".split(" ")

const home = record({
  mlsId: listing.mlsId("mlsId.value"),
  mlsStatus: field.text("mlsStatus", "Status in the multiple listing service (MLS)."),
  searchStatus: field.integer("searchStatus", "Status code in Redfin's searches; 1 is active."),
  price: field.number("price.value", "Asking price, or sale price if the home is sold."),
  pricePerSqft: field.number("pricePerSqFt.value", "Price per square foot in US dollars."),
  currency: listing.currency((h: JsonReader) => (isCanadian(h) ? "CAD" : "USD")),
  hoaFee: field.number("hoa.value", "Monthly fee of the homeowners' association."),
  bedrooms: listing.bedrooms("beds"),
  bathrooms: listing.bathrooms("baths"),
  fullBaths: field.number("fullBaths", "Number of full bathrooms."),
  partialBaths: field.number("partialBaths", "Number of half bathrooms."),
  sqft: listing.sqft("sqFt.value"),
  lotSize: field.number("lotSize.value", "Lot size in square feet."),
  stories: listing.stories("stories"),
  yearBuilt: listing.yearBuilt("yearBuilt.value"),
  address: listing.address("streetLine.value"),
  unit: listing.unit((h: JsonReader) => h.title("unitNumber", "value")),
  city: listing.city("city"),
  state: listing.state("state"),
  postalCode: listing.postalCode("zip|postalCode.value"),
  neighborhood: field.title("location.value", "Name of the neighbourhood."),
  country: listing.country("countryCode"),
  latitude: listing.latitude("latLong.value.latitude"),
  longitude: listing.longitude("latLong.value.longitude"),
  propertyType: field.text(
    (h: JsonReader) => propertyTypes[(h.integer("uiPropertyType") ?? 0) - 1],
    "Kind of home: house, condo, townhouse, multi_family, land, manufactured, co_op or other.",
  ),
  daysOnMarket: field.integer("dom.value", "Number of days on the market."),
})

/** Fields after `listedAt`, which is computed from the current time. */
const more = record({
  soldDate: field.text(
    (h: JsonReader) => timeOf(h.value("soldDate"))?.slice(0, 10),
    "Day of the last sale.",
  ),
  lastSalePrice: field.number(
    lastSalePrice,
    "Price of the last sale; null if the site does not display it.",
  ),
  openHouseStart: field.text(
    (h: JsonReader) => timeOf(h.value("openHouseStart")),
    "Start of the next open house (ISO 8601, UTC).",
  ),
  openHouseEnd: field.text(
    (h: JsonReader) => timeOf(h.value("openHouseEnd")),
    "End of the next open house (ISO 8601, UTC).",
  ),
  openHouseText: field.title("openHouseEventName", "Name of the next open house."),
  description: listing.description((h: JsonReader) => h.text("listingRemarks")),
  listingAgent: field.title("listingAgent.name", "Name of the agent."),
  listingBroker: field.title("listingBroker.name", "Name of the broker."),
  isHot: field.boolean("isHot", "Whether Redfin expects the home to sell quickly."),
  isNewConstruction: field.boolean("isNewConstruction", "Whether the home is newly built."),
  hasVirtualTour: field.boolean("hasVirtualTour", "Whether there is a virtual tour."),
  has3DTour: field.boolean("has3DTour", "Whether there is a 3D walk-through."),
  virtualTourUrl: field.text("scanUrl", "URL of the virtual tour."),
  badges: field.texts(
    (h: JsonReader) =>
      distinct(h.list("sashes").flatMap((sash) => sash.title("sashTypeName") ?? [])),
    "Labels, for example New or Open House.",
  ),
  imageUrl: field.text(photoOf, "URL of the first photo."),
  timeZone: field.text("timeZone", "Time zone of the home."),
})

const lastPage = 9
/** The parts of a search yield all of their homes; the search limits the total. */
const everyHome = {
  cap: Number.POSITIVE_INFINITY,
  keyOf: (reader: JsonReader) => reader.integer("propertyId"),
}

export default defineScraper({
  slug: "redfin-listings-scraper",
  name: "Redfin Listings",
  tagline: "Redfin search results: price, beds, baths, size, MLS, status, agent, coordinates.",
  notServed: ["rentals", "one home's history"],
  category: "real-estate",
  tier: "premium",
  input: {
    searchUrls: inputs.texts(
      "Search URLs of www.redfin.com or www.redfin.ca, for example https://www.redfin.com/zipcode/98122; their filters apply.",
      { max: 100 },
    ),
    maxItems: inputs.count("Maximum listings in total over all searches", { max: 1000, or: 100 }),
  },
  item: {
    searchUrl: items.requiredText("URL of the search."),
    position: items.requiredInteger("Position in the search, from 1."),
    propertyId: items.requiredInteger("Redfin's ID of the property."),
    listingId: items.integer("Redfin's ID of the listing."),
    url: items.requiredText("URL of the home's page."),
    ...home.fields,
    listedAt: items.text("Time of the listing on Redfin (ISO 8601, UTC)."),
    ...more.fields,
  },
  example: { searchUrls: ["https://www.redfin.com/zipcode/98122"], maxItems: 20 },
  probe: {
    input: { searchUrls: ["https://www.redfin.com/zipcode/98122"], maxItems: 5 },
    expect: [
      "items.length equals 5",
      "items[*].price gte 10000",
      "items[*].address share 0.8",
      "items[*].postalCode share 0.8",
      "items[*].latitude share 0.8",
      "?items[*].sqft share 0.5",
      'items[*].currency only "USD"',
    ],
  },
  rateLimit: {
    "www.redfin.com": { perSecond: 0.7, concurrency: 1 },
    "www.redfin.ca": { perSecond: 0.7, concurrency: 1 },
  },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.searchUrls),
  identify: (target) => ({ input: target, searchUrl: target }),
  maxItems: (input) => input.maxItems,

  async *scrape(target, ctx) {
    const { maxItems } = ctx.input
    const seen = new Set<number>()
    const read = (reader: JsonReader) => {
      const item = homeOf(reader, ctx)
      if (seen.has(item.propertyId)) return null
      seen.add(item.propertyId)
      return { searchUrl: target, position: seen.size, ...item }
    }
    for await (const item of readRows(homesOfSearch(searchUrl(target), maxItems, ctx), read, ctx)) {
      yield item
      if (seen.size >= maxItems) return
    }
  },
})

/**
 * Yields the homes of all pages: from the page if it has enough, else from the API that the page
 * calls.
 */
async function* homesOfSearch(search: URL, wanted: number, ctx: Context) {
  if (search.pathname.startsWith("/stingray/")) {
    yield* homesOfCalls(search, Number(search.searchParams.get("num_homes")) || homesPerCall, ctx)
    return
  }
  const page = await searchPage(search.href, ctx)
  yield* page.homes
  const known = page.homes.filter((home) => home.has("propertyId"))
  if (known.length >= wanted) return
  if (!page.call) {
    yield* homesOfPages(search, ctx)
    return
  }
  const { call } = page
  const requested = Number(call.searchParams.get("num_homes"))
  if (requested > 0) {
    if (page.homes.length >= requested) yield* homesOfCalls(call, requested, ctx, 1)
    return
  }
  call.searchParams.set("num_homes", String(homesPerCall))
  call.searchParams.set("start", "0")
  call.searchParams.set("page_number", "1")
  yield* homesOfCalls(call, homesPerCall, ctx)
}

/**
 * Yields the homes of a call and of the calls after it; with `first` 1, it starts with the second
 * call.
 */
function homesOfCalls(call: URL, size: number, ctx: Context, first = 0) {
  const request = (page: number) => {
    const url = new URL(call)
    if (page > 0) {
      const start = Number(call.searchParams.get("start")) || 0
      const number = Number(call.searchParams.get("page_number")) || 1
      url.searchParams.set("start", String(start + page * size))
      url.searchParams.set("page_number", String(number + page))
    }
    return gisHomes(url.href, ctx)
  }
  return numbered(request, { first, pageSize: size, ...everyHome })
}

function homesOfPages(search: URL, ctx: Context) {
  const request = async (page: number) => {
    const url = new URL(search)
    url.pathname = `${search.pathname.replace(/\/page-\d+\/?$|\/$/, "")}/page-${page}`
    return (await searchPage(url.href, ctx)).homes
  }
  return numbered(request, { first: 2, last: lastPage, ...everyHome })
}

function homeOf(h: JsonReader, ctx: Context) {
  const propertyId = h.integer("propertyId")
  const path = h.text("url")
  if (propertyId === null || !path)
    throw new Changed("Redfin's response has a home without an ID or URL.")
  const age = h.number("timeOnRedfin", "value")
  return {
    propertyId,
    listingId: h.integer("listingId"),
    url: new URL(path, `https://www.redfin.${isCanadian(h) ? "ca" : "com"}`).href,
    ...home.read(h),
    listedAt: age === null ? null : timeOf(ctx.now().getTime() - age),
    ...more.read(h),
  }
}

const isCanadian = (h: JsonReader) => h.text("countryCode") === "CA"

const timeOf = (milliseconds: unknown) =>
  typeof milliseconds === "number" ? plainTime(isoFromUnix(milliseconds)) : null

function lastSalePrice(h: JsonReader): number | null {
  for (const sash of h.list("sashes")) {
    const number = sash.number("lastSalePrice")
    const price =
      number ?? parsePrice(sash.text("lastSalePrice") ?? "", { currency: "USD" })?.amount
    if (price) return price
  }
  return null
}

/** Returns the first photo; null if visitors may not see it. */
function photoOf(h: JsonReader): string | null {
  const source = h.integer("dataSourceId")
  const mlsId = h.text("mlsId", "value")
  if (source === null || !mlsId || h.integer("primaryPhotoDisplayLevel") !== 1) return null
  if (!h.has("photos", "value")) return null
  return `https://ssl.cdn-redfin.com/photo/${source}/bigphoto/${mlsId.slice(-3)}/${mlsId}_0.jpg`
}
