import { useEffect, useRef, useState } from "preact/hooks"
import { type Outcome, run } from "./data/keyless.ts"

type RunState =
  | { state: "idle" }
  | { state: "running"; since: number }
  | { state: "done"; outcome: Outcome }
  | { state: "failed"; message: string }

export interface Run {
  current: RunState
  start(path: string): void
  stop(): void
}

/** One call at a time, which ends with its screen. */
export function useRun(): Run {
  const [current, setCurrent] = useState<RunState>({ state: "idle" })
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])
  return {
    current,
    start(path) {
      under.current?.abort()
      const own = new AbortController()
      under.current = own
      setCurrent({ state: "running", since: Date.now() })
      run(path, own.signal).then(
        (outcome) => !own.signal.aborted && setCurrent({ state: "done", outcome }),
        (error) => !own.signal.aborted && setCurrent({ state: "failed", message: error.message }),
      )
    },
    stop() {
      under.current?.abort()
      setCurrent({ state: "idle" })
    },
  }
}
