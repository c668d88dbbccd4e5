import { absoluteUrl, distinct, firstAttribute, isoDay } from "../../extract/core/index.ts"
import { findObjects, JsonReader, nextState } from "../../extract/embedded/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  isPlain,
  items,
  knownFacts,
  listing,
  NotFound,
  orByCall,
  type Refusal,
  readPage,
  recordOf,
  required,
  schools,
  scoreOf,
  type UpstreamResponse,
} from "../kit/index.ts"
import { homeByCall, structuredOf } from "./other-sources.ts"

const stateScript = "script#__NEXT_DATA__"

/**
 * Kasada rejects robots with 429, which is not a rate limit here, or with a page without a state.
 */
const refusal: Refusal = {
  statuses: [403, 429],
  sign: (response) =>
    (response.document.querySelector(stateScript) === null && isPlain(response)) ||
    /unblockrequest@realtor\.com/i.test(response.text()),
}

/** Returns a number of the summary; if the summary has none, of the list of details. */
const summed = (name: string, label: RegExp) => (d: JsonReader) =>
  d.number("description", name) ?? detail(d, label)

const agent = recordOf<JsonReader>()({
  name: field.title("agent_name|name", "Name of the agent."),
  phone: field.text(
    (person) => person.text("agent_phone") ?? phoneOf(person) ?? phoneOf(person.in("office")),
    "Phone number of the agent.",
  ),
  email: field.text("agent_email|email|office.email", "Email address of the agent."),
  office: field.title("office_name|office.name", "Name of the agent's office."),
  id: field.text("agent_id|fulfillment_id", "ID of the agent."),
})

