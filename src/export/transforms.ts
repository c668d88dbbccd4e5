import { batches } from "../base/batches.ts"
import type { Tenant } from "../base/fair-gate.ts"
import { threadUrl } from "../base/thread-url.ts"
import { type ThreadLimits, WatchedThreads } from "../base/watched-threads.ts"
import type { ExpressionError, TransformThread } from "./transform-thread.ts"

/** Maximum characters of a JSONata expression. */
export const maxExpression = 4000
/** Maximum time for all items of one response. */
const maxMs = 180_000
/** Maximum size of the items that are posted to a thread at once. */
const atOnce = { texts: 500, characters: 1_000_000 }

/** Error code of an expression that exceeds its limits. */
export const exceededCode = "transform_exceeded"

const exceeded = (what: string) =>
  Object.assign(new Error(`It takes ${what}.`), { code: exceededCode })

/** Evaluates expressions by which callers reshape items, in separate threads and within limits. */
export class Transforms {
  private readonly threads: WatchedThreads<TransformThread>

  constructor(limits: ThreadLimits) {
    this.threads = new WatchedThreads(threadUrl("export/transform-thread.ts"), limits, exceeded)
  }

  issue(expression: string): Promise<ExpressionError | undefined> {
    return this.threads.do({ id: "" }, (calls) => calls.issue(expression))
  }

  /**
   * Yields the JSON of transformed items, given the items as JSON. @throws Error with the code
   * `transform_exceeded` or `too_many_waiting`
   */
  async *apply(
    expression: string,
    items: Iterable<string> | AsyncIterable<string>,
    { tenant, signal }: { tenant: Tenant; signal?: AbortSignal | undefined },
  ): AsyncGenerator<string> {
    let left = maxMs
    for await (const batch of batches(items, atOnce)) {
      for (let from = 0; from < batch.length; ) {
        const waiting = batch.slice(from)
        const applied = await this.threads.do(
          tenant,
          (calls) => calls.apply(expression, waiting),
          signal,
        )
        from += applied.done
        left -= applied.ms
        if (left < 0) throw exceeded(`more than ${maxMs / 1000} s for all items`)
        yield* applied.texts
      }
    }
  }

  stop(): void {
    this.threads.stop(new Error("The service is stopping, so items are no longer transformed."))
  }
}

let here: Transforms | undefined

/** Returns the shared transforms of this thread. */
export function transformsHere(): Transforms {
  here ??= new Transforms({ milliseconds: 15_000, memory: 512 * 1024 * 1024, idleMs: 10_000 })
  return here
}
