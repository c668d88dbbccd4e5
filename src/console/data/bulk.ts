import { type Definition, fieldsOf, type Schema } from "./catalogue.ts"
import type { Input, Item } from "./keyless.ts"
import { requestJson, sendChange } from "./request.ts"
import type { Run } from "./runs.ts"
import type { TableFile } from "./table-file.ts"

export interface Batch {
  id: string
  name: string | null
  size: number
  status: "running" | "finished"
  byStatus: Record<string, number>
  itemCount: number
  errorCount: number
  creditsCharged: number
  targetsDone: number
  targetsTotal: number
  targetsFailed: number
}

/** A call that starts runs, with the numbers of runs and values. */
export interface Plan {
  path: string
  body: Input
  runs: number
  values: number
}

/** Limits of the API: runs of one batch, and bytes of one call. */
const maxRuns = 1000
const maxBytes = 1_000_000

/**
 * Returns the inputs that a column can fill: first lists of texts, then single texts, of which each
 * row starts a run.
 */
export function fillable({ input }: Definition): [name: string, schema: Schema][] {
  const all = fieldsOf(input)
  const lists = all.filter(([, { type, items }]) => type === "array" && isText(items))
  return [...lists, ...all.filter(([, schema]) => isText(schema))]
}

const batchesPath = "/api/v1/batches"
const isText = (schema: Schema | undefined) => schema?.type === "string" && !schema.enum

/** Returns a column's distinct values, in their order. */
export const valuesOf = ({ rows }: TableFile, column: number) => [
  ...new Set(rows.map((row) => (row[column] ?? "").trim()).filter(Boolean)),
]

/** The rows of a file as the API accepts them, and the column with the values. */
export interface Sources {
  field: string
  column: string
  rows: Record<string, string>[]
}

/** Returns the rows by column name. Duplicate and empty names get the number of the column. */
export function sourcesOf({ columns, rows }: TableFile, field: string, column: number): Sources {
  const names = columns.map((name, index) =>
    name && columns.indexOf(name) === index
      ? name.slice(0, 200)
      : `${name || "column"} ${index + 1}`,
  )
  const provided = rows.filter((row) => (row[column] ?? "").trim() !== "")
  const objects = provided.map((row) =>
    Object.fromEntries(names.map((name, index) => [name, (row[index] ?? "").slice(0, 10_000)])),
  )
  return { field, column: names[column]!, rows: objects }
}

/**
 * Plans one run if the scraper accepts this many values, otherwise a batch. Rows that are joined to the
 * items always need a batch. @throws Error
 */
export function planOf(
  of: Definition,
  field: string,
  values: string[],
  rest: Input,
  sources?: Sources,
): Plan {
  const schema = of.input.properties?.[field]
  const isList = schema?.type === "array"
  const atOnce = isList ? (schema.maxItems ?? values.length) : 1
  const runs = Math.ceil(values.length / Math.max(1, atOnce))
  if (runs > maxRuns) {
    const max = (maxRuns * atOnce).toLocaleString()
    throw new Error(`One batch can run ${max} of these at most. Divide the file.`)
  }
  const inputs = Array.from({ length: runs }, (_, index) => {
    const part = values.slice(index * atOnce, (index + 1) * atOnce)
    return { ...rest, [field]: isList ? part : part[0] }
  })
  const plan: Plan =
    runs === 1 && !sources
      ? { path: `/api/v1/scrapers/${of.slug}/runs`, body: inputs[0]!, runs, values: values.length }
      : {
          path: batchesPath,
          body: { scraper: of.slug, inputs, ...(sources && { sources }) },
          runs,
          values: values.length,
        }
  if (new Blob([JSON.stringify(plan.body)]).size > maxBytes) {
    throw new Error("One call can have 1 MB at most. Divide the file.")
  }
  return plan
}

/** Starts the runs and returns the path of the screen that follows them. */
export async function started(
  { path, body }: Plan,
  { name, session }: { name: string; session: string },
): Promise<string> {
  if (path !== batchesPath) {
    const query = session && `?${new URLSearchParams({ session })}`
    return `/runs/${(await sendChange<Run>(path + query, body)).id}`
  }
  const terms = { name: name.slice(0, 200), ...(session && { session }) }
  const batch = await sendChange<Batch>(path, { ...body, ...terms })
  return `/bulk?batch=${batch.id}`
}

/** Returns whether the items of a batch contain the rows of a file, by its first item. */
export async function hasSources(id: string, signal: AbortSignal): Promise<boolean> {
  const path = `/api/v1/batches/${id}/items?limit=1&sources=true`
  const { items } = await requestJson<{ items: Item[] }>(path, signal)
  return Boolean(items[0]?.source)
}

export const retryBatch = (id: string) => sendChange<Batch>(`${batchesPath}/${id}/retry`)
export const abortBatch = (id: string) => sendChange<Batch>(`${batchesPath}/${id}/abort`)
export const itemsOfBatch = (id: string, signal: AbortSignal) =>
  requestJson<{ items: Item[]; total: number }>(
    `${batchesPath}/${id}/items?columns=filled&limit=50`,
    signal,
  )

export const batchOf = (id: string, signal: AbortSignal) =>
  requestJson<Batch>(`/api/v1/batches/${id}`, signal)

export const runsOfBatch = (id: string, signal: AbortSignal) =>
  requestJson<{ items: Run[]; total: number }>(`/api/v1/batches/${id}/runs?limit=50`, signal)
