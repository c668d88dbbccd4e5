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
    const made = this.make(text)
    if (text.length <= this.longest) this.values.set(text, made)
    return made
  }
}
