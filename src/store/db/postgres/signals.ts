import type { SQL } from "bun"
import { messageOf } from "../../../base/error-message.ts"
import type { RunStatus } from "../../tables/run-status.ts"
import { openPostgres } from "./client.ts"

/** A notification between processes; a process that misses it reads the store a moment later. */
interface Signal {
  /** Whether queued runs wait for a worker. */
  work: boolean
  /** Runs whose state has changed. */
  runs: [id: string, status: RunStatus][]
}

export interface SignalsOptions {
  url: string
  /** URL without a pooler: a pooler that changes connections between transactions loses LISTEN. */
  directUrl?: string | undefined
  onSignal(signal: Signal): void
  /** Called after signals may have been lost. */
  onMissed(): void
  onError(message: string): void
}

const channel = "trawl"
/** Signals within this many milliseconds are sent together: each one delays the database's commits. */
const gatherMs = 10
/**
 * Maximum runs of one signal. A payload may have 8,000 bytes; a run's ID and status have fewer than
 * 70.
 */
const runsAtOnce = 100

/** LISTEN and NOTIFY between the processes that share a PostgreSQL. */
export class Signals {
  private readonly client: SQL
  private readonly listening: SQL
  private readonly own = crypto.randomUUID()
  private runs = new Map<string, RunStatus>()
  private work = false
  private timer?: ReturnType<typeof setTimeout> | undefined
  private stopped = false

  constructor(private readonly options: SignalsOptions) {
    this.client = openPostgres(options.url, 1)
    this.listening = openPostgres(options.directUrl ?? options.url, 1)
  }

  /** Starts to listen. Without LISTEN, this process notices changes by polling, a second later. */
  async start(): Promise<void> {
    const { url, directUrl, onMissed, onError } = this.options
    // Connections without prepared statements lead to a pooler, which does not support LISTEN.
    if (directUrl === undefined && /[?&]prepare=false\b/.test(url)) return
    try {
      await this.listening.listen(channel, (text) => this.hear(text), onMissed)
    } catch (error) {
      onError(`Signals of other processes arrive late: ${messageOf(error)}`)
    }
  }

  private hear(text: string): void {
    if (this.stopped) return
    const { from, ...signal } = JSON.parse(text) as Signal & { from: string }
    if (from !== this.own) this.options.onSignal(signal)
  }

  sendWork(): void {
    this.work = true
    this.sendSoon()
  }

  sendRun(id: string, status: RunStatus): void {
    this.runs.set(id, status)
    this.sendSoon()
  }

  private sendSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.notify()
    }, gatherMs)
  }

  private notify(): void {
    const all = [...this.runs]
    const runs = all.slice(0, runsAtOnce)
    this.runs = new Map(all.slice(runsAtOnce))
    const text = JSON.stringify({ from: this.own, work: this.work, runs })
    this.work = false
    // Other processes find a lost signal's work by polling.
    this.client`SELECT pg_notify(${channel}, ${text})`.catch(() => {})
    if (this.runs.size > 0) this.sendSoon()
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    if (this.timer) this.notify()
    await Promise.all([
      this.client.close({ timeout: 1 }).catch(() => {}),
      this.listening.close({ timeout: 0 }).catch(() => {}),
    ])
  }
}
