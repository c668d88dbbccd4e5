import type { Scalar } from "./flatten.ts"
import { type TableOptions, table } from "./table.ts"

/**
 * Yields items as CSV for spreadsheets: RFC 4180 with CRLF and a byte order mark. Texts that a
 * spreadsheet would read as a formula get a leading apostrophe.
 */
export async function* csv(
  items: AsyncIterable<Record<string, unknown>>,
  options: TableOptions & { delimiter?: string; bom?: boolean; header?: boolean },
): AsyncGenerator<string> {
  const { delimiter = ",", bom = true, header = true } = options
  const line = (values: readonly Scalar[]) =>
    `${values.map((value) => cell(value, delimiter)).join(delimiter)}\r\n`
  let before = bom ? "\ufeff" : ""
  const rows = table(items, options)
  if (!header) await rows.next()
  for await (const row of rows) {
    yield before + line(row)
    before = ""
  }
}

/**
 * First characters of texts that spreadsheets read as formulas, including their full-width forms.
 */
const formula = /^[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20]/

function cell(value: Scalar, delimiter: string): string {
  if (value === null) return ""
  if (typeof value !== "string") return String(value)
  const safe = formula.test(value) ? `'${value}` : value
  const isQuoted = safe.includes(delimiter) || /["\r\n]|^\s|\s$/.test(safe)
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : safe
}
