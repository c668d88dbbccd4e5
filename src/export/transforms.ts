import { type ThreadLimits, WatchedThreads } from "../base/watched-threads.ts"
import { threadUrl } from "../thread-url.ts"
import type { ExpressionFault, TransformThread } from "./transform-thread.ts"

/** JSONata, in characters. */
export const longestExpression = 4000
/** Of all items of one answer together. */
const mostMs = 180_000
const itemsAtOnce = 100
const charactersAtOnce = 1_000_000

/** What an expression did is more than it may do. */
export const exceededCode = "transform_exceeded"

const exceeded = (what: string) =>
  Object.assign(new Error(`It takes ${what}.`), { code: exceededCode })

/** Expressions by which callers reshape items, evaluated in threads of their own, within limits. */
export class Transforms {
  private readonly threads: WatchedThreads<TransformThread>

  constructor(limits: ThreadLimits) {
    this.threads = new WatchedThreads(threadUrl("export/transform-thread.ts"), limits, exceeded)
  }

  fault(expression: string): Promise<ExpressionFault | undefined> {
    return this.threads.do((calls) => calls.fault(expression))
  }

  /**
   * JSON of what an expression makes of items, given as JSON. @param atOnce Items that are waited for before
   * they are worked on. @throws Error with the code `transform_exceeded`
   */
  async *apply(
    expression: string,
    items: Iterable<string> | AsyncIterable<string>,
    { atOnce = itemsAtOnce, signal }: { atOnce?: number; signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<string> {
    let left = mostMs
    let waiting: string[] = []
    let characters = 0
    const work = async () => {
      const { texts, done, ms } = await this.threads.do(
        (calls) => calls.apply(expression, waiting),
        signal,
      )
      waiting = waiting.slice(done)
      left -= ms
      if (left < 0) throw exceeded(`more than ${mostMs / 1000} s for all items`)
      return texts
    }
    for await (const item of items) {
      waiting.push(item)
      characters += item.length
      if (waiting.length < atOnce && characters < charactersAtOnce) continue
      while (waiting.length > 0) yield* await work()
      characters = 0
    }
    while (waiting.length > 0) yield* await work()
  }

  stop(): void {
    this.threads.stop(new Error("Items are not reshaped any more."))
  }
}

let here: Transforms | undefined

/** Those of this thread, which last as long as somebody wants them. */
export function transformsHere(): Transforms {
  here ??= new Transforms({ milliseconds: 15_000, memory: 512 * 1024 * 1024, idleMs: 10_000 })
  return here
}
