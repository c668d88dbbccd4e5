import { Type } from "@sinclair/typebox"
import {
  distinct,
  foldSpace,
  integerOrNull,
  textList,
  titleOrNull,
  words,
} from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  field,
  itemObject,
  items,
  nullable,
  recordOf,
  required,
  upstreamTable,
} from "../kit/index.ts"
import { unwrapped } from "./google.ts"
import { closedDown } from "./words.json"

/** Positions in Google's arrays for places; they change about once a year. */
export const mapsTable = upstreamTable("google_maps", "2026-08", {
  /** In a response: the list of a search, a place in a list entry, a single place, and its ID. */
  results: [0, 1],
  entry: [14],
  place: [6],
  placeCid: [25, 3, 0, 13, 0, 0, 1],
  /** In a place. */
  addressLines: [2],
  priceLevel: [4, 2],
  reviewsUrl: [4, 3, 0],
  rating: [4, 7],
  reviewCount: [4, 8],
  priceText: [4, 10],
  website: [7, 0],
  latitude: [9, 2],
  longitude: [9, 3],
  dataId: [10],
  title: [11],
  categories: [13],
  titledAddress: [18],
  url: [27],
  timezone: [30],
  description: [32, 1, 1],
  oldHours: [34, 1],
  status: [34, 4, 4],
  menuUrl: [38, 0],
  address: [39],
  reservations: [46],
  claimText: [49, 1],
  owner: [57],
  thumbnail: [72, 0, 1, 6, 0],
  orders: [75, 0],
  placeId: [78],
  popularTimes: [84, 0],
  attributes: [100, 1],
  images: [171, 0],
  reviewsPerRating: [175, 3],
  phone: [178, 0, 0],
  addressParts: [183, 1],
  plusCode: [183, 2, 2, 0],
  hours: [203, 0],
  /** Parameter "pb" of the API, for a search around a point and for a single place. */
  searchParameter:
    "!4m12!1m3!1d3826.902183192154!2d{longitude}!3d{latitude}!2m3!1f0!2f0!3f0!3m2!1i600!2i800!4f{zoom}!7i{count}!8i0!10b1!12m22!1m3!18b1!30b1!34e1!2m3!5m1!6e2!20e3!4b0!10b1!12b1!13b1!16b1!17m1!3e1!20m3!5e2!6b1!14b1!46m1!1b0!96b1!19m4!2m3!1i360!2i120!4i8",
  placeParameter:
    "!1m14!1s{dataId}!3m9!1m3!1d10000!2d{longitude}!3d{latitude}!2m0!3m2!1i1024!2i768!4f13.1!4m2!3d{latitude}!4d{longitude}",
})
/** Only the positions. */
export type MapsLayout = Omit<typeof mapsTable.values, "searchParameter" | "placeParameter">

const closedForm = new RegExp(words(closedDown), "iu")
const dataIdForm = /^0x[0-9a-f]+:0x[0-9a-f]+$/i

/** Returns whether an array is a place: its ID and title are at their positions. */
export const isPlace = (value: unknown, layout: MapsLayout): value is unknown[] =>
  Array.isArray(value) &&
  dataIdForm.test(String(at(value, ...layout.dataId))) &&
  titleOrNull(at(value, ...layout.title)) !== null

/** A place of a response, with the ID that may be next to it. */
export type FoundPlace = { place: unknown[]; cid: unknown }

type Found = FoundPlace & { layout: MapsLayout }

const own =
  (name: keyof MapsLayout) =>
  ({ place: array, layout }: Found) =>
    at(array, ...layout[name])
const web = (name: keyof MapsLayout) => (row: Found) => unwrapped(httpText(own(name)(row)))
const text = (name: keyof MapsLayout, row: Found) => titleOrNull(own(name)(row))

const namedLinks = (description: string) =>
  Type.Array(
    itemObject({
      url: items.requiredText("URL of the link."),
      source: items.text("Name of the linked site."),
    }),
    { description },
  )

