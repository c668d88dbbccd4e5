import { unseen } from "../extract/text.ts"
import { orNull, partFailed } from "./calls.ts"
import type { Answer, Context, RenderOptions } from "./context.ts"
import { Blocked, type ErrorItem } from "./outcome.ts"
import { guarded, guardedPage, type Wall } from "./walls.ts"

export interface Paging<Row> {
  /** The most rows that are given. */
  cap: number
  /** What tells two rows apart. */
  keyOf(row: Row): string
  /** The fields by which the error item of a later page names its target. */
  target: Record<string, unknown>
  /** Pages without a new row, one after the other, that end the list. Default 1. */
  patience?: number
}

/**
 * The rows of page after page, each once. A first page that fails fails the target; a later one
 * ends the list with its error item.
 */
export async function* pagedRows<Row>(
  ctx: Context,
  pages: AsyncIterable<Row[]>,
  { cap, keyOf, target, patience = 1 }: Paging<Row>,
): AsyncGenerator<Row | ErrorItem> {
  const seen = new Set<string>()
  let given = 0
  let stale = 0
  try {
    for await (const rows of pages) {
      const fresh = unseen(rows, seen, keyOf)
      for (const row of fresh) {
        yield row
        if (++given >= cap) return
      }
      stale = fresh.length === 0 ? stale + 1 : 0
      if (stale >= patience) return
    }
  } catch (error) {
    if (given === 0) throw error
    yield partFailed(ctx, error, target)
  }
}

/**
 * A page behind the first. Where the wall stops it, Chrome asks once more, for the engine would
 * begin the whole target again.
 */
export async function laterPage(
  ctx: Context,
  url: string,
  wall: Wall,
  options?: RenderOptions,
): Promise<Answer> {
  try {
    return await guardedPage(ctx, url, wall, options)
  } catch (error) {
    if (!(error instanceof Blocked)) throw error
    const render = () => guarded(ctx, url, wall, () => ctx.render(url, options))
    const inChrome = await orNull(ctx, "answer through Chrome", render)
    if (!inChrome) throw error
    return inChrome
  }
}
