import { BoundedMap } from "./bounded-map.ts"

/** What is worked out from short texts that come again and again. */
export class Memo<T extends object | string> {
  private readonly values: BoundedMap<string, T>

  constructor(
    private readonly make: (text: string) => T,
    most = 5_000,
    /** Longer texts hardly come again. */
    private readonly longest = 300,
  ) {
    this.values = new BoundedMap(most)
  }

  of(text: string): T {
    const known = this.values.get(text)
    if (known !== undefined) return known
    if (text.length > this.longest) return this.make(text)
    // A piece of a page would hold on to all of it, as long as it is kept.
    const own = ` ${text}`.slice(1)
    const made = this.make(own)
    this.values.set(own, made)
    return made
  }
}
