/** What lists of values are read by, wherever they come from: files, uploads, the console. */

/** The separators of tables as text: spreadsheets write the one of their country. */
const separators = [",", ";", "\t"]
const maxLine = 100_000
/** Rows that are looked at before a column is chosen. */
export const rowsLookedAt = 50
/** Of a column's values: a few may be empty, or notes. */
const mostlyShare = 0.9

/** Returns the separator of a table by its first line; what is in quotes does not count. */
export function separatorOf(text: string): string {
  const line = text.slice(0, maxLine).split("\n", 1)[0] ?? ""
  const plain = line.replace(/"(?:[^"]|"")*"/g, "")
  const count = (sign: string) => plain.split(sign).length
  return separators.reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

const isUrl = (text: string): boolean =>
  /^https?:\/\/[^\s]+$/i.test(text.trim()) && URL.canParse(text.trim())

/** Whether a first row holds values: names of columns are no URLs. */
export const isHeadless = (first: readonly string[]): boolean => first.some(isUrl)

/** Names of columns that mostly hold what is meant. */
const usualNames = ["url", "urls", "link", "address", "query", "domain", "name", "id"]

/**
 * Returns the place of the column that holds the values: the only one, the one that is called like the
 * input that they fill, the only one of URLs, or one of a usual name. Undefined where that leaves a doubt.
 */
export function valueColumn(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  /** The name of the input. */
  field?: string,
): number | undefined {
  if (names.length === 1) return 0
  const plain = names.map((name) => name.trim().toLowerCase())
  const placeOf = (name: string) => plain.indexOf(name)
  const own = field?.toLowerCase() ?? ""
  const ofUrls = names.flatMap((_, place) => (isOfUrls(rows, place) ? [place] : []))
  const named = [own, own.replace(/s$/, ""), ...usualNames]
    .filter((name) => name !== "")
    .map(placeOf)
    .filter((place) => place >= 0)
  const [first] = named
  // "address" may be a street, and "id" a number, if there is also a column of URLs.
  if (ofUrls.length > 0 && !isOtherInput(own)) {
    return (
      named.find((place) => ofUrls.includes(place)) ?? (ofUrls.length === 1 ? ofUrls[0] : undefined)
    )
  }
  return first ?? (ofUrls.length === 1 ? ofUrls[0] : undefined)
}

/** Whether an input is for something other than a URL: packages, queries, IDs. */
const isOtherInput = (field: string) => field !== "" && !/url|page|link|site|address/.test(field)

function isOfUrls(rows: readonly (readonly string[])[], place: number): boolean {
  const values = rows
    .slice(0, rowsLookedAt)
    .map((row) => (row[place] ?? "").trim())
    .filter((value) => value !== "")
  return values.length > 0 && values.filter(isUrl).length >= values.length * mostlyShare
}
