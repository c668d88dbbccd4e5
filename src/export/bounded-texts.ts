/** Thrown if a text exceeds its maximum length. */
export class TooLarge extends Error {
  constructor(max: number) {
    super(`It creates a text of more than ${max.toLocaleString("en")} characters.`)
  }
}

/**
 * Limits the length of texts that one call in this thread can make: join, repeat, pad and JSON. Other limits
 * bound texts that grow step by step.
 */
export function boundTexts(max: number): void {
  const require = (length: number) => {
    if (length > max) throw new TooLarge(max)
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
