import { BoundedMap } from "../../base/bounded-map.ts"

const quietMs = 60_000
const maxKnown = 1000

/**
 * Passes on a problem at most once a minute, with the number of repetitions: a problem of every
 * second must not fill the log.
 */
export function onceAMinute(
  report: (message: string) => void,
  now: () => number = () => performance.now(),
): (message: string) => void {
  const known = new BoundedMap<string, { until: number; more: number }>(maxKnown)
  return (message) => {
    const at = now()
    const before = known.get(message)
    if (before && before.until > at) {
      before.more++
      return
    }
    known.set(message, { until: at + quietMs, more: 0 })
    report(
      before && before.more > 0 ? `${message} (and ${before.more} times more before)` : message,
    )
  }
}
