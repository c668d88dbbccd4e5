import { BoundedMap } from "./bounded-map.ts"

/** Caches results computed from short, recurring texts. */
export class Memo<T extends object | string> {
  private readonly values: BoundedMap<string, T>

  constructor(
    private readonly make: (text: string) => T,
    max = 5_000,
    /** Maximum length of a cached text; longer ones rarely recur. */
    private readonly maxLength = 300,
  ) {
    this.values = new BoundedMap(max)
  }

  of(text: string): T {
    const known = this.values.get(text)
    if (known !== undefined) return known
    if (text.length > this.maxLength) return this.make(text)
    // Copied, because a substring of a page would keep the whole page in memory.
    const own = ` ${text}`.slice(1)
    const made = this.make(own)
    this.values.set(own, made)
    return made
  }
}
