import { dayMs, hourMs, minuteMs, secondMs } from "../../../base/time.ts"

/** Pauses between the attempts of a delivery: ten attempts over about a day. */
const pauses = [
  5 * secondMs,
  minuteMs,
  5 * minuteMs,
  20 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
  10 * hourMs,
]
export const maxTries = pauses.length + 1
const maxPauseMs = dayMs

/**
 * Returns the milliseconds until the next attempt after `tries` failures; null after the last one.
 * `random` (0 to 1) varies the pause by 10 %, so that deliveries do not all return at once.
 */
export function pauseAfter(
  tries: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const pause = pauses[tries - 1]
  if (pause === undefined) return null
  const requested = Math.min((retryAfterSeconds ?? 0) * secondMs, maxPauseMs)
  return Math.round(Math.max(pause * (0.9 + random * 0.2), requested))
}
