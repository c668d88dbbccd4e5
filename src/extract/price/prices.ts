import { words } from "../core/index.ts"
import {
  adjacentCode,
  currencyOf,
  type Locale,
  signAfter,
  signAlone,
  signBefore,
  signIn,
} from "./currencies.ts"
import { threeDecimals } from "./currency-tables.ts"
import { free, oldPrices, units } from "./words.ts"

export interface Price {
  amount: number
  /** ISO 4217; null if the text does not identify it. */
  currency: string | null
  /** As in the text: `€`, `US$`, `руб.` */
  sign: string | null
  /** The text calls it the price before a reduction. */
  isOld: boolean
}

export interface PriceHints extends Locale {
  /** A text next to the price that may hold the currency: an element's text, a code, a label. */
  currencyText?: string | null
  /** The currency of the page. */
  currency?: string | null
}

const spaces = /[\u00a0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff]/g

/** One amount: groups of three by spaces, apostrophes, dots or commas, then perhaps decimals. */
const amountPattern = new RegExp(
  String.raw`(?<!\d)(?:${[
    String.raw`\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,] ?\d{1,2}(?!\d))?`,
    String.raw`\d+(?:[.,'’]\d+)*(?:[.,] \d{2}(?!\d))?`,
    String.raw`[.,]\d{1,2}`,
  ].join("|")})(?!\d)`,
  "gu",
)

const monthName = /(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[.,]?\s*$/i
const unit = new RegExp(String.raw`^\s?(?:${words(units)})`, "i")
const oldPriceBefore = new RegExp(String.raw`(?:\b(?:${words(oldPrices)})\b:?\s*)\S{0,4}\s*$`, "i")
const freeOfCharge = new RegExp(String.raw`(?:^|\s)(?:${words(free)})(?:\s*[!.])?\s*$`, "i")
const thresholdBefore = /(?:free (?:shipping|delivery)|orders?|over|versand ab|above)\b[^.]*$/i
const minimumOrder = /(?:мин\.? заказ|min\.? order):?\s*$/i
const instalment = /^\S{0,4}\s*(?:\/|per |pro |al |par |a )\s?(?:mo\b|month|monat|mes\b|mois|mese)/i

const oldPrice = 2

interface Candidate {
  text: string
  sign: string | null
  /** How unlikely it is the price to pay: 2 for old prices, 3 for instalments and zeros. */
  doubt: number
}

/**
 * Returns the price in a text. A number with a currency sign wins over bare ones, the first over later
 * ones. Percentages, dates and quantities do not count; old prices (`was …`) and instalments count only
 * if there is nothing else.
 *
 * @example
 * ```ts
 * parsePrice("was €30, now €19.99") // { amount: 19.99, currency: "EUR", sign: "€", isOld: false }
 * ```
 */
export function parsePrice(text: string, hints: PriceHints = {}): Price | null {
  const source = text.replace(spaces, " ")
  const chosen = best(amountsIn(source))
  const sign = chosen?.sign ?? signIn(source) ?? hintedSign(hints)
  const currency = currencyOf(sign, hints) ?? hints.currency ?? null
  if (!chosen) return isFree(source) ? { amount: 0, currency, sign, isOld: false } : null
  const amount = parseAmount(chosen.text, currency)
  return amount === null ? null : { amount, currency, sign, isOld: chosen.doubt === oldPrice }
}

function best(candidates: Candidate[]): Candidate | undefined {
  const signed = candidates.filter((candidate) => candidate.sign !== null)
  const pool = signed.length > 0 ? signed : candidates
  return pool.toSorted((a, b) => a.doubt - b.doubt)[0]
}

/** Returns the currency sign of a text and its hints, also without an amount. */
export function priceSign(text: string, hints: PriceHints = {}): string | null {
  const source = text.replace(spaces, " ")
  return (
    amountsIn(source).find((amount) => amount.sign !== null)?.sign ??
    signIn(source) ??
    hintedSign(hints)
  )
}

function hintedSign({ currencyText }: PriceHints): string | null {
  if (!currencyText) return null
  const hint = currencyText.replace(spaces, " ")
  return signAlone(hint) ?? best(amountsIn(hint))?.sign ?? signIn(hint)
}

/**
 * An amount as people write it. The last separator is the decimal sign when one, two, or more than
 * three digits follow it; exactly three are a group, unless the currency has three decimals.
 */
export function parseAmount(written: string, currency: string | null = null): number | null {
  const digits = written.replace(spaces, " ").replace(/[ '’]/g, "")
  const last = Math.max(digits.lastIndexOf("."), digits.lastIndexOf(","))
  if (last < 0) return toNumber(digits)
  const separator = digits[last]!
  const decimals = digits.length - last - 1
  const several = digits.indexOf(separator) !== last
  const other = digits.includes(separator === "." ? "," : ".")
  const isGroup =
    decimals === 3 &&
    (several ||
      !(
        other ||
        last === 0 ||
        /^0[.,]/.test(digits) ||
        (currency !== null && threeDecimals.has(currency))
      ))
  const whole = digits.slice(0, last).replace(/[.,]/g, "")
  const rest = digits.slice(last + 1)
  if (decimals === 0) return toNumber(whole)
  return isGroup || (several && decimals > 2)
    ? toNumber(whole + rest)
    : toNumber(`${whole || "0"}.${rest}`)
}

function toNumber(text: string): number | null {
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null
}

function amountsIn(source: string): Candidate[] {
  const candidates: Candidate[] = []
  const matches = [...source.matchAll(amountPattern)]
  for (const [index, match] of matches.entries()) {
    const before = source.slice(Math.max(0, match.index - 40), match.index)
    let text = match[0]
    const end = match.index + text.length
    const after = source.slice(end, end + 40).replace(/^[,.]?[-–—]+(?!\s?\d)/, "")
    const cents = /^ ?[€£$] ?(\d{2})(?![\d.,]|\s?%)/.exec(after)
    const next = matches[index + 1]
    const sign =
      signAt(before, after) ??
      rangeSign(
        source.slice(end, next?.index),
        next ? source.slice(next.index + next[0].length) : "",
      )
    if (cents && !/[.,]/.test(text)) text = `${text}.${cents[1]}`
    if (isNoPrice(text, before, after, sign)) continue
    candidates.push({ text, sign, doubt: doubtOf(text, before, after) })
  }
  return candidates
}

function signAt(before: string, after: string): string | null {
  const sign = signBefore(before) ?? signAfter(after)
  return sign === "$" ? (adjacentCode(before, after) ?? sign) : sign
}

/** In `26 to 50 €` the sign counts for both. */
function rangeSign(between: string, after: string): string | null {
  return /^\s*(?:to|bis|до|[-–—])\s*$/i.test(between) ? signAfter(after) : null
}

function doubtOf(text: string, before: string, after: string): number {
  if (oldPriceBefore.test(before)) return oldPrice
  // A zero is an empty field.
  return instalment.test(after) || Number(text.replace(/[.,]/g, "")) === 0 ? 3 : 0
}

function isNoPrice(text: string, before: string, after: string, sign: string | null): boolean {
  if (/^\s?%/.test(after)) return true
  if (/^\s?\+/.test(after) && thresholdBefore.test(before)) return true
  if (sign !== null) return false
  const isDate = /^\d{1,2}[.]\d{1,2}[.]\d{4}$/.test(text) || monthName.test(before)
  const isPartOfCode = /\p{L}$|[\d\p{L}][-/]$/u.test(before) || /^[-/:]\d/.test(after)
  return isDate || isPartOfCode || unit.test(after) || minimumOrder.test(before)
}

const isFree = (source: string) => freeOfCharge.test(source)
