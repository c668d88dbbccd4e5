/** Repeated work. */
export interface Loop {
  /** Starts no more work; resolves when the running work has finished. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** Milliseconds until the first execution. Default: the interval. */
  firstMs?: number
  /** Called with errors of the work, which is still repeated. */
  onError(error: unknown): void
}

/**
 * Repeats work with a pause in milliseconds between the end of one and the start of the next. Work that
 * returns a number is repeated after that many. It does not keep the process alive.
 */
export function every(
  milliseconds: number,
  work: (stopped: AbortSignal) => Promise<unknown>,
  { firstMs = milliseconds, onError }: LoopOptions,
): Loop {
  const stopping = new AbortController()
  const { signal } = stopping
  const loop = async () => {
    for (let next = firstMs; await rested(next, signal); ) {
      try {
        const requested = await work(signal)
        next = typeof requested === "number" ? requested : milliseconds
      } catch (error) {
        next = milliseconds
        onError(error)
      }
    }
  }
  const ended = loop()
  return {
    stop() {
      stopping.abort()
      return ended
    },
  }
}

/** Resolves to whether the time passed before the loop was stopped. */
function rested(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve(false)
    const stop = () => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop)
      resolve(true)
    }, milliseconds)
    timer.unref()
    signal.addEventListener("abort", stop, { once: true })
  })
}

const minRestMs = 5

/**
 * Repeats a part of some work until it reports that there is no more, or is stopped. It pauses for as
 * long as a part took, so that its thread has half of the time for other work.
 */
export async function inParts(part: () => Promise<boolean>, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const started = performance.now()
    if (!(await part())) return
    await rested(Math.max(minRestMs, performance.now() - started), stopped)
  }
}
