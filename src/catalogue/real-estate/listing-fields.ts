import { Type } from "@sinclair/typebox"
import { itemObject, numberField, textField, textsField } from "../fields.ts"

/** What real-estate sites have in common, under the same names, so that their items fit one table. */
const shared = {
  address: textField("Street and number."),
  unit: textField("Number of the unit."),
  city: textField("City."),
  state: textField("State or province."),
  zip: textField("Postal code."),
  county: textField("County."),
  country: textField("Country."),
  latitude: numberField("Degrees north."),
  longitude: numberField("Degrees east."),
  currency: textField("Currency of the prices (ISO 4217)."),
  beds: numberField("Bedrooms."),
  baths: numberField("Bathrooms; a half one counts half."),
  sqft: numberField("Living area in square feet."),
  stories: numberField("Floors."),
  yearBuilt: numberField("Year in which it was built."),
  description: textField("Description by whoever offers it."),
  mlsId: textField("Number in the multiple listing service."),
  photos: textsField("Addresses of the pictures."),
  schools: Type.Array(
    itemObject({
      name: Type.String(),
      rating: numberField("Rating, of ten."),
      distance: numberField("Distance in miles."),
      grades: textField("Grades."),
      type: textField("Kind of school."),
      url: textField("Page."),
    }),
    { description: "Schools near by." },
  ),
}

type SharedName = keyof typeof shared

/** The named ones of the fields that real-estate sites have in common, for an item's schema. */
export function listingFields<const N extends SharedName>(...names: N[]): Pick<typeof shared, N> {
  return Object.fromEntries(names.map((name) => [name, shared[name]])) as Pick<typeof shared, N>
}

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
