import { availableParallelism } from "node:os"
import { isAbsolute, resolve } from "node:path"
import type { Config } from "../config.ts"
import { newId } from "../store/ids.ts"
import { lockFolder } from "../store/lock.ts"
import type { PutBackCause } from "../store/put-back.ts"
import { isOver, orphanedRuns, queuedRuns, type RunRow, runById } from "../store/runs.ts"
import type { ThreadedStore } from "../store/store.ts"
import { threadUrl } from "../store/thread-url.ts"
import { FairQueue } from "./fair-queue.ts"
import { targetKey } from "./journal.ts"
import type { WorkerReport, WorkerStart } from "./protocol.ts"
import { Retention } from "./retention.ts"
import { RunEvents } from "./run-events.ts"
import type { RunEvent, RunService, StartRun } from "./runs.ts"
import type { WorkerHandle } from "./worker-handle.ts"
import { WorkerPool } from "./worker-pool.ts"

/** Serves one worker over a port; called when the worker starts, gives back how to stop. */
export type WorkerService = (port: MessagePort) => () => void

export interface SupervisorOptions {
  store: ThreadedStore
  config: Pick<
    Config,
    "dataDir" | "workers" | "runsPerAccount" | "retentionDays" | "logRetentionDays"
  >
  /** What the workers make their environment from; plain data. Default: the config. */
  settings?: unknown
  /** What all workers share, by the name under which worker.ts asks for it. */
  services?: Record<string, WorkerService>
  /** Default 16. */
  runsPerWorker?: number
  /** A worker without a sign of life for so long is replaced. Default 20,000. */
  hangMs?: number
  /** Idle workers end after this time. Default 60,000. */
  idleMs?: number
  /** A run that does not heed its end is left alone after this time. Default 10,000. */
  stubbornMs?: number
  /** The worker's file; tests and benchmarks have their own. */
  workerUrl?: string
  /** What the operator should know. Default: the standard error. */
  onTrouble?(message: string): void
}

export interface Supervisor extends RunService {
  /** Resolves when the runs of an earlier process are queued again. */
  readonly ready: Promise<void>
  /** For metrics and health: what is going on now. */
  state(): { queued: number; running: number; workers: number }
}

/** The service stops, and takes no runs any more. */
export class Stopping extends Error {
  constructor() {
    super("The service is stopping and takes no new runs.")
  }
}

interface InHand {
  worker: WorkerHandle
  lane: string
  attempt: number
}

const keylessLane = ""
/** Of all runs at once, the part that may be keyless: accounts always find some room. */
const keylessShare = 0.75
const defaultTimeoutSeconds = 3600
/** After a worker that could not even start. */
const startAgainMs = 5000
/** Beyond the time that running targets have at a stop: for their last commits. */
const stopSlackMs = 2000

/**
 * Executes runs durably in worker threads, and takes up what an earlier process left behind:
 *
 *     const { dataDir } = config
 *     const supervisor = createSupervisor({ store: openThreadedStore(dataDir), config })
 *     await supervisor.ready
 *     …
 *     await supervisor.stop(30_000)
 *     await store.close()
 *
 * @throws when another process serves from the same data folder.
 */
export function createSupervisor(options: SupervisorOptions): Supervisor {
  return new RunSupervisor(options)
}

class RunSupervisor implements Supervisor {
  readonly ready: Promise<void>
  private readonly queue = new FairQueue()
  private readonly suspicious = new Set<string>()
  private readonly inHand = new Map<string, InHand>()
  private readonly runsOfLane = new Map<string, number>()
  private readonly events = new RunEvents()
  private readonly keylessRuns: number
  private readonly pool: WorkerPool
  private readonly retention: Retention
  private readonly stopped = new AbortController()
  private readonly unlock: () => void
  private resting = false
  private onEmptyHanded?: () => void

  constructor(private readonly options: SupervisorOptions) {
    const { config, store } = options
    this.unlock = lockFolder(config.dataDir)
    const size = config.workers || availableParallelism()
    const runsPerWorker = options.runsPerWorker ?? 16
    this.keylessRuns = Math.ceil(size * runsPerWorker * keylessShare)
    this.pool = new WorkerPool({
      url: options.workerUrl ?? threadUrl("engine/worker.ts"),
      size,
      runsPerWorker,
      hangMs: options.hangMs ?? 20_000,
      idleMs: options.idleMs ?? 60_000,
      equip: () => this.equip(),
      onReport: (worker, report) => void this.receive(worker, report),
      onDeath: (runs, reason) => void this.recover(runs, reason),
    })
    this.retention = new Retention(store, config, (message) => this.trouble(message))
    this.ready = this.takeOver()
  }

