import type { JsonReader } from "../../extract/json-reader.ts"
import { field, required, type Source } from "../record.ts"

const text =
  (description: string) =>
  <R>(source: Source<R>) =>
    field.text(source, description)
const title =
  (description: string) =>
  <R>(source: Source<R>) =>
    field.title(source, description)
const number =
  (description: string) =>
  <R>(source: Source<R>) =>
    field.number(source, description)

/**
 * What real-estate sites have in common, under the same names, so that their items fit one table:
 * each field for the place where a site has it.
 */
export const listing = {
  address: title("Street and number."),
  unit: title("Number of the unit."),
  city: title("City."),
  state: title("State or province."),
  zip: text("Postal code."),
  county: title("County."),
  country: text("Country."),
  latitude: number("Degrees north."),
  longitude: number("Degrees east."),
  currency: text("Currency of the prices (ISO 4217)."),
  beds: number("Bedrooms."),
  baths: number("Bathrooms; a half one counts half."),
  sqft: number("Living area in square feet."),
  stories: number("Floors."),
  yearBuilt: number("Year in which it was built."),
  description: text("Description by whoever offers it."),
  mlsId: text("Number in the multiple listing service."),
  photos: <R>(source: Source<R>) => field.texts(source, "Addresses of the pictures."),
}

type ListingName = keyof typeof listing

/** The schemas of some of these fields, for items that are read in other ways. */
export function listingFields<const N extends ListingName>(...names: N[]) {
  return Object.fromEntries(names.map((name) => [name, listing[name]("").schema])) as {
    [K in N]: ReturnType<(typeof listing)[K]>["schema"]
  }
}

/** Schools; those without a name are left out. */
export const schools = (
  rows: (home: JsonReader) => JsonReader[],
  names: { distance: string; type: string; url: string },
) =>
  field.objects(
    (home: JsonReader) => rows(home).filter((school) => school.title("name")),
    "Schools near by.",
    {
      name: required(field.title("name")),
      rating: field.number("rating", "Rating, of ten."),
      distance: field.number(names.distance, "Distance in miles."),
      grades: field.text(
        (school: JsonReader) => school.text("grades") ?? school.texts("grades").join(", "),
        "Grades.",
      ),
      type: field.text(names.type, "Kind of school."),
      url: field.text(names.url, "Page."),
    },
  )

/** What is known of an object: nulls, empty texts, lists and objects are dropped. */
export function knownFacts(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter(([, fact]) => {
      if (fact === null || fact === undefined || fact === "") return false
      return typeof fact !== "object" || Object.keys(fact).length > 0
    }),
  )
}
