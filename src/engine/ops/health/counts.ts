/** Counts of targets in a period, by one fetch method, as plain data. */
export interface Counts {
  targets: number
  /** Targets that succeeded. */
  good: number
  /** Other targets by the class of their error (codes.ts). */
  failed: Record<string, number>
  /** The targets among them that escalated to another fetch method because of a challenge. */
  sentOn: number
  items: number
  /** Error items by their code (codes.ts). */
  codes: Record<string, number>
  /** Last message by code. */
  stated: Record<string, string>
  /** Targets by duration: the step of a logarithmic scale. */
  times: Record<number, number>
  /** Good items examined, and by field the number of those with a value. */
  seen: number
  filled: Record<string, number>
}

export const noCounts = (): Counts => ({
  targets: 0,
  good: 0,
  failed: {},
  sentOn: 0,
  items: 0,
  codes: {},
  stated: {},
  times: {},
  seen: 0,
  filled: {},
})

/** Maximum distinct codes, because codes contain names from sites. */
const maxCodes = 40
const maxMessageChars = 300

export function countCode(counts: Counts, code: string, message: string | null, times = 1): void {
  const { codes, stated } = counts
  const isNew = codes[code] === undefined && Object.keys(codes).length >= maxCodes
  const name = isNew ? code.replace(/\/.*$/s, "") : code
  codes[name] = (codes[name] ?? 0) + times
  if (message !== null) stated[name] = message.slice(0, maxMessageChars)
}

/** Logarithmic steps of 25 %, from a millisecond to more than a day. */
const step = Math.log(1.25)

export function countTime(counts: Counts, milliseconds: number): void {
  const at = Math.max(0, Math.round(Math.log(Math.max(1, milliseconds)) / step))
  counts.times[at] = (counts.times[at] ?? 0) + 1
}

/** Returns the median duration, to about 10 %; null without targets. */
export function medianMs({ times }: Counts): number | null {
  const steps = Object.entries(times)
  const all = steps.reduce((total, [, count]) => total + count, 0)
  let before = 0
  for (const [at, count] of steps) {
    before += count
    if (before * 2 >= all) return Math.round(Math.exp(Number(at) * step))
  }
  return null
}

/** Adds counts to others; `factor` -1 subtracts them. */
export function addCounts(to: Counts, from: Counts, factor = 1): Counts {
  to.targets += factor * from.targets
  to.good += factor * from.good
  to.sentOn += factor * from.sentOn
  to.items += factor * from.items
  to.seen += factor * from.seen
  addAll(to.failed, from.failed, factor)
  addAll(to.times, from.times, factor)
  addAll(to.filled, from.filled, factor)
  for (const [code, count] of Object.entries(from.codes)) {
    countCode(to, code, factor > 0 ? (from.stated[code] ?? null) : null, factor * count)
  }
  return to
}

export function addAll(to: Record<string, number>, from: Record<string, number>, factor = 1): void {
  for (const [name, count] of Object.entries(from)) to[name] = (to[name] ?? 0) + factor * count
}

/** Returns the number of error items per class of codes. */
export function byClass({ codes }: Counts): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const [code, count] of Object.entries(codes)) {
    const kind = code.slice(0, code.indexOf(":"))
    sums[kind] = (sums[kind] ?? 0) + count
  }
  return sums
}

/** Returns the share of items in which each field has a value. */
export function shares({ seen, filled }: Counts): Record<string, number> {
  if (seen === 0) return {}
  return Object.fromEntries(Object.entries(filled).map(([name, count]) => [name, count / seen]))
}
