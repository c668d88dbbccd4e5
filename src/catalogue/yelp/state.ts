import { decodeEntities } from "../../extract/core/index.ts"
import { at, findObjects, JsonReader, parseLoose } from "../../extract/embedded/index.ts"
import { hoursOf } from "./yelp.ts"

type Json = Record<string, unknown>

/**
 * Returns the business in the page's normalised cache; empty if the page has none. References are
 * resolved, and field names have no arguments.
 */
export function stateBusiness(document: Document, id: string | null): JsonReader {
  const script = document.querySelector("script[data-apollo-state]")?.textContent ?? ""
  const plain = script.replace(/^\s*<!--|-->\s*$/g, "")
  const state = plain === "" ? undefined : (parseLoose(plain) ?? parseLoose(decodeEntities(plain)))
  if (typeof state !== "object" || state === null) return new JsonReader(undefined)
  const key = id === null ? undefined : `Business:${id}`
  const business = (key && at<Json>(state, key)) ?? firstBusiness(state)
  const known = Object.entries(business ?? {}).filter(([name]) => fields.has(fieldName(name)))
  return new JsonReader(resolved(Object.fromEntries(known), state as Json, 0))
}

const firstBusiness = (state: object): Json | undefined =>
  findObjects(state, (object) => object.__typename === "Business" && "name" in object).next()
    .value as Json | undefined

const fields = new Set(
  (
    "name rating reviewCount priceRange categories phoneNumber externalResources location " +
    "operationHours organizedProperties"
  ).split(" "),
)

const fieldName = (key: string) => key.replace(/\(.*$/s, "")

/** Maximum depth. All fields are within it; the cache is circular. */
const depth = 5

function resolved(value: unknown, state: Json, level: number): unknown {
  if (typeof value !== "object" || value === null || level > depth) return value
  if (Array.isArray(value)) return value.map((entry) => resolved(entry, state, level + 1))
  const { __ref: reference, ...own } = value as Json
  if (typeof reference === "string") return resolved(state[reference], state, level + 1)
  return Object.fromEntries(
    Object.entries(own).map(([key, field]) => [fieldName(key), resolved(field, state, level + 1)]),
  )
}

/** Returns the fields of a business in the cache; null for missing ones. */
export function stateFacts(business: JsonReader) {
  const place = business.in("location")
  return {
    name: business.title("name"),
    rating: business.number("rating"),
    reviewCount: business.integer("reviewCount"),
    priceRange: business.text("priceRange", "display"),
    categories: business.list("categories").flatMap((category) => {
      const title = category.title("title")
      return title ? { title, alias: category.text("alias") } : []
    }),
    phone: business.text("phoneNumber", "formatted"),
    website: business.text("externalResources", "website", "url"),
    address: place.in("address"),
    neighborhoods: place.texts("neighborhoods"),
    latitude: place.number("coordinate", "latitude") ?? place.number("latitude"),
    longitude: place.number("coordinate", "longitude") ?? place.number("longitude"),
    hours: stateHours(business),
    attributes: business
      .list("organizedProperties")
      .flatMap((group) => group.list("properties"))
      .flatMap((property) => property.title("displayText") ?? []),
  }
}

function stateHours(business: JsonReader) {
  const days = business.list("operationHours", "regularHoursMergedWithSpecialHoursForCurrentWeek")
  return hoursOf((day) => {
    const own = days.find((entry) => entry.text("dayOfWeekShort")?.toLowerCase().startsWith(day))
    return own?.texts("regularHours") ?? own?.texts("hours") ?? []
  })
}
