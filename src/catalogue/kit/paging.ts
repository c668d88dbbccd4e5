import { unseen } from "../../extract/core/index.ts"
import type { Context } from "./context.ts"
import { partFailed } from "./core/calls.ts"
import { Changed, type ErrorItem, ScrapeError } from "./core/errors.ts"

/**
 * Options of lists that are read page by page. Each row is yielded once. A list ends at its cap, at
 * a page without new rows, or when the upstream ends it. Because every page must have a new row, a
 * list has at most as many pages as its cap. An error of a page ends the list; the engine keeps the
 * items before it.
 */
export interface ListOptions<Row> {
  /** Maximum rows. */
  cap: number
  /** Returns the key that identifies a row. A row without a key is ignored. */
  keyOf(row: Row): string | number | null | undefined
  /** Number of consecutive pages without a new row after which the list ends. Default 1. */
  waitLimit?: number
}

/**
 * Yields the rows of numbered pages, from 1. A page with fewer rows than `pageSize` is the last.
 * @example const rows = numbered((page) => ask(page), { cap: 100, keyOf: ({ id }) => id })
 */
export async function* numbered<Row>(
  request: (page: number) => Promise<readonly Row[]>,
  options: ListOptions<Row> & { first?: number; last?: number; pageSize?: number },
): AsyncGenerator<Row> {
  const { first = 1, last = Number.POSITIVE_INFINITY, pageSize = 1 } = options
  async function* pages() {
    for (let page = first; page <= last; page++) {
      const rows = await request(page)
      yield rows
      if (rows.length < pageSize) return
    }
  }
  yield* rowsOf(pages(), options)
}

/**
 * Yields the rows of pages that are requested by the offset of their first row, from 0. A page with
 * fewer rows than `size` is the last.
 * @example const jobs = offset((start) => jobsFrom(start), { pageSize: 50, cap, keyOf: idOf })
 */
export function offset<Row>(
  request: (offset: number) => Promise<readonly Row[]>,
  options: ListOptions<Row> & { pageSize: number; short?: "ends" | "continues" },
): AsyncGenerator<Row> {
  const { pageSize, short = "ends" } = options
  const page = (number: number) => request(number * pageSize)
  return numbered(page, { ...options, first: 0, pageSize: short === "ends" ? pageSize : 1 })
}

/**
 * Yields the rows of pages that contain the cursor of the next page; the last page has none.
 * @example
 * ```ts
 * const ask = async (after?: string) => {
 *   const { items, next } = await ctx.json<Page>(listUrl, { query: { after } })
 *   return { rows: items, next }
 * }
 * yield* cursor(ask, { cap: 100, keyOf: ({ id }) => id })
 * ```
 */
export async function* cursor<Row, C extends string | number>(
  request: (cursor: C | undefined) => Promise<{ rows: readonly Row[]; next: C | null | undefined }>,
  options: ListOptions<Row>,
): AsyncGenerator<Row> {
  async function* pages() {
    let next: C | null | undefined
    do {
      const page = await request(next ?? undefined)
      yield page.rows
      // Some upstreams return the same cursor on all pages, so a page without a new row ends the
      // list.
      next = page.next
    } while (next !== null && next !== undefined && next !== "")
  }
  yield* rowsOf(pages(), options)
}

/**
 * Yields what `read` yields for page 1, 2 and so on, until it returns false. If a later page fails,
 * its error item, with `fields` and the page, follows the items so far.
 * @example
 * ```ts
 * yield* pageByPage(ctx, { input: query }, async function* (page) {
 *   const { results, hasMore } = await resultPage(query, page, ctx)
 *   yield* results
 *   return hasMore
 * })
 * ```
 */
export async function* pageByPage<T>(
  ctx: Context,
  fields: Record<string, unknown>,
  read: (page: number) => AsyncGenerator<T, boolean>,
): AsyncGenerator<T | ErrorItem> {
  for (let page = 1, hasMore = true; hasMore; page++) {
    try {
      hasMore = yield* read(page)
    } catch (error) {
      if (page === 1) throw error
      yield partFailed(ctx, error, { ...fields, page })
      return
    }
  }
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
      throw new Changed("The response's list has no row with an ID.")
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

/**
 * Yields the result of `read` for each row of an upstream's list. A row for which `read` returns
 * null is skipped. A row without the required fields (an advertisement, a deleted entry, null) is
 * skipped and logged, so that the others are still returned. Throws Changed if no row has them, even
 * if the list fails later.
 * @example yield* readRows(jobs, (job) => posting.read(job), ctx)
 */
export async function* readRows<R, T>(
  rows: Iterable<R> | AsyncIterable<R>,
  read: (row: NonNullable<R>) => T | null,
  ctx: Pick<Context, "log">,
): AsyncGenerator<T> {
  let isOneRead = false
  let leftOut = 0
  let failure: Changed | undefined
  try {
    for await (const row of rows) {
      let item: T | null
      try {
        if (row === null || row === undefined) throw new Changed("The list has an empty row.")
        item = read(row)
      } catch (error) {
        if (!(error instanceof Changed)) throw error
        failure ??= error
        leftOut++
        continue
      }
      isOneRead = true
      if (item !== null) yield item
    }
  } catch (error) {
    // Later pages are often requested only because no row of the first one was readable.
    const isOfSource = error instanceof ScrapeError && error.kind !== "Aborted"
    throw isOfSource && failure && !isOneRead ? failure : error
  } finally {
    if (failure && isOneRead) {
      ctx.log(`Skipped rows: ${leftOut}; the first: ${failure.message}`, "warning")
    }
  }
  if (failure && !isOneRead) throw failure
}
