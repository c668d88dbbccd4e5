import { isPostgres } from "../../../store/db/database.ts"
import { type Remembered, rememberedOfHost } from "../../../store/shared/host-memory.ts"
import type { Store } from "../../../store/store.ts"

/**
 * Knowledge about hosts that processes with a common database share. Values are cached for a while;
 * without a shared value, a process uses its own.
 */
export interface HostMemory {
  recall(name: string): Promise<Remembered | undefined>
  keep(name: string, value: string, forMs: number): void
  forget(name: string): void
}

/** Returns undefined if only one process uses the database. */
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
