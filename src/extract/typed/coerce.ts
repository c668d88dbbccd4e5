import {
  absoluteUrl,
  dateIn,
  foldSpace,
  htmlToText,
  parseCount,
  titleOrNull,
} from "../core/index.ts"
import {
  availabilityOf,
  isCurrencyCode,
  isInStock,
  type Locale,
  numberIn,
  parsePrice,
} from "../price/index.ts"
import { isNode, valueUrl } from "../structured/index.ts"
import { durationIn, durationMinutes } from "./dates.ts"
import { nodeText } from "./node-text.ts"
import { nameInByline } from "./people.ts"
import { originalOf } from "./pictures.ts"
import type { Field, Kind } from "./schema.ts"
import { plainName, termOf } from "./terms/terms.ts"

/** The context of a value, on which its form depends. */
export interface Around {
  /** The field's name, bare. */
  name: string
  base: string
  place: Locale
  /** The value comes from the visible page, where other words are around it. */
  isVisible?: boolean
}

const maxText = 20_000

/** Returns a value in the form of its field; undefined if it has none. */
export function coerce(raw: unknown, field: Field, around: Around): unknown {
  for (const one of [field, ...field.others]) {
    const value = one.choices ? chosen(raw, one.choices) : ofKind(one.kind, raw, one, around)
    if (value !== undefined && isWithin(value, one)) return value
  }
  return undefined
}

function ofKind(kind: Kind, raw: unknown, field: Field, around: Around): unknown {
  switch (kind) {
    case "string":
      return textOf(raw, field.format, around)
    case "number":
      return numberOf(raw, around)
    case "integer":
      return integerOf(raw, around)
    case "boolean":
      return booleanOf(raw)
    case "any":
      return plainOf(raw)
    default:
      return undefined
  }
}

function isWithin(value: unknown, { minimum: min, maximum: max }: Field): boolean {
  const size = typeof value === "string" ? value.length : value
  if (typeof size !== "number") return true
  return (min === null || size >= min) && (max === null || size <= max)
}

const plainText = (raw: unknown) => {
  const text = nodeText(raw)
  return text === null ? null : clean(text)
}

/** Entities decoded, markup gone, white space folded; a term of schema.org by its name. */
function clean(text: string): string | null {
  const cut = text.slice(0, maxText)
  const plain = /<[a-z/][^>]*>/i.test(cut) ? (htmlToText(cut) ?? "") : cut
  const folded = titleOrNull(plain)
  return folded?.replace(/^https?:\/\/(?:www\.)?schema\.org\/(\w+)$/i, "$1") ?? null
}

function textOf(raw: unknown, format: string | null, around: Around): string | undefined {
  if (format === "uri") {
    const url = valueUrl(raw)
    const isAddress = url !== null && !/\s/.test(url.trim())
    const address = isAddress ? absoluteUrl(url, around.base) : null
    if (address === null) return undefined
    return ofImages.has(around.name) ? originalOf(address) : address
  }
  const text = plainText(raw)
  if (text === null) return undefined
  switch (format) {
    case "date":
      return dateIn(text)?.slice(0, 10)
    case "date-time":
      return dateIn(text) ?? undefined
    case "email":
      return emailIn(text)
    default:
      if (ofPhones.test(around.name)) return phoneOf(text)
      if (ofEmails.test(around.name)) return emailIn(text)
      if (ofServings.test(around.name)) return servingsOf(text)
      if (ofCodes.test(around.name)) return text.replace(nextLabel, "")
      if (currencyNames.has(around.name)) return currencyOf(text, around)
      if (around.isVisible && ofAuthors.has(around.name)) {
        return isAddress(text) ? undefined : nameInByline(text)
      }
      return isOfName(around.name) && isAddress(text) ? undefined : text
  }
}

