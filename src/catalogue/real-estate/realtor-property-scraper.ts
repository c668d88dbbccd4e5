import { Type } from "@sinclair/typebox"
import { isoDate, isoDay, plainTime } from "../../extract/dates.ts"
import { findObjects, nextState } from "../../extract/embedded.ts"
import { JsonReader } from "../../extract/json-reader.ts"
import { firstAttribute } from "../../extract/pick.ts"
import { distinct } from "../../extract/text.ts"
import type { Answer } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, numberField, textField, textsField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, Changed, NotFound } from "../outcome.ts"
import { guardedPage, lacking } from "../walls.ts"
import { knownFacts, listingFields } from "./listing-fields.ts"
import { structuredOf } from "./realtor-structured.ts"

/** Kasada answers robots with 429, which here is no limit of any rate. */
const wall = { statuses: [403, 429], sign: /unblockrequest@realtor\.com/i }

const item = itemObject({
  input: Type.String({ description: "The property as it was asked for." }),
  url: Type.String({ description: "The property's page." }),
  propertyId: textField("Number of the property: the M number without its dash."),
  listingId: textField("Number of the listing."),
  status: textField("for_sale, sold, for_rent, off_market, ready_to_build."),
  flags: Type.Record(Type.String(), Type.Unknown(), {
    description: "Flags that are set, such as is_new_listing.",
  }),
  listPrice: numberField("Asking price."),
  priceChange: numberField("Last change of the asking price."),
  pricePerSqft: numberField("Asking price of a square foot."),
  ...listingFields("currency"),
  listDate: textField("When it was listed (ISO 8601, UTC)."),
  soldDate: textField("Day of the last sale."),
  soldPrice: numberField("Price of the last sale."),
  ...listingFields("address", "unit", "city", "state"),
  stateCode: textField("State in two letters."),
  ...listingFields("zip", "county"),
  neighborhoods: textsField("Neighbourhoods."),
  ...listingFields("country", "latitude", "longitude"),
  type: textField("single_family, condos, townhomes …"),
  subType: textField("Finer kind."),
  ...listingFields("beds", "baths"),
  bathsFull: numberField("Full bathrooms."),
  bathsHalf: numberField("Half bathrooms."),
  ...listingFields("sqft"),
  lotSqft: numberField("Size of the lot in square feet."),
  ...listingFields("stories"),
  garage: numberField("Cars that the garage holds."),
  ...listingFields("yearBuilt"),
  yearRenovated: numberField("Year of the last renovation."),
  ...listingFields("description"),
  styles: textsField("Styles of building."),
  tags: textsField("What the site points out."),
  features: Type.Record(Type.String(), Type.Array(Type.String()), {
    description: "Features by category.",
  }),
  ...listingFields("photos"),
  history: Type.Array(
    itemObject({
      date: textField("Day."),
      event: textField("What happened."),
      price: numberField("Price."),
      pricePerSqft: numberField("Price of a square foot."),
    }),
    { description: "Sales, listings and price changes." },
  ),
  taxHistory: Type.Array(
    itemObject({
      year: numberField("Year."),
      tax: numberField("Tax."),
      assessment: numberField("Assessed value."),
    }),
    { description: "Taxes by year." },
  ),
  agents: Type.Array(
    itemObject({
      name: textField("Name."),
      phone: textField("Phone."),
      email: textField("E-mail address."),
      office: textField("Office."),
      id: textField("Number of the agent."),
    }),
    { description: "Agents, and whoever advertises the home." },
  ),
  phones: Type.Array(itemObject({ type: textField("Kind."), number: Type.String() }), {
    description: "Phones for enquiries.",
  }),
  ...listingFields("mlsId"),
  source: textField("Short name of the multiple listing service."),
  ...listingFields("schools"),
  noise: Type.Record(Type.String(), Type.Unknown(), {
    description: "Noise, as the site rates it.",
  }),
  flood: Type.Record(Type.String(), Type.Unknown(), { description: "Danger of floods." }),
})

