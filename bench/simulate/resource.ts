/** Servers of one kind that process work in the order of arrival. */
export class Resource {
  private readonly freeAt: Float64Array
  private busyMs = 0

  constructor(servers: number) {
    this.freeAt = new Float64Array(servers)
  }

  /** Returns when a task is done that arrives at `now`; earlier tasks go first. */
  use(now: number, milliseconds: number): number {
    let first = 0
    for (let n = 1; n < this.freeAt.length; n++) {
      if (this.freeAt[n]! < this.freeAt[first]!) first = n
    }
    const end = Math.max(now, this.freeAt[first]!) + milliseconds
    this.freeAt[first] = end
    this.busyMs += milliseconds
    return end
  }

  /**
   * Returns the share of the time in which the servers were busy, without work that still waits.
   */
  utilisation(milliseconds: number): number {
    return Math.min(1, this.busyMs / (milliseconds * this.freeAt.length))
  }
}

/** Events by time: a binary heap. */
export class Agenda {
  private readonly heap: { at: number; happen: () => void }[] = []
  now = 0

  at(at: number, happen: () => void): void {
    const { heap } = this
    heap.push({ at, happen })
    let child = heap.length - 1
    while (child > 0) {
      const parent = (child - 1) >> 1
      if (heap[parent]!.at <= at) break
      ;[heap[parent], heap[child]] = [heap[child]!, heap[parent]!]
      child = parent
    }
  }

  /** Runs the events before `end`. */
  runUntil(end: number): void {
    const { heap } = this
    while (heap.length > 0 && heap[0]!.at < end) {
      const { at, happen } = heap[0]!
      const last = heap.pop()!
      if (heap.length > 0) {
        heap[0] = last
        this.sink()
      }
      this.now = at
      happen()
    }
    this.now = end
  }

  private sink(): void {
    const { heap } = this
    let parent = 0
    for (;;) {
      const left = 2 * parent + 1
      if (left >= heap.length) return
      const right = left + 1
      const child = right < heap.length && heap[right]!.at < heap[left]!.at ? right : left
      if (heap[parent]!.at <= heap[child]!.at) return
      ;[heap[parent], heap[child]] = [heap[child]!, heap[parent]!]
      parent = child
    }
  }
}

/** Returns a random number generator with the same sequence each time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
