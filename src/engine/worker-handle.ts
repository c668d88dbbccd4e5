import type { RunRow } from "../store/runs.ts"
import type { WorkerCommand, WorkerReport, WorkerStart } from "./protocol.ts"

/** Pings that may go unanswered before a worker counts as hung. */
export const patience = 4

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
  private unanswered = 0
  private onReady!: { resolve(): void; reject(error: Error): void }

  constructor(
    url: string,
    start: WorkerStart,
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
    this.unanswered = 0
    if (report.type === "ready") this.onReady.resolve()
    else if (report.type !== "pong") this.onReport(report)
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

  /** Asks for a sign of life; without one for several times, the worker is ended. */
  ping(): void {
    if (this.unanswered >= patience) {
      this.die("it does not answer")
      return
    }
    this.unanswered++
    this.post({ type: "ping" })
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