export default defineScraper({
  slug: "realtor-property-scraper",
  name: "Realtor.com Properties",
  tagline: "Realtor.com home details: price, status, facts, features, history, photos, agents.",
  category: "real-estate",
  tier: "premium",
  input: inputObject({
    propertyUrls: inputs.texts("Addresses of homes on www.realtor.com (they end in an M number).", {
      max: 1000,
    }),
  }),
  item,
  example: {
    propertyUrls: [
      "https://www.realtor.com/realestateandhomes-detail/12355-Attlee-Dr_Houston_TX_77077_M70330-35605",
    ],
  },
  pace: { "www.realtor.com": { perSecond: 0.2, concurrency: 1 } },
  access: ["http", "browser", "unlocker"],
  concurrency: 1,
  targets: (input) => distinct(input.propertyUrls),

  async *scrape(target, ctx) {
    const url = propertyUrl(target)
    const answer = await guardedPage(ctx, url, wall, {
      headers: { "accept-language": "en-US,en;q=0.9" },
      waitFor: "script#__NEXT_DATA__",
    })
    requireProperty(answer, url)
    const d = detailsOf(answer) ?? structuredOf(answer)
    if (!d) {
      const hasState = answer.document.querySelector("script#__NEXT_DATA__") !== null
      throw lacking(answer, "the property", { ...wall, wordless: !hasState })
    }
    const finalUrl = d.text("href") ?? answer.url
    const about = d.in("description")
    const place = d.in("location", "address")
    if (!place.has() && !d.has("list_price")) {
      throw new Changed("Realtor.com's property has neither address nor price.", { url })
    }
    yield {
      input: target,
      url: finalUrl,
      propertyId: d.text("property_id") ?? propertyNumber(finalUrl) ?? propertyNumber(url),
      listingId: d.text("listing_id"),
      status: d.text("status"),
      flags: Object.fromEntries(
        Object.entries(knownFacts(d.value("flags"))).filter(([, flag]) => flag !== false),
      ),
      listPrice: d.number("list_price"),
      priceChange: d.number("last_price_change_amount"),
      pricePerSqft: d.number("price_per_sqft"),
      currency: "USD",
      listDate: plainTime(isoDate(d.text("list_date"))),
      soldDate: isoDay(d.text("last_sold_date") ?? about.text("sold_date")),
      soldPrice: d.number("last_sold_price") ?? about.number("sold_price"),
      address: place.title("line"),
      unit: place.title("unit"),
      city: place.title("city"),
      state: place.title("state"),
      stateCode: place.text("state_code"),
      zip: place.text("postal_code"),
      county: d.title("location", "county", "name"),
      neighborhoods: d.list("location", "neighborhoods").flatMap((one) => one.title("name") ?? []),
      country: place.text("country"),
      latitude: place.number("coordinate", "lat"),
      longitude: place.number("coordinate", "lon"),
      type: about.text("type"),
      subType: about.text("sub_type"),
      beds: about.number("beds") ?? detail(d, /^(?:Total )?Bedrooms: /i),
      baths: bathsOf(about.text("baths_consolidated")) ?? about.number("baths"),
      bathsFull: about.number("baths_full") ?? detail(d, /^Full Bathrooms: /i),
      bathsHalf: about.number("baths_half") ?? detail(d, /^(?:1\/2|Half) Bathrooms: /i),
      sqft: about.number("sqft") ?? detail(d, /^Total Square Feet Living: /i),
      lotSqft: about.number("lot_sqft") ?? detail(d, /^Lot Size Square Feet: /i),
      stories: about.number("stories") ?? detail(d, /^Levels(?: or Stories)?: /i),
      garage: about.number("garage") ?? detail(d, /^Garage Spaces: /i),
      yearBuilt: about.number("year_built") ?? detail(d, /^Year Built: /i),
      yearRenovated: about.number("year_renovated"),
      description: about.text("text"),
      styles: about.texts("styles"),
      tags: d.list("tags_for_display").flatMap((tag) => tag.title("label") ?? []),
      features: featuresOf(d),
      photos: distinct(d.list("photos").flatMap((photo) => photo.text("href") ?? [])),
      history: d.list("property_history").map((event) => ({
        date: isoDay(event.text("date")),
        event: event.title("event_name"),
        price: event.number("price"),
        pricePerSqft: event.number("price_sqft"),
      })),
      taxHistory: d.list("tax_history").map((tax) => ({
        year: tax.number("year"),
        tax: tax.number("tax"),
        assessment: tax.number("assessment", "total"),
      })),
      agents: agentsOf(d),
      phones: d.list("lead_attributes", "opcity_lead_attributes", "phones").flatMap((phone) => {
        const number = phone.text("number")
        return number ? { type: phone.text("category"), number } : []
      }),
      mlsId: d.text("source", "listing_id"),
      source: d.text("source", "id"),
      schools: schoolsOf(d),
      noise: knownFacts(d.value("local", "noise")),
      flood: knownFacts(d.value("local", "flood")),
    }
  },
})

