import type { Context } from "./context.ts"
import { Changed, ScrapeError } from "./core/errors.ts"

/**
 * Yields the result of `read` for each row of an upstream's list. A row for which `read` returns
 * null is skipped. A row without the required fields (an advertisement, a deleted entry, null) is
 * skipped and logged, so that the others are still returned. Throws Changed if no row has them, even
 * if the list fails later.
 * @example
 * ```ts
 * yield* readRows(jobs, (job) => posting.read(job), ctx)
 * ```
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
