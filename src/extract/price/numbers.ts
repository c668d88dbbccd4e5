import { currencyOfCountry, type Place } from "./currencies.ts"
import { parsePrice } from "./prices.ts"

/** Returns the number of a short text, as its country writes it; null where there is none, or a date. */
export function numberIn(text: string, place: Place): number | null {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (/\d{4}-\d{2}-\d{2}/.test(text)) return null
  const amount = parsePrice(text, place)?.amount
  if (amount === undefined) return null
  return /(?:^|[^\p{L}\d.,])[-−]\s?\d/u.test(text) && !/\d\s*[-–—−]\s*\d/.test(text)
    ? -amount
    : amount
}

/** Where a page is from, by the end of its host and its language: how it writes numbers. */
export function placeOfPage(document: Document, url: string): Place {
  const ending = (URL.parse(url)?.hostname ?? "").split(".").at(-1)!.toUpperCase()
  const [language, region] = (document.documentElement.getAttribute("lang") ?? "").split(/[-_]/)
  const country = currencyOfCountry(ending)
    ? ending
    : region?.length === 2
      ? region.toUpperCase()
      : null
  return { country, language: language?.toLowerCase() || null }
}
