import { isHeadless, separatorOf } from "../../base/value-tables.ts"
import { rowsOfWorkbook } from "./workbook.ts"

/** The rows of an uploaded file. */
export interface UploadedFile {
  name: string
  rows: string[][]
}

/** Rows with the names of their columns. */
export interface TableFile extends UploadedFile {
  columns: string[]
}

const maxBytes = 20_000_000
const maxRows = 200_000

const megabytes = (bytes: number) => Math.ceil(bytes / 1_000_000)

/** Returns the text of a file. @throws Error for an image or another file that is not text */
async function textOf(file: File): Promise<string> {
  const text = await file.text()
  if (!/[\0\ufffd]/.test(text.slice(0, 10_000))) return text
  throw new Error(
    `${file.name} is not text in UTF-8. Choose a CSV, Excel (.xlsx) or text file, and save it as UTF-8.`,
  )
}

/** Reads a file of rows. @throws Error with a message for the user */
export async function readTableFile(file: File): Promise<UploadedFile> {
  if (file.size > maxBytes)
    throw new Error(
      `${file.name} has ${megabytes(file.size)} MB. Divide it into files of at most 20 MB.`,
    )
  const kind = file.name.toLowerCase().split(".").at(-1)
  const rows =
    kind === "xlsx"
      ? rowsOfWorkbook(new Uint8Array(await file.arrayBuffer()))
      : kind === "txt"
        ? (await textOf(file)).split(/\r?\n/).map((line) => [line.trim()])
        : rowsOfCsv(await textOf(file))
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ""))
  if (filled.length === 0)
    throw new Error(`${file.name} has no rows. Choose a file with one value per row.`)
  if (filled.length > maxRows)
    throw new Error(
      `${file.name} has ${filled.length.toLocaleString()} rows. Divide it into files of at most 200,000 rows.`,
    )
  return { name: file.name, rows: filled }
}

/** Returns the columns with names from the first row, if it has them. */
export function headed({ name, rows }: UploadedFile, hasHeader: boolean): TableFile {
  const names = hasHeader ? (rows[0] ?? []) : []
  const widest = rows.reduce((max, row) => Math.max(max, row.length), 0)
  const columns = Array.from(
    { length: widest },
    (_, index) => names[index]?.trim() || `Column ${index + 1}`,
  )
  return { name, columns, rows: hasHeader ? rows.slice(1) : rows }
}

/**
 * Returns whether the first row contains column names: different words. A single column is
 * ambiguous.
 */
export function seemsHeaded({ rows }: UploadedFile): boolean {
  const names = (rows[0] ?? []).filter((cell) => cell.trim() !== "")
  if (isHeadless(names)) return false
  const isName = (cell: string) => /^[\p{L}_#][^\n:]{0,60}$/u.test(cell.trim())
  const isEach = names.every(isName) && new Set(names).size === names.length
  return rows.length > 1 && names.length > 1 && isEach
}

/**
 * Reads CSV by RFC 4180, also with semicolons or tabs, which spreadsheets of other countries use.
 */
export function rowsOfCsv(text: string): string[][] {
  const rows: string[][] = []
  const comma = separatorOf(text.replace(/^\ufeff/, ""))
  let row: string[] = []
  let at = text.startsWith("\ufeff") ? 1 : 0
  while (at < text.length) {
    let cell = ""
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1)
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
    }
    const start = at
    while (at < text.length && text[at] !== comma && text[at] !== "\n") at++
    cell += text.slice(start, at)
    row.push(cell.endsWith("\r") && text[at] === "\n" ? cell.slice(0, -1) : cell)
    if (text[at] !== comma) {
      rows.push(row)
      row = []
    } else if (at === text.length - 1) row.push("")
    at++
  }
  if (row.length > 0) rows.push(row)
  return rows
}

/** Returns the end of a quoted cell: a quote that is not doubled. */
function endOfQuoted(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at < 0 ? text.length : at
}