/** Names of fields for people and organisations, whose values are not URLs. */
const names = new Set(
  ["name", "title", "company", "author", "publisher", "seller", "brand", "organizer", "performers"]
    .concat(["reviewer", "director", "actors", "founder", "venue"])
    .flatMap((name) => termOf(name)!.names.map(plainName)),
)
const ofImages = new Set(termOf("image")!.names.map(plainName))
const ofAuthors = new Set(
  ["author", "reviewer"].flatMap((name) => termOf(name)!.names.map(plainName)),
)
const isOfName = (name: string) => names.has(name)
const isAddress = (text: string) => /^(?:https?:\/\/|www\.|[#/])\S+$/i.test(text)

const ofEmails = /^e?mail(?:address)?$/

const emailIn = (text: string) => /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/.exec(text.slice(0, 500))?.[0]

/** Names of fields for codes of a product, which may be followed by another label on their line. */
const ofCodes = /^(?:sku|mpn|gtin\d*|ean|upc|isbn)$/
const nextLabel = /(?<=\S)\s+\p{Lu}\p{L}{2,20}:\s.*$/su

const ofPhones = /phone|telephone|^fax|^tel$|^mobile$/

/** Returns a number without the labels and numbers after it on the same line. */
function phoneOf(text: string): string | undefined {
  const number = text
    .replace(/(?<=\d)\s*[,;|]\s*\p{L}[\p{L} -]{0,14}\s*[:.].*$/u, "")
    .replace(/[\s,;|]+$/, "")
  return /(?:\d\D{0,3}){5}/.test(number) ? number : undefined
}

const ofServings = /^(?:recipe)?(?:servings|serves|portions|yield|numberofservings)$/
const inWords =
  /\p{N}|\b(?:one|two|three|four|five|six|eight|ten|twelve|dozen|ein|zwei|drei|vier)\b/iu

/** Returns the servings, without the buttons for multiples: `12 servings 1x 2x`. */
function servingsOf(text: string): string | undefined {
  const plain = text.replace(/(?:(?:^|\s+)(?:\d|[½¼.\d/]{1,3})\s?x)+\s*$/i, "").trim()
  return inWords.test(plain) ? plain : undefined
}

const currencyNames = new Set(["currency", "pricecurrency", "currencycode", "salarycurrency"])

function currencyOf(text: string, { place }: Around): string | undefined {
  if (isCurrencyCode(text.toUpperCase())) return text.toUpperCase()
  const stated = parsePrice(text.slice(0, 200), place)?.currency
  return stated ?? (text.length <= 5 ? text : undefined)
}

function numberOf(raw: unknown, around: Around): number | undefined {
  if (typeof raw === "number") return Number.isFinite(raw) ? raw : undefined
  if (typeof raw === "boolean") return undefined
  if (isNode(raw) && typeof raw.value === "number") return raw.value
  const text = plainText(raw)
  if (text === null || text.length > 500) return undefined
  const minutes = durationMinutes(text)
  if (minutes !== null) return /hours?$/.test(around.name) ? minutes / 60 : minutes
  if (/time|duration|readyin/.test(around.name)) return durationIn(text) ?? undefined
  return numberIn(text, around.place) ?? undefined
}

function integerOf(raw: unknown, around: Around): number | undefined {
  const text = typeof raw === "string" ? foldSpace(raw) : null
  // A year, a date's first part.
  const year =
    text && /founded|founding|year/.test(around.name) ? /\b(1[5-9]|20)\d{2}\b/.exec(text) : null
  if (year) return Number(year[0])
  const isCount = /count|followers|views|downloads|likes|reviews|ratings|employees/.test(
    around.name,
  )
  if (isCount && text !== null && text.length < 500 && /\d\s?[km]\b/i.test(text)) {
    return parseCount(text) ?? undefined
  }
  const number = numberOf(raw, around)
  return number !== undefined && Number.isSafeInteger(number) ? number : undefined
}

const yes = /^(?:yes|true|ja|oui|sí|si|sì|sim|1|y|✓|✔|telecommute|remote|fully remote)$/i
const no = /^(?:no|false|nein|non|não|nee|0|n|✗|✘|on.?site)$/i

function booleanOf(raw: unknown): boolean | undefined {
  if (typeof raw === "boolean") return raw
  const text = plainText(raw)
  if (text === null || text.length > 80) return undefined
  if (yes.test(text)) return true
  if (no.test(text)) return false
  const availability = availabilityOf(text)
  return availability === null ? undefined : (isInStock(availability) ?? undefined)
}

/** The one of the listed values that a text means, by its letters alone. */
function chosen(raw: unknown, choices: readonly unknown[]): unknown {
  if (choices.includes(raw)) return raw
  const text = plainText(raw)
  if (text === null) return undefined
  const trimmed = plainName(text)
  const same = choices.find((choice) => plainName(String(choice)) === trimmed)
  if (same !== undefined) return same
  const stock = availabilityOf(text)
  const alike = stock && choices.find((choice) => availabilityOf(String(choice)) === stock)
  if (alike) return alike
  if (text.length > 60) return undefined
  const named = choices.filter((choice) => {
    const one = plainName(String(choice))
    return one.length > 2 && trimmed.includes(one)
  })
  return named.length === 1 ? named[0] : undefined
}

/** Returns any value within bounds, for a field without a type. */
function plainOf(raw: unknown): unknown {
  if (typeof raw === "string") return clean(raw) ?? undefined
  if (typeof raw === "number" || typeof raw === "boolean") return raw
  return isNode(raw) ? (plainText(raw) ?? undefined) : undefined
}
