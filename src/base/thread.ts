import { withDescriptors } from "./descriptor-reserve.ts"
import { type Calls, type Connection, connect } from "./rpc.ts"

/** A thread from the perspective of its parent: the interface that it serves. */
export interface Thread<I> extends Omit<Connection<I>, "fail"> {
  calls: Calls<I>
  /** Resolves when it has ended for any reason. */
  ended: Promise<void>
  /** Ends it immediately; with a reason, as failed. */
  end(failure?: string): void
  /** Whether it keeps the process alive. */
  holdProcess(isHeld: boolean): void
}

export interface ThreadOptions {
  /** Releases memory sooner, at the cost of time. */
  smol?: boolean
  /** Maximum concurrent calls. */
  max?: number
  /** Called when the thread has ended unexpectedly; all its calls are rejected. */
  onFailure(reason: string): void
}

/** Starts a thread from a file, which serves an interface at `self`. */
export function startThread<I extends object>(
  url: string,
  { smol = true, max: maximum, onFailure }: ThreadOptions,
): Thread<I> {
  const worker = withDescriptors(() => new Worker(url, { smol })) as Worker & Bun.Worker
  const { calls, tells: notify, fail } = connect<I>(worker, maximum)
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
    tells: notify,
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

/** Returns the message of an uncaught error, without the code that Bun adds. */
function briefly(message: string): string {
  return message
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(?:\d+ \||\^)/.test(line))
    .join(" ")
    .replace(/\s+/g, " ")
    .slice(0, maxReason)
}
