/** A fixed piece of work, in ms of processor: maps and objects, of which readers are made, too. */
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
 * What else runs on a machine takes the caches and the clock of each core, so that the same work takes
 * more of the processor's time, up to four times as much. This says how much more just now; `quietMs` is
 * what the work takes on a machine that does nothing else, or the least seen so far.
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
