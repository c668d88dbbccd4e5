import { persist } from "../../../store/db/disk/persist.ts"
import type { RequeueCause } from "../../../store/runs/requeue.ts"
import { runById } from "../../../store/runs/runs.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { isKeyless } from "./shares.ts"

/** Database changes of a run's attempts. */
export class Attempts {
  constructor(private readonly store: Store) {}

  /** Claims a queued run of a tenant; returns null if it is no longer queued. */
  begin(id: string, tenant: string): Promise<RunRow | null | undefined> {
    return this.store.write("runs.claim", { id, at: now(), soft: isKeyless(tenant) })
  }

  /** Returns the state of a run after an attempt. */
  stored(id: string): Promise<RunRow | undefined> {
    return persist(() => runById(this.store.db, id))
  }

  /** Defers a run that could not start; it fails after too many attempts. */
  defer(id: string, reason: string): Promise<RunRow | undefined> {
    return this.store.write("runs.defer", { id, reason })
  }

  /** Ends an attempt: the run is queued again, or ends if that was requested. */
  abandon(id: string, attempt: number, cause: RequeueCause): Promise<RunRow | undefined> {
    const change = () => this.store.write("runs.requeue", { id, attempt, cause, at: now() })
    // A change that cannot be written at shutdown is made by the next process.
    return cause === "stop" ? change() : persist(change)
  }
}

const now = () => new Date().toISOString()
