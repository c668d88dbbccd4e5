import { Type } from "@sinclair/typebox"
import { isoDay, isoFromUnix, plainTime } from "../../extract/dates.ts"
import { mergeParts, nextState, scriptJson, unwrapJson } from "../../extract/embedded.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { distinct } from "../../extract/text.ts"
import type { Answer } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, numberField, textField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { guardedPage, lacking } from "../walls.ts"
import { knownFacts, listingFields } from "./listing-fields.ts"

const zillow = "https://www.zillow.com"

const wall = {
  statuses: [403],
  sign: /Press (?:&amp;|&) Hold|verify you(?:'|&#x27;|’)re a human/i,
}

const item = itemObject({
  input: Type.String({ description: "The property as it was asked for." }),
  url: Type.String({ description: "The property's page." }),
  zpid: integerField("Zillow's number of the property; null for whole buildings."),
  status: textField("FOR_SALE, FOR_RENT, RECENTLY_SOLD, OTHER …"),
  homeType: textField("SINGLE_FAMILY, CONDO …"),
  ...listingFields("currency", "address", "city", "state"),
  zipcode: textField("Postal code."),
  ...listingFields("county"),
  neighborhood: textField("Neighbourhood."),
  ...listingFields("country", "latitude", "longitude"),
  price: numberField("Asking price, or the rent of a month; null when off the market."),
  priceChange: numberField("Last change of the price."),
  priceChangeDate: textField("When it changed (ISO 8601, UTC)."),
  zestimate: numberField("Zillow's estimate of the value."),
  rentZestimate: numberField("Zillow's estimate of the rent of a month."),
  lastSoldPrice: numberField("Price of the last sale."),
  lastSoldDate: textField("Day of the last sale."),
  bedrooms: numberField("Bedrooms."),
  bathrooms: numberField("Bathrooms."),
  livingArea: numberField("Living area."),
  livingAreaUnits: textField("Its unit."),
  lotSize: numberField("Size of the lot in square feet."),
  lotAreaValue: numberField("Size of the lot."),
  lotAreaUnits: textField("Its unit."),
  ...listingFields("yearBuilt", "description"),
  hoaFeeMonthly: numberField("Fee of the owners' association, a month."),
  propertyTaxRate: numberField("Property tax in percent of the value."),
  taxAnnualAmount: numberField("Property tax of a year."),
  daysOnZillow: integerField("Days since it was listed."),
  pageViewCount: integerField("Views of the page."),
  favoriteCount: integerField("Users who saved it."),
  ...listingFields("mlsId"),
  agentName: textField("Name of the listing agent."),
  agentPhone: textField("Phone of the listing agent."),
  brokerName: textField("Name of the broker."),
  brokerPhone: textField("Phone of the broker."),
  ...listingFields("photos"),
  priceHistory: Type.Array(
    itemObject({
      date: textField("Day."),
      event: textField("What happened."),
      price: numberField("Price."),
      source: textField("Who reported it."),
    }),
    { description: "Sales, listings and price changes, the newest first." },
  ),
  taxHistory: Type.Array(
    itemObject({
      year: integerField("Year."),
      taxPaid: numberField("Tax that was paid."),
      value: numberField("Assessed value."),
    }),
    { description: "Taxes by year, the newest first." },
  ),
  ...listingFields("schools"),
  facts: Type.Record(Type.String(), Type.Unknown(), {
    description: "All other facts that Zillow holds, under its own names.",
  }),
  listingFlags: Type.Record(Type.String(), Type.Boolean(), {
    description: "Kinds of listing: isFSBA, isForeclosure …",
  }),
  virtualTourUrl: textField("Virtual tour."),
})

export default defineScraper({
  slug: "zillow-property-scraper",
  name: "Zillow Properties",
  tagline: "Everything Zillow shows about a home: price, Zestimate, facts, history, photos, agent.",
  category: "real-estate",
  tier: "premium",
  input: inputObject({
    propertyUrls: inputs.texts("Addresses of homes on www.zillow.com, or their numbers (zpid).", {
      max: 1000,
    }),
  }),
  item,
  example: {
    propertyUrls: [
      "https://www.zillow.com/homedetails/661-Lakeview-Ave-San-Francisco-CA-94112/15192198_zpid/",
    ],
  },
  pace: { "www.zillow.com": { perSecond: 0.25, concurrency: 1 } },
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.propertyUrls),

  async *scrape(target, ctx) {
    const url = propertyUrl(target)
    const answer = await guardedPage(ctx, url, wall, {
      headers: { "accept-language": "en-US,en;q=0.9" },
      waitFor: "script#__NEXT_DATA__",
    })
    if (!isPropertyPath(new URL(answer.url).pathname)) {
      throw new NotFound("Zillow shows a search page in its place: the property is gone.", {
        url,
        statusCode: answer.status,
      })
    }
    const p = propertyOf(answer)
    if (!p) throw lacking(answer, "the property", wall)
    if (!p.has("zpid") && !p.has("streetAddress") && !p.has("address")) {
      throw new Changed("Zillow's property has neither number nor address.", { url })
    }
    const facts = p.in("resoFacts")
    const listed = p.in("attributionInfo")
    const path = p.text("hdpUrl")
    yield {
      input: target,
      url: path ? new URL(path, zillow).href : url,
      zpid: p.integer("zpid"),
      status: p.text("homeStatus"),
      homeType: p.text("homeType"),
      currency: p.text("currency"),
      address: p.title("streetAddress") ?? p.title("address", "streetAddress"),
      city: p.title("city") ?? p.title("address", "city"),
      state: p.text("state") ?? p.text("address", "state"),
      zipcode: p.text("zipcode") ?? p.text("address", "zipcode"),
      county: p.title("county"),
      neighborhood: p.title("neighborhoodRegion", "name") ?? p.title("parentRegion", "name"),
      country: p.text("country"),
      latitude: p.number("latitude"),
      longitude: p.number("longitude"),
      price: p.number("price"),
      priceChange: p.number("priceChange"),
      priceChangeDate: plainTime(isoFromUnix(p.value("priceChangeDate"))),
      zestimate: p.number("zestimate"),
      rentZestimate: p.number("rentZestimate"),
      lastSoldPrice: p.number("lastSoldPrice"),
      lastSoldDate: isoDay(p.text("dateSoldString")) ?? dayOf(p.value("dateSold")),
      bedrooms: p.number("bedrooms"),
      bathrooms: p.number("bathrooms"),
      livingArea: p.number("livingArea") ?? p.number("livingAreaValue"),
      livingAreaUnits: p.text("livingAreaUnits"),
      lotSize: p.number("lotSize"),
      lotAreaValue: p.number("lotAreaValue"),
      lotAreaUnits: p.text("lotAreaUnits"),
      yearBuilt: p.number("yearBuilt") ?? facts.number("yearBuilt"),
      description: p.text("description"),
      hoaFeeMonthly: p.number("monthlyHoaFee"),
      propertyTaxRate: p.number("propertyTaxRate"),
      taxAnnualAmount: facts.number("taxAnnualAmount"),
      daysOnZillow: p.integer("daysOnZillow"),
      pageViewCount: p.integer("pageViewCount"),
      favoriteCount: p.integer("favoriteCount"),
      mlsId: p.text("mlsid") ?? listed.text("mlsId"),
      agentName: listed.title("agentName"),
      agentPhone: listed.text("agentPhoneNumber"),
      brokerName: listed.title("brokerName"),
      brokerPhone: listed.text("brokerPhoneNumber"),
      photos: photosOf(p),
      priceHistory: p.list("priceHistory").map((event) => ({
        date: isoDay(event.text("date")) ?? dayOf(event.value("time")),
        event: event.title("event"),
        price: event.number("price"),
        source: event.title("source"),
      })),
      taxHistory: p.list("taxHistory").map((tax) => ({
        year: Number(dayOf(tax.value("time"))?.slice(0, 4)) || null,
        taxPaid: tax.number("taxPaid"),
        value: tax.number("value"),
      })),
      schools: p.list("schools").flatMap((school) => {
        const name = school.title("name")
        if (!name) return []
        return {
          name,
          rating: school.number("rating"),
          distance: school.number("distance"),
          grades: school.text("grades"),
          type: school.text("type"),
          url: school.text("link"),
        }
      }),
      facts: knownFacts(facts.root),
      listingFlags: flagsOf(p.value("listingSubType") ?? p.value("listing_sub_type")),
      virtualTourUrl: p.text("thirdPartyVirtualTour", "externalUrl"),
    }
  },
})

