import { words } from "../../core/index.ts"
import { placeholders } from "./words.ts"

/**
 * Returns the digits of a GTIN, EAN, UPC or ISBN without separators, if a property contains one; null if
 * its form is not valid.
 */
export function statedGtin(text: string | null | undefined): string | null {
  const digits = (text ?? "")
    .replace(/^\s*(?:urn:)?(?:isbn|ean|gtin|upc)(?:-?(?:1[0-4]|8))?\s*[:#]?\s*/i, "")
    .replace(/[\s-]/g, "")
  return /^(?:\d{8}|\d{12,14}|\d{9}[\dXx])$/.test(digits) && !/^0+$/.test(digits) ? digits : null
}

/** The same for a text or field that may hold other numbers: the check digit must be right. */
export function gtinOf(text: string | null | undefined): string | null {
  const digits = statedGtin(text)
  if (digits === null) return null
  return (digits.length === 10 ? isIsbn10(digits) : hasCheckDigit(digits)) ? digits : null
}

/** GS1: from the right, digits weigh three and one in turn, and sum to a multiple of ten. */
function hasCheckDigit(digits: string): boolean {
  const sum = [...digits].reverse().reduce((s, d, at) => s + Number(d) * (at % 2 === 0 ? 1 : 3), 0)
  return sum % 10 === 0
}

function isIsbn10(digits: string): boolean {
  const values = [...digits].map((digit) => (/x/i.test(digit) ? 10 : Number(digit)))
  return values.reduce((s, d, at) => s + d * (10 - at), 0) % 11 === 0
}

/** Returns whether a text is a template's empty value, or a seller's substitute for one. */
export const isPlaceholder = (text: string) => placeholder.test(text.trim())

const placeholder = new RegExp(
  String.raw`^(?:\$\w+|\{\{.*|%\w+%|[-–—.?x0]+|${words(placeholders)})$`,
  "i",
)
