import { extname } from "node:path"
import { parse } from "csv-parse/sync"
import { messageOf } from "../../base/error-message.ts"
import { usualColumn } from "../../catalogue/kit/index.ts"
import { workbookRows } from "../../engine/documents/workbook.ts"
import { BadUse } from "../bad-use.ts"

/** Larger lists are for several runs. */
const mostBytes = 256 * 1024 * 1024

/**
 * The values of a list: lines; a column of CSV, TSV or a workbook's first sheet; a field of JSON Lines, or their
 * texts; a JSON array. `-` is standard input; a pattern such as `lists/*.txt` is all files that fit it. @throws BadUse
 */
export async function readList(from: string, column?: string): Promise<string[]> {
  if (from === "-") return listOf(await Bun.stdin.text(), "", column, "standard input")
  const values: string[] = []
  for (const path of await filesOf(from)) {
    const ending = extname(path).toLowerCase()
    const found =
      ending === ".xlsx"
        ? ofSheet(await readable(path, sheetOf), column, path)
        : listOf(await readable(path, (file) => file.text()), ending, column, path)
    for (const value of found) values.push(value)
  }
  return values
}

async function filesOf(from: string): Promise<string[]> {
  if (await Bun.file(from).exists()) return [from]
  if (!/[*?[{]/.test(from)) return [from]
  const found = await Array.fromAsync(new Bun.Glob(from).scan({ onlyFiles: true }))
  if (found.length === 0) throw new BadUse(`No file fits ${from}.`)
  return found.sort()
}

/** @throws BadUse */
async function readable<T>(path: string, read: (file: Bun.BunFile) => Promise<T>): Promise<T> {
  const file = Bun.file(path)
  if (file.size > mostBytes) throw new BadUse(`${path} is larger than 256 MB; split it.`)
  try {
    return await read(file)
  } catch (error) {
    throw new BadUse(`${path} cannot be read: ${messageOf(error)}`)
  }
}

const sheetOf = async (file: Bun.BunFile) => workbookRows(await file.bytes())

/** A list of addresses alone has no name above it. */
function ofSheet(rows: string[][], column: string | undefined, name: string): string[] {
  const [first = [], ...others] = rows
  if (column === undefined && first.length === 1 && URL.canParse(first[0]!)) {
    return rows.map(([value = ""]) => value).filter((value) => value !== "")
  }
  const named = others.map((cells) =>
    Object.fromEntries(first.map((title, at) => [title, cells[at] ?? ""])),
  )
  return ofRows(named, column, name)
}

function listOf(text: string, ending: string, column: string | undefined, name: string): string[] {
  const plain = text.replace(/^\ufeff/, "")
  if (ending === ".csv" || ending === ".tsv") {
    return ofTable(plain, ending === ".tsv" ? "\t" : ",", column, name)
  }
  if (ending === ".json") return ofValues(json(plain, name), column, name)
  if (ending === ".jsonl" || ending === ".ndjson" || (ending === "" && /^\s*[{"]/.test(plain))) {
    const rows = lines(plain).map((line, index) => json(line, `${name}, line ${index + 1}`))
    return ofValues(rows, column, name)
  }
  // Without an ending, a column tells that it is a table.
  if (column !== undefined) return ofTable(plain, ",", column, name)
  return lines(plain)
}

const lines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

function json(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BadUse(`${name} is no JSON: ${messageOf(error)}`)
  }
}

function ofTable(text: string, delimiter: string, column: string | undefined, name: string) {
  let rows: Record<string, string>[]
  try {
    rows = parse(text, { columns: true, delimiter, skip_empty_lines: true, relax_quotes: true })
  } catch (error) {
    throw new BadUse(`${name} is no table: ${messageOf(error)}`)
  }
  return ofRows(rows, column, name)
}

function ofValues(values: unknown, column: string | undefined, name: string): string[] {
  if (!Array.isArray(values)) throw new BadUse(`${name} holds no list.`)
  const texts = values.filter((value) => typeof value === "string" || typeof value === "number")
  if (texts.length === values.length) return texts.map(String).filter((text) => text !== "")
  const rows = values.filter((value) => typeof value === "object" && value !== null)
  if (rows.length !== values.length) throw new BadUse(`${name} mixes texts and objects.`)
  return ofRows(rows as Record<string, unknown>[], column, name)
}

/** Rows without a value are left out. */
function ofRows(rows: Record<string, unknown>[], column: string | undefined, name: string) {
  const columns = Object.keys(rows[0] ?? {})
  const wanted = column ?? usualColumn(columns)
  if (wanted === undefined || (rows.length > 0 && !columns.includes(wanted))) {
    throw new BadUse(`Name a column of ${name} by --column: ${columns.join(", ")}.`)
  }
  return rows.map((row) => String(row[wanted] ?? "").trim()).filter((text) => text !== "")
}
