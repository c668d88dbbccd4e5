import { Type } from "@sinclair/typebox"
import {
  allTexts,
  distinct,
  firstAttribute,
  firstText,
  plainText,
  unseen,
} from "../../extract/core/index.ts"
import { type SchemaReader, schemaNode } from "../../extract/structured/index.ts"
import { itemObject, items, listingFields, priceRange } from "../kit/index.ts"
import { imageOf, rangeOf } from "./apartments.ts"

/** An item for a listing's own page. */
export const profileItem = itemObject({
  type: Type.Literal("property", {
    description: 'Type of the item: "property" for a page of one listing.',
  }),
  id: items.requiredText("Apartments.com's ID of the listing."),
  url: items.requiredText("URL of the listing."),
  name: items.requiredText("Name of the building, or street and number."),
  ...listingFields("address", "city", "state", "postalCode", "latitude", "longitude"),
  propertyType: items.text("ApartmentComplex, SingleFamilyResidence …"),
  phone: items.text("Phone number, as displayed."),
  managementCompany: items.text("Name of the property management company."),
  ...listingFields("description"),
  rentMin: items.number("Lowest monthly rent in dollars."),
  rentMax: items.number("Highest monthly rent in dollars."),
  bedsMin: items.number("Minimum number of bedrooms; a studio has 0."),
  bedsMax: items.number("Maximum number of bedrooms."),
  bathsMin: items.number("Minimum number of bathrooms."),
  bathsMax: items.number("Maximum number of bathrooms."),
  sqftMin: items.number("Minimum area in square feet."),
  sqftMax: items.number("Maximum area in square feet."),
  plans: items.objects("Floor plans with their available units.", {
    name: items.text("Name of the floor plan."),
    bedrooms: items.number("Number of bedrooms; a studio has 0."),
    bathrooms: items.number("Number of bathrooms."),
    rent: items.number("Lowest monthly rent in dollars."),
    sqft: items.number("Minimum area in square feet."),
    deposit: items.number("Deposit in dollars."),
    units: items.objects("Available units.", {
      unit: items.text("Name or number of the unit."),
      price: items.number("Monthly rent in dollars."),
      sqft: items.number("Area in square feet."),
      availableText: items.text("Availability of the unit, as displayed."),
    }),
  }),
  amenities: items.texts("Amenities."),
  fees: items.objects("Fees.", {
    label: items.requiredText("Name of the fee."),
    amount: items.number("Amount in dollars; null if the text has no number."),
    text: items.text("Fee, as displayed."),
  }),
  petPolicy: items.text("Pet policy, as displayed."),
  ...listingFields("yearBuilt"),
  leaseTerm: items.text("Length of the lease, as displayed."),
  deposit: items.number("Deposit in dollars."),
  availableText: items.text("Availability, as displayed, for example Available Now."),
  breadcrumbs: items.texts("Breadcrumbs: state, county, city and neighbourhood."),
  rating: items.number("Average rating by renters (0-5)."),
  reviewCount: items.integer("Number of reviews."),
  walkScore: items.number("Walk Score: how well errands can be done on foot (0-100)."),
  transitScore: items.number("Transit Score: quality of public transport nearby (0-100)."),
  bikeScore: items.number("Bike Score: suitability for cycling (0-100)."),
  ...listingFields("photos"),
})