  /** Puts back what an earlier process had in hand, and queues all that waits. */
  private async takeOver(): Promise<void> {
    const { store } = this.options
    for (const { id, attempt } of await orphanedRuns(store.db)) {
      await store.write("runs.putBack", { id, attempt, cause: "process", at: now() })
    }
    for (const run of await queuedRuns(store.db)) this.enqueue(run)
    this.dispatch()
  }

  async start(request: StartRun): Promise<RunRow> {
    await this.ready
    if (this.stopped.signal.aborted) throw new Stopping()
    const { scraper, input } = request
    const targets = new Map<string, string>()
    for (const target of scraper.targets(input)) {
      const key = targetKey(target)
      if (!targets.has(key)) targets.set(key, JSON.stringify(target))
    }
    const run = await this.options.store.write("runs.create", {
      id: request.id ?? newId("run"),
      datasetId: newId("ds"),
      slug: scraper.slug,
      input,
      accountId: request.accountId,
      origin: request.origin,
      maxItems: request.maxItems ?? null,
      maxPages: request.maxPages ?? null,
      timeoutSeconds: request.timeoutSeconds ?? defaultTimeoutSeconds,
      createdAt: now(),
      targets: [...targets].map(([key, target]) => ({ key, target })),
    })
    this.enqueue(run)
    this.dispatch()
    return run
  }

  async wait(id: string, milliseconds: number, signal?: AbortSignal): Promise<RunRow | undefined> {
    await this.ready
    // Listens before it looks, so that no end falls in between.
    const signals = [this.stopped.signal, ...(signal ? [signal] : [])]
    const done = new AbortController()
    const over = this.events.untilOver(id, milliseconds, [...signals, done.signal])
    const run = await this.find(id)
    if (!run || isOver(run.status)) {
      done.abort()
      return run
    }
    await over
    return this.find(id)
  }

  async abort(id: string): Promise<RunRow | undefined> {
    await this.ready
    const before = await this.find(id)
    if (!before || isOver(before.status)) return before
    const run = await this.options.store.write("runs.abort", { id, at: now() })
    if (!run) return undefined
    if (run.status === "aborted") this.queue.remove(id)
    if (run.status === "aborting") this.inHand.get(id)?.worker.abort(id)
    this.events.status(run)
    return run
  }

  async resume(id: string): Promise<RunRow | undefined> {
    await this.ready
    if (this.stopped.signal.aborted) throw new Stopping()
    const run = await this.options.store.write("runs.resume", { id })
    if (run?.status === "queued") {
      this.enqueue(run)
      this.events.status(run)
      this.dispatch()
    }
    return run
  }

  subscribe(id: string, listener: (event: RunEvent) => void): () => void {
    return this.events.subscribe(id, listener)
  }

  state(): { queued: number; running: number; workers: number } {
    return {
      queued: this.queue.size,
      running: this.inHand.size,
      workers: this.pool.all.length,
    }
  }

  async stop(milliseconds: number): Promise<void> {
    await this.ready
    if (this.stopped.signal.aborted) return
    this.stopped.abort()
    this.retention.stop()
    this.pool.halt(milliseconds)
    if (this.runsOfLane.size > 0) {
      const emptyHanded = new Promise<void>((done) => {
        this.onEmptyHanded = done
      })
      await Promise.race([emptyHanded, Bun.sleep(milliseconds + stopSlackMs)])
    }
    await this.pool.end()
    for (const id of [...this.inHand.keys()]) await this.putBack(id, "stop")
    this.unlock()
  }

  private enqueue(run: Pick<RunRow, "id" | "account_id" | "suspicion">): void {
    if (run.suspicion > 0) this.suspicious.add(run.id)
    else this.suspicious.delete(run.id)
    this.queue.add(run.id, run.account_id ?? keylessLane)
  }

  /** Hands out as many queued runs as the workers can take. */
  private dispatch(): void {
    while (!this.stopped.signal.aborted && !this.resting) {
      let worker: WorkerHandle | undefined
      const next = this.queue.next((id, lane) => {
        if (!this.mayRunMore(lane)) return false
        worker = this.pool.place(id, this.suspicious.has(id))
        return worker !== undefined
      })
      if (!next) return
      this.runsOfLane.set(next.lane, (this.runsOfLane.get(next.lane) ?? 0) + 1)
      void this.launch(next.id, next.lane, worker!)
    }
  }

