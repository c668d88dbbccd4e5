import type { Answer, Context, Refusal, RenderOptions } from "./context.ts"
import { Blocked, type Outcome } from "./outcome.ts"
import { refusedPage, refusedRequest } from "./refusal.ts"

/** For scrapers whose targets climb as a whole: `ctx.page` knows all of this by its `refusal`. */
export interface Wall extends Omit<Refusal, "sign" | "vendor"> {
  /** Words of its own block page. */
  sign?: RegExp
  /** Its block pages have no words in common: every page without the data is one. */
  wordless?: boolean
}

const refusalOf = ({ wordless, ...wall }: Wall): Refusal =>
  wordless ? { ...wall, sign: () => true } : wall

/** A page behind a site's own wall, which is not asked for again and again. See guarded. */
export function guardedPage(
  ctx: Context,
  url: string,
  wall: Wall,
  options?: RenderOptions,
): Promise<Answer> {
  return guarded(ctx, url, wall, () => ctx.html(url, { retries: wall.stalls ? 0 : 1, ...options }))
}

/** An answer from behind a site's own wall: refusals are Blocked, so that the engine climbs. */
export async function guarded(
  ctx: Context,
  url: string,
  wall: Wall,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    ctx.signal.throwIfAborted()
    throw refusedRequest(error, url, refusalOf(wall)) ?? error
  }
}

/** What a page without its data is: Blocked by the site's own words, else as the engine judges. */
export function lacking(answer: Answer, what: string, wall: Wall): Outcome {
  const outcome = answer.lacks(what)
  if (outcome instanceof Blocked) return outcome
  return refusedPage(answer, refusalOf(wall)) ?? outcome
}
