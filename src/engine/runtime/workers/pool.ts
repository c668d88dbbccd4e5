import { type StartWorker, WorkerHandle } from "./handle.ts"
import { MemoryWatch } from "./memory-watch.ts"
import type { WorkerContext } from "./worker-context.ts"

export interface PoolOptions {
  startWorker: StartWorker
  /** Worker threads, without those for free and suspicious runs. */
  size: number
  /** Maximum runs per worker; the threads for free runs have the same number in total. */
  runsPerWorker: number
  /** Milliseconds of its own processor time without a heartbeat after which a worker is ended. */
  hangMs: number
  /** Milliseconds after which an idle worker ends. */
  idleMs: number
  /** Creates the context of a new worker, with a function that releases it. */
  context(isFree: boolean): WorkerContext
  /** Maximum memory of this process before the largest worker is ended. Default: by the machine. */
  memoryBytes?: number | undefined
  /** Called with the runs of a dead worker. */
  onDeath(runs: string[], reason: string): void
}

/** Heartbeat requests within the maximum time without a response. */
const maxRequests = 4
/** Factor for elapsed time, because waiting without working is usually caused by the machine. */
const silence = 10
const minSilenceMs = 60_000

/** A run that needs a worker. */
export interface Placing {
  id: string
  /** Whether it gets its own worker, so that it cannot crash other runs. */
  isSuspicious: boolean
  /** Whether it is a free run, which gets a low-priority worker. */
  isFree: boolean
  /** Whether only a ready worker is accepted. */
  mustBeReady?: boolean
}

/** All workers are busy. */
export class NoFreeSlot extends Error {
  constructor(slug: string) {
    super(`${slug} was not checked: all workers are busy.`)
  }
}

/** The worker threads: started on demand, monitored, and ended when idle. */
export class WorkerPool {
  /** Workers, each with the function that releases its context. */
  private readonly workers = new Map<WorkerHandle, () => void>()
  private timer?: ReturnType<typeof setInterval>
  private readonly memory: MemoryWatch
  /** Reason why the last worker failed to start; undefined after a success. */
  startIssue?: string | undefined

  constructor(private readonly options: PoolOptions) {
    this.memory = new MemoryWatch(() => this.all, options.memoryBytes)
  }

  /** Maximum concurrent runs, without those of the workers for free runs. */
  get slots(): number {
    return this.options.size * this.options.runsPerWorker
  }

  /** Assigns a run to a worker with a free slot; returns undefined if all are busy. */
  assign({ id, isSuspicious, isFree, mustBeReady }: Placing): WorkerHandle | undefined {
    const workers = this.all.filter((worker) => worker.isFree === isFree && !worker.outdated)
    const chosen = isSuspicious ? this.lonely(workers) : this.minBusy(workers, isFree)
    if (!chosen || (mustBeReady && (chosen === "new" || !chosen.isReady))) return undefined
    const worker = chosen === "new" ? this.spawn(isFree) : chosen
    worker.isExclusive = isSuspicious
    worker.runs.add(id)
    return worker
  }

  /** Returns the worker for a run, or "new" if one should be started. */
  private minBusy(workers: WorkerHandle[], isFree: boolean): WorkerHandle | "new" | undefined {
    const shared = workers.filter((worker) => !worker.isExclusive)
    const { workers: max, runs } = this.room(isFree)
    const [best] = shared.sort((a, b) => a.runs.size - b.runs.size)
    if (best?.runs.size === 0) return best
    if (shared.length < max) return "new"
    return best && best.runs.size < runs ? best : undefined
  }

  /** Free runs leave one processor to the other runs, if there are several. */
  private room(isFree: boolean): { workers: number; runs: number } {
    const { size, runsPerWorker } = this.options
    const workers = isFree ? Math.max(1, size - 1) : size
    return { workers, runs: Math.ceil((size * runsPerWorker) / workers) }
  }

  private lonely(workers: WorkerHandle[]): WorkerHandle | "new" | undefined {
    const idle = workers.find((worker) => worker.runs.size === 0)
    if (idle) return idle
    return workers.filter((worker) => worker.isExclusive).length < this.options.size
      ? "new"
      : undefined
  }

  /** Called when the run is no longer with the worker. */
  release(worker: WorkerHandle, id: string): void {
    worker.runs.delete(id)
    if (worker.runs.size > 0) return
    worker.isExclusive = false
    worker.idleSince = Date.now()
    if (worker.outdated) void this.retire(worker)
  }

  /** New workers take runs from now on; the current ones finish theirs and end. */
  renew(): void {
    for (const worker of this.all) {
      worker.outdated = true
      if (worker.runs.size === 0) void this.retire(worker)
    }
  }

  private spawn(isFree: boolean): WorkerHandle {
    const { start, drop } = this.options.context(isFree)
    const worker = new WorkerHandle(this.options.startWorker, start, isFree, (reason) => {
      if (!worker.isReady) this.startIssue = reason
      this.remove(worker)
      this.options.onDeath([...worker.runs], reason)
    })
    worker.ready.then(
      () => {
        this.startIssue = undefined
      },
      () => {},
    )
    this.workers.set(worker, drop)
    this.timer ??= setInterval(() => this.watch(), this.options.hangMs / maxRequests)
    this.memory.start()
    return worker
  }

  private watch(): void {
    const now = Date.now()
    const { hangMs: busyMs, idleMs } = this.options
    const silentMs = Math.max(minSilenceMs, busyMs * silence)
    for (const worker of this.all) {
      if (worker.runs.size > 0) worker.watch({ busyMs, silentMs })
      else if (now - worker.idleSince >= idleMs) void this.retire(worker)
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
    this.memory.stop()
  }

  /** Workers start no further targets. */
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