  private mayRunMore(lane: string): boolean {
    const most = lane === keylessLane ? this.keylessRuns : this.options.config.runsPerAccount
    return (this.runsOfLane.get(lane) ?? 0) < most
  }

  private async launch(id: string, lane: string, worker: WorkerHandle): Promise<void> {
    try {
      await worker.ready
      if (this.stopped.signal.aborted) return this.letGo(id, lane, worker)
      const run = await this.options.store.write("runs.claim", { id, at: now() })
      if (!run) return this.letGo(id, lane, worker)
      this.inHand.set(id, { worker, lane, attempt: run.attempt })
      this.suspicious.delete(id)
      this.events.status(run)
      if (worker.dead) await this.putBack(id, "worker")
      else worker.execute(run)
    } catch (error) {
      this.trouble(error instanceof Error ? error.message : String(error))
      this.letGo(id, lane, worker)
      this.queue.add(id, lane)
      this.rest()
    }
  }

  /** No new attempts for a moment: what failed was not the run. */
  private rest(): void {
    if (this.resting) return
    this.resting = true
    setTimeout(() => {
      this.resting = false
      this.dispatch()
    }, startAgainMs)
  }

  private letGo(id: string, lane: string, worker: WorkerHandle): void {
    this.pool.release(worker, id)
    const left = (this.runsOfLane.get(lane) ?? 1) - 1
    if (left > 0) this.runsOfLane.set(lane, left)
    else this.runsOfLane.delete(lane)
    if (this.runsOfLane.size === 0) this.onEmptyHanded?.()
    this.dispatch()
  }

  private async receive(worker: WorkerHandle, report: WorkerReport): Promise<void> {
    switch (report.type) {
      case "progress": {
        const run = this.events.heard(report.id) ? await this.find(report.id) : undefined
        if (run) this.events.progress(run)
        return
      }
      case "log":
        return this.events.log(report.id, report.lines)
      case "trouble":
        return this.trouble(report.message)
      case "gaveUp":
        this.trouble(`Run ${report.id}: ${report.message}`)
        return this.putBack(report.id, "worker")
      case "ended": {
        const held = this.inHand.get(report.id)
        if (held?.worker !== worker) return
        return this.settle(report.id, held, await this.find(report.id))
      }
    }
  }

  private async recover(runs: string[], reason: string): Promise<void> {
    this.trouble(`A worker was replaced: ${reason}.`)
    for (const id of runs) await this.putBack(id, "worker")
  }

  private async putBack(id: string, cause: PutBackCause): Promise<void> {
    const held = this.inHand.get(id)
    if (!held) return
    const { attempt } = held
    const run = await this.options.store.write("runs.putBack", { id, attempt, cause, at: now() })
    this.settle(id, held, run)
  }

  /** The attempt is over; the run may be queued for another. */
  private settle(id: string, held: InHand, run: RunRow | undefined): void {
    if (this.inHand.get(id) !== held) return
    this.inHand.delete(id)
    if (run?.status === "queued" && !this.stopped.signal.aborted) this.enqueue(run)
    if (run) this.events.status(run)
    this.letGo(id, held.lane, held.worker)
  }

  private equip(): { start: WorkerStart; drop(): void } {
    const { store, config, settings, services = {} } = this.options
    const ports: Record<string, MessagePort> = {}
    const drops: (() => void)[] = []
    for (const [name, serve] of Object.entries(services)) {
      const { port1, port2 } = new MessageChannel()
      ports[name] = port2
      drops.push(serve(port1))
    }
    const dataDir = isAbsolute(config.dataDir) ? config.dataDir : resolve(config.dataDir)
    const start: WorkerStart = {
      type: "start",
      dataDir,
      settings: settings ?? config,
      stubbornMs: this.options.stubbornMs ?? 10_000,
      writer: store.connect(),
      services: ports,
    }
    return {
      start,
      drop() {
        for (const drop of drops) drop()
      },
    }
  }

  private find(id: string): Promise<RunRow | undefined> {
    return runById(this.options.store.db, id)
  }

  private trouble(message: string): void {
    if (this.options.onTrouble) this.options.onTrouble(message)
    else console.error(message)
  }
}

function now(): string {
  return new Date().toISOString()
}
