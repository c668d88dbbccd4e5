const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Pauses between the tries of one delivery: ten tries over about a day. */
const pauses = [
  5 * second,
  minute,
  5 * minute,
  20 * minute,
  hour,
  2 * hour,
  4 * hour,
  6 * hour,
  10 * hour,
]
export const mostTries = pauses.length + 1
const longestPause = 24 * hour

/**
 * Milliseconds until the next try, after `tries` that failed; null when that was the last. `random`
 * from 0 to 1 spreads deliveries by a tenth, so that they do not all come back at once.
 */
export function pauseAfter(
  tries: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const pause = pauses[tries - 1]
  if (pause === undefined) return null
  const asked = Math.min((retryAfterSeconds ?? 0) * second, longestPause)
  return Math.round(Math.max(pause * (0.9 + random * 0.2), asked))
}
