import { Type } from "@sinclair/typebox"
import { distinct, isoDay, isoFromUnix } from "../../extract/core/index.ts"
import {
  JsonReader,
  mergeParts,
  nextState,
  scriptJson,
  unwrapJson,
} from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  defineScraper,
  field,
  inputs,
  items,
  knownFacts,
  listing,
  NotFound,
  type Refusal,
  type Row,
  readPage,
  record,
  schools,
  type UpstreamResponse,
} from "../kit/index.ts"

const zillow = "https://www.zillow.com"

const refusal = {
  statuses: [403],
  address: /\/captchaPerimeterX\b/i,
  sign: /Press (?:&amp;|&) Hold|verify you(?:'|&#x27;|’)re a human/i,
} satisfies Refusal

const property = record({
  zpid: field.integer("zpid", "Zillow ID of the property (zpid); null for whole buildings."),
  status: field.text("homeStatus", "FOR_SALE, FOR_RENT, RECENTLY_SOLD, OTHER …"),
  homeType: field.text("homeType", "SINGLE_FAMILY, CONDO …"),
  currency: listing.currency("currency"),
  address: listing.address("streetAddress|address.streetAddress"),
  city: listing.city("city|address.city"),
  state: listing.state("state|address.state"),
  postalCode: field.text("zipcode|address.zipcode", "Postal code."),
  county: listing.county("county"),
  neighborhood: field.title(
    "neighborhoodRegion.name|parentRegion.name",
    "Name of the neighbourhood.",
  ),
  country: listing.country("country"),
  latitude: listing.latitude("latitude"),
  longitude: listing.longitude("longitude"),
  price: field.number(
    "price",
    "Asking price, or rent per month; null if the home is not on the market.",
  ),
  priceChange: field.number("priceChange", "Amount of the last price change."),
  priceChangeDate: field.unixTime(
    "priceChangeDate",
    "Time of the last price change (ISO 8601, UTC).",
  ),
  zestimate: field.number("zestimate", "Zillow's estimate of the value."),
  rentZestimate: field.number("rentZestimate", "Zillow's estimate of the rent per month."),
  lastSoldPrice: field.number("lastSoldPrice", "Price of the last sale."),
  lastSoldDate: field.text(
    (p: JsonReader) => isoDay(p.text("dateSoldString")) ?? dayOf(p.value("dateSold")),
    "Day of the last sale.",
  ),
  bedrooms: field.number("bedrooms", "Number of bedrooms."),
  bathrooms: field.number("bathrooms", "Number of bathrooms."),
  livingArea: field.number(
    "livingArea|livingAreaValue",
    "Living area in the unit of `livingAreaUnits`.",
  ),
  livingAreaUnits: field.text("livingAreaUnits", "Unit of the living area."),
  lotSize: field.number("lotSize", "Lot size in square feet."),
  lotAreaValue: field.number("lotAreaValue", "Lot size in the unit of `lotAreaUnits`."),
  lotAreaUnits: field.text("lotAreaUnits", "Unit of the lot size."),
  yearBuilt: listing.yearBuilt("yearBuilt|resoFacts.yearBuilt"),
  description: listing.description((p: JsonReader) => p.text("description")),
  hoaFeeMonthly: field.number("monthlyHoaFee", "Monthly fee of the homeowners' association."),
  propertyTaxRate: field.number("propertyTaxRate", "Annual property tax in percent of the value."),
  taxAnnualAmount: field.number("resoFacts.taxAnnualAmount", "Property tax per year."),
  daysOnZillow: field.integer("daysOnZillow", "Number of days on Zillow."),
  pageViewCount: field.integer("pageViewCount", "Number of views of the page."),
  savesCount: field.integer("favoriteCount", "Number of users who saved the home."),
  mlsId: listing.mlsId("mlsid|attributionInfo.mlsId"),
  agentName: field.title("attributionInfo.agentName", "Name of the listing agent."),
  agentPhone: field.title("attributionInfo.agentPhoneNumber", "Phone number of the listing agent."),
  brokerName: field.title("attributionInfo.brokerName", "Name of the broker."),
  brokerPhone: field.title("attributionInfo.brokerPhoneNumber", "Phone number of the broker."),
  photos: listing.photos(photosOf),
  priceHistory: field.objects("priceHistory", "Sales, listings and price changes, newest first.", {
    date: field.text(
      (event: Row) => isoDay(event.date) ?? dayOf(event.time),
      "Day of the event (YYYY-MM-DD).",
    ),
    event: field.title("event", "Kind of event, for example Sold."),
    price: field.number("price", "Price at the event."),
    source: field.title("source", "Source of the report."),
  }),
  taxHistory: field.objects("taxHistory", "Taxes by year, newest first.", {
    year: field.integer((tax: Row) => dayOf(tax.time)?.slice(0, 4), "Year of the tax."),
    taxPaid: field.number("taxPaid", "Tax paid in the year."),
    value: field.number("value", "Assessed value of the home."),
  }),
  schools: schools((p) => p.list("schools"), { distance: "distance", type: "type", url: "link" }),
  facts: field.of(
    items.valuesByName("All other facts of Zillow's page, under Zillow's names."),
    (p: JsonReader) => knownFacts(p.value("resoFacts")),
  ),
  listingFlags: field.of(
    Type.Record(Type.String(), Type.Boolean(), {
      description: "Kinds of listing, for example isFSBA or isForeclosure.",
    }),
    (p: JsonReader) => flagsOf(p.value("listingSubType") ?? p.value("listing_sub_type")),
  ),
  virtualTourUrl: field.text("thirdPartyVirtualTour.externalUrl", "URL of the virtual tour."),
})

export default defineScraper({
  slug: "zillow-property-scraper",
  name: "Zillow Properties",
  tagline: "Everything Zillow shows about a home: price, Zestimate, facts, history, photos, agent.",
  notServed: ["search by city"],
  category: "real-estate",
  tier: "premium",
  input: {
    propertyUrls: inputs.texts("URLs of homes on www.zillow.com, or Zillow property IDs (zpid).", {
      max: 1000,
    }),
  },
  item: {
    input: items.requiredText("Property as written in the input."),
    url: items.requiredText("URL of the property's page."),
    ...property.fields,
  },
  example: {
    propertyUrls: [
      "https://www.zillow.com/homedetails/661-Lakeview-Ave-San-Francisco-CA-94112/15192198_zpid/",
    ],
  },
  probe: {
    expect: [
      'items[0].currency only "USD"',
      "items.length equals 1",
      "items[0].zpid equals 15192198",
      'items[0].address matches "661 lakeview"',
      "items[0].bedrooms gte 1",
      "items[0].livingArea gte 300",
      "?items[0].zestimate gte 100000",
      "?items[0].yearBuilt gte 1800",
    ],
  },
  rateLimit: { "www.zillow.com": { perSecond: 0.25, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  concurrency: 1,
  pages: { ofTarget: 1 },
  targets: (input) => distinct(input.propertyUrls),

  async *scrape(target, ctx) {
    const url = propertyUrl(target)
    const listed = (response: UpstreamResponse) => {
      if (!isElsewhere(response)) return propertyOf(response)
      const message = "Zillow returned a search page: the property is no longer listed."
      return new NotFound(message, { url, statusCode: response.status })
    }
    const p = await readPage(ctx, url, listed, {
      what: "the property",
      refusal,
      headers: { "accept-language": "en-US,en;q=0.9" },
      waitFor: "script#__NEXT_DATA__",
    })
    if (!p.has("zpid") && !p.has("streetAddress") && !p.has("address"))
      throw new Changed("Zillow's property has neither an ID nor a postal address.", { url })
    const path = p.text("hdpUrl")
    yield { input: target, url: path ? new URL(path, zillow).href : url, ...property.read(p) }
  },
})

function propertyUrl(target: string): string {
  const text = target.trim()
  if (/^\d{5,12}$/.test(text)) return `${zillow}/homedetails/${text}_zpid/`
  const path = /^(?:https?:\/\/)?(?:www\.|m\.)?zillow\.com(\/[^?#]+)/i.exec(text)?.[1]
  // A home opened on the map, for example /homes/for_sale/53109906_zpid/.
  const opened = /^\/homes\/(?:.*\/)?(\d+_zpid)/.exec(path ?? "")?.[1]
  if (opened) return `${zillow}/homedetails/${opened}/`
  if (!path || !isPropertyPath(path))
    throw new BadInput(`"${target}" is not a URL of a home on www.zillow.com or a zpid.`)
  const home = /^\/homedetails\/(?:.*?\/)?\d+_zpid/.exec(path)?.[0]
  return `${zillow}${(home ?? path).replace(/(?<!\/)\/*$/, "/")}`
}

const isPropertyPath = (path: string) =>
  /^\/(?:homedetails\/(?:.*?\/)?\d+_zpid|b\/.|apartments\/.)/.test(path)

const isElsewhere = ({ url }: UpstreamResponse) =>
  !isPropertyPath(new URL(url).pathname) && !refusal.address.test(url)

/** Returns the property in the page's state, whose structure has changed over the years. */
function propertyOf(response: UpstreamResponse): JsonReader | undefined {
  const page = new JsonReader(nextState(response.document)).in("props", "pageProps")
  const old = new JsonReader(scriptJson(response.document, "script#hdpApolloPreloadedData"))
  const caches = [
    page.value("componentProps", "gdpClientCache"),
    page.value("gdpClientCache"),
    old.value("apiCache"),
  ]
  for (const cache of caches) {
    const reader = new JsonReader(unwrapJson(cache))
      .list()
      .flatMap((query) => query.value<object>("property") ?? [])
    // Several queries may each contain a part of the property.
    if (reader.length > 0) return new JsonReader(mergeParts(reader))
  }
  const building = page.value("componentProps", "initialReduxState", "gdp", "building")
  return building ? new JsonReader(building) : undefined
}

const dayOf = (milliseconds: unknown) => isoFromUnix(milliseconds)?.slice(0, 10) ?? null

function photosOf(p: JsonReader): string[] {
  const responsive = p.list("responsivePhotos")
  const photos = responsive.length > 0 ? responsive : p.list("originalPhotos")
  const addresses = photos.flatMap((photo) => widest(photo) ?? photo.text("url") ?? [])
  const only = p.text("hiResImageLink")
  return addresses.length > 0 || !only ? distinct(addresses) : [only]
}

function widest(photo: JsonReader): string | null | undefined {
  const width = (source: JsonReader) => source.number("width") ?? 0
  const sources = photo.list("mixedSources", "jpeg").toSorted((a, b) => width(b) - width(a))
  return sources[0]?.text("url")
}

/** Older pages write `is_FSBA` for `isFSBA`. */
function flagsOf(value: unknown): Record<string, boolean> {
  if (typeof value !== "object" || value === null) return {}
  const flags = Object.entries(value).filter(([, flag]) => typeof flag === "boolean")
  const named = (name: string) =>
    name.replace(/^is_(.)/, (_, letter: string) => `is${letter.toUpperCase()}`)
  return Object.fromEntries(flags.map(([name, flag]) => [named(name), flag]))
}
