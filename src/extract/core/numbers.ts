/** A number, or a text that is one, as a number; null for everything else, "" and null included. */
export function numberOrNull(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value !== "string" || value.trim() === "") return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Like numberOrNull, for values that count: fractions are cut off. */
export function integerOrNull(value: unknown): number | null {
  const number = numberOrNull(value)
  return number === null ? null : Math.trunc(number)
}

/** The numbers of an object, by key; `{}` when the value is no object. */
export function numberRecord(value: unknown): Record<string, number> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return {}
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, number]) => [key, numberOrNull(number)] as const)
      .filter((entry): entry is [string, number] => entry[1] !== null),
  )
}

/** Yes or no, also as upstreams write it that know no such values: 1, "0", "true". */
export function booleanOrNull(value: unknown): boolean | null {
  if (typeof value === "boolean") return value
  if (typeof value !== "number" && typeof value !== "string") return null
  const said = String(value).toLowerCase()
  if (said === "1" || said === "true") return true
  return said === "0" || said === "false" ? false : null
}

const scales: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9, bn: 1e9, mil: 1e6, mio: 1e6 }

/** A count as sites show it: "1.2K", "27,4 M", "1,006", "2 805", "12.345". Null when it is none. */
export function parseCount(text: unknown): number | null {
  if (typeof text === "number") return Number.isFinite(text) ? text : null
  if (typeof text !== "string") return null
  const match =
    /(\d(?:[\d\s.,'’\u00a0\u202f\u2009]*\d)?)\s*(bn|mio|mil|[kmb])?(?![\p{L}\d])/iu.exec(text)
  if (!match) return null
  const scale = match[2] ? scales[match[2].toLowerCase()]! : 1
  const digits = match[1]!.replace(/[\s'’\u00a0\u202f\u2009]/g, "")
  if (scale === 1) {
    return /^\d{1,3}(?:[.,]\d{3})+$/.test(digits) || !/[.,]/.test(digits)
      ? Number(digits.replace(/[.,]/g, ""))
      : Math.trunc(Number(digits.replace(",", ".")))
  }
  const grouped = /^\d{1,3}(?:,\d{3})+$/.test(digits)
  return Math.round(Number(grouped ? digits.replaceAll(",", "") : digits.replace(",", ".")) * scale)
}

/** Rounded to a number of decimals. */
export function round(value: number, decimals = 2): number {
  const factor = 10 ** decimals
  return Math.round((value + Number.EPSILON) * factor) / factor
}
