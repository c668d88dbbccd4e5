import { isOver } from "../../store/runs/runs.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import type { RunListener } from "./runs.ts"

/** Who is told that a run has changed. A run that nobody listens to costs nothing. */
export class RunEvents {
  private readonly listeners = new Map<string, Set<RunListener>>()

  subscribe(id: string, listener: RunListener): () => void {
    const listeners = this.listeners.get(id) ?? new Set()
    this.listeners.set(id, listeners)
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.listeners.get(id) === listeners) this.listeners.delete(id)
    }
  }

  /** Its status is given where that has changed. */
  changed({ id, status }: Pick<RunRow, "id"> & Partial<Pick<RunRow, "status">>): void {
    const over = status !== undefined && isOver(status)
    for (const listener of [...(this.listeners.get(id) ?? [])]) listener(over)
  }

  /** Resolves when the run is over, the time has passed, or a signal is aborted. */
  async untilOver(id: string, milliseconds: number, signals: AbortSignal[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const signal = AbortSignal.any(signals)
    const leave = () => resolve()
    const timer = setTimeout(leave, milliseconds)
    const unsubscribe = this.subscribe(id, (over) => {
      if (over) resolve()
    })
    signal.addEventListener("abort", leave, { once: true })
    if (signal.aborted) resolve()
    await promise
    clearTimeout(timer)
    unsubscribe()
    signal.removeEventListener("abort", leave)
  }
}
