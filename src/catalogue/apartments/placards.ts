import { Type } from "@sinclair/typebox"
import {
  absoluteUrl,
  allTexts,
  firstAttribute,
  firstText,
  plainText,
} from "../../extract/core/index.ts"
import { JsonReader, parseLoose } from "../../extract/embedded/index.ts"
import { schemaNodes } from "../../extract/structured/index.ts"
import { itemObject, items, listingFields, priceRange, record } from "../kit/index.ts"
import { imageOf, rangeOf } from "./apartments.ts"

const listing = record({
  id: items.requiredText("Apartments.com's ID of the listing."),
  url: items.requiredText("URL of the listing."),
  name: items.text("Name of the building."),
  ...listingFields("address", "city", "state", "postalCode"),
  priceText: items.text("Lowest and highest rent, as displayed."),
  priceMin: items.number("Lowest monthly rent in dollars."),
  priceMax: items.number(
    "Highest monthly rent in dollars; a rent displayed with + counts as its number.",
  ),
  bedsText: items.text("Number of bedrooms, as displayed."),
  rents: items.objects("Lowest rents, by number of bedrooms.", {
    beds: items.requiredText("Number of bedrooms, as displayed."),
    price: items.text("Rent, as displayed."),
    priceMin: items.number("Lowest monthly rent in dollars."),
  }),
  phone: items.text("Phone number, as displayed."),
  imageUrl: items.text("URL of the image."),
  amenities: items.texts("Amenities."),
  specials: items.text("Special offers."),
  hasVirtualTour: items.requiredBoolean("Whether the listing has a virtual tour."),
  hasVideo: items.requiredBoolean("Whether the listing has a video."),
  specialty: items.texts("Types of tenants, for example student."),
  baseRents: items.objects("Rents without the monthly fees, by number of bedrooms.", {
    beds: items.requiredText("Number of bedrooms, as displayed."),
    rent: items.number("Base monthly rent in dollars."),
  }),
  monthlyFees: items.text("Monthly fees, as displayed."),
})

export const placardItem = itemObject({
  type: Type.Literal("listing", {
    description: 'Type of the item: "listing" for a result of a search.',
  }),
  searchUrl: items.requiredText("URL of the search."),
  position: items.requiredInteger("Position in the search, from 1."),
  ...listing.fields,
})

/** Returns null for a card without its own ID or URL. */
export function placardOf(placard: Element, pageUrl: string) {
  const id = placard.getAttribute("data-listingid")
  const selector = 'a.property-link[href^="http"], a.property-link[href^="/"]'
  const link = firstAttribute(placard, selector, "href")
  const url = absoluteUrl(link ?? placard.getAttribute("data-url"), pageUrl)
  if (!id || !url) return null
  const rents = rentsOf(placard)
  const visible = priceRange(rents.flatMap((rent) => Object.values(rangeOf(rent.price))))
  const older = firstText(placard, ".property-pricing", ".price-range", ".property-rents")
  const olderRange = rangeOf(older)
  return listing.read({
    id,
    url,
    name:
      firstText(placard, ".js-placardTitle", ".property-title") ??
      firstAttribute(placard, "a.property-link[aria-label]", "aria-label"),
    ...addressOf(firstText(placard, ".property-address")),
    priceText: ends(rents.flatMap((rent) => rent.price ?? [])) ?? older,
    priceMin: visible.priceMin ?? olderRange.min,
    priceMax: visible.priceMax ?? olderRange.max,
    bedsText: ends(rents.map((rent) => rent.beds)) ?? firstText(placard, ".property-beds"),
    rents,
    phone: phoneOf(placard),
    imageUrl: imageOf(
      firstAttribute(placard, "img.js-placard-photo, [data-image], .item img", "data-image", "src"),
    ),
    amenities: amenitiesOf(placard),
    specials: firstText(placard, ".property-specials"),
    hasVirtualTour: placard.getAttribute("data-has-virtual-tour") === "true",
    hasVideo: placard.getAttribute("data-has-video") === "true",
    specialty: listOf(placard.getAttribute("data-specialty")),
    ...baseRentsOf(placard),
  })
}

const rentsOf = (placard: Element) =>
  [...placard.querySelectorAll(".rentRollup .bedRentBox")].flatMap((box) => {
    const beds = firstText(box, ".bedTextBox")
    const price = firstText(box, ".priceTextBox")
    return beds ? { beds, price, priceMin: rangeOf(price).min } : []
  })

/** Returns the listings of a page's structured list, which has only names and postal addresses. */
export function listedOf(document: Document) {
  const nodes = schemaNodes(document)
  const list = [...nodes, ...nodes.map((node) => node.in("mainEntity"))].find((node) =>
    node.has("itemListElement"),
  )
  return (list?.list("itemListElement") ?? []).flatMap((entry) => {
    const thing = entry.has("item", "url") ? entry.in("item") : entry
    const url = thing.text("url")
    const id = /\/([a-z0-9]{7})\/?$/.exec(url ?? "")?.[1]
    if (!url || !id) return []
    const known = { id, url, name: thing.title("name") }
    return listing.read({ ...known, hasVirtualTour: false, hasVideo: false })
  })
}

/** Parses "{street}, {city}, {ST} {zip}". A feed's placeholder may replace the street. */
function addressOf(text: string | null) {
  const parts = (text ?? "").split(",").map((part) => part.trim())
  const region = /^([A-Z]{2})(?:\s+(\d{5}(?:-\d{4})?))?$/.exec(parts.at(-1) ?? "")
  const [street, city] = region ? [parts.slice(0, -2).join(", "), parts.at(-2)] : [text, null]
  return {
    address: (street ?? "").replace(/,?\s{0,20}Unit SI ID\S*/i, "").trim() || null,
    city: city || null,
    state: region?.[1] ?? null,
    postalCode: region?.[2] ?? null,
  }
}

function ends(texts: string[]): string | null {
  if (texts.length === 0) return null
  return texts.length === 1 ? texts[0]! : `${texts[0]} – ${texts.at(-1)}`
}

function phoneOf(placard: Element): string | null {
  const link = placard.querySelector('.phone-link[href^="tel:"], a[href^="tel:"]')
  const visible = plainText(link)
  if (/\d{3}\D*\d{4}/.test(visible ?? "")) return visible
  return link?.getAttribute("href")?.slice("tel:".length) || null
}

function amenitiesOf(placard: Element): string[] {
  const spans = allTexts(placard, ".property-amenities span")
  return spans.length > 1 ? spans : listOf(firstText(placard, ".property-amenities"))
}

const listOf = (text: string | null): string[] =>
  (text ?? "")
    .split(/,\s+/)
    .map((part) => part.trim())
    .filter(Boolean)

/** Returns the rents before fees, from the JSON in an attribute of a tooltip. */
function baseRentsOf(placard: Element) {
  const attribute = "data-total-monthly-price-tooltip"
  const written = firstAttribute(placard, `[${attribute}]`, attribute)
  const tooltip = new JsonReader(parseLoose(written ?? ""))
  return {
    baseRents: tooltip.list("baseRent", "rows").flatMap((row) => {
      const beds = row.text("beds")
      return beds ? { beds, rent: rangeOf(row.text("rent")).min } : []
    }),
    monthlyFees: tooltip.text("detail"),
  }
}
