import type { SQL } from "bun"
import { messageOf } from "../../base/error-message.ts"
import type { RunStatus } from "../tables/run-status.ts"
import { openPostgres } from "./client.ts"

/** What one process tells the others; who misses it finds it in the store a moment later. */
interface Signal {
  /** Runs wait to be taken. */
  work: boolean
  /** Runs whose state has changed. */
  runs: [id: string, status: RunStatus][]
}

export interface SignalsOptions {
  url: string
  /** Past a pooler that gives each transaction another connection: what is listened to is lost there. */
  directUrl?: string | undefined
  onSignal(signal: Signal): void
  /** Whatever was told meanwhile was not heard. */
  onMissed(): void
  onError(message: string): void
}

const channel = "trawl"
/** What happens within this time is told together: each telling makes the database's commits wait. */
const gatherMs = 10
/** A payload has less than 8,000 bytes; a run's id and status have less than 70. */
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

  /** Without it, all is found by looking: a second later. */
  async start(): Promise<void> {
    const { url, directUrl, onMissed, onError } = this.options
    // Who keeps no prepared statements is behind a pooler that keeps no LISTEN either.
    if (directUrl === undefined && /[?&]prepare=false\b/.test(url)) return
    try {
      await this.listening.listen(channel, (text) => this.hear(text), onMissed)
    } catch (error) {
      onError(`Other processes are not heard at once: ${messageOf(error)}`)
    }
  }

  private hear(text: string): void {
    if (this.stopped) return
    const { from, ...signal } = JSON.parse(text) as Signal & { from: string }
    if (from !== this.own) this.options.onSignal(signal)
  }

  tellWork(): void {
    this.work = true
    this.tellSoon()
  }

  tellRun(id: string, status: RunStatus): void {
    this.runs.set(id, status)
    this.tellSoon()
  }

  private tellSoon(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.tell()
    }, gatherMs)
  }

  private tell(): void {
    const all = [...this.runs]
    const runs = all.slice(0, runsAtOnce)
    this.runs = new Map(all.slice(runsAtOnce))
    const text = JSON.stringify({ from: this.own, work: this.work, runs })
    this.work = false
    // What is not told is found by looking.
    this.client`SELECT pg_notify(${channel}, ${text})`.catch(() => {})
    if (this.runs.size > 0) this.tellSoon()
  }

  async stop(): Promise<void> {
    this.stopped = true
    clearTimeout(this.timer)
    if (this.timer) this.tell()
    await Promise.all([
      this.client.close({ timeout: 1 }).catch(() => {}),
      this.listening.close({ timeout: 0 }).catch(() => {}),
    ])
  }
}
