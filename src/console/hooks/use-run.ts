import { useEffect, useRef, useState } from "preact/hooks"
import { runOfAccount } from "../data/account-run.ts"
import { type Outcome, run } from "../data/keyless.ts"
import { account } from "../data/shell.ts"
import type { CodeSample } from "../data/snippets.ts"

type RunState =
  | { state: "idle" }
  | { state: "running"; since: number }
  | { state: "done"; outcome: Outcome }
  | { state: "failed"; message: string }

export interface Run {
  current: RunState
  start(call: CodeSample): void
  stop(): void
}

/** One call at a time, aborted when its screen closes. A signed-in user's call is a run of the account. */
export function useRun(): Run {
  const [current, setCurrent] = useState<RunState>({ state: "idle" })
  const under = useRef<AbortController | null>(null)
  useEffect(() => () => under.current?.abort(), [])
  return {
    current,
    start({ path, tool }) {
      under.current?.abort()
      const own = new AbortController()
      under.current = own
      setCurrent({ state: "running", since: Date.now() })
      const outcome =
        account !== undefined && tool ? runOfAccount(tool, own.signal) : run(path, own.signal)
      outcome.then(
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
