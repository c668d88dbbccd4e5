import type { TSchema } from "@sinclair/typebox"
import type { ExportFormat } from "../base/export-formats.ts"
import type { Tenant } from "../base/fair-gate.ts"
import { asRow, type FieldLocation, valueAt } from "../base/own-fields.ts"
import type { Db } from "../store/db/database.ts"
import { storedItems } from "../store/runs/items.ts"
import { type Choice, chosenBodies, type ExportProgress, type Position } from "./choose.ts"
import { csv } from "./csv.ts"
import { html, rss, type XmlNames, xml } from "./markup.ts"
import { pagesZip } from "./pages.ts"
import { parquet } from "./parquet.ts"
import { type Reshape, reshaped } from "./reshape.ts"
import { joiner } from "./sources.ts"
import { addFilled, pick } from "./table.ts"
import { transformsHere } from "./transforms.ts"
import { xlsx } from "./xlsx.ts"

/** Options of an export; plain data, so that another thread can create it. */
export interface Export {
  /** Runs of the dataset in order, with their numbers of items. */
  runs: { n: number; items: number }[]
  /** `array`: the items as a JSON array without an envelope. */
  format: ExportFormat | "array" | "xml" | "html" | "rss"
  /** Maximum items of a page of JSON; the other formats contain all items. */
  limit: number
  offset: number
  /** Position after which items are returned; `total` is the number of items of the whole list. */
  after?: Position & { total?: number }
  /** Default: all items in their stored order. */
  choice?: Choice
  /** Whether error items are left out. */
  clean: boolean
  /** Whether the last items come first; only for a single run. */
  desc?: boolean
  /** Whether the columns of error items are included. */
  errors: boolean
  fields?: string[]
  omit?: string[]
  /** Changes of the items before they are filtered by field and written. */
  reshape?: Reshape
  /** Locations of the fields that the call named, for conditions and table rows. */
  own?: FieldLocation[]
  /**
   * Returns items as table rows with own fields at the top level. `filled`: omits columns that no
   * item fills.
   */
  rows?: "all" | "filled"
  /** Columns to return: fields or paths. Default: all. */
  columns?: string[]
  /** Options of the XML, HTML, RSS and CSV formats. */
  writing?: XmlNames & {
    title?: string
    link?: string
    header?: boolean
    delimiter?: string
    bom?: boolean
  }
  /** Whether each item gets the row of the uploaded file that its input came from. */
  sources?: boolean
  /** JSONata expression that replaces each item, run for this tenant. */
  transform?: string
  tenant?: Tenant
  /** Schema of a successful item. */
  schema: TSchema
}

/** Returns an export in parts. */
export function exportParts(
  db: Db,
  requested: Export,
  signal?: AbortSignal,
): AsyncGenerator<string> | AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { runs, format, limit, offset } = requested
  const choice = requested.choice && { ...requested.choice, own: requested.own ?? [] }
  // Matching items are counted once, for the first page; the cursor carries the number on.
  let total = requested.after?.total ?? runs.reduce((sum, { items }) => sum + items, 0)
  let last: Position | undefined
  const onMore = (position: Position) => {
    last = position
  }
  const nextCursor = () =>
    last ? [last.run, last.seq, last.idx, ...(choice ? [total] : [])].join(".") : null
  const counted = (count: number) => {
    total = count
  }
  const read = (reported: ExportProgress): AsyncGenerator<string> =>
    choice
      ? chosenBodies(db, { ...requested, choice, counts: format === "json" }, reported, signal)
      : bodiesOf(db, requested, reported.onMore)
  const { writing = {}, reshape, transform } = requested
  const itemsFrom = (stored: AsyncIterable<string>) => {
    const made = transform
      ? transformsHere().apply(transform, stored, {
          tenant: requested.tenant ?? { id: "" },
          signal,
        })
      : stored
    const items = parsed(made)
    return { made, items: asRows(reshape ? reshaped(items, reshape) : items, requested) }
  }
  const { made: bodies, items } = itemsFrom(read({ onMore, total: counted }))
  const again = () => itemsFrom(read({ onMore() {}, total() {} })).items
  const table = { ...requested, columns: requested.rows ?? "all" } as const
  const { title = "Items", link = "" } = writing
  if (format === "csv")
    return withFilled(requested, again, (filled) => csv(items, { ...table, ...writing, ...filled }))
  if (format === "xlsx")
    return withFilled(requested, again, (filled) => xlsx(items, { ...table, ...filled }))
  if (format === "parquet")
    return withFilled(requested, again, (filled) => parquet(items, { ...table, ...filled }))
  if (format === "md") return pagesZip(items)
  if (format === "xml") return xml(chosen(items, requested), writing)
  if (format === "html") return html(items, { ...table, ...writing, title })
  if (format === "rss") return rss(chosen(items, requested), { title, link })
  const texts =
    requested.fields || requested.omit || requested.rows || reshape
      ? written(chosen(items, requested))
      : bodies
  if (format === "array") return array(texts)
  return format === "jsonl"
    ? lines(texts)
    : listTexts(texts, () => total, { limit, offset }, nextCursor)
}

