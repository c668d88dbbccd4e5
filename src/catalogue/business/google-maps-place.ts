import { at } from "../../extract/embedded.ts"
import { integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { distinct, foldSpace, textList, titleOrNull } from "../../extract/text.ts"
import { unwrapped } from "../search/google.ts"
import type { MapsLayout } from "./google-maps-layout.ts"

const dataIdForm = /^0x[0-9a-f]+:0x[0-9a-f]+$/i

/** Whether an array is of a place: its id and its title stand where they should. */
export function isPlace(value: unknown, layout: MapsLayout): value is unknown[] {
  return (
    Array.isArray(value) &&
    dataIdForm.test(String(at(value, ...layout.dataId))) &&
    titleOrNull(at(value, ...layout.title)) !== null
  )
}

/** A place's fields. Each value is taken only when it is of its kind. */
export function placeFields(place: unknown[], cid: unknown, layout: MapsLayout) {
  const value = (path: readonly number[]) => at(place, ...path)
  const text = (path: readonly number[]) => titleOrNull(value(path))
  const web = (path: readonly number[]) => unwrapped(httpText(value(path)))
  const title = text(layout.title)!
  const dataId = text(layout.dataId)!
  const placeId = text(layout.placeId)
  const categories = textList(value(layout.categories))
  const status = text(layout.status)
  return {
    title,
    placeId,
    dataId,
    cid: /^\d+$/.test(String(cid)) ? String(cid) : cidOf(dataId),
    url:
      web(layout.url) ??
      `https://www.google.com/maps/place/?q=${placeId ? `place_id:${placeId}` : encodeURIComponent(title)}`,
    category: categories[0] ?? null,
    categories,
    address: addressOf(place, title, layout),
    addressParts: addressParts(value(layout.addressParts)),
    latitude: numberOrNull(value(layout.latitude)),
    longitude: numberOrNull(value(layout.longitude)),
    plusCode: text(layout.plusCode),
    phone: text(layout.phone),
    website: web(layout.website),
    rating: numberOrNull(value(layout.rating)),
    reviewCount: integerOrNull(value(layout.reviewCount)),
    reviewsPerRating: perRating(value(layout.reviewsPerRating)),
    reviewsUrl: web(layout.reviewsUrl),
    priceLevel: text(layout.priceLevel) ?? text(layout.priceText),
    status,
    openingHours: hoursOf(value(layout.hours)) ?? hoursOf(value(layout.oldHours)) ?? [],
    popularTimes: popularTimes(value(layout.popularTimes)),
    description: text(layout.description),
    thumbnailUrl: web(layout.thumbnail),
    images: images(value(layout.images)),
    timezone: text(layout.timezone),
    menuUrl: web(layout.menuUrl),
    orderLinks: orderLinks(value(layout.orders)),
    reservationLinks: links(value(layout.reservations), [0], [1]),
    owner: owner(value(layout.owner)),
    attributes: attributes(value(layout.attributes)),
    claimed: /claim this business/i.test(text(layout.claimText) ?? "") ? false : null,
    isClosed: status === null ? null : /(?:permanently|temporarily) closed/i.test(status),
  }
}

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const httpText = (value: unknown) =>
  typeof value === "string" && /^(?:https?:\/\/|\/url\?)/.test(value) ? value : null

/** The second half of a place's id, 64 bits, as the decimal number of its address. */
function cidOf(dataId: string): string | null {
  const half = dataId.split(":")[1]
  return half ? BigInt(half).toString() : null
}

function addressOf(place: unknown[], title: string, layout: MapsLayout): string | null {
  const whole = titleOrNull(at(place, ...layout.address))
  const lines = textList(at(place, ...layout.addressLines)).map(foldSpace)
  if (whole ?? lines[0]) return whole ?? lines.join(", ")
  const titled = titleOrNull(at(place, ...layout.titledAddress))
  if (titled === null) return null
  const bare = titled.startsWith(title) ? titled.slice(title.length) : titled
  return titleOrNull(bare.replace(/^\s*,/, ""))
}

function addressParts(parts: unknown) {
  if (!Array.isArray(parts)) return null
  const part = (index: number) => titleOrNull(parts[index])
  return {
    borough: part(0),
    street: part(1),
    city: part(3),
    postalCode: part(4),
    state: part(5),
    countryCode: part(6),
  }
}

function perRating(counts: unknown): Record<string, number> | null {
  if (!Array.isArray(counts) || counts.length !== 5) return null
  return Object.fromEntries(counts.map((count, index) => [index + 1, integerOrNull(count) ?? 0]))
}

/** `[day, …, [[text, …]]]` since 2025, `[day, [text]]` before. */
function hoursOf(days: unknown) {
  const rows = list(days).flatMap((row) => {
    const day = titleOrNull(at(row, 0))
    const texts = list(at(row, 3)).length > 0 ? list(at(row, 3)) : list(at(row, 1))
    const hours = texts.flatMap((one) => titleOrNull(Array.isArray(one) ? one[0] : one) ?? [])
    return day === null ? [] : { day, hours }
  })
  return rows.length > 0 ? rows : null
}

function popularTimes(days: unknown) {
  const rows = list(days).flatMap((row) => {
    const day = integerOrNull(at(row, 0))
    const hours = list(at(row, 1)).flatMap((one) => {
      const [hour, percent] = [integerOrNull(at(one, 0)), integerOrNull(at(one, 1))]
      return hour === null || percent === null ? [] : { hour, percent }
    })
    return day === null ? [] : { day, hours }
  })
  return rows.length > 0 ? rows : null
}

function images(rows: unknown) {
  return list(rows).flatMap((row) => {
    const url = httpText(at(row, 3, 0, 6, 0))
    return url === null ? [] : { title: titleOrNull(at(row, 2)), url }
  })
}

function orderLinks(groups: unknown) {
  const entries = list(groups).flatMap((group) => list(at(group, 2)))
  return links(entries, [1, 2, 0], [0, 0])
}

function links(rows: unknown, urlAt: number[], sourceAt: number[]) {
  const found = list(rows).flatMap((row) => {
    const url = unwrapped(httpText(at(row, ...urlAt)))
    return url === null ? [] : { url, source: titleOrNull(at(row, ...sourceAt)) }
  })
  const known = distinct(found.map(({ url }) => url))
  return known.map((url) => found.find((one) => one.url === url)!)
}

function owner(value: unknown) {
  const name = titleOrNull(at(value, 1))
  return name === null ? null : { name, id: titleOrNull(at(value, 2)) }
}

function attributes(groups: unknown) {
  return list(groups).flatMap((group) => {
    const name = titleOrNull(at(group, 1))
    const options = list(at(group, 2)).flatMap((option) => {
      const title = titleOrNull(at(option, 1))
      return title === null ? [] : { name: title, enabled: at(option, 2, 1, 0, 0) === 1 }
    })
    return name === null ? [] : { id: titleOrNull(at(group, 0)), name, options }
  })
}
