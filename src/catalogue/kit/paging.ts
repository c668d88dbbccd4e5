import { unseen } from "../../extract/core/index.ts"
import { Changed } from "./errors.ts"

/**
 * Lists that come page by page. Each row is given once; a list ends at its cap, at a page that has
 * nothing new, or where the upstream says so. Since every page must bring a new row, no list is
 * longer than its cap in pages. What a page throws ends the list: the engine keeps the items before.
 */
export interface ListOptions<Row> {
  /** The most rows. */
  cap: number
  /** Returns the key that distinguishes two rows. A row without a key is left out. */
  keyOf(row: Row): string | number | null | undefined
  /** Pages without a new row, one after the other, that end the list. Default 1. */
  waitLimit?: number
}

/** Pages by their number, from 1; a page shorter than `pageSize` is the last. */
export async function* numbered<Row>(
  ask: (page: number) => Promise<readonly Row[]>,
  options: ListOptions<Row> & { first?: number; last?: number; pageSize?: number },
): AsyncGenerator<Row> {
  const { first = 1, last = Number.POSITIVE_INFINITY, pageSize = 1 } = options
  async function* pages() {
    for (let page = first; page <= last; page++) {
      const rows = await ask(page)
      yield rows
      if (rows.length < pageSize) return
    }
  }
  yield* rowsOf(pages(), options)
}

/** Pages by the place of their first row, from 0; one shorter than `pageSize` is the last. */
export function offset<Row>(
  ask: (offset: number) => Promise<readonly Row[]>,
  options: ListOptions<Row> & { pageSize: number; short?: "ends" | "continues" },
): AsyncGenerator<Row> {
  const { pageSize, short = "ends" } = options
  const page = (number: number) => ask(number * pageSize)
  return numbered(page, { ...options, first: 0, pageSize: short === "ends" ? pageSize : 1 })
}

/** Pages by what the one before says of the next; a page without a cursor is the last. */
export async function* cursor<Row, C extends string | number>(
  ask: (cursor: C | undefined) => Promise<{ rows: readonly Row[]; next: C | null | undefined }>,
  options: ListOptions<Row>,
): AsyncGenerator<Row> {
  async function* pages() {
    let next: C | null | undefined
    do {
      const page = await ask(next ?? undefined)
      yield page.rows
      // Some upstreams keep one cursor through all pages: a page without a new row ends the list.
      next = page.next
    } while (next !== null && next !== undefined && next !== "")
  }
  yield* rowsOf(pages(), options)
}

async function* rowsOf<Row>(
  pages: AsyncIterable<readonly Row[]>,
  { cap, keyOf, waitLimit = 1 }: ListOptions<Row>,
): AsyncGenerator<Row> {
  const seen = new Set<string>()
  let stale = 0
  const keyed = (row: Row) => {
    const key = row === null || row === undefined ? null : keyOf(row)
    return key === null || key === undefined || key === "" ? [] : [{ row, key: String(key) }]
  }
  for await (const rows of pages) {
    const known = rows.flatMap(keyed)
    if (rows.length > 0 && known.length === 0 && seen.size === 0) {
      throw new Changed("The answer's list holds nothing that has an id.")
    }
    const fresh = unseen(known, seen, ({ key }) => key)
    for (const [at, { row }] of fresh.entries()) {
      yield row
      if (seen.size - fresh.length + at + 1 >= cap) return
    }
    stale = fresh.length === 0 ? stale + 1 : 0
    if (stale >= waitLimit) return
  }
}
