import { type Static, Type } from "@sinclair/typebox"
import { isoFromUnix, plainTime } from "../../extract/dates.ts"
import type { JsonReader } from "../../extract/json-reader.ts"
import { parsePrice } from "../../extract/prices.ts"
import { distinct } from "../../extract/text.ts"
import { partFailed } from "../calls.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  numberField,
  textField,
  textsField,
} from "../fields.ts"
import { inputs } from "../inputs.ts"
import { Changed } from "../outcome.ts"
import { listingFields } from "./listing-fields.ts"
import { gisHomes, homesPerCall, searchPage, searchUrl } from "./redfin.ts"

const item = itemObject({
  searchUrl: Type.String({ description: "The search." }),
  position: Type.Integer({ description: "Place in it, from 1." }),
  propertyId: Type.Integer({ description: "Redfin's number of the property." }),
  listingId: integerField("Redfin's number of the listing."),
  url: Type.String({ description: "The home's page." }),
  ...listingFields("mlsId"),
  mlsStatus: textField("Status in the multiple listing service."),
  searchStatus: integerField("Status as Redfin's searches count it; 1 is active."),
  price: numberField("Asking price, or the price of the sale."),
  pricePerSqft: numberField("Price of a square foot."),
  ...listingFields("currency"),
  hoaFee: numberField("Fee of the owners' association, a month."),
  ...listingFields("beds", "baths"),
  fullBaths: numberField("Full bathrooms."),
  partialBaths: numberField("Half bathrooms."),
  ...listingFields("sqft"),
  lotSize: numberField("Size of the lot in square feet."),
  ...listingFields("stories", "yearBuilt", "address", "unit", "city", "state", "zip"),
  neighborhood: textField("Neighbourhood."),
  ...listingFields("country", "latitude", "longitude"),
  propertyType: textField(
    "house, condo, townhouse, multi_family, land, manufactured, co_op or other.",
  ),
  daysOnMarket: integerField("Days on the market."),
  listedAt: textField("When it came to Redfin (ISO 8601, UTC)."),
  soldDate: textField("Day of the last sale."),
  lastSalePrice: numberField("Price of the last sale, where the site shows it."),
  openHouseStart: textField("Start of the next open house."),
  openHouseEnd: textField("End of it."),
  openHouseText: textField("The open house in words."),
  ...listingFields("description"),
  listingAgent: textField("Name of the agent."),
  listingBroker: textField("Name of the broker."),
  isHot: booleanField("Whether Redfin expects it to go fast."),
  isNewConstruction: booleanField("Whether it is newly built."),
  hasVirtualTour: booleanField("Whether there is a virtual tour."),
  has3DTour: booleanField("Whether there is a walk-through in 3D."),
  virtualTourUrl: textField("Virtual tour."),
  badges: textsField("Marks such as New or Open House."),
  photoUrl: textField("First picture."),
  timeZone: textField("Time zone of the home."),
})

const propertyTypes: Record<number, string> = {
  1: "house",
  2: "condo",
  3: "townhouse",
  4: "multi_family",
  5: "land",
  6: "other",
  7: "manufactured",
  8: "co_op",
}

const lastPage = 9

const input = inputObject({
  searchUrls: inputs.texts(
    "Addresses of searches on redfin.com or redfin.ca; their filters are kept.",
    { max: 100 },
  ),
  maxItems: inputs.count("Cap over all searches.", { max: 1000, or: 100 }),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "redfin-listings-scraper",
  name: "Redfin Listings",
  tagline: "Redfin search results: price, beds, baths, size, MLS, status, agent, coordinates.",
  category: "real-estate",
  tier: "premium",
  input,
  item,
  example: { searchUrls: ["https://www.redfin.com/zipcode/98122"], maxItems: 20 },
  pace: {
    "www.redfin.com": { perSecond: 0.7, concurrency: 1 },
    "www.redfin.ca": { perSecond: 0.7, concurrency: 1 },
  },
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.searchUrls),
  identify: (target) => ({ input: target, searchUrl: target }),
  maxItems: (input) => input.maxItems,

  async *scrape(target, ctx) {
    const seen = new Set<number>()
    try {
      for await (const home of homesOfSearch(searchUrl(target), ctx)) {
        const item = homeOf(home, ctx)
        if (seen.has(item.propertyId)) continue
        seen.add(item.propertyId)
        yield { searchUrl: target, position: seen.size, ...item }
        if (seen.size >= ctx.input.maxItems) return
      }
    } catch (error) {
      if (seen.size === 0) throw error
      yield partFailed(ctx, error, { input: target, searchUrl: target })
    }
  },
})

/** The homes of all pages: from the page itself where it is enough, else from the API behind it. */
async function* homesOfSearch(search: URL, ctx: Context<Input>) {
  if (search.pathname.startsWith("/stingray/")) {
    yield* homesOfCalls(search, Number(search.searchParams.get("num_homes")) || homesPerCall, ctx)
    return
  }
  const page = await searchPage(search.href, ctx)
  yield* page.homes
  if (page.homes.length >= ctx.input.maxItems) return
  if (!page.call) {
    yield* homesOfPages(search, ctx)
    return
  }
  const { call } = page
  const asked = Number(call.searchParams.get("num_homes"))
  if (asked > 0) {
    if (page.homes.length >= asked) yield* homesOfCalls(call, asked, ctx, 1)
    return
  }
  call.searchParams.set("num_homes", String(homesPerCall))
  call.searchParams.set("start", "0")
  call.searchParams.set("page_number", "1")
  yield* homesOfCalls(call, homesPerCall, ctx)
}

