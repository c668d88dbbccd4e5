import type { WorkerReport } from "./protocol.ts"
import type { Equipment } from "./worker-equipment.ts"
import { patience, WorkerHandle } from "./worker-handle.ts"

export interface PoolOptions {
  url: string
  /** Worker threads, beside those for runs under suspicion. */
  size: number
  runsPerWorker: number
  /** Without a sign of life for so long, a worker is ended. */
  hangMs: number
  /** An idle worker ends after this time. */
  idleMs: number
  /** What a new worker is given, and what to do when it is gone. */
  equip(): Equipment
  onReport(worker: WorkerHandle, report: WorkerReport): void
  /** With the runs that it had. */
  onDeath(runs: string[], reason: string): void
}

/** The worker threads: started when they are needed, watched, ended when they are idle. */
export class WorkerPool {
  /** Each with what gives up its equipment. */
  private readonly workers = new Map<WorkerHandle, () => void>()
  private timer?: ReturnType<typeof setInterval>

  constructor(private readonly options: PoolOptions) {}

  /**
   * A worker that can take one more run, which is noted on it. A run under suspicion gets one to
   * itself, so that it can take no other run down with it. Undefined when all are busy.
   */
  place(id: string, suspicious: boolean): WorkerHandle | undefined {
    const worker = suspicious ? this.lonely() : this.leastBusy()
    if (!worker) return undefined
    worker.alone = suspicious
    worker.runs.add(id)
    return worker
  }

  private leastBusy(): WorkerHandle | undefined {
    const shared = this.all.filter((worker) => !worker.alone)
    const [best] = shared.sort((a, b) => a.runs.size - b.runs.size)
    if (best?.runs.size === 0) return best
    if (shared.length < this.options.size) return this.spawn()
    return best && best.runs.size < this.options.runsPerWorker ? best : undefined
  }

  private lonely(): WorkerHandle | undefined {
    const idle = this.all.find((worker) => worker.runs.size === 0)
    if (idle) return idle
    return this.all.filter((worker) => worker.alone).length < this.options.size
      ? this.spawn()
      : undefined
  }

  /** The run is no longer with the worker. */
  release(worker: WorkerHandle, id: string): void {
    worker.runs.delete(id)
    if (worker.runs.size > 0) return
    worker.alone = false
    worker.idleSince = Date.now()
  }

  private spawn(): WorkerHandle {
    const { start, drop } = this.options.equip()
    const worker: WorkerHandle = new WorkerHandle(
      this.options.url,
      start,
      (report) => this.options.onReport(worker, report),
      (reason) => {
        this.remove(worker)
        this.options.onDeath([...worker.runs], reason)
      },
    )
    this.workers.set(worker, drop)
    this.timer ??= setInterval(() => this.watch(), this.options.hangMs / patience)
    return worker
  }

  private watch(): void {
    const now = Date.now()
    for (const worker of this.all) {
      if (worker.runs.size > 0) worker.ping()
      else if (now - worker.idleSince >= this.options.idleMs) this.retire(worker)
    }
  }

  private retire(worker: WorkerHandle): Promise<void> {
    this.remove(worker)
    return worker.end()
  }

  private remove(worker: WorkerHandle): void {
    this.workers.get(worker)?.()
    this.workers.delete(worker)
    if (this.workers.size > 0) return
    clearInterval(this.timer)
    this.timer = undefined
  }

  /** No worker begins another target. */
  halt(milliseconds: number): void {
    for (const worker of this.all) worker.halt(milliseconds)
  }

  async end(): Promise<void> {
    await Promise.all(this.all.map((worker) => this.retire(worker)))
  }

  get all(): WorkerHandle[] {
    return [...this.workers.keys()]
  }
}
