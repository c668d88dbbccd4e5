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

/** Returns the numbers of an object by key; `{}` if the value is not an object. */
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
  const stated = String(value).toLowerCase()
  if (stated === "1" || stated === "true") return true
  return stated === "0" || stated === "false" ? false : null
}

/** Words and signs that abbreviate counts on sites. Each means the same in all its languages. */
const units: [power: number, words: string][] = [
  [1e3, "k|thousand|tsd|mil|mila|tys|тыс|тис|rb|ribu|χιλ|千|천|พัน|ألف|हज़ार"],
  [1e4, "万|萬|만|หมื่น"],
  [1e5, "lakhs?|लाख|แสน"],
  [1e6, "m|million(?:s|en|es)?|millones|millón|mi(?:lhão|lhões|lioni|lione)|mio|mln|mill|млн"],
  [1e6, "jt|juta|tr|εκ|ล้าน|مليون"],
  [1e7, "crores?|करोड़"],
  [1e8, "億|亿|억"],
  [1e9, "b|bn|billions?|mrd|mld|md|млрд"],
]
const space = "[\\s'’\u00a0\u202f\u2009]"
const digitsForm = `\\d{1,3}(?:${space}\\d{3})+(?!\\d)(?:[.,]\\d+)?|\\d+(?:[.,]\\d+)*`
const unitWords = units.map(([, words]) => words).join("|")
/** Units of Asian scripts may have a word right after them: 4.5万回. Others end with a word. */
const afterUnit = "(?![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\d])"
/** Counters such as 人 may follow a number, the words for parts of a date may not. */
const notCounters = "[千천万萬만億亿억年月日時分秒년월일시분초]"
const letters =
  "[\\p{L}--[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}]]"
const afterNumber = `(?![.,]?\\d|${notCounters}|${letters})`

/** The source of a count with an optional unit: its groups are the digits and the unit. */
export const countSource = `(${digitsForm})(?:\\s*(${unitWords})${afterUnit}|${afterNumber})`
/** A number after another one with its unit (1億2000万) would be a part of the count only. */
const countForm = new RegExp(`(?<![\\d.,]|\\d[千천万萬만億亿억])${countSource}`, "iv")
const powers = units.map(([power, words]) => [power, new RegExp(`^(?:${words})$`, "iu")] as const)
const spaces = new RegExp(space, "gu")

/**
 * Returns the count that sites show as "1.2K", "27,4 M", "1,006", "2 805", "12.345", "1,23,456" or
 * "4.5万"; null if there is none.
 */
export function parseCount(text: unknown): number | null {
  if (typeof text === "number") return Number.isFinite(text) ? text : null
  if (typeof text !== "string") return null
  const match = countForm.exec(text)
  return match && countOf(match[1]!, match[2])
}

/** Returns the number of the groups of `countSource`. */
export function countOf(written: string, unit: string | undefined): number | null {
  const digits = written.replace(spaces, "")
  const power = unit ? powers.find(([, form]) => form.test(unit))?.[0] : undefined
  if (power === undefined) return wholeOf(digits)
  const isGrouped = /^\d{1,3}(?:,\d{3})+$/.test(digits)
  const number = Number(isGrouped ? digits.replaceAll(",", "") : digits.replace(",", "."))
  return Number.isFinite(number) ? Math.round(number * power) : null
}

/** Groups are of three digits, or Indian ones of two; a single other separator begins a fraction. */
function wholeOf(digits: string): number | null {
  const isGrouped =
    /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(digits) || /^\d{1,3}(?:,\d{2})*,\d{3}$/.test(digits)
  if (isGrouped) return Number(digits.replace(/[.,]/g, ""))
  const [whole, fraction] = splitFraction(digits)
  if (fraction !== null && whole !== digits && /[.,]/.test(whole)) return wholeOf(whole)
  return /^\d+$/.test(whole) ? Number(whole) : null
}

function splitFraction(digits: string): [whole: string, fraction: string | null] {
  const match = /^(.*\d)([.,])(\d+)$/.exec(digits)
  return match && !match[1]!.includes(match[2]!) ? [match[1]!, match[3]!] : [digits, null]
}

/** Rounded to a number of decimals. */
export function round(value: number, decimals = 2): number {
  const factor = 10 ** decimals
  return Math.round((value + Number.EPSILON) * factor) / factor
}
