import { countryCurrencies, everydaySigns, isoCodes, signTable } from "./currency-tables.ts"

const bySign = new Map(
  signTable.flatMap(([signs, currencies]) =>
    signs.split(" ").map((sign) => [sign.replace("\u00a0", " "), currencies.split(" ")]),
  ),
)
bySign.set("دينار كويتي", ["KWD"])
bySign.set("دينار أردني", ["JOD"])

const currencyByCountry = new Map(
  [...countryCurrencies].map((pair) => pair.split(":") as [country: string, currency: string]),
)

const isSafe = (sign: string) => !/^\p{L}\.?$/u.test(sign) && !everydaySigns.has(sign)

/** Signs and codes, the longest first, so that `US$` is not taken for `$`. */
const writtenSigns = [...bySign.keys()].sort((a, b) => b.length - a.length)
const escaped = (sign: string) => sign.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(" ", "\\s?")

/** Letters of a sign must not go on in a word. */
function bounded(sign: string): string {
  const start = /^\p{L}/u.test(sign) ? "(?<!\\p{L})" : ""
  // "руб" also begins "рублей".
  const end = /\p{L}$/u.test(sign) && !/^руб$/i.test(sign) ? "(?!\\p{L})" : ""
  return `${start}${escaped(sign)}${end}`
}

const codePattern = `(?<!\\p{L})(?:${[...isoCodes].join("|")})(?!\\p{L})`
const codePatternLower = `(?<!\\p{L})(?:${[...isoCodes].join("|").toLowerCase()})(?!\\p{L})`
const allSigns = writtenSigns.map(bounded).join("|")
const safeSigns = writtenSigns.filter(isSafe).map(bounded).join("|")

const atEnd = new RegExp(`(?:${allSigns}|${codePattern}|${codePatternLower})\\s*[:=]?\\s*$`, "u")
const atStart = new RegExp(`^\\s*(?:${allSigns}|${codePattern}|${codePatternLower})`, "u")
const codeAtStart = new RegExp(`^\\s*(${codePattern})`, "u")
const codeBeforeDollar = new RegExp(`(${codePattern})\\s?\\$\\s*$`, "u")
const anywhere = new RegExp(`${safeSigns}|${codePattern}`, "u")

/** The sign that ends a text, right before an amount. */
export function signBefore(text: string): string | null {
  return tidy(atEnd.exec(text.slice(-24))?.[0])
}

/** The sign that starts a text, right after an amount. */
export function signAfter(text: string): string | null {
  return tidy(atStart.exec(text.slice(0, 24))?.[0])
}

/** Returns a code on either side of an amount, which is more specific than its `$`. */
export function adjacentCode(before: string, after: string): string | null {
  return tidy(
    codeBeforeDollar.exec(before.slice(-24))?.[1] ?? codeAtStart.exec(after.slice(0, 24))?.[1],
  )
}

/** The first sign or code in a text that means money anywhere. */
export function signIn(text: string): string | null {
  return tidy(anywhere.exec(text)?.[0])
}

/** Returns the sign that is the whole text, for example of an element next to the amount. */
export function signAlone(text: string): string | null {
  const sign = text.trim()
  return bySign.has(sign) || isoCodes.has(sign.toUpperCase()) ? sign : null
}

const tidy = (match: string | undefined) => match?.replace(/[:=\s]*$/, "").trim() || null

/** The country and language of a shop, if the page states them. */
export interface Locale {
  /** ISO 3166 alpha-2. */
  country?: string | null
  language?: string | null
}

/**
 * Returns the ISO code of a sign, a code or a name of money; null if only the place could decide. A sign of
 * several currencies is the page's own currency, else that of the place.
 */
export function currencyOf(
  sign: string | null,
  locale: Locale & { currency?: string | null } = {},
): string | null {
  if (sign === null) return null
  const upper = sign.toUpperCase()
  if (upper === "RMB") return "CNY"
  if (isoCodes.has(upper)) return upper
  const currencies = bySign.get(sign) ?? bySign.get(sign.replace(/\s/g, "")) ?? []
  if (locale.currency && currencies.includes(locale.currency)) return locale.currency
  const local = currencyByCountry.get(locale.country?.toUpperCase() ?? "")
  if (local && currencies.includes(local)) return local
  const language = locale.language?.slice(0, 2).toLowerCase()
  const byLanguage = {
    sv: "SEK",
    nb: "NOK",
    no: "NOK",
    nn: "NOK",
    da: "DKK",
    is: "ISK",
    zh: "CNY",
    ja: "JPY",
  }
  const spoken = byLanguage[language as keyof typeof byLanguage]
  if (spoken && currencies.includes(spoken)) return spoken
  return currencies.length > 1 && currencies.includes("SEK") ? null : currencies[0] || null
}

export function isCurrencyCode(text: string | null | undefined): text is string {
  return isoCodes.has(text ?? "")
}

/** The money of a country; undefined for countries that are not known. */
export function currencyOfCountry(country: string): string | undefined {
  return currencyByCountry.get(country.toUpperCase())
}
