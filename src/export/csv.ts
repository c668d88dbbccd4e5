import type { Scalar } from "./flatten.ts"
import { type TableOptions, table } from "./table.ts"

/**
 * Items as CSV for spreadsheets: RFC 4180 with CRLF and a byte order mark. Texts that a spreadsheet
 * would take for a formula begin with an apostrophe.
 */
export async function* csv(
  items: AsyncIterable<Record<string, unknown>>,
  options: TableOptions,
): AsyncGenerator<string> {
  let before = "\ufeff"
  for await (const row of table(items, options)) {
    yield before + line(row)
    before = ""
  }
}

function line(values: readonly Scalar[]): string {
  return `${values.map(cell).join(",")}\r\n`
}

/** What spreadsheets take for the beginning of a formula, also in its full-width forms. */
const formula = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/

function cell(value: Scalar): string {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  return /[",\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
