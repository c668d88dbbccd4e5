import { connect, type Port, serve } from "../../../base/rpc.ts"
import { secondMs } from "../../../base/time.ts"
import { CallCounters, type Counters, type CountsByMethod } from "./counters.ts"

interface CountsPort {
  count(counted: Record<string, CountsByMethod>): void
}

/** Receives the counts of one worker. */
export function serveCounts(health: CountsPort, port: Port): () => void {
  return serve<CountsPort>(port, { count: (counted) => health.count(counted) })
}

const sendMs = secondMs

/** Counts in a worker, and sends the counts once a second. */
export function sendingCounts(port: Port): Counters {
  const { tells: notify } = connect<CountsPort>(port)
  const counts: CallCounters = new CallCounters(() => {
    if (waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      notify.count(counts.take())
    }, sendMs)
    waiting.unref()
  })
  let waiting: ReturnType<typeof setTimeout> | undefined
  return counts
}
