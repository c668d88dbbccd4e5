import { distinct, isoFromUnix, plainTime } from "../../extract/core/index.ts"
import { JsonReader, jsonAfter, parseGuarded } from "../../extract/embedded/index.ts"
import { parsePrice } from "../../extract/price/index.ts"
import {
  BadInput,
  Blocked,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  listing,
  NotFound,
  numbered,
  type Refusal,
  readOnce,
  readRows,
  recordOf,
  targetUrl,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"

const homesPerCall = 350

const refusal: Refusal = {
  statuses: [403, 405, 429],
  sign: /Human Verification|\/ratelimited\/|Request blocked|ratelimited/i,
}
const headers = { "accept-language": "en-US,en;q=0.9" }

/** Returns the URL of the search in the input: of a page, or of a call of the API. */
function searchUrl(target: string): URL {
  const url = targetUrl(target)
  if (!url || !/^(?:www\.)?redfin\.(?:com|ca)$/i.test(url.hostname))
    throw new BadInput(`"${target}" is not a Redfin URL.`)
  if (/\/home\/\d+/.test(url.pathname)) {
    throw new BadInput(
      `"${target}" is a single home. Use the URL of a search, for example https://www.redfin.com/zipcode/98122.`,
    )
  }
  const isSearch =
    /\/(?:city|zipcode|county|neighborhood|state|school|province)\/|\/filter\/|^\/stingray\/api\/gis$|-?apartments/i
  if (!isSearch.test(url.pathname))
    throw new BadInput(
      `"${target}" is not a Redfin search. Use a URL such as https://www.redfin.com/zipcode/98122.`,
    )
  url.hash = ""
  if (!url.hostname.startsWith("www.")) url.hostname = `www.${url.hostname}`
  return url
}

/**
 * Returns the homes of a page of a search, whose state contains the API's response, and the API's
 * URL for the same search; null if the page does not have it.
 */
async function searchPage(url: string, ctx: Context) {
  const what = "the homes of a search"
  const has = (response: UpstreamResponse) => callIn(response) !== undefined
  const response = await ctx.page(url, { has, what, refusal, headers })
  const entry = callIn(response)
  if (!entry) throw response.explainMissing(what)
  const [key, { root }] = entry
  const stored = new JsonReader(root)
  const body = stored.value("res", "body")
  const text =
    stored.text("res", "text") ??
    stored.text("res", "body") ??
    (body && typeof body === "object" ? JSON.stringify(body) : null)
  const query = queryOf(key, stored)
  const call = query ? new URL(`/stingray/api/gis?${query}`, response.url) : null
  if (text === null && !call) throw new Changed("Redfin's page has no homes.", { url })
  return { homes: text === null ? [] : homesOf(text, url), call }
}

/** Returns the URL of the call that a page made for its homes, and the response. */
const callIn = readOnce((response) => {
  const state = jsonAfter(response.text(), "root.__reactServerState.InitialContext")
  const cache = new JsonReader(state).entries("ReactServerAgent.cache", "dataCache")
  return cache.find(([key]) => /^\/stingray\/api\/gis(?:\?|$)/.test(key))
})

/** Returns the query of the call that a page made. */
function queryOf(key: string, stored: JsonReader): URLSearchParams | null {
  const written = key.split("?")[1]
  if (written) return new URLSearchParams(written)
  const requested = stored.value("requestData", "queryParams")
  const pairs = (Array.isArray(requested) ? requested : [requested]).flatMap((part) =>
    Object.entries(part ?? {}),
  )
  return pairs.length > 0
    ? new URLSearchParams(pairs.map(([name, value]) => [name, String(value)]))
    : null
}

/** Requests the API directly, or from Redfin's home page in Chrome. */
async function gisHomes(url: string, ctx: Context): Promise<JsonReader[]> {
  const what = "Redfin's homes"
  const response = await ctx.escalate(url, {
    http: (ctx) =>
      ctx.data(url, {
        has: isCallResponse,
        what,
        refusal,
        identity: "browser",
        headers: { ...headers, accept: "*/*", referer: new URL("/", url).href },
      }),
    browser: (ctx) => fromChrome(url, ctx),
  })
  if (!isCallResponse(response)) throw response.explainMissing(what)
  return homesOf(response.text(), url)
}

const isCallResponse = (response: UpstreamResponse) => /^\s*(?:\{\}\s*&&|\{)/.test(response.text())

const fromChrome = (url: string, ctx: Context): Promise<UpstreamResponse> =>
  ctx.browse(async (tab) => {
    await tab.goto(new URL("/", url).href)
    const response = await tab.fetch(url)
    if (response.status < 400 && isCallResponse(response)) return response
    const details = { url, statusCode: response.status }
    throw new Blocked(`Redfin refuses Chrome, too (${response.status}).`, null, details)
  })

/** Returns the homes in the API's response, `{}&&{"resultCode":0,"payload":{"homes":[…]}}`. */
function homesOf(text: string, url: string): JsonReader[] {
  const response = new JsonReader(parseGuarded(text))
  const code = response.integer("resultCode")
  const message = response.text("errorMessage") ?? "no reason given"
  if (code === 101) throw new NotFound(`No such region on Redfin: ${message}.`, { url })
  if (code !== null && code !== 0)
    throw new UpstreamError(`Redfin's API failed with code ${code}: ${message}.`, { url })
  if (!Array.isArray(response.value("payload", "homes")))
    throw new Changed("Redfin's response has no list of homes.", { url })
  return response.list("payload", "homes")
}

/** Kinds of home by Redfin's number, from 1. */
const propertyTypes = "house condo townhouse multi_family land other manufactured co_op".split(" ")

const home = recordOf<JsonReader>()({
  mlsId: listing.mlsId("mlsId.value"),
  mlsStatus: field.text("mlsStatus", "Status in the multiple listing service (MLS)."),
  searchStatus: field.integer("searchStatus", "Status code in Redfin's searches; 1 is active."),
  price: field.number("price.value", "Asking price, or sale price if the home is sold."),
  pricePerSqft: field.number("pricePerSqFt.value", "Price per square foot in US dollars."),
  currency: listing.currency((h) => (isCanadian(h) ? "CAD" : "USD")),
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
  unit: listing.unit((h) => h.title("unitNumber", "value")),
  city: listing.city("city"),
  state: listing.state("state"),
  postalCode: listing.postalCode("zip|postalCode.value"),
  neighborhood: field.title("location.value", "Name of the neighbourhood."),
  country: listing.country("countryCode"),
  latitude: listing.latitude("latLong.value.latitude"),
  longitude: listing.longitude("latLong.value.longitude"),
  propertyType: field.text(
    (h) => propertyTypes[(h.integer("uiPropertyType") ?? 0) - 1],
    "Kind of home: house, condo, townhouse, multi_family, land, manufactured, co_op or other.",
  ),
  daysOnMarket: field.integer("dom.value", "Number of days on the market."),
})

/** Fields after `listedAt`, which is computed from the current time. */
const more = recordOf<JsonReader>()({
  soldDate: field.text((h) => timeOf(h.value("soldDate"))?.slice(0, 10), "Day of the last sale."),
  lastSalePrice: field.number(
    lastSalePrice,
    "Price of the last sale; null if the site does not display it.",
  ),
  openHouseStart: field.text(
    (h) => timeOf(h.value("openHouseStart")),
    "Start of the next open house (ISO 8601, UTC).",
  ),
  openHouseEnd: field.text(
    (h) => timeOf(h.value("openHouseEnd")),
    "End of the next open house (ISO 8601, UTC).",
  ),
  openHouseText: field.title("openHouseEventName", "Name of the next open house."),
  description: listing.description((h) => h.text("listingRemarks")),
  listingAgent: field.title("listingAgent.name", "Name of the agent."),
  listingBroker: field.title("listingBroker.name", "Name of the broker."),
  isHot: field.boolean("isHot", "Whether Redfin expects the home to sell quickly."),
  isNewConstruction: field.boolean("isNewConstruction", "Whether the home is newly built."),
  hasVirtualTour: field.boolean("hasVirtualTour", "Whether there is a virtual tour."),
  has3DTour: field.boolean("has3DTour", "Whether there is a 3D walk-through."),
  virtualTourUrl: field.text("scanUrl", "URL of the virtual tour."),
  badges: field.texts(
    (h) => distinct(h.list("sashes").flatMap((sash) => sash.title("sashTypeName") ?? [])),
    "Labels, for example New or Open House.",
  ),
  imageUrl: field.text(photoOf, "URL of the first photo."),
  timeZone: field.text("timeZone", "Time zone of the home."),
})

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

/** Yields the homes of all pages: from the page if it has enough, else from its API. */
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
  return numbered(request, { first: 2, last: 9, ...everyHome })
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
