import { type Selectable, sql } from "kysely"
import { type Db, hotQuery, isPostgres } from "../db/database.ts"
import type { ItemsTable } from "../tables/schema.ts"

export type ItemRow = Selectable<ItemsTable>

/**
 * Items of the first and of the largest page of a read, and the approximate characters of a page.
 */
const pageSize = { first: 50, max: 500, characters: 1_000_000 }

export interface ItemSelection {
  limit?: number
  offset?: number
  /** Whether error items are left out. */
  clean?: boolean
  /** Whether only error items are returned. */
  failed?: boolean
  /** Whether the last items come first. */
  desc?: boolean
  /** Position of the target whose items are returned. Default: all targets. */
  target?: number
  /** Position after which items are returned. */
  after?: ItemPosition
}

/**
 * Position of an item in its run: the target's position, and the index among the target's items.
 */
export interface ItemPosition {
  seq: number
  idx: number
}

export interface StoredItem extends ItemPosition {
  body: string
}

/** The first items of a run in order: most reads end with them. */
const firstItems = hotQuery<StoredItem, [runN: number, limit: number]>((db) =>
  db
    .selectFrom("items")
    .select(["seq", "idx", "body"])
    .where("run_n", "=", 0)
    .orderBy("seq")
    .orderBy("idx")
    .limit(1),
)

/** Yields a run's stored items as JSON texts in order, read page by page. */
export async function* itemBodies(
  db: Db,
  runN: number,
  selection: ItemSelection = {},
): AsyncGenerator<string> {
  for await (const rows of itemPages(db, runN, selection)) {
    for (const { body } of rows) yield body
  }
}

/** Yields a run's stored items in order with their positions, read page by page. */
export async function* storedItems(
  db: Db,
  runN: number,
  selection: ItemSelection = {},
): AsyncGenerator<StoredItem> {
  for await (const rows of itemPages(db, runN, selection)) yield* rows
}

/** Yields the items page by page, because a step of a generator costs more than reading an item. */
async function* itemPages(
  db: Db,
  runN: number,
  selection: ItemSelection = {},
): AsyncGenerator<StoredItem[]> {
  let left = selection.limit ?? Number.POSITIVE_INFINITY
  let skip = selection.offset ?? 0
  const { desc = false } = selection
  const isPlain = !(desc || skip || selection.clean || selection.failed)
  const order = desc ? "desc" : "asc"
  const edge = desc ? Number.MAX_SAFE_INTEGER : -1
  let after = selection.after
  let page = pageSize.first
  const pageAfter = (last: ItemPosition, limit: number) => {
    let query = db
      .selectFrom("items")
      .select(["seq", "idx", "body"])
      .where("run_n", "=", runN)
      .orderBy("seq", order)
      .orderBy("idx", order)
      .limit(limit)
    const beyond = sql.raw(desc ? "<" : ">")
    query =
      selection.target === undefined
        ? query.where(sql<boolean>`(seq, idx) ${beyond} (${last.seq}, ${last.idx})`)
        : query.where("seq", "=", selection.target).where("idx", ">", last.idx)
    if (selection.clean) query = query.where("is_error", "=", 0)
    if (selection.failed) query = query.where("is_error", "=", 1)
    if (skip > 0) query = query.offset(skip)
    return query.execute()
  }
  while (left > 0) {
    const limit = Math.min(left, page)
    const isFirst = isPlain && after === undefined && selection.target === undefined
    const rows = await (isFirst
      ? firstItems(db, runN, limit)
      : pageAfter(after ?? { seq: edge, idx: edge }, limit))
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < limit) return
    const characters = rows.reduce((sum, { body }) => sum + body.length, 0)
    // Pages of large items are small: a reader has one page in memory.
    const fitting = Math.floor((pageSize.characters * rows.length) / Math.max(1, characters))
    page = Math.max(1, Math.min(pageSize.max, fitting))
    after = { seq: last.seq, idx: last.idx }
    left -= rows.length
    skip = 0
    // Lets other calls run: a run may have hundreds of thousands of items.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Returns a run's items at some positions, in any order. */
export async function itemsAt(
  db: Db,
  runN: number,
  places: readonly ItemPosition[],
): Promise<StoredItem[]> {
  const rows = sql.join(places.map(({ seq, idx }) => sql`(${seq}, ${idx})`))
  return db
    .selectFrom("items")
    .select(["seq", "idx", "body"])
    .where("run_n", "=", runN)
    .where(sql<boolean>`(seq, idx) IN (VALUES ${rows})`)
    .execute()
}

/** Returns the error items of a run's targets, in order. */
export async function itemErrors(
  db: Db,
  runN: number,
  limit: number,
): Promise<{ code: string; message: string }[]> {
  const rows = await db
    .selectFrom("items")
    .select("body")
    .where("run_n", "=", runN)
    .where("is_error", "=", 1)
    .orderBy("seq")
    .orderBy("idx")
    .limit(limit)
    .execute()
  return rows.map(({ body }) => {
    const { code, message } = JSON.parse(body).error
    return { code, message }
  })
}

/** An item to store: its JSON text, and whether it is an error item. */
export interface NewItem {
  body: string
  isError: boolean
}

/** Rows of one statement; SQLite allows 32,766 parameters. */
const chunk = 100

/** In SQLite, a prepared statement for each row costs less than one of another text for each count. */
const insertHere = hotQuery<
  unknown,
  [runN: number, seq: number, idx: number, isError: number, body: string]
>((db) => db.insertInto("items").values({ run_n: 0, seq: 0, idx: 0, is_error: 0, body: "" }))

export async function insertItems(
  db: Db,
  table: "items" | "staged_items",
  rows: ItemRow[],
): Promise<void> {
  if (table === "items" && !isPostgres(db)) {
    for (const { run_n, seq, idx, is_error, body } of rows) {
      await insertHere(db, run_n, seq, idx, is_error, body)
    }
    return
  }
  for (let from = 0; from < rows.length; from += chunk) {
    const values = rows.slice(from, from + chunk)
    await db
      .insertInto(table)
      .values(values)
      // A change whose response was lost is repeated.
      .$if(table === "staged_items", (query) =>
        query.onConflict((conflict) => conflict.doNothing()),
      )
      .execute()
  }
}

/** Returns rows for the items of one target, from the index `from` on. */
export function itemRows(runN: number, seq: number, from: number, items: NewItem[]): ItemRow[] {
  return items.map(({ body, isError }, index) => ({
    run_n: runN,
    seq,
    idx: from + index,
    is_error: isError ? 1 : 0,
    body,
  }))
}
