import type { RunService } from "../../engine/runtime/workers/runs.ts"
import type { Db } from "../../store/db/database.ts"
import { type LogRow, logLines } from "../../store/runs/run-log.ts"
import { runById } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"

/** A run in its current state, and its log after a line. */
export interface Look {
  run: RunRow | undefined
  lines: LogRow[]
  /** Serialized events, shared between listeners. */
  made: Map<string, Uint8Array>
}

export const linesAtOnce = 500
/** Milliseconds for which a read is shared if no event arrives. */
const freshMs = 1000
/** Milliseconds per listener, so that listeners are served one after the other. */
const spreadMs = 2

/** Notifies the clients that follow runs, and reads each run once for all of them. */
export class RunFeeds {
  private readonly feeds = new Map<string, RunFeed>()
  private listeners = 0
  private onNobody: (() => void)[] = []

  constructor(
    private readonly db: Db,
    private readonly runs: Pick<RunService, "subscribe">,
  ) {}

  join(id: string): { feed: RunFeed; leave(): void } {
    const feed = this.feeds.get(id) ?? new RunFeed(id, this.db, this.runs)
    this.feeds.set(id, feed)
    feed.listeners++
    this.listeners++
    return {
      feed,
      leave: () => {
        this.listeners--
        if (this.listeners === 0) for (const resolve of this.onNobody.splice(0)) resolve()
        if (--feed.listeners > 0) return
        feed.end()
        if (this.feeds.get(id) === feed) this.feeds.delete(id)
      },
    }
  }

  /** Delay of one listener, so that not all are served at the same moment. */
  get stagger(): number {
    return Math.floor(Math.random() * this.listeners * spreadMs)
  }

  /** Resolves when there are no listeners, or after the given time. */
  async left(milliseconds: number): Promise<void> {
    if (this.listeners === 0) return
    const nobody = new Promise<void>((resolve) => this.onNobody.push(resolve))
    await Promise.race([nobody, Bun.sleep(milliseconds)])
  }
}

class RunFeed {
  listeners = 0
  private version = 0
  private readonly looks = new Map<number, { version: number; at: number; look: Promise<Look> }>()
  private waiting: (() => void)[] = []
  readonly end: () => void

  constructor(
    private readonly id: string,
    private readonly db: Db,
    runs: Pick<RunService, "subscribe">,
  ) {
    this.end = runs.subscribe(id, () => this.happened())
  }

  private happened(): void {
    this.version++
    this.looks.clear()
    for (const wake of this.waiting.splice(0)) wake()
  }

  /** Number of changes so far: read it before a look, and pass it to `change` after it. */
  get now(): number {
    return this.version
  }

  /** Resolves after a later change, when the signal is aborted, or after the given time. */
  async change(since: number, milliseconds: number, signal: AbortSignal): Promise<void> {
    if (this.version !== since || signal.aborted) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        signal.removeEventListener("abort", wake)
        resolve()
      }
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== wake)
        wake()
      }, milliseconds)
      signal.addEventListener("abort", wake, { once: true })
      this.waiting.push(wake)
    })
  }

  /** Listeners that have received the log up to the same line share a look. */
  look(after: number): Promise<Look> {
    const known = this.looks.get(after)
    if (known?.version === this.version && Date.now() - known.at < freshMs) return known.look
    const look = this.read(after)
    this.looks.set(after, { version: this.version, at: Date.now(), look })
    return look
  }

  /** The run is read before its log, so that a finished run has all its lines. */
  private async read(after: number): Promise<Look> {
    const run = await runById(this.db, this.id)
    const lines = run ? await logLines(this.db, run.n, { after, limit: linesAtOnce }) : []
    return { run, lines, made: new Map() }
  }
}
