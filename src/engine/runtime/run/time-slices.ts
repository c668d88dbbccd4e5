import { drainMicrotasks } from "bun:jsc"
import { availableParallelism, loadavg } from "node:os"
import vm from "node:vm"

/** Limits of processor time that a run may use on its thread. */
export interface SliceLimits {
  /** Maximum milliseconds of one time slice, which usually parses one page. Default: 15,000. */
  sliceMs?: number
  /** Maximum milliseconds in total. Default: no limit. */
  totalMs?: number
  /** Returns the run's remaining time; it does not pass while the run waits for the disk. */
  timeLeftMs?: () => number
}

const maxSliceMs = 15_000
const endless = Number.POSITIVE_INFINITY
/**
 * Minimum milliseconds of a time slice, so that a run with hardly any time left can end cleanly.
 */
const minSliceMs = 10

/** A run's use of its shared thread. */
export class Share {
  usedMs = 0
  /** Position among the runs: time used, without credit for waiting. */
  tag = 0
  private readonly sliceMs: number
  private readonly totalMs: number
  private readonly timeLeftMs: () => number

  constructor({
    sliceMs = maxSliceMs,
    totalMs = endless,
    timeLeftMs = () => endless,
  }: SliceLimits = {}) {
    this.sliceMs = sliceMs
    this.totalMs = totalMs
    this.timeLeftMs = timeLeftMs
  }

  /**
   * Maximum elapsed time, the only limit that can interrupt a time slice: longer if the thread
   * waits for a processor.
   */
  get budgetMs(): number {
    const busyMs = Math.min(this.sliceMs, this.totalMs - this.usedMs) * crowding()
    return Math.max(minSliceMs, Math.ceil(Math.min(busyMs, this.timeLeftMs())))
  }

  get isSpent(): boolean {
    return this.usedMs >= this.totalMs
  }
}

const processors = availableParallelism()
/** Interval for reading the load; the kernel updates it every 5 s. */
const crowdingMs = 1000
let crowded = { at: -crowdingMs, times: 1 }

/** Returns the number of threads per processor, at least 1, if the system reports it. */
function crowding(): number {
  const at = performance.now()
  if (at - crowded.at >= crowdingMs) {
    crowded = { at, times: Math.max(1, loadavg()[0]! / processors) }
  }
  return crowded.times
}

interface PendingSlice {
  share: Share
  go: () => void
  /** Called when the time slice exceeded its limit and was interrupted. */
  onOverrun: () => void
}

/** A target that may start. */
interface Beginning {
  share: Share
  go: () => void
}

/**
 * Maximum milliseconds of the thread's processor time after which another target starts, so that waiting
 * continuations cannot block it.
 */
const maxHoldMs = 50
/** Milliseconds of work that may start at once. */
const aheadMs = 20
/** Processor time of a target before one is measured, and the weight of each measurement. */
const firstCost = { ms: 5, weight: 0.2 }

/** Milliseconds of processor time that this thread has used. */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const hook = Symbol.for("trawl.turn")
const call = new vm.Script(`globalThis[Symbol.for("trawl.turn")]()`)
let going: () => void
Object.assign(globalThis, {
  [hook]: () => {
    going()
    drainMicrotasks()
  },
})

/**
 * Runs the work of a thread's runs in turn, one time slice per turn of the event loop, so that
 * timers, aborts and heartbeats are handled between two pages. The run that has used the least time
 * continues first. A time slice that uses too much processor time is interrupted at any point: its
 * promises never settle, and none of its code runs any more, not even `finally`.
 */
class TimeSlices {
  private readonly waiting: PendingSlice[] = []
  private readonly beginning: Beginning[] = []
  private now = 0
  /** Processor time of the thread when the last target started. */
  private usedMs = 0
  /** Processor time of the thread when the last target ended, and from one end to the next on average. */
  private endedMs = 0
  private costMs = firstCost.ms
  /** Time at which the thread would have done the work of all started targets. */
  private doneAt = 0

  enter(slice: PendingSlice): void {
    const { share } = slice
    share.tag = Math.max(share.tag, this.now)
    if (this.waiting.push(slice) === 1) setImmediate(() => this.next())
  }

  /**
   * Resolves when another target of a run may start: one per turn of the event loop, of the run
   * that has used the least time, no faster than the thread can work, and only if no started target
   * waits to continue. So an overloaded thread starts no more targets than it finishes, and few are
   * running if its process is lost.
   */
  begin(share: Share): Promise<void> {
    share.tag = Math.max(share.tag, this.now)
    return new Promise((go) => {
      if (this.beginning.push({ share, go }) === 1) setImmediate(() => this.beginNext())
    })
  }

  private beginNext(): void {
    const early = this.doneAt - performance.now() - aheadMs
    if (early > 0) {
      setTimeout(() => this.beginNext(), early)
      return
    }
    const used = threadMs() - this.usedMs
    if (this.waiting.length === 0 || used >= maxHoldMs) {
      this.usedMs += used
      this.doneAt = Math.max(this.doneAt, performance.now()) + this.costMs
      takeFirst(this.beginning).go()
    }
    if (this.beginning.length > 0) setImmediate(() => this.beginNext())
  }

  /** Called when a target has ended, for the cost of the next ones. */
  end(): void {
    const used = threadMs() - this.endedMs
    this.endedMs += used
    this.costMs += (Math.min(used, maxHoldMs) - this.costMs) * firstCost.weight
  }

  private next(): void {
    const slice = takeFirst(this.waiting)
    if (this.waiting.length > 0) setImmediate(() => this.next())
    this.now = slice.share.tag
    const before = threadMs()
    const ended = runWithin(slice.share.budgetMs, slice.go)
    const used = threadMs() - before
    slice.share.usedMs += used
    slice.share.tag += used
    if (!ended) slice.onOverrun()
  }
}

/** Removes and returns the entry whose run has used the least time. */
function takeFirst<T extends { share: Share }>(waiting: T[]): T {
  let first = 0
  for (let index = 1; index < waiting.length; index++) {
    if (waiting[index]!.share.tag < waiting[first]!.share.tag) first = index
  }
  return waiting.splice(first, 1)[0]!
}

export const timeSlices = new TimeSlices()

/** Runs a function with its microtasks; returns whether it finished in time. */
function runWithin(milliseconds: number, go: () => void): boolean {
  going = go
  try {
    call.runInThisContext({ timeout: milliseconds })
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error
    return false
  }
}
