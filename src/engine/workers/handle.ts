import type { RunRow } from "../../store/tables/schema.ts"
import type { WorkerCommand, WorkerReport, WorkerStart } from "./protocol.ts"
import { threadTimeMs } from "./thread-time.ts"

/** How long a worker may be without a sign of life. */
export interface Patience {
  /** Of its own processor time: one that waits for the processor does not hang. */
  busyMs: number
  /** By the clock, also while it starts: one that waits for something else for ever. */
  silentMs: number
}

/** One worker as the main thread has it. */
export class WorkerHandle {
  /** The runs handed to it, or about to be. */
  readonly runs = new Set<string>()
  /** It executes a run under suspicion, and takes no other. */
  alone = false
  idleSince = Date.now()
  dead = false
  /** Rejects when the worker ends before it can take runs. */
  readonly ready: Promise<void>
  private readonly thread: Worker
  /** Its number with the system, once it is ready. */
  private id?: number | null
  private asked?: { at: number; timeMs: number }
  private onReady!: { resolve(): void; reject(error: Error): void }

  constructor(
    url: string,
    start: WorkerStart,
    /** For runs that nobody pays for: it stands back behind the others. */
    readonly isFree: boolean,
    private readonly onReport: (report: WorkerReport) => void,
    private readonly onDeath: (reason: string) => void,
  ) {
    this.ready = new Promise((resolve, reject) => {
      this.onReady = { resolve, reject }
    })
    this.ready.catch(() => {})
    this.thread = new Worker(url, { smol: true })
    this.thread.onmessage = ({ data }: MessageEvent<WorkerReport>) => this.receive(data)
    this.thread.addEventListener("error", (event) => this.die(briefly(event.message)))
    this.thread.addEventListener("close", () => this.die("it ended"))
    this.thread.postMessage(start, [start.writer, ...Object.values(start.services)])
  }

  private receive(report: WorkerReport): void {
    if (this.dead) return
    this.asked = undefined
    if (report.type === "ready") {
      this.id = report.thread
      this.onReady.resolve()
    } else if (report.type !== "pong") this.onReport(report)
  }

  execute(run: RunRow): void {
    this.post({ type: "execute", run })
  }

  abort(id: string): void {
    this.post({ type: "abort", id })
  }

  /** The run is to make room for others, and goes on later. */
  setBack(id: string): void {
    this.post({ type: "setBack", id })
  }

  halt(milliseconds: number): void {
    this.post({ type: "halt", milliseconds })
  }

  private post(command: WorkerCommand): void {
    if (!this.dead) this.thread.postMessage(command)
  }

  /** Asks for a sign of life; one that gives none for too long is ended. */
  watch({ busyMs, silentMs }: Patience): void {
    const { asked, id } = this
    const isStarting = id === undefined
    if (!asked) {
      this.asked = { at: Date.now(), timeMs: isStarting ? 0 : threadTimeMs(id) }
      this.post({ type: "ping" })
      return
    }
    const isBusy = !isStarting && threadTimeMs(id) - asked.timeMs >= busyMs
    if (isBusy || Date.now() - asked.at >= silentMs) this.die("it does not answer")
  }

  private die(reason: string): void {
    if (this.dead) return
    this.dead = true
    this.thread.terminate()
    this.onReady.reject(new Error(`The worker did not start: ${reason}`))
    this.onDeath(reason)
  }

  /** Ends an idle worker. */
  async end(): Promise<void> {
    if (this.dead) return
    this.post({ type: "end" })
    this.dead = true
    const closed = new Promise((resolve) => this.thread.addEventListener("close", resolve))
    await Promise.race([closed, Bun.sleep(2000)])
    this.thread.terminate()
  }
}

const longestReason = 500

/** What an uncaught error says, without the lines of code that Bun shows with it. */
export const briefly = (message: string) =>
  message
    .split("\n")
    .filter((line) => line.trim() !== "" && !/^\s*(?:\d+ \||\^)/.test(line))
    .join(" ")
    .replace(/\s+/g, " ")
    .slice(0, longestReason)
