import type { TSchema } from "@sinclair/typebox"
import { csv } from "../../../export/csv.ts"
import { parquet } from "../../../export/parquet.ts"
import type { ObjectFormat } from "./model/options.ts"
import type { Delivering, Part, Row, Sink } from "./model/sink.ts"

const mediaTypes: Record<ObjectFormat, string> = {
  jsonl: "application/x-ndjson",
  csv: "text/csv; charset=utf-8",
  parquet: "application/vnd.apache.parquet",
}

/** Stores whole objects by name; the same name again replaces the object. */
export interface ObjectStorage {
  put(
    name: string,
    bytes: Uint8Array<ArrayBuffer>,
    type: string,
    signal: AbortSignal,
  ): Promise<void>
}

/** Delivers parts as objects whose names are the same at each attempt. */
export class ObjectSink implements Sink {
  /** Objects are built in memory. */
  readonly bounds = { items: 50_000, characters: 8_000_000 }
  readonly patience = { characters: 1_000_000, milliseconds: 60_000 }

  constructor(
    private readonly storage: ObjectStorage,
    private readonly delivering: Delivering,
    private readonly shape: { format: ObjectFormat; schema: TSchema },
  ) {}

  async put(part: Part, index: number, signal: AbortSignal): Promise<string[]> {
    const { format, schema } = this.shape
    const bytes = await encoded(part, format, schema)
    const name = objectName(this.delivering, index, format)
    await this.storage.put(name, bytes, mediaTypes[format], signal)
    return []
  }

  async close(): Promise<void> {}
}

/** Returns a name such as `web-scraper/dt=2026-01-31/run_….jsonl`; the date is that of the run's start (UTC). */
function objectName({ run, delivery }: Delivering, index: number, format: ObjectFormat): string {
  const pass = delivery.pass > 0 ? `-retry${delivery.pass}` : ""
  const part = index > 0 ? `-part${index + 1}` : ""
  const folder = `${run.recipe ?? run.slug}/dt=${run.created_at.slice(0, 10)}`
  return `${folder}/${run.id}${pass}${part}.${format}`
}

async function encoded(
  { items }: Part,
  format: ObjectFormat,
  schema: TSchema,
): Promise<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  const chunks: Uint8Array[] = []
  if (format === "jsonl") {
    for (const { row } of items) chunks.push(encoder.encode(`${JSON.stringify(row)}\n`))
  } else if (format === "csv") {
    // Columns of the schema are kept even if they are empty, so that all objects have them.
    for await (const text of csv(rowsOf(items), { schema, bom: false })) {
      chunks.push(encoder.encode(text))
    }
  } else {
    for await (const bytes of parquet(rowsOf(items), { schema })) chunks.push(bytes)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

async function* rowsOf(items: Part["items"]): AsyncGenerator<Row> {
  for (const { row } of items) yield row
}
