import { Readable } from "node:stream"
import { messageOf } from "../../base/error-message.ts"
import type { Tenant } from "../../base/fair-gate.ts"
import { isHeadless, rowsLookedAt, separatorOf, valueColumn } from "../../base/value-tables.ts"
import { briefText, type InputIssue } from "../../catalogue/kit/index.ts"
import { issue, readBytes } from "../http/body.ts"
import { ApiError, invalid } from "../http/errors.ts"

/** A list in a request: values, each with its line or row number. */
export interface List {
  values: string[]
  lines: number[]
}

export const maxListBytes = 16 * 1024 * 1024
export const maxValues = 100_000
/** Maximum time to receive a list; connections may be slow. */
const withinMs = 120_000
const maxRow = 100_000
/** Rows read before yielding to other work. */
const chunkSize = 1_000
const slice = 64 * 1024

/** Accepted media types. */
const listTypes = {
  "text/plain": "lines",
  "text/csv": "table",
  "text/tab-separated-values": "table",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "workbook",
} as const

interface WantedColumn {
  /** Name of the column. */
  column?: string | undefined
  /** Input that the values are for. */
  field?: string | undefined
}

/** @throws ApiError 400, 408, 413, 415 */
export async function readList(
  request: Request,
  { column, field }: WantedColumn,
  tenant: Tenant,
): Promise<List> {
  const typeHeader = request.headers.get("content-type") ?? ""
  const type = typeHeader.replace(/;.*/, "").trim().toLowerCase()
  const form = (listTypes as Record<string, string | undefined>)[type]
  if (!form) {
    const known = Object.keys(listTypes).join(", ")
    throw new ApiError(415, `The body must be one of ${known}${type && `, not ${type}`}.`)
  }
  const bytes = await readBytes(request, { max: maxListBytes, withinMs })
  if (form === "workbook") return columnOf(sheetRows(bytes, tenant), column, field)
  const text = textOf(bytes)
  return form === "lines" ? linesOf(text) : columnOf(tableRows(text), column, field)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw refused("The list is not valid UTF-8. Save it as UTF-8.", "UTF-8")
  }
}

function linesOf(text: string): List {
  const list: List = { values: [], lines: [] }
  for (const [index, line] of text.split("\n").entries()) add(list, line, index + 1)
  return list
}

interface Row {
  cells: string[]
  line: number
}
type Rows = AsyncIterable<Row>

/** Reads a table whose first line is separated by commas, semicolons or tabs. */
async function* tableRows(text: string): Rows {
  const { parse } = await import("csv-parse")
  const parser = parse({
    delimiter: separatorOf(text),
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: maxRow,
  })
  function* parts() {
    for (let from = 0; from < text.length; from += slice) yield text.slice(from, from + slice)
  }
  let count = 0
  try {
    for await (const { record, info } of Readable.from(parts()).pipe(parser)) {
      if (++count % chunkSize === 0) await new Promise((resolve) => setImmediate(resolve))
      yield { cells: record as string[], line: (info as { lines: number }).lines }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw refused(`The list is not a table: ${messageOf(error)}.`, "CSV with a header row")
  }
}

async function* sheetRows(bytes: Uint8Array<ArrayBuffer>, tenant: Tenant): Rows {
  const { workbookRows } = await import("../../engine/net/documents/workbook.ts")
  const rows = workbookRows(bytes, tenant)
  for (let line = 1; ; line++) {
    const next = await rows.next().catch((error) => {
      throw refused(`The workbook cannot be read: ${messageOf(error)}`, "an Excel workbook")
    })
    if (next.done) return
    yield { cells: next.value, line }
  }
}

/** Selects a column: by the requested name, or the one that is unambiguous by name or values. */
async function columnOf(
  rows: Rows,
  wanted: string | undefined,
  field: string | undefined,
): Promise<List> {
  const list: List = { values: [], lines: [] }
  const first: Row[] = []
  let column = -1
  const choose = () => {
    column = columnIndex(first, wanted, field)
    for (const { cells, line } of first.splice(0)) add(list, cells[column] ?? "", line)
  }
  for await (const row of rows) {
    if (column >= 0) add(list, row.cells[column] ?? "", row.line)
    else if (first.push(row) > rowsLookedAt) choose()
  }
  if (first.length > 0) choose()
  return list
}

/** Removes the header from the rows, if there is one. @throws ApiError 400 */
function columnIndex(rows: Row[], wanted: string | undefined, field: string | undefined): number {
  const names = rows[0]!.cells.map((name) => name.trim())
  const hasNames = wanted !== undefined || !isHeadless(names)
  if (hasNames) rows.shift()
  const values = rows.map(({ cells }) => cells)
  const column =
    wanted === undefined
      ? valueColumn(hasNames ? names : names.map(() => ""), values, field)
      : names.indexOf(wanted)
  if (column === undefined || column < 0) throw invalid([columnIssue(wanted, names)], "query")
  return column
}

function columnIssue(wanted: string | undefined, names: string[]): InputIssue {
  const known = names
    .slice(0, 20)
    .map((name) => briefText(name))
    .join(", ")
  const message =
    wanted === undefined
      ? `Set "column" to the column of the values: ${known}.`
      : `The table has no column "${briefText(wanted)}"; it has ${known}.`
  return { field: "column", message, expected: known }
}

/** @throws ApiError 400 */
function add({ values, lines }: List, text: string, line: number): void {
  const value = text.trim()
  if (value === "") return
  if (values.length === maxValues) {
    throw refused(
      `The list has more than ${maxValues} values. Divide it.`,
      `at most ${maxValues} values`,
    )
  }
  values.push(value)
  lines.push(line)
}

const refused = (message: string, expected: string) =>
  invalid([issue("", message, expected)], "body")
