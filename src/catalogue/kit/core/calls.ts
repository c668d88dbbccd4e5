import { messageOf } from "../../../base/error-message.ts"
import type { Context } from "../context.ts"
import { Blocked, EmptyShell, errorItem, NotFound, ScrapeError } from "./errors.ts"

/**
 * Throws an error that is not a ScrapeError, and any error after the run was aborted. Call it first
 * in a `catch` that continues without the failed part.
 * @example catch (error) { assertScrapeError(error, ctx); ctx.log(error.message, "warning") }
 */
export function assertScrapeError(error: unknown, ctx: Context): asserts error is ScrapeError {
  ctx.signal.throwIfAborted()
  if (!(error instanceof ScrapeError)) throw error
}

/**
 * Returns the result of an extra call, or null and a warning in the run's log if it fails.
 * @example const sizes = await orNull(ctx, "sizes", () => ctx.json<Sizes>(sizesUrl))
 */
export async function orNull<T>(
  ctx: Context,
  what: string,
  call: () => Promise<T>,
): Promise<T | null> {
  try {
    return await call()
  } catch (error) {
    ctx.signal.throwIfAborted()
    ctx.replaced(error)
    const reason = messageOf(error)
    ctx.log(`No ${what}: ${reason}`, "warning")
    return null
  }
}

/**
 * Returns a value that several targets of a run share, for example one response with the data of
 * all. The first target computes it. If that fails, it fails for all targets.
 * @example const rates = await once(ctx, "rates", () => ctx.json<Rates>(ratesUrl))
 */
export function once<T>(ctx: Context, key: string, make: () => Promise<T>): Promise<T> {
  const known = ctx.shared.get(key) as Promise<T> | undefined
  if (known) return known
  const made = make()
  ctx.shared.set(key, made)
  return made
}

/**
 * Returns the error item of a part of a target, such as its third page, that failed after other
 * parts succeeded. Use it to name the part, or if the next fetch method must not start the target
 * again. If you throw the error instead, the earlier items are kept, too. Throws the error if it is
 * not a ScrapeError, and any error after the run was aborted.
 * @example yield partFailed(ctx, error, { input: target, page: 3 })
 */
export function partFailed(ctx: Context, error: unknown, fields: Record<string, unknown>) {
  assertScrapeError(error, ctx)
  return errorItem(error, fields)
}

/**
 * Returns the data of a page. If the page is refused, returns the data of the call that the page's
 * own scripts make. A NotFound of that call replaces the page's error; its other errors do not.
 * Throws NotFound, or the errors of `page`.
 * @example return orByCall(ctx, "the product", () => fromPage(url, ctx), () => fromCall(id, ctx))
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
    const reported = await orNull(ctx, `${what} from the API call of the page's scripts`, () =>
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
