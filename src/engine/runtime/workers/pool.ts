import { type StartWorker, WorkerHandle } from "./handle.ts"
import { MemoryWatch } from "./memory-watch.ts"
import type { WorkerContext } from "./worker-context.ts"

export interface PoolOptions {
  startWorker: StartWorker
  /** Worker threads, in addition to those for free runs and for suspicious ones. */
  size: number
  /** The same number of runs in all is taken by the threads for free ones. */
  runsPerWorker: number
  /** A worker that gives no sign of life for this much of its own processor time is ended. */
  hangMs: number
  /** An idle worker ends after this time. */
  idleMs: number
  /** What a new worker is given, and how that is released. */
  context(isFree: boolean): WorkerContext
  /** What this process may take before the worker that takes most is ended. Default: by the machine. */
  memoryBytes?: number | undefined
  /** With the runs that it had. */
  onDeath(runs: string[], reason: string): void
}

/** Heartbeat requests within the maximum time without a response. */
const asks = 4
/** Waiting without working is the machine's doing, as a rule: it counts much later. */
const silence = 10
const minSilenceMs = 60_000

/** A run that needs a worker. */
export interface Placing {
  id: string
  /** It gets a worker of its own, so that it cannot crash other runs. */
  isSuspicious: boolean
  /** A free run, which gets a low-priority worker. */
  isFree: boolean
  /** Do not start a worker for it, nor let it wait for one that starts. */
  mustBeReady?: boolean
}

/** All workers are busy with runs. */
export class NoRoom extends Error {
  constructor(slug: string) {
    super(`${slug} was not checked: all workers are busy.`)
  }
}

/** The worker threads: started when they are needed, watched, ended when they are idle. */
export class WorkerPool {
  /** Each with the function that releases what it was given. */
  private readonly workers = new Map<WorkerHandle, () => void>()
  private timer?: ReturnType<typeof setInterval>
  private readonly memory: MemoryWatch
  /** Why the last worker could not be started; undefined once one has. */
  startIssue?: string | undefined

  constructor(private readonly options: PoolOptions) {
    this.memory = new MemoryWatch(() => this.all, options.memoryBytes)
  }

  /** Maximum concurrent runs of the workers, without the additional ones for free runs. */
  get places(): number {
    return this.options.size * this.options.runsPerWorker
  }

  /** A worker that can take one more run, which is noted on it. Undefined when all are busy. */
  place({ id, isSuspicious, isFree, mustBeReady }: Placing): WorkerHandle | undefined {
    const workers = this.all.filter((worker) => worker.isFree === isFree && !worker.outdated)
    const place = isSuspicious ? this.lonely(workers) : this.minBusy(workers, isFree)
    if (!place || (mustBeReady && (place === "new" || !place.isReady))) return undefined
    const worker = place === "new" ? this.spawn(isFree) : place
    worker.alone = isSuspicious
    worker.runs.add(id)
    return worker
  }

  /** Returns the worker for a run, or "new" if one is to be started. */
  private minBusy(workers: WorkerHandle[], isFree: boolean): WorkerHandle | "new" | undefined {
    const shared = workers.filter((worker) => !worker.alone)
    const { workers: most, runs } = this.room(isFree)
    const [best] = shared.sort((a, b) => a.runs.size - b.runs.size)
    if (best?.runs.size === 0) return best
    if (shared.length < most) return "new"
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
    return workers.filter((worker) => worker.alone).length < this.options.size ? "new" : undefined
  }

  /** The run is no longer with the worker. */
  release(worker: WorkerHandle, id: string): void {
    worker.runs.delete(id)
    if (worker.runs.size > 0) return
    worker.alone = false
    worker.idleSince = Date.now()
    if (worker.outdated) void this.retire(worker)
  }

  /** Runs are taken by new workers from now on; the present ones end with those that they have. */
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
    this.timer ??= setInterval(() => this.watch(), this.options.hangMs / asks)
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