/** Returns null if the page has neither a listing ID nor a name. */
export function profileOf(document: Document, url: string) {
  const id =
    firstAttribute(document, "main[data-listingid]", "data-listingid") ??
    firstAttribute(document, "[data-listingid]", "data-listingid")
  const listing = schemaNode(document, "RealEstateListing")
  const entity = listing.in("mainEntity")
  const heading = firstText(document, "#propertyName")
  const headingIsPrice = /^\$/.test(heading ?? "")
  const name =
    (headingIsPrice ? firstAttribute(document, "#propertyName", "data-modal-title") : heading) ??
    entity.title("name")
  if (!id || !name) return null
  const plans = plansOf(document)
  const strip = stripOf(document)
  const rents = plans.flatMap((plan) => [plan.rent, ...plan.units.map((unit) => unit.price)])
  const rent = or(rangeOf(strip(/price|rent/i) ?? (headingIsPrice ? heading : null)), rents)
  const ofPlans = (label: RegExp, key: "bedrooms" | "bathrooms" | "sqft") =>
    or(
      rangeOf(strip(label)),
      plans.map((plan) => plan[key]),
    )
  const beds = ofPlans(/bedroom/i, "bedrooms")
  const baths = ofPlans(/bathroom/i, "bathrooms")
  const sqft = ofPlans(/square feet/i, "sqft")
  const built = allTexts(document, ".feesPoliciesCard .column").join("\n")
  const year = /Built in (\d{4})/i.exec(built)?.[1]
  const company = firstAttribute(document, 'a[href*="/pmc/"]', "href")
  const lease = allTexts(document, ".leaseDepositLabel span")
  const amenitiesSelector =
    "#amenitiesSection .amenityLabel, #amenitiesSection .specInfo, #uniqueFeatures .specInfo, .specInfo"
  return {
    id,
    url,
    name,
    ...locationOf(document, entity),
    propertyType: typeOf(document, entity),
    phone: phoneOf(document, listing),
    managementCompany: /\/pmc\/([^/]+)/.exec(company ?? "")?.[1] ?? null,
    description:
      listing.text("description") ??
      firstText(document, "#descriptionSection p:not(.propertyBlurbContent)"),
    rentMin: rent.min,
    rentMax: rent.max,
    bedsMin: beds.min,
    bedsMax: beds.max,
    bathsMin: baths.min,
    bathsMax: baths.max,
    sqftMin: sqft.min,
    sqftMax: sqft.max,
    plans,
    amenities: distinct(allTexts(document, amenitiesSelector)),
    fees: feesOf(document),
    petPolicy:
      distinct(
        allTexts(document, "#fees-policies-pets-tab .header-column, .petPolicyDetails"),
      ).join(", ") || null,
    yearBuilt: year ? Number(year) : null,
    leaseTerm: lease.find((text) => /lease/i.test(text)) ?? null,
    deposit: rangeOf(lease.find((text) => /deposit/i.test(text)) ?? null).min,
    availableText: lease.find((text) => /available/i.test(text)) ?? strip(/available/i),
    breadcrumbs: allTexts(document, "#breadcrumbs-container .crumb a"),
    rating: rangeOf(firstText(document, ".renter-score")).min,
    reviewCount: rangeOf(firstText(document, ".reviewCount")).min,
    walkScore: rangeOf(firstText(document, ".walkScore .score")).min,
    transitScore: rangeOf(firstText(document, ".transitScore .score")).min,
    bikeScore: rangeOf(firstText(document, ".bikeScore .score")).min,
    photos: photosOf(document, entity),
  }
}

function locationOf(document: Document, entity: SchemaReader) {
  const written = ".propertyAddressContainer"
  const street = firstText(document, `${written} .delivery-address`)?.replace(/(?<!\s)\s*,\s*$/, "")
  const city = firstText(
    document,
    `${written} h2 > span:not(.delivery-address):not(.stateZipContainer)`,
  )
  const [state, postalCode] = allTexts(document, `${written} .stateZipContainer span`)
  return {
    address: entity.title("address", "streetAddress") ?? street ?? null,
    city: entity.title("address", "addressLocality") ?? city,
    state: entity.title("address", "addressRegion") ?? state ?? null,
    postalCode: entity.text("address", "postalCode") ?? postalCode ?? null,
    latitude: entity.number("geo", "latitude"),
    longitude: entity.number("geo", "longitude"),
  }
}

function typeOf(document: Document, entity: SchemaReader): string | null {
  if (entity.type) return entity.type
  const blurb = firstText(document, ".propertyBlurbContent") ?? ""
  return / is an? (.{1,300}?) located/.exec(blurb)?.[1] ?? null
}

