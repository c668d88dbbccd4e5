import { isOver } from "../../../store/runs/runs.ts"
import type { RunStatus } from "../../../store/tables/run-status.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { RunListener } from "./runs.ts"

type Changed = Pick<RunRow, "id"> & Partial<Pick<RunRow, "status">>

/** Who is told that a run has changed. A run that nobody listens to costs nothing. */
export class RunEvents {
  private readonly listeners = new Map<string, Set<RunListener>>()

  /** Told of each run whose status has changed here: for the processes that share the database. */
  onStatus: (id: string, status: RunStatus) => void = () => {}

  subscribe(id: string, listener: RunListener): () => void {
    const listeners = this.listeners.get(id) ?? new Set()
    this.listeners.set(id, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.listeners.get(id) === listeners) this.listeners.delete(id)
    }
  }

  /** The runs that somebody listens to. */
  listenedTo(): Iterable<string> {
    return this.listeners.keys()
  }

  /** Its status is given where that has changed. */
  changed(run: Changed): void {
    if (run.status !== undefined) this.onStatus(run.id, run.status)
    this.received(run)
  }

  /** The same, of a run that another process told of. */
  received({ id, status }: Changed): void {
    const over = status !== undefined && isOver(status)
    for (const listener of [...(this.listeners.get(id) ?? [])]) listener(over)
  }

  /**
   * What `waitForFinish` waits in: the run when it is over, or as it stands when the time has passed or
   * a signal is aborted. It listens before it looks, so that no end falls in between.
   */
  async whenOver(
    id: string,
    find: () => Promise<RunRow | undefined>,
    { milliseconds, signals }: { milliseconds: number; signals: AbortSignal[] },
  ): Promise<RunRow | undefined> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const signal = AbortSignal.any(signals)
    const leave = () => resolve()
    const timer = setTimeout(leave, milliseconds)
    const unsubscribe = this.subscribe(id, (over) => {
      if (over) resolve()
    })
    signal.addEventListener("abort", leave, { once: true })
    if (signal.aborted) resolve()
    try {
      const run = await find()
      if (!run || isOver(run.status)) return run
      await promise
      return await find()
    } finally {
      clearTimeout(timer)
      unsubscribe()
      signal.removeEventListener("abort", leave)
    }
  }
}
