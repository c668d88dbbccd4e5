import { withDescriptors } from "./descriptor-reserve.ts"
import { type Calls, type Connection, connect } from "./rpc.ts"

/** A thread, for the one that started it: the interface that it serves. */
export interface Thread<I> extends Omit<Connection<I>, "fail"> {
  calls: Calls<I>
  /** Resolves when it has ended, in whatever way. */
  ended: Promise<void>
  /** Ends it at once; for a reason, as one that failed. */
  end(failure?: string): void
  /** Whether the process lasts as long as it does. */
  holdProcess(isHeld: boolean): void
}

export interface ThreadOptions {
  /** Memory is given back sooner, at some cost of time. */
  smol?: boolean
  /** Maximum concurrent calls. */
  most?: number
  /** The thread has ended unexpectedly; all its calls are rejected. */
  onFailure(reason: string): void
}

/** Starts the thread of a file, which serves an interface at `self`. */
export function startThread<I extends object>(
  url: string,
  { smol = true, most, onFailure }: ThreadOptions,
): Thread<I> {
  const worker = withDescriptors(() => new Worker(url, { smol })) as Worker & Bun.Worker
  const { calls, tells, fail } = connect<I>(worker, most)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let isOver = false
  const lose = (reason: string) => {
    if (isOver) return
    isOver = true
    worker.terminate()
    fail(new Error(`The thread ended: ${reason}`))
    onFailure(reason)
  }
  worker.addEventListener("error", (event) => lose(briefly(event.message)))
  worker.addEventListener("close", () => {
    resolve()
    lose("it was closed")
  })
  return {
    calls,
    tells,
    ended,
    end(failure) {
      if (failure !== undefined) return lose(failure)
      isOver = true
      worker.terminate()
    },
    holdProcess(isHeld) {
      if (isHeld) worker.ref()
      else worker.unref()
    },
  }
}

const maxReason = 500

/** What an uncaught error says, without the lines of code that Bun shows with it. */
function briefly(message: string): string {
  return message
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(?:\d+ \||\^)/.test(line))
    .join(" ")
    .replace(/\s+/g, " ")
    .slice(0, maxReason)
}