function phoneOf(document: Document, listing: SchemaReader): string | null {
  const phones = [
    firstAttribute(document, ".js-propertyPhoneNumber[data-phone]", "data-phone"),
    firstText(document, ".phoneNumber"),
    listing.text("telephone"),
  ]
  return phones.find((phone) => (phone?.match(/\d/g) ?? []).length >= 7) ?? null
}

/** Returns a lookup by label in the summary below the heading: "Bedrooms", "Square Feet" …. */
function stripOf(document: Document): (label: RegExp) => string | null {
  const strip = [
    ...document.querySelectorAll("#priceBedBathAreaInfoWrapper .priceBedRangeInfoInnerContainer"),
  ].map((row) => [firstText(row, ".rentInfoLabel") ?? "", firstText(row, ".rentInfoDetail")])
  return (label) => strip.find(([name]) => label.test(name ?? ""))?.[1] ?? null
}

/** Returns the range, or the minimum and maximum of the values if the range is empty. */
function or(range: ReturnType<typeof rangeOf>, values: (number | null)[]) {
  if (range.min !== null) return range
  const { priceMin: min, priceMax: max } = priceRange(values)
  return { min, max }
}

/** Floor plans are listed twice: under "All" and by number of bedrooms. */
function plansOf(document: Document) {
  const all = document.querySelectorAll('#pricingView [data-tab-content-id="all"] .pricingGridItem')
  const items = all.length > 0 ? all : document.querySelectorAll("#pricingView .pricingGridItem")
  const plans = [...items].filter(plainText).map((item) => {
    const details = allTexts(item, ".detailsTextWrapper span")
    return {
      name: firstText(item, ".modelName"),
      bedrooms: rangeOf(details.find((text) => /studio|bed/i.test(text)) ?? null).min,
      bathrooms: rangeOf(details.find((text) => /bath/i.test(text)) ?? null).min,
      rent: rangeOf(firstText(item, ".rentLabel")).min,
      sqft: rangeOf(details.find((text) => /sq\s*ft/i.test(text)) ?? null).min,
      deposit: rangeOf(details.find((text) => /deposit/i.test(text)) ?? null).min,
      units: [...item.querySelectorAll("li.unitContainer")].map(unitOf),
    }
  })
  return unseen(plans, new Set(), ({ name, units }) =>
    JSON.stringify([name, units.map(({ unit }) => unit)]),
  )
}

const unitOf = (row: Element) => ({
  unit: row.getAttribute("data-unit") || null,
  price: rangeOf(firstText(row, ".pricingColumn span:not(.screenReaderOnly)")).min,
  sqft: rangeOf(firstText(row, ".sqftColumn span:not(.screenReaderOnly)")).min,
  availableText: firstText(row, ".dateAvailable")?.replace(/^availi?bility\s*/i, "") ?? null,
})

function feesOf(document: Document) {
  const names = document.querySelectorAll("#profileV2FeesWrapper [role=tabpanel] .feeName")
  const fees = [...names].flatMap((name) => {
    const label = plainText(name)
    if (!label || /not specified/i.test(label)) return []
    const row = name.closest(".component-row")
    const visible = row ? firstText(row, ".feeValue", ".column-right") : null
    const text = visible === "--" ? null : visible
    return { label, amount: rangeOf(text).min, text }
  })
  return unseen(fees, new Set(), ({ label, text }) => `${label}: ${text}`)
}

function photosOf(document: Document, entity: SchemaReader): string[] {
  const listed = [
    ...entity.texts("image"),
    ...entity.list("image").map((image) => image.text("url") ?? image.text("contentUrl")),
  ]
  const images = document.querySelectorAll('#carouselSection img[src*="images1.apartments.com"]')
  const photos = listed.length > 0 ? listed : [...images].map((image) => image.getAttribute("src"))
  return distinct(photos.flatMap((photo) => imageOf(photo) ?? []))
}
