import { BoundedMap } from "../base/bounded-map.ts"
import type { Store } from "./store.ts"

/** Milliseconds after which a value is read again: another program may change the database. */
const maxAgeMs = 1_000

interface StoredRead<Value> {
  value: Value
  /** State of the database: the number of changes that this process has made. */
  changes: number
  until: number
}

/** Values read from the database, which are used again until this process changes anything in it. */
export class UnchangedReads<Value> {
  private readonly stored: BoundedMap<string, StoredRead<Value>>

  constructor(
    private readonly store: Pick<Store, "changes">,
    maxStored: number,
    /** Whether a value is small enough to be stored. Default: all are. */
    private readonly mayStay: (value: Value) => boolean = () => true,
  ) {
    this.stored = new BoundedMap(maxStored)
  }

  /** Returns the value of a key, read by `read` if it may have changed. */
  async get(key: string, read: () => Promise<Value> | Value): Promise<Value> {
    const { changes } = this.store
    if (changes === undefined) return read()
    const known = this.known(key, changes)
    if (known) return known.value
    const value = await read()
    this.keep(key, value, changes)
    return value
  }

  /** The same without waiting. Returns undefined, and stores nothing, if other processes change the database. */
  now(key: string, read: () => Value | undefined): Value | undefined {
    const { changes } = this.store
    if (changes === undefined) return undefined
    const known = this.known(key, changes)
    if (known) return known.value
    const value = read()
    if (value !== undefined) this.keep(key, value, changes)
    return value
  }

  private known(key: string, changes: number): StoredRead<Value> | undefined {
    const known = this.stored.get(key)
    return known && known.changes === changes && known.until > performance.now() ? known : undefined
  }

  private keep(key: string, value: Value, changes: number): void {
    if (!this.mayStay(value)) return
    this.stored.set(key, { value, changes, until: performance.now() + maxAgeMs })
  }
}
