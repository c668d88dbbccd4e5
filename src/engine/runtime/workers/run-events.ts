import { isOver } from "../../../store/runs/runs.ts"
import type { RunStatus } from "../../../store/tables/run-status.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import type { RunListener } from "./runs.ts"

type Changed = Pick<RunRow, "id"> & Partial<Pick<RunRow, "status">>

/** Listeners to changes of runs. A run without listeners costs nothing. */
export class RunEvents {
  private readonly listeners = new Map<string, Set<RunListener>>()

  /** Called when a run's status has changed here, to notify processes that share the database. */
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

  /** Returns the runs that have listeners. */
  listenedTo(): Iterable<string> {
    return this.listeners.keys()
  }

  /** Reports a change; the status is set if it has changed. */
  changed(run: Changed): void {
    if (run.status !== undefined) this.onStatus(run.id, run.status)
    this.received(run)
  }

  /** Handles a change announced by another process. */
  received({ id, status }: Changed): void {
    const over = status !== undefined && isOver(status)
    for (const listener of [...(this.listeners.get(id) ?? [])]) listener(over)
  }

  /**
   * Waits for `waitForFinish`: returns the run when it has finished, or its state after the time or
   * when the signal is aborted. Listens before it reads, so that it cannot miss the end.
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