const property = recordOf<JsonReader>()({
  listingId: field.text("listing_id", "ID of the listing."),
  status: field.text(
    "status",
    "Status of the listing: for_sale, sold, for_rent, off_market or ready_to_build.",
  ),
  flags: field.of(
    items.valuesByName("Set flags of the listing, for example is_new_listing."),
    (d) => {
      const known = Object.entries(knownFacts(d.value("flags")))
      return Object.fromEntries(known.filter(([, flag]) => flag !== false))
    },
  ),
  listPrice: field.number("list_price", "Asking price, in the currency of `currency`."),
  priceChange: field.number(
    "last_price_change_amount",
    "Last change of the asking price, in the currency of `currency`.",
  ),
  pricePerSqft: field.number(
    "price_per_sqft",
    "Asking price per square foot, in the currency of `currency`.",
  ),
  currency: listing.currency(() => "USD"),
  listDate: field.time("list_date", "Time of the listing (ISO 8601, UTC)."),
  soldDate: field.time(
    "last_sold_date|description.sold_date",
    "Day of the last sale (YYYY-MM-DD).",
    isoDay,
  ),
  soldPrice: field.number("last_sold_price|description.sold_price", "Price of the last sale."),
  address: listing.address("location.address.line"),
  unit: listing.unit("location.address.unit"),
  city: listing.city("location.address.city"),
  state: listing.state("location.address.state"),
  stateCode: field.text(
    "location.address.state_code",
    "State code of two letters, for example CA.",
  ),
  postalCode: listing.postalCode("location.address.postal_code"),
  county: listing.county("location.county.name"),
  neighborhoods: field.texts(
    (d) => titles(d.list("location", "neighborhoods"), "name"),
    "Names of the neighbourhoods.",
  ),
  country: listing.country("location.address.country"),
  latitude: listing.latitude("location.address.coordinate.lat"),
  longitude: listing.longitude("location.address.coordinate.lon"),
  type: field.text("description.type", "single_family, condos, townhomes …"),
  subType: field.text("description.sub_type", "More specific kind of home."),
  bedrooms: listing.bedrooms(summed("beds", /^(?:Total )?Bedrooms: /i)),
  // Such as "2.5" or "7.5+".
  bathrooms: listing.bathrooms(
    (d) => scoreOf(d.text("description", "baths_consolidated")) ?? d.number("description", "baths"),
  ),
  bathsFull: field.number(summed("baths_full", /^Full Bathrooms: /i), "Number of full bathrooms."),
  bathsHalf: field.number(
    summed("baths_half", /^(?:1\/2|Half) Bathrooms: /i),
    "Number of half bathrooms.",
  ),
  sqft: listing.sqft(summed("sqft", /^Total Square Feet Living: /i)),
  lotSqft: field.number(summed("lot_sqft", /^Lot Size Square Feet: /i), "Lot size in square feet."),
  stories: listing.stories(summed("stories", /^Levels(?: or Stories)?: /i)),
  garage: field.number(
    summed("garage", /^Garage Spaces: /i),
    "Number of cars that fit into the garage.",
  ),
  yearBuilt: listing.yearBuilt(summed("year_built", /^Year Built: /i)),
  yearRenovated: field.number("description.year_renovated", "Year of the last renovation."),
  description: listing.description((d) => d.text("description", "text")),
  styles: field.texts("description.styles", "Styles of building."),
  tags: field.texts(
    (d) => titles(d.list("tags_for_display"), "label"),
    "Labels that the site displays for the home.",
  ),
  features: field.of(items.listsByName("Features by category."), featuresOf),
  photos: listing.photos((d) =>
    distinct(d.list("photos").flatMap((photo) => photo.text("href") ?? [])),
  ),
  history: field.objects("property_history", "History of sales, listings and price changes.", {
    date: field.time("date", "Day of the event (YYYY-MM-DD).", isoDay),
    event: field.title("event_name", "Kind of event, for example Sold."),
    price: field.number("price", "Price at the event."),
    pricePerSqft: field.number("price_sqft", "Price per square foot in US dollars."),
  }),
  taxHistory: field.objects("tax_history", "Taxes and assessments by year.", {
    year: field.number("year", "Year of the tax."),
    tax: field.number("tax", "Amount of the tax."),
    assessment: field.number("assessment.total", "Assessed value of the home."),
  }),
  agents: field.of(
    items.objects("Agents and other advertisers of the home.", agent.fields),
    agentsOf,
  ),
  phones: field.objects(
    (d) =>
      d
        .list("lead_attributes", "opcity_lead_attributes", "phones")
        .filter((phone) => phone.text("number")),
    "Phone numbers for enquiries.",
    {
      type: field.text("category", "Kind of phone number."),
      number: required(field.text("number", "Phone number, as the site writes it.")),
    },
  ),
  mlsId: listing.mlsId("source.listing_id"),
  source: field.text("source.id", "Short name of the multiple listing service (MLS)."),
  schools: schools(schoolsOf, { distance: "distance_in_miles", type: "funding_type", url: "href" }),
  noise: field.of(items.valuesByName("Noise around the home, as the site rates it."), (d) =>
    knownFacts(d.value("local", "noise")),
  ),
  flood: field.of(items.valuesByName("Flood risk of the home, as the site rates it."), (d) =>
    knownFacts(d.value("local", "flood")),
  ),
})

export default defineScraper({
  slug: "realtor-property-scraper",
  name: "Realtor.com Properties",
  tagline: "Realtor.com home details: price, status, facts, features, history, photos, agents.",
  notServed: ["search by city"],
  category: "real-estate",
  tier: "premium",
  input: {
    propertyUrls: inputs.texts(
      'URLs of homes on www.realtor.com. They end in "_M" and ten digits, for example https://www.realtor.com/realestateandhomes-detail/…_M12345-67890.',
      { max: 1000 },
    ),
  },
  item: {
    input: items.requiredText("Property as written in the input."),
    url: items.requiredText("URL of the property's page."),
    propertyId: items.text("ID of the property: its M number without the dash."),
    ...property.fields,
  },
  example: {
    propertyUrls: [
      "https://www.realtor.com/realestateandhomes-detail/12355-Attlee-Dr_Houston_TX_77077_M70330-35605",
    ],
  },
  probe: {
    expect: [
      'items[0].currency only "USD"',
      "items.length equals 1",
      'items[0].address matches "attlee"',
      'items[0].postalCode matches "77077"',
      "items[0].bedrooms gte 1",
      "items[0].sqft gte 500",
      "?items[0].yearBuilt gte 1900",
    ],
  },
  rateLimit: { "www.realtor.com": { perSecond: 0.2, concurrency: 1 } },
  fetchMethods: ["browser-http", "http", "browser", "unlocker"],
  unverified: ["frontdoor/graphql"],
  concurrency: 1,
  targets: (input) => distinct(input.propertyUrls),

  async *scrape(target, ctx) {
    const url = propertyUrl(target)
    const { d, shownAt: visibleAt } = await ctx.escalate(url, {
      http: (ctx) =>
        orByCall(
          ctx,
          what,
          () => propertyOn(url, ctx),
          () => homeByCall(propertyNumber(url)!, url, refusal, ctx),
        ),
      browser: (ctx) => propertyOn(url, ctx),
    })
    const finalUrl = absoluteUrl(d.text("href"), visibleAt) ?? visibleAt
    if (!d.has("location", "address") && !d.has("list_price"))
      throw new Changed("Realtor.com's property has neither an address nor a price.", { url })
    yield {
      input: target,
      url: finalUrl,
      propertyId: d.text("property_id") ?? propertyNumber(finalUrl) ?? propertyNumber(url),
      ...property.read(d),
    }
  },
})

