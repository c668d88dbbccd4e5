import type { Context } from "./context.ts"
import { Changed } from "./errors.ts"

/**
 * What `read` makes of the rows of an upstream's list; null for one that is not asked for. A row that
 * lacks what `read` needs (an advertisement, what is left of something deleted, null) is left out, and
 * the log tells of it: it must not cost the others. Where all of them are so, the upstream has changed.
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
