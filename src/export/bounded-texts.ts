/** Something is larger than it may become. */
export class TooLarge extends Error {
  constructor(most: number) {
    super(`It makes a text of more than ${most.toLocaleString("en")} characters.`)
  }
}

/**
 * Has this thread make no text longer than so, where one step would: joining, repeating, padding, JSON. What
 * grows piece by piece is for others to watch.
 */
export function boundTexts(most: number): void {
  const require = (length: number) => {
    if (length > most) throw new TooLarge(most)
  }
  wrap(Array.prototype, "join", (join) => {
    return function (this: unknown[], separator = ",") {
      require(this.length * String(separator).length)
      let length = 0
      for (const value of this) {
        if (typeof value === "string") length += value.length
        require(length)
      }
      return join.call(this, separator)
    }
  })
  wrap(String.prototype, "repeat", (repeat) => {
    return function (this: string, count: number) {
      require(this.length * count)
      return repeat.call(this, count)
    }
  })
  for (const name of ["padStart", "padEnd"] as const) {
    wrap(String.prototype, name, (pad) => {
      return function (this: string, length: number, filler?: string) {
        require(length)
        return pad.call(this, length, filler)
      }
    })
  }
  wrap(JSON, "stringify", (stringify) => {
    return (value: unknown, replacer?: unknown, space?: string | number) => {
      let length = 0
      return stringify(
        value,
        function (this: unknown, key: string, entry: unknown) {
          const stored = typeof replacer === "function" ? replacer.call(this, key, entry) : entry
          length += key.length + (typeof stored === "string" ? stored.length : 4)
          require(length)
          return stored
        },
        space,
      )
    }
  })
}

// biome-ignore lint/suspicious/noExplicitAny: a method of whatever arguments
type Method = (...args: any[]) => any

function wrap<T extends object, K extends keyof T>(
  owner: T,
  name: K,
  around: (method: Method) => Method,
): void {
  owner[name] = around(owner[name] as Method) as T[K]
}
