import type { JsonReader } from "../../../extract/embedded/index.ts"
import { items } from "../core/fields.ts"

/** Fields of business directories under the same names, so that their items fit one table. */
const shared = {
  name: items.requiredText("Name of the business."),
  phone: items.text("Phone number, as displayed."),
  website: items.text("URL of the business's own website."),
  description: items.text("Description of the business."),
  categories: items.texts("Categories of the business."),
  rating: items.number("Average rating in stars, of five."),
  reviewCount: items.integer("Number of reviews."),
  priceRange: items.text("Price level, for example $$."),
  latitude: items.number("Latitude in degrees north."),
  longitude: items.number("Longitude in degrees east."),
  logoUrl: items.text("URL of the logo."),
}

/**
 * Returns the schemas of the named fields, for an item's schema.
 * @example item: { query: items.text("Query."), ...businessFields("name", "phone") },
 */
export function businessFields<const N extends keyof typeof shared>(...names: N[]) {
  return Object.fromEntries(names.map((name) => [name, shared[name]])) as Pick<typeof shared, N>
}

/**
 * The parts of a postal address.
 * @example const item = itemObject({ ...addressParts })
 */
export const addressParts = {
  street: items.text("Street and number."),
  city: items.text("City."),
  region: items.text("State or region."),
  postalCode: items.text("Postal code."),
  country: items.text("Country."),
}

/**
 * A postal address in its parts; null if unknown.
 * @example address: addressField,
 */
export const addressField = items.object("Postal address.", addressParts)

export type Address = Record<keyof typeof addressParts, string | null>

/**
 * Returns a schema.org postal address in its parts; null if no part is known.
 * @example schemaAddress(node.in("address")) // { street: "1 Main St", city: "Springfield", … }
 */
export function schemaAddress(url: JsonReader): Address | null {
  return known({
    street: url.title("streetAddress"),
    city: url.title("addressLocality"),
    region: url.title("addressRegion"),
    postalCode: url.title("postalCode"),
    country: url.title("addressCountry") ?? url.title("addressCountry", "name"),
  })
}

/**
 * Returns a postal address from a street and a line such as "San Francisco, CA 94133".
 * @example lineAddress("1 Main St", "San Francisco, CA 94133")?.postalCode // "94133"
 */
export function lineAddress(street: string | null, line: string | null): Address | null {
  const place = /^(.+?),\s*([A-Z]{2})\b\s*(\S[\w\s-]*)?$/.exec(line ?? "")
  return known({
    street,
    city: place?.[1] ?? (line?.replace(/,\s*$/, "") || null),
    region: place?.[2] ?? null,
    postalCode: place?.[3]?.trim() ?? null,
    country: null,
  })
}

function known(url: Address): Address | null {
  return Object.values(url).some((part) => part !== null) ? url : null
}
