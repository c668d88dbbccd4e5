import { currencyOfCountry, type Locale } from "./currencies.ts"
import { parseAmount, parsePrice } from "./prices.ts"

const figure = String.raw`\d[\d.,'’]*`
/** "4.5 of 5 stars", "4,5 / 5": the first is the number. */
const ofTotal = new RegExp(
  `^\\D{0,40}?(${figure})\\s*(?:/|of|out of|von|sur|de|su|из)\\s*${figure}`,
  "iu",
)

/**
 * Returns the number of a short text, as its country writes it: a price, the first of "4.5 of 5", or the
 * only number with its unit. Returns null for a date, and for several numbers of which none is a price.
 */
export function numberIn(text: string, locale: Locale): number | null {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return Number(text)
  if (/\d{4}-\d{2}-\d{2}/.test(text)) return null
  const price = parsePrice(text, locale)
  const rated = price?.sign ? null : ofTotal.exec(text)
  if (rated) return parseAmount(rated[1]!.replace(/[.,]$/, ""))
  const amount = price?.amount ?? onlyNumberIn(text)
  if (amount === null) return null
  return /(?:^|[^\p{L}\d.,])[-−]\s?\d/u.test(text) && !/\d\s*[-–—−]\s*\d/.test(text)
    ? -amount
    : amount
}

/** Returns the number of "43 cm" or "12 reviews"; null if the text has several, or a date. */
function onlyNumberIn(text: string): number | null {
  const all = [...text.matchAll(new RegExp(figure, "g"))]
  const isDate = /\d[./]\d{1,2}[./]\d/.test(text)
  return all.length === 1 && !isDate ? parseAmount(all[0]![0].replace(/[.,]$/, "")) : null
}

/** Returns the locale of a page by its host's ending and its language, which decides number formats. */
export function localeOfPage(document: Document, url: string): Locale {
  const ending = (URL.parse(url)?.hostname ?? "").split(".").at(-1)!.toUpperCase()
  const [language, region] = (document.documentElement.getAttribute("lang") ?? "").split(/[-_]/)
  const country = currencyOfCountry(ending)
    ? ending
    : region?.length === 2
      ? region.toUpperCase()
      : null
  return { country, language: language?.toLowerCase() || null }
}
