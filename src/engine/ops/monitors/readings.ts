import type { Condition, Watch } from "../../../catalogue/kit/index.ts"
import { conditionKinds } from "../../../catalogue/kit/index.ts"
import { numberIn as numberInText } from "../../../extract/price/index.ts"

export type Item = Readonly<Record<string, unknown>>
export type Value = number | string | boolean | null

/** Watched values of one item. */
export interface Reading {
  key: string
  name: string
  url: string | null
  /** Values by the keys of conditions: see `sideOf`. */
  sides: Record<string, Value>
  unit: string | null
}

/** Default for scrapers without watched fields. */
const anyWatch: Watch = {
  key: ["url", "id", "name", "title"],
  name: ["name", "title", "url", "id"],
  conditions: [],
}

const maxText = 200

export const watchOf = (watch: Watch | undefined) => watch ?? anyWatch

/** Returns the key of a condition's value in a reading. */
export function sideOf({ when, field, text }: Condition): string {
  const { about } = conditionKinds[when]
  return [about, field, about === "text" ? text?.toLowerCase() : undefined]
    .filter(Boolean)
    .join(" ")
}

/** Returns the field that a condition reads; undefined if neither it nor the scraper names one. */
export function fieldOf({ when, field, text }: Condition, watch: Watch): string | undefined {
  if (field !== undefined) return field
  switch (conditionKinds[when].about) {
    case "value":
      return watch.value
    case "stock":
      return watch.stock
    case "status":
      return watch.status
    case "days":
      return watch.days
    case "mark":
      return watch.mark?.join("|") ?? watch.value ?? watch.status
    default:
      return watch.text?.found ?? (text === undefined ? undefined : watch.lines?.added)
  }
}

/** Returns the reading of an item; undefined for an error item or one without a name. */
export function readingOf(
  item: Item,
  watch: Watch,
  conditions: readonly Condition[],
): Reading | undefined {
  if (item.error) return undefined
  const isAny = watch === anyWatch
  const parts = watch.key.map((field) => textAt(item, field)).filter((part) => part !== null)
  if (parts.length === 0) return undefined
  const key = (isAny ? parts.slice(0, 1) : parts).join(" ").slice(0, 500)
  const url = textAt(item, "url")
  const sides: Record<string, Value> = {}
  for (const condition of conditions) {
    const side = valueFor(item, watch, condition)
    if (side !== undefined) sides[sideOf(condition)] = side
  }
  const name = watch.name.map((field) => textAt(item, field)).find((text) => text !== null) ?? key
  const unit = watch.unit ? textAt(item, watch.unit) : null
  return { key, name: name.slice(0, maxText), url: isAddress(url) ? url : null, sides, unit }
}

function valueFor(item: Item, watch: Watch, condition: Condition): Value | undefined {
  const field = fieldOf(condition, watch)
  if (field === undefined) return undefined
  const value = at(item, field)
  switch (conditionKinds[condition.when].about) {
    case "value":
    case "days":
      return numberIn(value)
    case "stock":
      return typeof value === "boolean" ? value : undefined
    case "text":
      return textSide(item, watch, condition, value)
    default:
      return value === undefined || value === null ? null : digest(value)
  }
}

/** Whether the text is present; undefined if this item is about another text. */
function textSide(
  item: Item,
  watch: Watch,
  { field, text }: Condition,
  value: unknown,
): boolean | undefined {
  const expected = text?.toLowerCase()
  if (field !== undefined) {
    return expected === undefined
      ? !isEmpty(value)
      : written(value).toLowerCase().includes(expected)
  }
  if (!watch.text) return undefined
  const own = textAt(item, watch.text.expected)?.toLowerCase()
  return expected !== undefined && own !== expected ? undefined : value === true
}

/** Returns the lines of an item that contain a text. */
export function linesWith(item: Item, field: string, text: string): string[] {
  const lines = at(item, field)
  const expected = text.toLowerCase()
  return Array.isArray(lines)
    ? lines.filter((line) => typeof line === "string" && line.toLowerCase().includes(expected))
    : []
}

const imageFields = "imageUrl|image|photo|picture|thumbnailUrl|thumbnail|images|imageUrls"

/** Returns the URL of an item's image; null if it has none. */
export function imageOf(item: Item): string | null {
  const value = at(item, imageFields)
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === "string" && first.length <= 2048 && isAddress(first) ? first : null
}

/** Returns the value at `a.b`, or the first value of `a|b` that is set. */
export function at(item: Item, path: string): unknown {
  for (const one of path.split("|")) {
    const values = one
      .split(".")
      .reduce<unknown>(
        (inner, name) =>
          typeof inner === "object" && inner !== null && Object.hasOwn(inner, name)
            ? (inner as Item)[name]
            : undefined,
        item,
      )
    if (values !== undefined && values !== null) return values
  }
  return undefined
}

export function textAt(item: Item, path: string): string | null {
  const value = at(item, path)
  const text = typeof value === "number" ? String(value) : value
  return typeof text === "string" && text !== "" ? text : null
}

/** Pages write numbers as text: "56,65 €" is 56.65. */
function numberIn(value: unknown): number | null {
  if (typeof value === "number") return value
  if (typeof value !== "string") return null
  const text = value.trim()
  return text === "" || text.length > maxText ? null : numberInText(text, anywhere)
}

const anywhere = { country: null, language: null }

/** Returns short values unchanged, and a digest of long ones for comparison. */
function digest(value: unknown): Value {
  if (typeof value === "number" || typeof value === "boolean") return value
  const text = written(value)
  return text.length <= maxText ? text : `#${Bun.hash(text).toString(16)}`
}

const written = (value: unknown) =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value)

const isEmpty = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === false ||
  value === "" ||
  (Array.isArray(value) && value.length === 0)

const isAddress = (text: string | null) => /^https?:$/.test(URL.parse(text ?? "")?.protocol ?? "")
