import { extname } from "node:path"
import { parse } from "csv-parse/sync"
import { messageOf } from "../../base/error-message.ts"
import { parseJson } from "../../base/json-text.ts"
import { isHeadless, separatorOf, valueColumn } from "../../base/value-tables.ts"
import { workbookRows } from "../../engine/net/documents/workbook.ts"
import { BadUse } from "../common/bad-use.ts"
import { cannotRead } from "../common/file-errors.ts"

/** Maximum bytes of a list; larger lists need several runs. */
const maxBytes = 256 * 1024 * 1024

export interface WantedColumn {
  /** Name of the column. */
  column?: string | undefined
  /** Input that the values are for. */
  field?: string | undefined
}

/**
 * Reads the values of a list: lines; a column of CSV, TSV or a workbook's first sheet; a field of
 * JSON Lines, or their strings; a JSON array. `-` is standard input; a pattern such as
 * `lists/*.txt` matches several files. @throws BadUse
 */
export async function readList(from: string, wanted: WantedColumn = {}): Promise<string[]> {
  if (from === "-") return listOf(await Bun.stdin.text(), "", wanted, "standard input")
  const values: string[] = []
  for (const path of await filesOf(from)) {
    const ending = extname(path).toLowerCase()
    const rows =
      ending === ".xlsx"
        ? ofSheet(await readable(path, sheetOf), wanted, path)
        : listOf(await readable(path, (file) => file.text()), ending, wanted, path)
    for (const value of rows) values.push(value)
  }
  return values
}

async function filesOf(from: string): Promise<string[]> {
  if (await Bun.file(from).exists()) return [from]
  if (!/[*?[{]/.test(from)) return [from]
  const paths = await Array.fromAsync(new Bun.Glob(from).scan({ onlyFiles: true }))
  if (paths.length === 0) throw new BadUse(`No file matches ${from}; check the path.`)
  return paths.sort()
}

/** @throws BadUse */
async function readable<T>(path: string, read: (file: Bun.BunFile) => Promise<T>): Promise<T> {
  const file = Bun.file(path)
  if (file.size > maxBytes) throw new BadUse(`${path} is larger than 256 MB; split it.`)
  try {
    return await read(file)
  } catch (error) {
    throw cannotRead(path, error)
  }
}

const sheetOf = async (file: Bun.BunFile) =>
  Array.fromAsync(workbookRows(await file.bytes(), { id: "" }))

/** The values of one column; rows without a value are left out. */
function ofSheet(rows: string[][], { column, field }: WantedColumn, name: string): string[] {
  const [first = [], ...others] = rows.filter((row) => row.some((cell) => cell.trim() !== ""))
  if (first.length === 0) return []
  const names = first.map((title) => title.trim())
  const hasNames = column !== undefined || !isHeadless(names)
  const values = hasNames ? others : [first, ...others]
  const index =
    column === undefined
      ? valueColumn(hasNames ? names : names.map(() => ""), values, field)
      : names.indexOf(column)
  if (index === undefined || index < 0) throw noColumn(name, names, column)
  return values.map((row) => (row[index] ?? "").trim()).filter((text) => text !== "")
}

const noColumn = (name: string, columns: string[], wanted?: string) =>
  new BadUse(
    `${wanted === undefined ? `${name} has several columns` : `${name} has no column "${wanted}"`}; set --column to one of ${columns.join(", ")}.`,
  )

function listOf(text: string, ending: string, wanted: WantedColumn, name: string): string[] {
  const plain = text.replace(/^\ufeff/, "")
  if (ending === ".csv" || ending === ".tsv") {
    return ofTable(plain, ending === ".tsv" ? "\t" : separatorOf(plain), wanted, name)
  }
  if (ending === ".json") return ofValues(json(plain, name), wanted, name)
  if (ending === ".jsonl" || ending === ".ndjson" || (ending === "" && /^\s*[{"]/.test(plain))) {
    const rows = lines(plain).map((line, index) => json(line, `${name}, line ${index + 1}`))
    return ofValues(rows, wanted, name)
  }
  // A file without an extension is a table if a column is named.
  if (wanted.column !== undefined) return ofTable(plain, separatorOf(plain), wanted, name)
  return lines(plain)
}

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

function json(text: string, name: string): unknown {
  try {
    return parseJson(text)
  } catch (error) {
    throw new BadUse(`${name} is not valid JSON: ${messageOf(error)}.`)
  }
}

function ofTable(text: string, delimiter: string, wanted: WantedColumn, name: string): string[] {
  let rows: string[][]
  try {
    const options = { relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
    rows = parse(text, { delimiter, ...options })
  } catch (error) {
    throw new BadUse(
      `${name} is not a valid table: ${messageOf(error)}. Save it as CSV, or as one value per line in a .txt file.`,
    )
  }
  return ofSheet(rows, wanted, name)
}

function ofValues(values: unknown, { column, field }: WantedColumn, name: string): string[] {
  if (!Array.isArray(values))
    throw new BadUse(`${name} is not a JSON list, for example ["a", "b"].`)
  const texts = values.filter((value) => typeof value === "string" || typeof value === "number")
  if (texts.length === values.length) return texts.map(String).filter((text) => text !== "")
  const rows = values.filter((value) => typeof value === "object" && value !== null) as Row[]
  if (rows.length !== values.length)
    throw new BadUse(`${name} mixes texts and objects; use only one of the two.`)
  const columns = Object.keys(rows[0] ?? {})
  const textOf = (row: Row, of: string) => String(row[of] ?? "").trim()
  const cells = () => rows.map((row) => columns.map((of) => textOf(row, of)))
  const chosen = column ?? columns[valueColumn(columns, cells(), field) ?? -1]
  if (chosen === undefined || !columns.includes(chosen)) throw noColumn(name, columns, column)
  return rows.map((row) => textOf(row, chosen)).filter((text) => text !== "")
}

type Row = Record<string, unknown>
