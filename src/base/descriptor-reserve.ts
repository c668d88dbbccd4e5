import { closeSync, openSync } from "node:fs"
import { descriptors } from "./process-usage.ts"

/** Descriptors that the start of a thread needs at once: its event loop. */
const perThread = 2
/** Minimum free descriptors; with fewer, some are released before a thread starts. */
const minFree = 64
const reserved = 16
/** Maximum milliseconds that a start blocks the main thread while descriptors are scarce. */
const maxWaitMs = 250

/**
 * Keeps file descriptors free for the start of threads. The runtime ends the whole process if a thread
 * finds no descriptor for its event loop, and any client can open connections until none is left.
 */
export class DescriptorReserve {
  private readonly held: number[] = []

  /** @param closeIdle Closes idle connections. */
  constructor(
    private readonly closeIdle: () => void,
    private readonly read = descriptors,
  ) {
    this.fill()
  }

  /**
   * Starts a thread. If descriptors are scarce, closes idle connections, releases the reserve, and
   * blocks until the thread has its own: the main thread accepts no connections in the meantime.
   */
  start<T>(thread: () => T): T {
    if (this.free() >= minFree) return thread()
    this.closeIdle()
    this.release()
    try {
      const before = this.open()
      const started = thread()
      const until = performance.now() + maxWaitMs
      while (this.open() < before + perThread && performance.now() < until) Bun.sleepSync(1)
      return started
    } finally {
      this.fill()
    }
  }

  release(): void {
    for (const descriptor of this.held.splice(0)) closeSync(descriptor)
  }

  private fill(): void {
    // Other systems than Linux cannot count descriptors, so nothing would release them.
    if (!this.read()) return
    try {
      while (this.held.length < reserved) this.held.push(openSync("/dev/null", "r"))
    } catch {
      // None is left; the next start tries again.
    }
  }

  private open(): number {
    return this.read()?.open ?? 0
  }

  private free(): number {
    const known = this.read()
    if (!known) return Number.POSITIVE_INFINITY
    return known.open === Number.POSITIVE_INFINITY ? 0 : known.max - known.open
  }
}

let reserve: DescriptorReserve | undefined

/** Sets the reserve by which this process starts threads; returns a function that removes it. */
export function reserveDescriptors(closeIdle: () => void): () => void {
  const own = new DescriptorReserve(closeIdle)
  reserve = own
  return () => {
    own.release()
    if (reserve === own) reserve = undefined
  }
}

/** Starts a thread with the reserve of the process, if there is one. */
export function withDescriptors<T>(start: () => T): T {
  return reserve ? reserve.start(start) : start()
}
