import { messageOf } from "../../base/error-message.ts"
import type { Context } from "./context.ts"
import { Blocked, EmptyShell, errorItem, NotFound, ScrapeError } from "./errors.ts"

/** An extra call whose failure costs its field alone: null, and a warning in the run's log. */
export async function orNull<T>(
  ctx: Context,
  what: string,
  call: () => Promise<T>,
): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    ctx.signal.throwIfAborted()
    const reason = messageOf(error)
    ctx.log(`No ${what}: ${reason}`, "warning")
    return null
  }
}

/**
 * What several targets of a run share, such as one answer that serves them all: made by the first
 * that needs it. Its failure is theirs together.
 */
export function once<T>(ctx: Context, key: string, make: () => Promise<T>): Promise<T> {
  const known = ctx.shared.get(key) as Promise<T> | undefined
  if (known) return known
  const made = make()
  ctx.shared.set(key, made)
  return made
}

/**
 * Returns the error item of a later part of a target, such as its third page, that failed. Use it
 * to name the part, or if the next fetch method must not start the target again; a thrown error
 * keeps the items before it, too. Throws what is not a ScrapeError, and everything once the run is
 * aborted.
 */
export function partFailed(ctx: Context, error: unknown, fields: Record<string, unknown>) {
  ctx.signal.throwIfAborted()
  if (!(error instanceof ScrapeError)) throw error
  return errorItem(error, fields)
}

/**
 * Returns the data of a page; if the page is refused, the data that its own scripts request. Only a
 * refusal of the thing itself counts against the page's refusal. Throws NotFound, or the errors of
 * `page`.
 */
export async function orByCall<T>(
  ctx: Context,
  what: string,
  page: () => Promise<T>,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await page()
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (!(error instanceof Blocked || error instanceof EmptyShell)) throw error
    const reported = await orNull(ctx, `${what} by the page's own call`, () =>
      call().then(
        (value) => ({ value }),
        (failure) => {
          if (failure instanceof NotFound) return { missing: failure }
          throw failure
        },
      ),
    )
    if (!reported) throw error
    if ("missing" in reported) throw reported.missing
    return reported.value
  }
}
