import { Readable } from "node:stream"
import { messageOf } from "../../base/error-message.ts"
import { briefText, type InputFault, usualColumn } from "../../catalogue/kit/index.ts"
import { fault, readBytes } from "../http/body.ts"
import { ApiError, invalid } from "../http/errors.ts"

/** A list as a caller sends it: values, each with the line or row where it stands. */
export interface List {
  values: string[]
  lines: number[]
}

export const mostListBytes = 16 * 1024 * 1024
export const mostValues = 100_000
/** A list may come over a slow line. */
const withinMs = 120_000
const longestRow = 100_000
/** Rows read between two turns of others. */
const turn = 1_000
const slice = 64 * 1024

/** What can be sent, by media type. */
const listTypes = {
  "text/plain": "lines",
  "text/csv": "table",
  "text/tab-separated-values": "table",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "workbook",
} as const

/** @throws ApiError 400, 408, 413, 415 */
export async function readList(request: Request, column: string | undefined): Promise<List> {
  const stated = request.headers.get("content-type") ?? ""
  const type = stated.replace(/;.*/, "").trim().toLowerCase()
  const form = (listTypes as Record<string, string | undefined>)[type]
  if (!form) {
    const known = Object.keys(listTypes).join(", ")
    throw new ApiError(415, `The body must be one of ${known}${type && `, not ${type}`}.`)
  }
  const bytes = await readBytes(request, { most: mostListBytes, withinMs })
  if (form === "workbook") return columnOf(await sheetRows(bytes), column)
  const text = textOf(bytes)
  return form === "lines" ? linesOf(text) : columnOf(tableRows(text), column)
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw refused("The list is no text in UTF-8.", "UTF-8")
  }
}

function linesOf(text: string): List {
  const list: List = { values: [], lines: [] }
  for (const [index, line] of text.split("\n").entries()) add(list, line, index + 1)
  return list
}

type Rows = AsyncIterable<{ cells: string[]; line: number }>

/** A table by the commas, semicolons or tabs of its first line. */
async function* tableRows(text: string): Rows {
  const { parse } = await import("csv-parse")
  const [first = ""] = text.split("\n", 1)
  const delimiter = [",", ";", "\t"].sort(
    (a, b) => first.split(b).length - first.split(a).length,
  )[0]!
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: longestRow,
  })
  function* parts() {
    for (let from = 0; from < text.length; from += slice) yield text.slice(from, from + slice)
  }
  let count = 0
  try {
    for await (const { record, info } of Readable.from(parts()).pipe(parser)) {
      if (++count % turn === 0) await new Promise((resolve) => setImmediate(resolve))
      yield { cells: record as string[], line: (info as { lines: number }).lines }
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw refused(`The list is no table: ${messageOf(error)}.`, "CSV with a line of names")
  }
}

async function* sheetRows(bytes: Uint8Array<ArrayBuffer>): Rows {
  const { workbookRows } = await import("../../engine/documents/workbook.ts")
  let rows: string[][]
  try {
    rows = await workbookRows(bytes)
  } catch (error) {
    throw refused(`The workbook cannot be read: ${messageOf(error)}`, "a workbook of Excel")
  }
  for (const [index, cells] of rows.entries()) yield { cells, line: index + 1 }
}

/** One column: the one of this name, the only one, or one of a usual name. */
async function columnOf(rows: Rows, wanted: string | undefined): Promise<List> {
  const list: List = { values: [], lines: [] }
  let place = -1
  for await (const { cells, line } of rows) {
    if (place >= 0) {
      add(list, cells[place] ?? "", line)
      continue
    }
    const names = cells.map((name) => name.trim())
    // A list of addresses alone has no name above it.
    const isBare = wanted === undefined && names.length === 1 && URL.canParse(names[0]!)
    place = isBare ? 0 : names.indexOf(wanted ?? usualColumn(names) ?? "")
    if (place < 0) throw invalid([columnFault(wanted, names)], "query")
    if (isBare) add(list, names[0]!, line)
  }
  return list
}

function columnFault(wanted: string | undefined, names: string[]): InputFault {
  const known = names
    .slice(0, 20)
    .map((name) => briefText(name))
    .join(", ")
  const message =
    wanted === undefined
      ? `Name the column that holds the values by "column": ${known}.`
      : `The table has no column "${briefText(wanted)}"; it has ${known}.`
  return { field: "column", message, expected: known }
}

/** @throws ApiError 400 */
function add({ values, lines }: List, text: string, line: number): void {
  const value = text.trim()
  if (value === "") return
  if (values.length === mostValues) {
    throw refused(`The list has more than ${mostValues} values.`, `at most ${mostValues} values`)
  }
  values.push(value)
  lines.push(line)
}

const refused = (message: string, expected: string) =>
  invalid([fault("", message, expected)], "body")
