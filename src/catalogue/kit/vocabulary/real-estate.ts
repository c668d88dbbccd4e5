import type { JsonReader } from "../../../extract/embedded/index.ts"
import { field, required, schemasOf, shared } from "../core/record.ts"

/**
 * Fields that real-estate sites have in common, under the same names, so that their items fit one
 * table. Each site adds the sources.
 * @example const home = record({ city: listing.city("address.city"), sqft: listing.sqft("area") })
 */
export const listing = {
  address: shared(field.title, "Street and number."),
  unit: shared(field.title, "Number of the apartment or unit."),
  city: shared(field.title, "City."),
  state: shared(field.title, "State or province."),
  postalCode: shared(field.text, "Postal code."),
  county: shared(field.title, "County."),
  country: shared(field.text, "Country."),
  latitude: shared(field.number, "Latitude in degrees north."),
  longitude: shared(field.number, "Longitude in degrees east."),
  currency: shared(field.text, "Currency of the prices (ISO 4217)."),
  bedrooms: shared(field.number, "Number of bedrooms."),
  bathrooms: shared(field.number, "Number of bathrooms; a half bathroom counts 0.5."),
  sqft: shared(field.number, "Living area in square feet."),
  stories: shared(field.number, "Number of floors."),
  yearBuilt: shared(field.number, "Year of construction."),
  description: shared(field.text, "Description written by the advertiser."),
  mlsId: shared(field.text, "Number of the home in the multiple listing service (MLS)."),
  photos: shared(field.texts, "URLs of the photos."),
}

/**
 * Returns the schemas of the named fields, for items that are read by other means.
 * @example const item = itemObject({ ...listingFields("address", "city") })
 */
export const listingFields = schemasOf(listing)

/**
 * Returns a field of schools. Schools without a name are ignored.
 * @example schools: schools((home) => home.list("schools"), { distance: "miles", type, url }),
 */
export const schools = (
  rows: (home: JsonReader) => JsonReader[],
  names: { distance: string; type: string; url: string },
) =>
  field.objects(
    (home: JsonReader) => rows(home).filter((school) => school.title("name")),
    "Schools nearby.",
    {
      name: required(field.title("name", "Name of the school.")),
      rating: field.number("rating", "Rating of the school, out of ten."),
      distance: field.number(names.distance, "Distance in miles."),
      grades: field.text(
        (school: JsonReader) => school.text("grades") ?? school.texts("grades").join(", "),
        "Grades.",
      ),
      type: field.text(names.type, "Kind of school."),
      url: field.text(names.url, "URL of the school's page."),
    },
  )

/**
 * Returns an object without nulls and without empty texts, lists and objects.
 * @example knownFacts({ roof: "Tile", pool: null, fees: [] }) // { roof: "Tile" }
 */
export function knownFacts(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter(([, fact]) => {
      if (fact === null || fact === undefined || fact === "") return false
      return typeof fact !== "object" || Object.keys(fact).length > 0
    }),
  )
}
