import { every, type Loop } from "../../../base/every.ts"
import { runsOfProcess } from "../../../store/shared/processes.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"

/** Milliseconds without a heartbeat after which a process is considered dead. */
const leaseMs = 10_000
const beatMs = 1_000

export interface MembershipParts {
  store: Store
  /** ID of the data folder. */
  folder: string
  /** Called with the runs that the store assigns to this process. */
  onHeld(runs: Pick<RunRow, "id" | "attempt" | "status">[]): void
  /** Called when the process was considered dead: others have its runs. */
  onBuried(): void
  /** Called when runs of a dead process are queued again. */
  onWork(runs: number): void
  onError(error: unknown): void
}

/**
 * This process's membership among those that share the database: it sends heartbeats and removes
 * dead processes.
 */
export class Membership {
  /** ID of this process; a new one after it was removed. */
  id = newProcessId()
  private loop?: Loop

  constructor(private readonly parts: MembershipParts) {}

  /** Joins, and takes over the runs of the process that used this data folder before. */
  async join(): Promise<void> {
    const { store, folder, onError } = this.parts
    await store.write("processes.join", { id: this.id, folder, leaseMs })
    await store.write("runs.adopt", { at: new Date().toISOString() })
    await this.bury()
    this.loop = every(beatMs, () => this.beat(), { onError })
  }

  private async beat(): Promise<void> {
    const { store, folder, onBuried, onHeld } = this.parts
    if (!(await store.write("processes.beat", { id: this.id, leaseMs }))) {
      this.id = newProcessId()
      onBuried()
      await store.write("processes.join", { id: this.id, folder, leaseMs })
    }
    onHeld(await runsOfProcess(store.db, this.id))
    await this.bury()
  }

  private async bury(): Promise<void> {
    const { store, onWork } = this.parts
    for (;;) {
      const requeued = await store.write("processes.removeDead", { at: new Date().toISOString() })
      if (requeued === null) return
      if (requeued > 0) onWork(requeued)
    }
  }

  /** Leaves, when no run is left. */
  async leave(): Promise<void> {
    await this.loop?.stop()
    await this.parts.store.write("processes.leave", { id: this.id })
  }
}

const newProcessId = () => `prc_${Bun.randomUUIDv7().replaceAll("-", "")}`
