import type { Answer, Context, RenderOptions } from "./context.ts"
import { Blocked, Outcome, Timeout } from "./outcome.ts"

/** How a site turns robots away, beside the walls that the engine knows by their vendors. */
export interface Wall {
  /** Statuses that are a refusal here, whatever the page says. */
  statuses?: readonly number[]
  /** Words of its own block page. */
  sign?: RegExp
  /** It lets a client that it does not like wait for ever. */
  stalls?: boolean
  /** Its block pages have no words in common: every page without the data is one. */
  wordless?: boolean
}

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
    if (!(error instanceof Outcome) || error instanceof Blocked) throw error
    const refused =
      (error instanceof Timeout && wall.stalls) ||
      (error.statusCode !== null && wall.statuses?.includes(error.statusCode))
    throw refused ? turnedAway(error.url ?? url, error.statusCode) : error
  }
}

/** What a page without its data is: Blocked by the site's own words, else as the engine judges. */
export function lacking(answer: Answer, what: string, wall: Wall): Outcome {
  const outcome = answer.lacks(what)
  if (outcome instanceof Blocked) return outcome
  const refused = wall.wordless || wall.sign?.test(answer.text())
  return refused ? turnedAway(answer.url, answer.status) : outcome
}

function turnedAway(url: string, statusCode: number | null): Blocked {
  const how = statusCode === null ? "it does not answer" : `status ${statusCode}`
  const message = `${new URL(url).host} turns robots away (${how}).`
  return new Blocked(message, null, { url, statusCode })
}
