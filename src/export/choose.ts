import { type FieldLocation, withOwn } from "../base/own-fields.ts"
import type { Db } from "../store/db/database.ts"
import { type ItemPosition, itemsAt, type StoredItem, storedItems } from "../store/runs/items.ts"
import { type Condition, fits, texted, valuesAt } from "./conditions.ts"
import { type SortKey, type SortValue, sorter, sortValue } from "./order.ts"
import { joiner } from "./sources.ts"

/** Selection of items: they are filtered by conditions, then sorted, then deduplicated. */
export interface Choice {
  /** Conditions that an item must all meet. */
  conditions: Condition[]
  sort: SortKey[]
  /** Fields that identify an item; of equal items, only the first is returned. */
  unique: string[]
  /** Runs (`n`) whose items are treated as duplicates, by `unique`. */
  had: number[]
}

export interface Position extends ItemPosition {
  /** Index of the run among the runs. */
  run: number
}

interface Wanted {
  runs: { n: number }[]
  clean: boolean
  limit: number
  offset: number
  after?: Position
  choice: Choice & { own: readonly FieldLocation[] }
  sources?: boolean
  /** Whether all matching items are counted, not only those up to the limit. */
  counts: boolean
}

export interface ExportProgress {
  /** Receives the position of the last item if more items follow or may follow. */
  onMore(position: Position): void
  total(count: number): void
}

/** Items read before other work of the thread gets a turn. */
const chunkSize = 200
/** Maximum items that a call with a cursor reads; the next call continues there. */
export const maxItemsRead = 50_000
/** Items read at once by their positions. */
const readAtOnce = 50

/** Yields the chosen items as JSON texts. */
export async function* chosenBodies(
  db: Db,
  wanted: Wanted,
  reported: ExportProgress,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const seen = new Seen(wanted.choice.unique)
  for (const n of wanted.choice.had) {
    for await (const { item } of scanned(
      db,
      { runs: [{ n }], clean: true, choice: wanted.choice },
      signal,
    ))
      seen.isNew(seen.keyOf(item))
  }
  if (wanted.choice.sort.length > 0) yield* inOrder(db, wanted, seen, reported, signal)
  else if (wanted.after && wanted.choice.unique.length === 0) {
    yield* chosenAfter(db, { ...wanted, after: wanted.after }, reported, signal)
  } else yield* asTheyCome(db, wanted, seen, reported, signal)
}

/** Yields the chosen items after a position, without reading earlier ones again. */
async function* chosenAfter(
  db: Db,
  { runs, clean, limit, offset, after, choice, sources }: Wanted & { after: Position },
  reported: ExportProgress,
  signal?: AbortSignal,
) {
  let looked = 0
  let skip = offset
  let left = limit
  let last = after
  for await (const { item, body, ...position } of scanned(
    db,
    { runs, clean, sources, choice },
    signal,
    after,
  )) {
    if (looked++ === maxItemsRead) return reported.onMore(last)
    if (choice.conditions.every((one) => fits(item, one)) && skip-- <= 0) {
      if (left-- === 0) return reported.onMore(last)
      yield body
    }
    last = position
  }
}

async function* asTheyCome(
  db: Db,
  { runs, clean, limit, offset, after, choice, sources, counts }: Wanted,
  seen: Seen,
  reported: ExportProgress,
  signal?: AbortSignal,
) {
  let count = 0
  let skip = offset
  let left = limit
  let last: Position | undefined
  let isMore = false
  for await (const { item, body, ...position } of scanned(
    db,
    { runs, clean, sources, choice },
    signal,
  )) {
    if (!choice.conditions.every((one) => fits(item, one))) continue
    if (!seen.isNew(seen.keyOf(item))) continue
    count++
    if (after && byPosition(position, after) <= 0) continue
    if (skip-- > 0) continue
    if (left-- > 0) {
      yield body
      last = position
      continue
    }
    if (!isMore && last) reported.onMore(last)
    isMore = true
    if (!counts) return
  }
  reported.total(count)
}

