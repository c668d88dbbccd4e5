/** A map with a maximum total size that drops the values not used for the longest time. */
export class SizedMap<Key, Value> {
  private readonly entries = new Map<Key, { value: Value; size: number }>()
  private total = 0

  /** @param maxSize Maximum in the unit of the values' sizes, for example bytes. */
  constructor(private readonly maxSize: number) {}

  get size(): number {
    return this.total
  }

  get(key: Key): Value | undefined {
    const known = this.entries.get(key)
    if (!known) return undefined
    this.entries.delete(key)
    this.entries.set(key, known)
    return known.value
  }

  /** Adds a value; one larger than the whole map is not stored. */
  set(key: Key, value: Value, size: number): void {
    this.delete(key)
    if (size > this.maxSize) return
    this.entries.set(key, { value, size })
    this.total += size
    for (const oldest of this.entries.keys()) {
      if (this.total <= this.maxSize) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.total -= this.entries.get(key)?.size ?? 0
    this.entries.delete(key)
  }

  clear(): void {
    this.entries.clear()
    this.total = 0
  }
}
