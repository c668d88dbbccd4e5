/** The engine's clock; in replay, it is the case's, and sleeping only advances it. */
export interface Clock {
  now(): number
  /** @throws the signal's reason if it is aborted before the time has passed */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep(ms, signal) {
    signal?.throwIfAborted()
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop)
        resolve()
      }, ms)
      signal?.addEventListener("abort", stop, { once: true })
    })
  },
}

/** A clock that only sleeping advances. */
export function replayClock(start: number): Clock {
  let now = start
  return {
    now: () => now,
    async sleep(ms, signal) {
      signal?.throwIfAborted()
      now += ms
    },
  }
}

/** Returns a promise that rejects when the signal is aborted. @throws the signal's reason */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    // The promise is no longer awaited, so a later failure is ignored.
    promise.catch(() => {})
    return Promise.reject(signal.reason)
  }
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener("abort", abort, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener("abort", abort))
}
