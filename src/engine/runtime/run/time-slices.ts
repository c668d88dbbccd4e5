import { drainMicrotasks } from "bun:jsc"
import { availableParallelism, loadavg } from "node:os"
import vm from "node:vm"

/** Processor time that a run may use of its thread. */
export interface TurnLimits {
  /** At one stretch: reading one page, as a rule. Default 15,000. */
  turnMs?: number
  /** In all. Default: no end. */
  totalMs?: number
  /** What the run has left of its time; it does not pass while the disk is waited for. */
  timeLeftMs?: () => number
}

const maxTurnMs = 15_000
const endless = Number.POSITIVE_INFINITY
/** So that a run with hardly any time left can still end in an orderly way. */
const shortestTurnMs = 10

/** What a run uses of the thread that it shares with others. */
export class Share {
  usedMs = 0
  /** Its position among the others: time used, without credit for the time that it waits. */
  tag = 0
  private readonly turnMs: number
  private readonly totalMs: number
  private readonly timeLeftMs: () => number

  constructor({
    turnMs = maxTurnMs,
    totalMs = endless,
    timeLeftMs = () => endless,
  }: TurnLimits = {}) {
    this.turnMs = turnMs
    this.totalMs = totalMs
    this.timeLeftMs = timeLeftMs
  }

  /** By the clock, which is all that can end a turn: longer where the thread has to wait. */
  get allowanceMs(): number {
    const busyMs = Math.min(this.turnMs, this.totalMs - this.usedMs) * crowding()
    return Math.max(shortestTurnMs, Math.ceil(Math.min(busyMs, this.timeLeftMs())))
  }

  get isSpent(): boolean {
    return this.usedMs >= this.totalMs
  }
}

const processors = availableParallelism()
/** The kernel updates its count every 5 s. */
const crowdingMs = 1000
let crowded = { at: -crowdingMs, times: 1 }

/** Returns how many threads compete for each processor, if the machine reports it; at least 1. */
function crowding(): number {
  const at = performance.now()
  if (at - crowded.at >= crowdingMs) {
    crowded = { at, times: Math.max(1, loadavg()[0]! / processors) }
  }
  return crowded.times
}

interface Turn {
  share: Share
  go: () => void
  /** The turn took more than it may, and was ended in the middle. */
  onOverrun: () => void
}

/** A target that may be begun. */
interface Beginning {
  share: Share
  go: () => void
}

/** However much waits to go on, another target is begun after this time: none keeps all others out. */
const maxHoldMs = 50

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
 * Runs the work of a thread's runs one after another, one time slice for each turn of the event loop,
 * so that timers, aborts and heartbeats are handled between two pages. The run that has used the
 * least time continues first. A slice that takes too much processor time is interrupted at any point:
 * its promises never settle, and none of its code runs any more, not even `finally`.
 */
class Turns {
  private readonly waiting: Turn[] = []
  private readonly beginning: Beginning[] = []
  private begunAt = 0
  private now = 0

  enter(turn: Turn): void {
    const { share } = turn
    share.tag = Math.max(share.tag, this.now)
    if (this.waiting.push(turn) === 1) setImmediate(() => this.next())
  }

  /**
   * Resolves when another target of a run may start: one for each turn of the event loop, of the run
   * that has used the least time, and only if no started target waits to continue. So an overloaded
   * thread starts no more targets than it finishes, and few are running if its process is lost.
   */
  begin(share: Share): Promise<void> {
    share.tag = Math.max(share.tag, this.now)
    return new Promise((go) => {
      if (this.beginning.push({ share, go }) === 1) setImmediate(() => this.beginNext())
    })
  }

  private beginNext(): void {
    const now = performance.now()
    if (this.waiting.length === 0 || now - this.begunAt >= maxHoldMs) {
      this.begunAt = now
      takeFirst(this.beginning).go()
    }
    if (this.beginning.length > 0) setImmediate(() => this.beginNext())
  }

  private next(): void {
    const turn = takeFirst(this.waiting)
    if (this.waiting.length > 0) setImmediate(() => this.next())
    this.now = turn.share.tag
    const before = process.threadCpuUsage()
    const ended = runWithin(turn.share.allowanceMs, turn.go)
    const { user, system } = process.threadCpuUsage(before)
    const used = (user + system) / 1000
    turn.share.usedMs += used
    turn.share.tag += used
    if (!ended) turn.onOverrun()
  }
}

/** Whose run has used least. */
function takeFirst<T extends { share: Share }>(waiting: T[]): T {
  let first = 0
  for (let index = 1; index < waiting.length; index++) {
    if (waiting[index]!.share.tag < waiting[first]!.share.tag) first = index
  }
  return waiting.splice(first, 1)[0]!
}

export const turns = new Turns()

/** Calls, with the microtasks that follow; whether it ended in time. */
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
