/**
 * A map with a maximum number of entries that drops those not used recently. Entries in the younger
 * half stay; an older entry that is read returns to it. (A single Map in order of use would have to
 * skip all removed entries to find its oldest one.)
 */
export class BoundedMap<Key, Value> {
  private readonly half: number
  private young = new Map<Key, Value>()
  private old = new Map<Key, Value>()

  /** Entries that must not be dropped stay, so that the map may exceed its maximum. */
  constructor(
    max: number,
    private readonly mayLeave: (value: Value) => boolean = () => true,
  ) {
    this.half = Math.max(1, Math.floor(max / 2))
  }

  get size(): number {
    return this.young.size + this.old.size
  }

  get(key: Key): Value | undefined {
    const known = this.young.get(key)
    if (known !== undefined) return known
    const older = this.old.get(key)
    if (older !== undefined) this.set(key, older)
    return older
  }

  /** Checking for a key does not count as use. */
  has(key: Key): boolean {
    return this.young.has(key) || this.old.has(key)
  }

  set(key: Key, value: Value): void {
    this.old.delete(key)
    if (this.young.size >= this.half && !this.young.has(key)) this.age()
    this.young.set(key, value)
  }

  private age(): void {
    const leaving = this.old
    this.old = this.young
    this.young = new Map()
    for (const [key, value] of leaving) if (!this.mayLeave(value)) this.old.set(key, value)
  }

  delete(key: Key): void {
    this.young.delete(key)
    this.old.delete(key)
  }

  clear(): void {
    this.young.clear()
    this.old.clear()
  }

  entries(): [Key, Value][] {
    return [...this.old, ...this.young]
  }

  values(): Value[] {
    return [...this.old.values(), ...this.young.values()]
  }
}
