import { every, type Loop } from "../../../base/every.ts"
import { runMarks } from "../../../store/shared/processes.ts"
import type { Store } from "../../../store/store.ts"
import type { RunStatus } from "../../../store/tables/run-status.ts"

const lookMs = 500
/** Maximum runs per poll. */
const atOnce = 1_000

export interface ForeignRunsParts {
  store: Store
  /** Returns runs with listeners here that another process, or none, executes. */
  listenedTo(): Iterable<string>
  onChange(run: { id: string; status: RunStatus }): void
  onError(error: unknown): void
}

/** Notifies listeners of runs that other processes execute. Without listeners it reads nothing. */
export class ForeignRuns {
  private known = new Map<string, string>()
  private readonly loop: Loop

  constructor(private readonly parts: ForeignRunsParts) {
    this.loop = every(lookMs, () => this.look(), { onError: parts.onError })
  }

  private async look(): Promise<void> {
    const { store, listenedTo, onChange } = this.parts
    const ids = [...listenedTo()].slice(0, atOnce)
    if (ids.length === 0) {
      this.known.clear()
      return
    }
    const seen = new Map<string, string>()
    for (const { id, status, mark } of await runMarks(store.db, ids)) {
      seen.set(id, mark)
      // The listener may have missed changes from before the first poll.
      if (this.known.get(id) !== mark) onChange({ id, status })
    }
    this.known = seen
  }

  stop(): Promise<void> {
    return this.loop.stop()
  }
}