/**
 * Yields the items of all runs, one run after the other. `onMore` gets the position of the last item if more
 * items follow.
 */
async function* bodiesOf(
  db: Db,
  { runs, limit, offset, after, clean, desc = false, sources }: Export,
  onMore: (position: Position) => void,
) {
  let skip = offset
  let left = limit
  let last: Position = { run: 0, seq: 0, idx: 0 }
  for (const [run, { n, items }] of runs.entries()) {
    if (after && run < after.run) continue
    const from = after?.run === run ? after : undefined
    // The last run may grow while it is read.
    if (skip >= items && runs.length > 1 && !from) {
      skip -= items
      continue
    }
    // One extra item shows whether more follow.
    const selection = { limit: left + 1, offset: skip, after: from, clean, desc }
    const join = await joiner(db, n, sources)
    for await (const item of storedItems(db, n, selection)) {
      if (left === 0) return onMore(last)
      yield join(item)
      left--
      last = { run, seq: item.seq, idx: item.idx }
    }
    skip = 0
  }
}

async function* parsed(bodies: AsyncIterable<string>) {
  for await (const body of bodies) yield JSON.parse(body) as Record<string, unknown>
}

/** Yields items as table rows if requested, reduced to the chosen columns if there are any. */
async function* asRows(
  items: AsyncIterable<Record<string, unknown>>,
  { rows, columns, own = [] }: Export,
) {
  for await (const item of items) {
    const row = rows ? asRow(item, own, rows === "all" || columns !== undefined) : item
    yield columns && row.error === undefined ? ofColumns(row, columns) : row
  }
}

function ofColumns(row: Record<string, unknown>, columns: readonly string[]) {
  const values = columns.map((name) => {
    if (Object.hasOwn(row, name)) return [name, row[name]]
    return [name, valueAt(row, name.split(".")) ?? null]
  })
  return Object.fromEntries(values) as Record<string, unknown>
}

/**
 * Maximum items of which the table knows all columns when it writes its header, unless they are
 * very large.
 */
const fewItems = 50

/** Reads larger exports twice, so that the header has each column that any item fills. */
async function* withFilled<T>(
  requested: Export,
  again: () => AsyncIterable<Record<string, unknown>>,
  make: (filled: { filled?: ReadonlySet<string> }) => AsyncGenerator<T>,
): AsyncGenerator<T> {
  const count = requested.runs.reduce((sum, { items }) => sum + items, 0)
  if (requested.rows !== "filled" || count <= fewItems || requested.transform) {
    yield* make({})
    return
  }
  const filled = new Set<string>()
  for await (const item of again()) addFilled(item, requested, filled)
  yield* make({ filled })
}

async function* chosen(
  items: AsyncIterable<Record<string, unknown>>,
  names: { fields?: string[]; omit?: string[] },
) {
  for await (const item of items) yield pick(item, names)
}

async function* written(items: AsyncIterable<Record<string, unknown>>) {
  for await (const item of items) yield JSON.stringify(item)
}

async function* array(texts: AsyncIterable<string>) {
  let separator = "["
  for await (const text of texts) {
    yield separator + text
    separator = ","
  }
  yield separator === "[" ? "[]" : "]"
}

async function* lines(texts: AsyncIterable<string>) {
  for await (const text of texts) yield `${text}\n`
}

/** Yields the JSON of a list with its envelope, item by item. */
export async function* listTexts(
  entries: AsyncIterable<string>,
  total: () => number | Promise<number>,
  { limit, offset }: { limit: number; offset: number },
  nextCursor: () => string | null,
): AsyncGenerator<string> {
  let separator = '{"items":['
  for await (const entry of entries) {
    yield separator + entry
    separator = ","
  }
  const start = separator === "," ? "" : separator
  const pageFields = `"limit":${limit},"offset":${offset},"nextCursor":${JSON.stringify(nextCursor())}`
  yield `${start}],"total":${await total()},${pageFields}}`
}
