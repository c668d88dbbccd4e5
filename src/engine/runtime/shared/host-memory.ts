import { isPostgres } from "../../../store/database.ts"
import { type Remembered, rememberedOfHost } from "../../../store/shared/host-memory.ts"
import type { Store } from "../../../store/store.ts"

/**
 * What the processes that share a database know of hosts together. Who asks keeps the answer for a while,
 * and goes by itself where there is none.
 */
export interface HostMemory {
  recall(name: string): Promise<Remembered | undefined>
  keep(name: string, value: string, forMs: number): void
  forget(name: string): void
}

/** Undefined where one process has the database for itself. */
export function hostMemoryOf(store: Store): HostMemory | undefined {
  return isPostgres(store.db) ? new StoreHostMemory(store) : undefined
}

class StoreHostMemory implements HostMemory {
  constructor(private readonly store: Store) {}

  recall(name: string): Promise<Remembered | undefined> {
    return rememberedOfHost(this.store.db, name).catch(() => undefined)
  }

  keep(name: string, value: string, forMs: number): void {
    this.store.write("hosts.remember", { id: name, value, forMs, soft: true }).catch(() => {})
  }

  forget(name: string): void {
    this.store.write("hosts.forget", { id: name, soft: true }).catch(() => {})
  }
}
