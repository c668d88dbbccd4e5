import { every, type Loop } from "../../../base/every.ts"
import { runsOfProcess } from "../../../store/shared/processes.ts"
import type { Store } from "../../../store/store.ts"
import type { RunRow } from "../../../store/tables/schema.ts"

/** A process that says nothing for so long is taken for dead. */
const leaseMs = 10_000
const beatMs = 1_000

export interface MembershipParts {
  store: Store
  /** Names the data folder. */
  folder: string
  /** What the store says that this process has in hand. */
  onHeld(runs: Pick<RunRow, "id" | "attempt" | "status">[]): void
  /** The process was taken for dead: others have what it had. */
  onBuried(): void
  /** Runs of another process that is dead wait again. */
  onWork(runs: number): void
  onError(error: unknown): void
}

/** This process among those that share the database: it says that it is alive, and buries who is not. */
export class Membership {
  /** A new one after each burial. */
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
      const requeued = await store.write("processes.bury", { at: new Date().toISOString() })
      if (requeued === null) return
      if (requeued > 0) onWork(requeued)
    }
  }

  /** Nothing is in hand any more. */
  async leave(): Promise<void> {
    await this.loop?.stop()
    await this.parts.store.write("processes.leave", { id: this.id })
  }
}

const newProcessId = () => `prc_${Bun.randomUUIDv7().replaceAll("-", "")}`