/** Fields of a place. A value is used only if it has the expected type. */
export const place = recordOf<Found>()({
  title: required(field.title(own("title"), "Name of the place.")),
  placeId: field.title(own("placeId"), "Google's ID of the place (ChIJ…)."),
  dataId: required(field.title(own("dataId"), "ID of the place within the map (0x…:0x…).")),
  cid: field.text(cidOf, "Numeric ID of the place (CID), as text because it has 64 bits."),
  url: required(field.text(pageOf, "URL of the place on the map.")),
  category: field.text((row) => textList(own("categories")(row))[0], "Main category."),
  categories: field.texts(own("categories"), "Categories."),
  address: field.text(addressOf, "Postal address."),
  addressParts: field.object(
    (row) => {
      const parts = own("addressParts")(row)
      return Array.isArray(parts) ? { parts } : null
    },
    "Parts of the postal address.",
    {
      borough: field.title("parts.0", "Borough of the city."),
      street: field.title("parts.1", "Street and number."),
      city: field.title("parts.3", "City."),
      postalCode: field.title("parts.4", "Postal code."),
      state: field.title("parts.5", "State or region."),
      countryCode: field.title("parts.6", "Country code, for example DE."),
    },
  ),
  latitude: field.number(own("latitude"), "Latitude in degrees."),
  longitude: field.number(own("longitude"), "Longitude in degrees."),
  plusCode: field.title(
    own("plusCode"),
    "Plus code: a short code of the location, for example 9F4MGC2M+2X.",
  ),
  phone: field.title(own("phone"), "Phone number, as displayed."),
  website: field.text(web("website"), "URL of the website."),
  rating: field.number(own("rating"), "Mean rating (1-5)."),
  reviewCount: field.integer(own("reviewCount"), "Number of reviews."),
  reviewsPerRating: field.of(
    nullable(items.countsByName("Number of reviews per number of stars (1-5).")),
    (row) => perRating(own("reviewsPerRating")(row)),
  ),
  reviewsUrl: field.text(web("reviewsUrl"), "URL of the reviews."),
  priceLevel: field.text(
    (row) => text("priceLevel", row) ?? text("priceText", row),
    "Price level, for example $$.",
  ),
  status: field.title(own("status"), "Opening status, as Google displays it."),
  openingHours: field.of(
    items.objects("Opening hours.", {
      day: items.requiredText("Weekday."),
      hours: items.texts("Opening hours, or Closed."),
    }),
    (row) => hoursOf(own("hours")(row)) ?? hoursOf(own("oldHours")(row)) ?? [],
  ),
  popularTimes: field.of(
    nullable(
      items.objects("Usual occupancy by hour.", {
        day: items.requiredInteger("Weekday, from 1 (Monday) to 7."),
        hours: items.objects("Occupancy of each hour of the day.", {
          hour: items.requiredInteger("Hour of the day."),
          percent: items.requiredInteger("Occupancy in percent of the busiest hour."),
        }),
      }),
    ),
    (row) => popularTimes(own("popularTimes")(row)),
  ),
  description: field.title(own("description"), "Description."),
  thumbnailUrl: field.text(web("thumbnail"), "URL of an image."),
  images: field.of(
    items.objects("One image per category.", {
      title: items.text("Category of images."),
      url: items.requiredText("URL of the image."),
    }),
    (row) => images(own("images")(row)),
  ),
  timezone: field.title(own("timezone"), "Time zone, for example Europe/Berlin."),
  menuUrl: field.text(web("menuUrl"), "URL of the menu."),
  orderLinks: field.of(namedLinks("Links for ordering."), (row) => orderLinks(own("orders")(row))),
  reservationLinks: field.of(namedLinks("Links for reservations."), (row) =>
    links(own("reservations")(row), [0], [1]),
  ),
  owner: field.of(
    items.object("Account that manages the entry.", {
      name: items.requiredText("Name."),
      id: items.text("ID."),
    }),
    (row) => owner(own("owner")(row)),
  ),
  attributes: field.of(
    items.objects("Amenities by group.", {
      id: items.text("Google's ID of the group."),
      name: items.requiredText("Name of the group."),
      options: items.objects("Amenities of the group.", {
        name: items.requiredText("Name of the amenity."),
        enabled: items.requiredBoolean("Whether the place has the amenity."),
      }),
    }),
    (row) => attributes(own("attributes")(row)),
  ),
  claimed: field.boolean(
    (row) => (/claim this business/i.test(text("claimText", row) ?? "") ? false : null),
    "False if Google invites the owner to claim the entry.",
  ),
  isClosed: field.boolean((row) => {
    const status = text("status", row)
    return status && closedForm.test(status)
  }, "Whether the place is permanently or temporarily closed."),
})

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const httpText = (value: unknown) =>
  typeof value === "string" && /^(?:https?:\/\/|\/url\?)/.test(value) ? value : null

