/**
 * Runs a fixed piece of work and returns its processor time in ms: maps and objects, which readers
 * use, too.
 */
function work(): number {
  const before = process.threadCpuUsage()
  const lists = new Map<string, { index: number; text: string }[]>()
  for (let index = 0; index < 60_000; index++) {
    const key = `k${index % 5000}`
    const list = lists.get(key) ?? []
    list.push({ index, text: key + index })
    lists.set(key, list)
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const times = 3

/**
 * Other programs share the caches and the clock rate of each core, so the same work takes up to
 * four times the processor time. Returns the current factor. `quietMs` is the time of the work on a
 * quiet machine, or the minimum so far.
 */
export class Yardstick {
  constructor(private quietMs = Number.POSITIVE_INFINITY) {
    for (let warm = 0; warm < 3; warm++) this.crowding()
  }

  crowding(): number {
    let sum = 0
    for (let time = 0; time < times; time++) {
      const ms = work()
      sum += ms
      this.quietMs = Math.min(this.quietMs, ms)
    }
    return Math.max(1, sum / times / this.quietMs)
  }
}
