import { connect, type Port, serve } from "../../base/rpc.ts"
import { secondMs } from "../../base/time.ts"
import { CountingTally, type CountsByWay, type Tally } from "./tally.ts"

interface CountsPort {
  count(counted: Record<string, CountsByWay>): void
}

/** Takes what one worker counts. */
export function serveCounts(board: CountsPort, port: Port): () => void {
  return serve<CountsPort>(port, { count: (counted) => board.count(counted) })
}

const sendMs = secondMs

/** Counts in a worker, and sends on what has come together once a second. */
export function sendingTally(port: Port): Tally {
  const { tells } = connect<CountsPort>(port)
  const tally: CountingTally = new CountingTally(() => {
    if (waiting) return
    waiting = setTimeout(() => {
      waiting = undefined
      tells.count(tally.take())
    }, sendMs)
    waiting.unref()
  })
  let waiting: ReturnType<typeof setTimeout> | undefined
  return tally
}