/** The homes of a call and of those after it; `first` 1 begins with the second. */
async function* homesOfCalls(call: URL, size: number, ctx: Context, first = 0) {
  for (let page = first; ; page++) {
    const url = new URL(call)
    if (page > 0) {
      const start = Number(call.searchParams.get("start")) || 0
      const number = Number(call.searchParams.get("page_number")) || 1
      url.searchParams.set("start", String(start + page * size))
      url.searchParams.set("page_number", String(number + page))
    }
    const homes = await gisHomes(url.href, ctx)
    yield* homes
    if (homes.length < size) return
  }
}

async function* homesOfPages(search: URL, ctx: Context) {
  for (let page = 2; page <= lastPage; page++) {
    const url = new URL(search)
    url.pathname = `${search.pathname.replace(/\/page-\d+\/?$|\/$/, "")}/page-${page}`
    const { homes } = await searchPage(url.href, ctx)
    if (homes.length === 0) return
    yield* homes
  }
}

function homeOf(h: JsonReader, ctx: Context) {
  const propertyId = h.integer("propertyId")
  const path = h.text("url")
  if (propertyId === null || !path) throw new Changed("A home of Redfin has no number or address.")
  const position = h.in("latLong", "value")
  const age = h.number("timeOnRedfin", "value")
  const country = h.text("countryCode")
  return {
    propertyId,
    listingId: h.integer("listingId"),
    url: new URL(path, `https://www.redfin.${country === "CA" ? "ca" : "com"}`).href,
    mlsId: h.text("mlsId", "value"),
    mlsStatus: h.text("mlsStatus"),
    searchStatus: h.integer("searchStatus"),
    price: h.number("price", "value"),
    pricePerSqft: h.number("pricePerSqFt", "value"),
    currency: country === "CA" ? "CAD" : "USD",
    hoaFee: h.number("hoa", "value"),
    beds: h.number("beds"),
    baths: h.number("baths"),
    fullBaths: h.number("fullBaths"),
    partialBaths: h.number("partialBaths"),
    sqft: h.number("sqFt", "value"),
    lotSize: h.number("lotSize", "value"),
    stories: h.number("stories"),
    yearBuilt: h.number("yearBuilt", "value"),
    address: h.title("streetLine", "value"),
    unit: h.title("unitNumber", "value"),
    city: h.title("city"),
    state: h.text("state"),
    zip: h.text("zip") ?? h.text("postalCode", "value"),
    neighborhood: h.title("location", "value"),
    country,
    latitude: position.number("latitude"),
    longitude: position.number("longitude"),
    propertyType: propertyTypes[h.integer("uiPropertyType") ?? 0] ?? null,
    daysOnMarket: h.integer("dom", "value"),
    listedAt: age === null ? null : timeOf(ctx.now().getTime() - age),
    soldDate: timeOf(h.value("soldDate"))?.slice(0, 10) ?? null,
    lastSalePrice: lastSalePrice(h),
    openHouseStart: timeOf(h.value("openHouseStart")),
    openHouseEnd: timeOf(h.value("openHouseEnd")),
    openHouseText: h.title("openHouseEventName"),
    description: h.text("listingRemarks"),
    listingAgent: h.title("listingAgent", "name"),
    listingBroker: h.title("listingBroker", "name"),
    isHot: h.flag("isHot"),
    isNewConstruction: h.flag("isNewConstruction"),
    hasVirtualTour: h.flag("hasVirtualTour"),
    has3DTour: h.flag("has3DTour"),
    virtualTourUrl: h.text("scanUrl"),
    badges: distinct(h.list("sashes").flatMap((sash) => sash.title("sashTypeName") ?? [])),
    photoUrl: photoOf(h),
    timeZone: h.text("timeZone"),
  }
}

function timeOf(milliseconds: unknown): string | null {
  return typeof milliseconds === "number" ? plainTime(isoFromUnix(milliseconds)) : null
}

function lastSalePrice(h: JsonReader): number | null {
  for (const sash of h.list("sashes")) {
    const number = sash.number("lastSalePrice")
    const price =
      number ?? parsePrice(sash.text("lastSalePrice") ?? "", { currency: "USD" })?.amount
    if (price) return price
  }
  return null
}

/** The first picture, where visitors may see it. */
function photoOf(h: JsonReader): string | null {
  const source = h.integer("dataSourceId")
  const mlsId = h.text("mlsId", "value")
  if (source === null || !mlsId || h.integer("primaryPhotoDisplayLevel") !== 1) return null
  if (!h.has("photos", "value")) return null
  return `https://ssl.cdn-redfin.com/photo/${source}/bigphoto/${mlsId.slice(-3)}/${mlsId}_0.jpg`
}