function propertyUrl(target: string): string {
  const text = target.trim()
  if (/^\d{5,12}$/.test(text)) return `${zillow}/homedetails/${text}_zpid/`
  const path = /^(?:https?:\/\/)?(?:www\.)?zillow\.com(\/[^?#]+)/i.exec(text)?.[1]
  if (!path || !isPropertyPath(path)) {
    throw new BadInput(`"${target}" is no address of a home on www.zillow.com and no zpid.`)
  }
  const home = /^\/homedetails\/(?:.*?\/)?\d+_zpid/.exec(path)?.[0]
  return `${zillow}${(home ?? path).replace(/\/*$/, "/")}`
}

function isPropertyPath(path: string): boolean {
  return /^\/(?:homedetails\/(?:.*?\/)?\d+_zpid|b\/.|apartments\/.)/.test(path)
}

/** The property in the page's state, whose place and keys have changed with the years. */
function propertyOf(answer: Answer): JsonReader | undefined {
  const page = new JsonReader(nextState(answer.document)).in("props", "pageProps")
  const old = new JsonReader(scriptJson(answer.document, "script#hdpApolloPreloadedData"))
  const caches = [
    page.value("componentProps", "gdpClientCache"),
    page.value("gdpClientCache"),
    old.value("apiCache"),
  ]
  for (const cache of caches) {
    const found = new JsonReader(unwrapJson(cache))
      .list()
      .flatMap((query) => query.value<object>("property") ?? [])
    // Several queries may hold the property, each a part of it.
    if (found.length > 0) return new JsonReader(mergeParts(found))
  }
  const building = page.value("componentProps", "initialReduxState", "gdp", "building")
  return building ? new JsonReader(building) : undefined
}

function dayOf(milliseconds: unknown): string | null {
  return isoFromUnix(milliseconds)?.slice(0, 10) ?? null
}

function photosOf(p: JsonReader): string[] {
  const responsive = p.list("responsivePhotos")
  const photos = responsive.length > 0 ? responsive : p.list("originalPhotos")
  const addresses = photos.flatMap((photo) => widest(photo) ?? photo.text("url") ?? [])
  const only = p.text("hiResImageLink")
  return addresses.length > 0 || !only ? distinct(addresses) : [only]
}

function widest(photo: JsonReader): string | null {
  let best: string | null = null
  let width = -1
  for (const source of photo.list("mixedSources", "jpeg")) {
    const own = source.number("width") ?? 0
    if (own <= width) continue
    width = own
    best = source.text("url")
  }
  return best
}

/** Older pages write `is_FSBA` for `isFSBA`. */
function flagsOf(value: unknown): Record<string, boolean> {
  if (typeof value !== "object" || value === null) return {}
  const flags = Object.entries(value).filter((entry): entry is [string, boolean] => {
    return typeof entry[1] === "boolean"
  })
  return Object.fromEntries(
    flags.map(([name, flag]) => [
      name.replace(/^is_(.)/, (_, letter: string) => `is${letter.toUpperCase()}`),
      flag,
    ]),
  )
}
