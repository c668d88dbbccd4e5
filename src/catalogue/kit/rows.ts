import type { Context } from "./context.ts"
import { Changed } from "./errors.ts"

/**
 * Yields the result of `read` for each row of an upstream's list; null leaves a row out. A row
 * without the required fields (an advertisement, something deleted, null) is left out and logged,
 * so that it does not cost the others.
 * Throws Changed if all rows lack them.
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
        if (row === null || row === undefined) throw new Changed("The list holds an empty row.")
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
  } finally {
    if (failure && isOneRead) {
      ctx.log(`Rows that are left out: ${leftOut}; the first: ${failure.message}`, "warning")
    }
  }
  if (failure && !isOneRead) throw failure
}
