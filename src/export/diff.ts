import type { diffFormats } from "../base/export-formats.ts"
import { asRow, type FieldLocation, valueAt } from "../base/own-fields.ts"
import type { Db } from "../store/db/database.ts"
import { storedItems } from "../store/runs/items.ts"
import { csv } from "./csv.ts"
import { listTexts } from "./export.ts"
import { flatten, type Scalar } from "./flatten.ts"
import { xlsx } from "./xlsx.ts"

/** Two datasets to compare; plain data, so that another thread can compare them. */
export interface DiffOptions {
  /** Runs of the dataset; `before` has those of the earlier one. */
  runs: { n: number }[]
  before: { n: number }[]
  own: FieldLocation[]
  /** Paths that identify an item in both datasets. */
  by: string[]
  /** Fields to compare. Default: all. */
  fields?: string[]
  format: (typeof diffFormats)[number]
  limit: number
  offset: number
  /** The schema of `DiffEntry`. */
  schema: Parameters<typeof csv>[1]["schema"]
}

interface DiffEntry {
  change: "added" | "removed" | "changed"
  key: string
  name: string | null
  url: string | null
  /** Name of the changed field; null for added and removed items. */
  field: string | null
  before: Scalar
  after: Scalar
}

/** Maximum characters of the earlier dataset, which is in memory while the later one is read. */
const maxCharacters = 200_000_000
/** Items compared before other work of the thread gets a turn. */
const chunkSize = 200
const maxValue = 2_000

/** Returns the error `diff_too_large`. */
const tooLarge = () =>
  Object.assign(
    new Error(
      "The earlier dataset is too large to be compared: its items may have 200 million characters at most.",
    ),
    {
      code: "diff_too_large",
    },
  )

type Item = Record<string, unknown>

/** Yields the added, changed and removed items, field by field; removed items come last. */
export function diffParts(
  db: Db,
  requested: DiffOptions,
  signal?: AbortSignal,
): AsyncGenerator<string> | AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { format, limit, offset, schema } = requested
  const entries = entriesOf(db, requested, signal)
  if (format === "csv") return csv(asItems(entries), { schema })
  if (format === "xlsx") return xlsx(asItems(entries), { schema })
  if (format === "jsonl") return lines(entries)
  let total = 0
  async function* part() {
    for await (const entry of entries) {
      if (total >= offset && total < offset + limit) yield JSON.stringify(entry)
      total++
    }
  }
  return listTexts(
    part(),
    () => total,
    { limit, offset },
    () => null,
  )
}

async function* asItems(entries: AsyncIterable<DiffEntry>) {
  for await (const entry of entries) yield { ...entry } as Item
}

async function* lines(entries: AsyncIterable<DiffEntry>) {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`
}

async function* entriesOf(
  db: Db,
  requested: DiffOptions,
  signal?: AbortSignal,
): AsyncGenerator<DiffEntry> {
  const earlier = new Map<string, string>()
  let held = 0
  for await (const { key, body } of keyed(db, requested.before, requested, signal)) {
    held += key.length + body.length
    if (held > maxCharacters) throw tooLarge()
    earlier.set(key, body)
  }
  for await (const { key, body } of keyed(db, requested.runs, requested, signal)) {
    const before = earlier.get(key)
    const row = rowOf(body, requested)
    if (before === undefined) {
      yield { ...aboutOf(key, row), change: "added", field: null, before: null, after: null }
      continue
    }
    earlier.delete(key)
    if (before === body) continue
    const about = aboutOf(key, row)
    for (const change of changesOf(rowOf(before, requested), row, requested)) {
      yield { ...about, change: "changed", ...change }
    }
  }
  for (const [key, body] of earlier) {
    const about = aboutOf(key, rowOf(body, requested))
    yield { ...about, change: "removed", field: null, before: null, after: null }
  }
}

/**
 * Yields the successful items with their keys. Equal keys are numbered, so that each item has its
 * own.
 */
async function* keyed(
  db: Db,
  runs: readonly { n: number }[],
  { by, own }: DiffOptions,
  signal?: AbortSignal,
): AsyncGenerator<{ key: string; body: string }> {
  const seen = new Map<string, number>()
  let count = 0
  for (const { n } of runs) {
    for await (const { body } of storedItems(db, n, { clean: true })) {
      if (++count % chunkSize === 0) await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      const row = asRow(JSON.parse(body) as Item, own, true)
      const values = by.map((path) => valueAt(row, path.split(".")) ?? null)
      if (values.every((value) => value === null)) continue
      const plain = values.map((value) =>
        typeof value === "string" ? value : JSON.stringify(value),
      )
      const name = plain.join(" ")
      const times = (seen.get(name) ?? 0) + 1
      seen.set(name, times)
      yield { key: times > 1 ? `${name} (${times})` : name, body }
    }
  }
}

const rowOf = (body: string, { own }: DiffOptions): Item =>
  asRow(JSON.parse(body) as Item, own, false)

const names = ["title", "name", "fullName", "headline"]

function aboutOf(key: string, row: Item): Pick<DiffEntry, "key" | "name" | "url"> {
  const name = names.map((field) => row[field]).find((value) => typeof value === "string" && value)
  const url = typeof row.url === "string" ? row.url : null
  return { key: key.slice(0, maxValue), name: (name as string | undefined) ?? null, url }
}

function* changesOf(
  before: Item,
  after: Item,
  { by, fields }: DiffOptions,
): Generator<Pick<DiffEntry, "field" | "before" | "after">> {
  const [old, now] = [flatten(before), flatten(after)]
  for (const field of new Set([...now.keys(), ...old.keys()])) {
    if (by.includes(field) || volatile.test(field)) continue
    if (fields && !fields.some((name) => field === name || field.startsWith(`${name}.`))) continue
    const [a, b] = [old.get(field) ?? null, now.get(field) ?? null]
    if (a !== b) yield { field, before: short(a), after: short(b) }
  }
}

/** Fields that describe the request and differ each time. */
const volatile = /^(?:fetchedAt|scrapedAt|checkedAt|position)$|\.(?:fetchedAt|sha256)$/

const short = (value: Scalar): Scalar =>
  typeof value === "string" && value.length > maxValue ? `${value.slice(0, maxValue - 1)}…` : value
