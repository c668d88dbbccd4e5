/** Shared readers of value lists in files, uploads and the console. */

/** Separators of tables as text; spreadsheets use that of their locale. */
const separators = [",", ";", "\t"]
const maxLine = 100_000
/** Rows examined before a column is selected. */
export const rowsLookedAt = 50
/** Minimum share of matching values in a column: a few may be empty, or notes. */
const mostlyShare = 0.9

/** Returns the separator of a table by its first line, ignoring quoted text. */
export function separatorOf(text: string): string {
  const line = text.slice(0, maxLine).split("\n", 1)[0] ?? ""
  const plain = line.replace(/"(?:[^"]|"")*"/g, "")
  const count = (sign: string) => plain.split(sign).length
  return separators.reduce((best, sign) => (count(sign) > count(best) ? sign : best))
}

const isUrl = (text: string): boolean =>
  /^https?:\/\/[^\s]+$/i.test(text.trim()) && URL.canParse(text.trim())

/** Whether the first row contains values: names of columns are not URLs. */
export const isHeadless = (first: readonly string[]): boolean => first.some(isUrl)

/** Usual names of columns with values. */
const usualNames = ["url", "urls", "link", "address", "query", "domain", "name", "id"]

/**
 * Returns the index of the column with the values: the only one, the one named like the input, the
 * only one with URLs, or one with a usual name. Undefined if it is ambiguous.
 */
export function valueColumn(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  /** Name of the input. */
  field?: string,
): number | undefined {
  if (names.length === 1) return 0
  const plain = names.map((name) => name.trim().toLowerCase())
  const indexOf = (name: string) => plain.indexOf(name)
  const own = field?.toLowerCase() ?? ""
  const ofUrls = names.flatMap((_, index) => (isOfUrls(rows, index) ? [index] : []))
  const named = [own, own.replace(/s$/, ""), ...usualNames]
    .filter((name) => name !== "")
    .map(indexOf)
    .filter((index) => index >= 0)
  const [first] = named
  // "address" may be a postal address, and "id" a number, if there is also a column of URLs.
  if (ofUrls.length > 0 && !isOtherInput(own)) {
    return (
      named.find((index) => ofUrls.includes(index)) ?? (ofUrls.length === 1 ? ofUrls[0] : undefined)
    )
  }
  return first ?? (ofUrls.length === 1 ? ofUrls[0] : undefined)
}

/** Whether an input is for something other than a URL: packages, queries, IDs. */
const isOtherInput = (field: string) => field !== "" && !/url|page|link|site|address/.test(field)

function isOfUrls(rows: readonly (readonly string[])[], index: number): boolean {
  const values = rows
    .slice(0, rowsLookedAt)
    .map((row) => (row[index] ?? "").trim())
    .filter((value) => value !== "")
  return values.length > 0 && values.filter(isUrl).length >= values.length * mostlyShare
}