function propertyUrl(target: string): string {
  const match =
    /^(?:https?:\/\/)?(?:www\.)?realtor\.com\/((?:realestateandhomes-detail|rentals\/details)\/[^?#]*?_M\d{5}-\d{5})(?![\d])/i.exec(
      target.trim(),
    )
  if (match) return `https://www.realtor.com/${match[1]}`
  throw new BadInput(
    `"${target}" is no address of a home on www.realtor.com; such addresses end in "_M" and ten digits.`,
  )
}

function propertyNumber(url: string): string | null {
  const match = /_M(\d{5})-(\d{5})/.exec(url)
  return match ? `${match[1]}${match[2]}` : null
}

/** @throws NotFound where the site shows a search in place of a home that is gone. */
function requireProperty(answer: Answer, url: string): void {
  const canonical = firstAttribute(answer.document, 'link[rel="canonical"]', "href") ?? ""
  if (![answer.url, canonical].some((one) => /\/realestateandhomes-search\//.test(one))) return
  throw new NotFound("Realtor.com shows a search page in its place: the property is gone.", {
    url,
    statusCode: answer.status,
  })
}

function detailsOf(answer: Answer): JsonReader | undefined {
  const page = new JsonReader(nextState(answer.document)).in("props", "pageProps")
  const known = [page.in("initialReduxState", "propertyDetails"), page.in("property")]
  const details = known.find((one) => one.has("description") || one.has("location"))
  if (details) return details
  const number = propertyNumber(answer.url)
  const objects = findObjects(page.root, (one) => {
    const isProperty = "description" in one && "location" in one && typeof one.location === "object"
    return isProperty && String(one.property_id) === number
  })
  for (const object of objects) return new JsonReader(object)
}

/** A number that the list of details has where the summary has none. */
function detail(d: JsonReader, label: RegExp): number | null {
  for (const line of d.list("details").flatMap((group) => group.texts("text"))) {
    if (!label.test(line)) continue
    const value = Number(line.replace(label, "").replaceAll(",", ""))
    if (Number.isFinite(value)) return value
  }
  return null
}

/** "2.5", or "7.5+". */
function bathsOf(text: string | null): number | null {
  const baths = Number.parseFloat(text ?? "")
  return Number.isFinite(baths) ? baths : null
}

function featuresOf(d: JsonReader): Record<string, string[]> {
  const features: Record<string, string[]> = {}
  for (const detail of d.list("details")) {
    const category = detail.title("category")
    if (category) features[category] = [...(features[category] ?? []), ...detail.texts("text")]
  }
  return features
}

function agentsOf(d: JsonReader) {
  const agents = d.list("source", "agents").map((agent) => ({
    name: agent.title("agent_name"),
    phone: agent.text("agent_phone"),
    email: agent.text("agent_email"),
    office: agent.title("office_name"),
    id: agent.text("agent_id"),
  }))
  const advertisers = d.list("advertisers").map((advertiser) => ({
    name: advertiser.title("name"),
    phone: phoneOf(advertiser) ?? phoneOf(advertiser.in("office")),
    email: advertiser.text("email") ?? advertiser.text("office", "email"),
    office: advertiser.title("office", "name"),
    id: advertiser.text("fulfillment_id"),
  }))
  return [...agents, ...advertisers].filter((one) => Object.values(one).some(Boolean))
}

function phoneOf(advertiser: JsonReader): string | null {
  return advertiser.list("phones").flatMap((phone) => phone.text("number") ?? [])[0] ?? null
}

function schoolsOf(d: JsonReader) {
  const near = d.list("nearby_schools", "schools")
  const schools =
    near.length > 0
      ? near
      : d.list(...(d.has("schools", "schools") ? ["schools", "schools"] : ["schools"]))
  return schools.flatMap((school) => {
    const name = school.title("name")
    if (!name) return []
    return {
      name,
      rating: school.number("rating"),
      distance: school.number("distance_in_miles"),
      grades: school.text("grades") ?? (school.texts("grades").join(", ") || null),
      type: school.text("funding_type"),
      url: school.text("href"),
    }
  })
}