/**
 * Returns the place's numeric ID, or else the second half of its map ID (64 bits) as a decimal
 * number.
 */
function cidOf(row: Found): string | null {
  if (/^\d+$/.test(String(row.cid))) return String(row.cid)
  const half = text("dataId", row)?.split(":")[1]
  return half ? BigInt(half).toString() : null
}

function pageOf(row: Found): string {
  const id = text("placeId", row)
  const query = id ? `place_id:${id}` : encodeURIComponent(text("title", row)!)
  return web("url")(row) ?? `https://www.google.com/maps/place/?q=${query}`
}

function addressOf(row: Found): string | null {
  const whole = text("address", row)
  const lines = textList(own("addressLines")(row)).map(foldSpace)
  if (whole ?? lines[0]) return whole ?? lines.join(", ")
  const titled = text("titledAddress", row)
  if (titled === null) return null
  const title = text("title", row)!
  const plain = titled.startsWith(title) ? titled.slice(title.length) : titled
  return titleOrNull(plain.replace(/^\s*,/, ""))
}

function perRating(counts: unknown): Record<string, number> | null {
  if (!Array.isArray(counts) || counts.length !== 5) return null
  return Object.fromEntries(counts.map((count, index) => [index + 1, integerOrNull(count) ?? 0]))
}

/** Parses `[day, …, [[text, …]]]` since 2025, `[day, [text]]` before. */
function hoursOf(days: unknown) {
  const rows = list(days).flatMap((row) => {
    const day = titleOrNull(at(row, 0))
    const texts = list(at(row, 3)).length > 0 ? list(at(row, 3)) : list(at(row, 1))
    const hours = texts.flatMap((part) => titleOrNull(Array.isArray(part) ? part[0] : part) ?? [])
    return day === null ? [] : { day, hours }
  })
  return rows.length > 0 ? rows : null
}

function popularTimes(days: unknown) {
  const rows = list(days).flatMap((row) => {
    const day = integerOrNull(at(row, 0))
    const hours = list(at(row, 1)).flatMap((cell) => {
      const [hour, percent] = [integerOrNull(at(cell, 0)), integerOrNull(at(cell, 1))]
      return hour === null || percent === null ? [] : { hour, percent }
    })
    return day === null ? [] : { day, hours }
  })
  return rows.length > 0 ? rows : null
}

const images = (rows: unknown) =>
  list(rows).flatMap((row) => {
    const url = httpText(at(row, 3, 0, 6, 0))
    return url === null ? [] : { title: titleOrNull(at(row, 2)), url }
  })

const orderLinks = (groups: unknown) =>
  links(
    list(groups).flatMap((group) => list(at(group, 2))),
    [1, 2, 0],
    [0, 0],
  )

function links(rows: unknown, urlAt: number[], sourceAt: number[]) {
  const matches = list(rows).flatMap((row) => {
    const url = unwrapped(httpText(at(row, ...urlAt)))
    return url === null ? [] : { url, source: titleOrNull(at(row, ...sourceAt)) }
  })
  const known = distinct(matches.map(({ url }) => url))
  return known.map((url) => matches.find((source) => source.url === url)!)
}

function owner(value: unknown) {
  const name = titleOrNull(at(value, 1))
  return name === null ? null : { name, id: titleOrNull(at(value, 2)) }
}

const attributes = (groups: unknown) =>
  list(groups).flatMap((group) => {
    const name = titleOrNull(at(group, 1))
    const options = list(at(group, 2)).flatMap((option) => {
      const title = titleOrNull(at(option, 1))
      return title === null ? [] : { name: title, enabled: at(option, 2, 1, 0, 0) === 1 }
    })
    return name === null ? [] : { id: titleOrNull(at(group, 0)), name, options }
  })