interface Entry extends Position {
  values: SortValue[]
  key: bigint | undefined
}

/**
 * Yields the chosen items in their sort order. Only their sort values are in memory, not the items.
 */
async function* inOrder(
  db: Db,
  { runs, clean, limit, offset, after, choice, sources }: Wanted,
  seen: Seen,
  reported: ExportProgress,
  signal?: AbortSignal,
) {
  const entries: Entry[] = []
  let last: Entry | undefined
  for await (const { item, body: _, ...position } of scanned(
    db,
    { runs, clean, sources, choice },
    signal,
  )) {
    const values = choice.sort.map(({ field }) => sortValue(valuesAt(item, field)[0]))
    const entry = { ...position, values, key: seen.keyOf(item) }
    if (after && byPosition(position, after) === 0) last = entry
    if (choice.conditions.every((one) => fits(item, one))) entries.push(entry)
  }
  const joins = await Promise.all(runs.map(({ n }) => joiner(db, n, sources)))
  const byValues = sorter(choice.sort)
  const compare = (a: Entry, b: Entry) => byValues(a.values, b.values) || byPosition(a, b)
  const sorted = entries.sort(compare).filter(({ key }) => seen.isNew(key))
  reported.total(sorted.length)
  const start = after ? sorted.findIndex((entry) => last && compare(entry, last) > 0) : 0
  if (start < 0) return
  const end = start + offset + limit
  const visible = sorted.slice(start + offset, end)
  if (end < sorted.length && visible.length > 0) reported.onMore(visible.at(-1)!)
  for (let from = 0; from < visible.length; from += readAtOnce) {
    signal?.throwIfAborted()
    const places = visible.slice(from, from + readAtOnce)
    const bodies = new Map<string, string>()
    for (const [run, ofRun] of Map.groupBy(places, ({ run }) => run)) {
      for (const row of await itemsAt(db, runs[run]!.n, ofRun)) {
        bodies.set(`${run}.${row.seq}.${row.idx}`, joins[run]!(row))
      }
    }
    for (const { run, seq, idx } of places) {
      const body = bodies.get(`${run}.${seq}.${idx}`)
      // Its dataset was deleted meanwhile.
      if (body !== undefined) yield body
    }
  }
}

type Item = Record<string, unknown>

async function* scanned(
  db: Db,
  { runs, clean, sources, choice }: Pick<Wanted, "runs" | "clean" | "sources" | "choice">,
  signal?: AbortSignal,
  after?: Position,
): AsyncGenerator<StoredItem & Position & { item: Item }> {
  let count = 0
  for (const [run, { n }] of runs.entries()) {
    if (after && run < after.run) continue
    const from = after?.run === run ? after : undefined
    const join = await joiner(db, n, sources)
    for await (const { seq, idx, body: stored } of storedItems(db, n, { clean, after: from })) {
      if (++count % chunkSize === 0) await new Promise((resolve) => setImmediate(resolve))
      signal?.throwIfAborted()
      const body = join({ seq, body: stored })
      yield { run, seq, idx, body, item: withOwn(JSON.parse(body) as Item, choice.own) }
    }
  }
}

const byPosition = (a: Position, b: Position) => a.run - b.run || a.seq - b.seq || a.idx - b.idx

/** Hashes of the keys of items that were already returned. */
class Seen {
  private readonly keys = new Set<bigint>()

  constructor(private readonly fields: string[]) {}

  /**
   * Returns a hash of the item's key; undefined if it has none of the fields, so that it is never a
   * duplicate.
   */
  keyOf(item: Item): bigint | undefined {
    if (this.fields.length === 0) return undefined
    const values = this.fields.map((field) => valuesAt(item, field).map(texted))
    if (values.every((matches) => matches.length === 0)) return undefined
    return Bun.hash.wyhash(JSON.stringify(values))
  }

  isNew(key: bigint | undefined): boolean {
    if (key === undefined) return true
    const size = this.keys.size
    return this.keys.add(key).size > size
  }
}
