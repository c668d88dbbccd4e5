/** Work that comes again and again. */
export interface Loop {
  /** Begins no more of it; resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface LoopOptions {
  /** Until the first time. Default: as until each other. */
  firstMs?: number
  /** Told what the work failed with; it comes again all the same. */
  onError(error: unknown): void
}

/**
 * Does some work every so many milliseconds, counted from the end of one to the begin of the next.
 * Work that returns a number comes again after so many. It keeps no process alive.
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

/** Whether the time is over, and not the loop. */
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
 * Repeats a part of some work until it says that there is no more, or is stopped. It rests as long as
 * a part took, so that whoever does it has half of the time for others, however slow it is.
 */
export async function inParts(part: () => Promise<boolean>, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const started = performance.now()
    if (!(await part())) return
    await rested(Math.max(minRestMs, performance.now() - started), stopped)
  }
}
