import type { TSchema } from "@sinclair/typebox"
import { inChunks } from "../api/reading/chunks.ts"
import { csv } from "../export/csv.ts"
import { printWhole, readerIsGone } from "./stdout.ts"

export const formats = ["json", "jsonl", "csv"] as const
export type OutputFormat = (typeof formats)[number]

type Items = AsyncIterable<Record<string, unknown>>

/** Writes a run's items to stdout: one JSON array, a JSON text a line, or CSV. */
export async function printItems(
  items: Items,
  format: OutputFormat,
  schema: TSchema,
): Promise<void> {
  try {
    for await (const chunk of inChunks(texts(items, format, schema))) {
      await printWhole(chunk)
    }
  } catch (error) {
    if (!readerIsGone(error)) throw error
  }
}

function texts(items: Items, format: OutputFormat, schema: TSchema): AsyncIterable<string> {
  if (format === "csv") return csv(items, { schema, errors: true })
  return format === "jsonl" ? jsonLines(items) : jsonArray(items)
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