const what = "the property"

function propertyOn(url: string, ctx: Context) {
  const listed = (response: UpstreamResponse) => {
    if (isSearch(response)) {
      const message = "Realtor.com returned a search page: the property is no longer listed."
      return new NotFound(message, { url, statusCode: response.status })
    }
    const d = detailsOf(response) ?? structuredOf(response)
    return d && { d, shownAt: response.url }
  }
  const headers = { "accept-language": "en-US,en;q=0.9" }
  return readPage(ctx, url, listed, { what, refusal, headers, waitFor: stateScript })
}

function propertyUrl(target: string): string {
  const match =
    /^(?:https?:\/\/)?(?:www\.)?realtor\.com\/((?:realestateandhomes-detail|rentals\/details)\/[^?#]*?_M\d{5}-\d{5})(?![\d])/i.exec(
      target.trim(),
    )
  if (match) return `https://www.realtor.com/${match[1]}`
  throw new BadInput(
    `"${target}" is not a URL of a home on www.realtor.com. Such URLs end in "_M" and ten digits.`,
  )
}

function propertyNumber(url: string): string | null {
  const match = /_M(\d{5})-(\d{5})/.exec(url)
  return match ? `${match[1]}${match[2]}` : null
}

function isSearch({ document, url }: UpstreamResponse): boolean {
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href") ?? ""
  return [url, canonical].some((address) => /\/realestateandhomes-search\//.test(address))
}

function detailsOf(response: UpstreamResponse): JsonReader | undefined {
  const page = new JsonReader(nextState(response.document)).in("props", "pageProps")
  const known = [page.in("initialReduxState", "propertyDetails"), page.in("property")]
  const details = known.find((reader) => reader.has("description") || reader.has("location"))
  if (details) return details
  const number = propertyNumber(response.url)
  const objects = findObjects(page.root, (object) => {
    const isProperty =
      "description" in object && "location" in object && typeof object.location === "object"
    return isProperty && String(object.property_id) === number
  })
  for (const object of objects) return new JsonReader(object)
}

/** Returns a number of the list of details, for homes whose summary has none. */
function detail(d: JsonReader, label: RegExp): number | null {
  for (const line of d.list("details").flatMap((group) => group.texts("text"))) {
    if (!label.test(line)) continue
    const value = Number(line.replace(label, "").replaceAll(",", ""))
    if (Number.isFinite(value)) return value
  }
  return null
}

function featuresOf(d: JsonReader): Record<string, string[]> {
  const features: Record<string, string[]> = {}
  for (const detail of d.list("details")) {
    const category = detail.title("category")
    if (category) features[category] = [...(features[category] ?? []), ...detail.texts("text")]
  }
  return features
}

/** Leaves out agents without data. */
function agentsOf(d: JsonReader) {
  const people = [...d.list("source", "agents"), ...d.list("advertisers")].map(agent.read)
  return people.filter((person) => Object.values(person).some(Boolean))
}

const phoneOf = (advertiser: JsonReader) =>
  advertiser.list("phones").flatMap((phone) => phone.text("number") ?? [])[0] ?? null

const titles = (entries: JsonReader[], name: string) =>
  entries.flatMap((entry) => entry.title(name) ?? [])

function schoolsOf(d: JsonReader): JsonReader[] {
  const near = d.list("nearby_schools", "schools")
  if (near.length > 0) return near
  return d.has("schools", "schools") ? d.list("schools", "schools") : d.list("schools")
}
