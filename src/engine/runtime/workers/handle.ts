import { messageOf } from "../../../base/error-message.ts"
import { transfer } from "../../../base/rpc.ts"
import { startThread, type Thread } from "../../../base/thread.ts"
import { threadTimeMs } from "../../../base/thread-time.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { CheckOrder, CheckResult } from "../../ops/health/check.ts"
import type { OnChange, WorkerInterface, WorkerStart } from "./worker-interface.ts"

/** Starts a worker thread; `onFailure` is called if the thread ends unexpectedly. */
export type StartWorker = (onFailure: (reason: string) => void) => Thread<WorkerInterface>

/** Limits of a worker without a heartbeat. */
export interface WaitLimits {
  /**
   * Milliseconds of its own processor time, because a worker that waits for a processor does not
   * hang.
   */
  busyMs: number
  /** Elapsed milliseconds, also during startup, for a worker that waits forever. */
  silentMs: number
}

/** An idle worker that does not end is ended after this time. */
const endMs = 2000

/** A worker from the main thread's perspective. */
export class WorkerHandle {
  /** Runs that are assigned, or about to be. */
  readonly runs = new Set<string>()
  /** Whether it executes a suspicious run and takes no other. */
  isExclusive = false
  /** Whether its settings are outdated, so that it takes no more runs. */
  outdated = false
  idleSince = Date.now()
  dead = false
  /** Bytes of its heap at the last heartbeat; undefined before the first. */
  heapBytes?: number
  /** Rejects if the worker ends before it is ready. */
  readonly ready: Promise<void>
  private readonly thread: Thread<WorkerInterface>
  /** Its thread ID in the system, when it is ready. */
  private id?: number | null | undefined
  private requested?: { at: number; timeMs: number }

  constructor(
    startWorker: StartWorker,
    start: WorkerStart,
    /** Whether it executes free runs at low priority. */
    readonly isFree: boolean,
    private readonly onDeath: (reason: string) => void,
  ) {
    this.thread = startWorker((reason) => this.die(reason))
    this.ready = this.start(start)
    this.ready.catch(() => {})
  }

  /** Returns whether it accepts runs. */
  get isReady(): boolean {
    return this.id !== undefined
  }

  private async start(start: WorkerStart): Promise<void> {
    try {
      const ports = [start.writer, ...Object.values(start.services)]
      this.id = await this.thread.calls.start(transfer(start, ports))
      this.requested = undefined
    } catch (error) {
      const reason = messageOf(error)
      this.thread.end(reason)
      throw new Error(`The worker did not start: ${reason}`)
    }
  }

  /**
   * Resolves when the attempt has ended; the store has the result. @throws also if the worker dies
   */
  execute(run: RunRow, onChange: OnChange): Promise<void> {
    return this.thread.calls.execute(run, (hasMovedOn, tallies, spans) => {
      this.requested = undefined
      onChange(hasMovedOn, tallies, spans)
    })
  }

  check(order: CheckOrder, signal: AbortSignal): Promise<CheckResult> {
    return this.thread.calls.check(order, signal)
  }

  abort(id: string): void {
    this.thread.tells.abort(id)
  }

  /** Asks the run to free its slot for others; it continues later. */
  setBack(id: string): void {
    this.thread.tells.setBack(id)
  }

  halt(milliseconds: number): void {
    this.thread.tells.halt(milliseconds)
  }

  /** Sends a heartbeat request; ends a worker that does not respond for too long. */
  watch({ busyMs, silentMs }: WaitLimits): void {
    const { requested, id } = this
    const isStarting = id === undefined
    if (!requested) {
      this.requested = { at: Date.now(), timeMs: isStarting ? 0 : threadTimeMs(id) }
      const answered = (bytes: number) => {
        this.requested = undefined
        this.heapBytes = bytes
      }
      this.thread.calls.ping().then(answered, () => {})
      return
    }
    const isBusy = !isStarting && threadTimeMs(id) - requested.timeMs >= busyMs
    if (isBusy || Date.now() - requested.at >= silentMs) this.fail("it does not respond")
  }

  /** Returns the bytes of its heap; infinity if it does not respond in time. */
  async weigh(milliseconds: number): Promise<number> {
    const reported = this.thread.calls.ping().catch(() => 0)
    return Promise.race([reported, Bun.sleep(milliseconds).then(() => Number.POSITIVE_INFINITY)])
  }

  /** Ends it immediately as failed. */
  fail(reason: string): void {
    this.thread.end(reason)
  }

  private die(reason: string): void {
    if (this.dead) return
    this.dead = true
    this.onDeath(reason)
  }

  /** Ends an idle worker. */
  async end(): Promise<void> {
    if (this.dead) return
    this.dead = true
    this.thread.tells.end()
    await Promise.race([this.thread.ended, Bun.sleep(endMs)])
    this.thread.end()
  }
}

/** Starts workers from a file. */
export function workerFrom(url: string): StartWorker {
  return (onFailure) => startThread(url, { onFailure })
}
