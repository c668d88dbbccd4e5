import { mkdirSync, writeFileSync } from "node:fs"
import { extname, join } from "node:path"
import { Type } from "@sinclair/typebox"
import { batches } from "../../base/batches.ts"
import { messageOf } from "../../base/error-message.ts"
import { type ExportFormat, exportFormatNames } from "../../base/export-formats.ts"
import { asRow } from "../../base/own-fields.ts"
import { type AnyScraper, type OwnField, schemaOfRow } from "../../catalogue/kit/index.ts"
import { csv } from "../../export/csv.ts"
import { pageFiles, pageOf } from "../../export/pages.ts"
import { parquet } from "../../export/parquet.ts"
import type { TableOptions } from "../../export/table.ts"
import { xlsx } from "../../export/xlsx.ts"
import { BadUse } from "../common/bad-use.ts"
import { readerIsGone, writeStdout } from "../common/stdout.ts"
import { writeFile } from "./output-file.ts"

export type OutputFormat = ExportFormat

type Items = AsyncIterable<Record<string, unknown>>
/** `hasFailed` is read after the last item. */
export type PagePdf = (items: Items, hasFailed: () => boolean) => Promise<void>

export interface OutputOptions {
  format?: OutputFormat
  /** A file, whose extension selects the format, or a folder for pages with a trailing slash. */
  output?: string
  /** An expression that replaces each item; the output may have other fields than the items. */
  transform?: string
}

/** Selects how a run's items are written as they arrive. @throws BadUse */
export function outputOf(
  { slug, item }: Pick<AnyScraper, "slug" | "item">,
  { format, output, transform }: OutputOptions,
  own: readonly OwnField[] = [],
): PagePdf {
  const schema = transform ? Type.Object({}) : item
  const table = {
    schema: schemaOfRow(schema, transform ? [] : own, false),
    errors: true,
    columns: "filled",
  } as const
  const rows = (items: Items) => (transform ? items : asRows(items, own))
  const requireMarkdown = () => {
    if (transform || "markdown" in (item.properties ?? {})) return
    throw new BadUse(`${slug} does not return Markdown; use json, jsonl or csv.`)
  }
  if (output === undefined || output === "-") {
    const chosen = format ?? "json"
    if (chosen === "md") requireMarkdown()
    if (chosen === "xlsx") throw new BadUse("A workbook must be written to a file: -o items.xlsx.")
    if (chosen === "parquet")
      throw new BadUse("Parquet must be written to a file: -o items.parquet.")
    return (items) =>
      printPdfTo(writeStdout, texts(chosen === "csv" ? rows(items) : items, chosen, table))
  }
  if (output.endsWith("/")) {
    if (format !== undefined && format !== "md")
      throw new BadUse("A folder accepts only pages: --format md.")
    requireMarkdown()
    return (items) => writePages(items, output)
  }
  const chosen = format ?? formatOf(output)
  if (chosen === "md") requireMarkdown()
  const partsOf = (items: Items) => {
    if (chosen === "xlsx") return xlsx(rows(items), table)
    if (chosen === "parquet") return parquet(rows(items), table)
    return asTheyCome(texts(chosen === "csv" ? rows(items) : items, chosen, table))
  }
  return (items, hasFailed) => writeFile(output, items, { partsOf, hasFailed })
}

function formatOf(path: string): OutputFormat {
  const ending = extname(path).slice(1).toLowerCase()
  const format = ending === "ndjson" ? "jsonl" : exportFormatNames.find((known) => known === ending)
  if (format) return format
  throw new BadUse(
    `The file extension of ${path} is unknown; use ${exportFormatNames.map((known) => `.${known}`).join(", ")}, or set --format.`,
  )
}

function texts(
  items: Items,
  format: Exclude<OutputFormat, "xlsx" | "parquet">,
  table: TableOptions,
): AsyncIterable<string> {
  if (format === "csv") return csv(items, table)
  if (format === "md") return pages(items)
  return format === "jsonl" ? jsonLines(items) : jsonArray(items)
}

async function* asRows(items: Items, own: readonly OwnField[]) {
  for await (const item of items) yield asRow(item, own, false)
}

async function* jsonLines(items: Items): AsyncGenerator<string> {
  for await (const item of items) yield `${JSON.stringify(item)}\n`
}

async function* jsonArray(items: Items): AsyncGenerator<string> {
  let before = "["
  for await (const item of items) {
    yield `${before}\n${JSON.stringify(item, null, 2)}`
    before = ","
  }
  yield before === "[" ? "[]\n" : "\n]\n"
}

/** Joins pages with a rule between them. */
async function* pages(items: Items): AsyncGenerator<string> {
  let before = ""
  for await (const item of items) {
    const page = pageOf(item)
    if (page === undefined) continue
    yield `${before}${page.trimEnd()}\n`
    before = "\n---\n\n"
  }
}

const chunkCharacters = 64 * 1024

/** Joins texts that are already available. */
async function* asTheyCome(texts: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const batch of batches(texts, { characters: chunkCharacters })) yield batch.join("")
}

/** Writes each text when it is available, so that readers need not wait for the next. */
async function printPdfTo(write: (text: string) => Promise<void>, parts: AsyncIterable<string>) {
  try {
    for await (const chunk of asTheyCome(parts)) await write(chunk)
  } catch (error) {
    if (!readerIsGone(error)) throw error
  }
}

/** Writes one file per page, named after its URL. */
async function writePages(items: Items, folder: string): Promise<void> {
  try {
    mkdirSync(folder, { recursive: true })
  } catch (error) {
    throw new BadUse(`${folder} cannot be created: ${messageOf(error)}`)
  }
  for await (const { name, text } of pageFiles(items)) writeFileSync(join(folder, name), text)
}
