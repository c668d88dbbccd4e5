import { balancedText, endOfString, parseLiteral, parseLoose } from "./json-in-text.ts"

/** Deeper nesting is hostile. */
const deepest = 100
/** The maximum index of a list that an assignment may fill. */
const maxIndex = 100_000

/**
 * Returns the value of an immediately called function, in which Nuxt 2 writes a state (devalue):
 * `(function(a,b){a.title="…";return {data:[a,b]}}({},null))`. It is parsed, not run. Literals,
 * parameters and assignments to their properties are supported; anything else returns undefined.
 */
export function calledLiteral(text: string, start: number): unknown {
  const head = /^\(?function\s*\(([\w$,\s]*)\)\s*(?=\{)/.exec(text.slice(start, start + 100_000))
  if (!head) return undefined
  const from = start + head[0].length
  const body = balancedText(text, from)
  const call = body && /^\s*\)?\s*\(/.exec(text.slice(from + body.length, from + body.length + 50))
  if (!call) return undefined
  try {
    const argsAt = from + body.length + call[0].length
    const values = new LiteralReader(text, argsAt, new Map()).values(")")
    const names = head[1]!.split(",").map((name) => name.trim())
    const known = new Map(names.map((name, index) => [name, values[index]]))
    return new LiteralReader(body, 1, known).returned()
  } catch (error) {
    if (error instanceof NotLiteral) return undefined
    throw error
  }
}

class NotLiteral extends Error {}

class LiteralReader {
  private readonly tokens =
    /\s*(?:(["'])|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?n?)|([\w$]+)|([^\s\w$]))/y

  constructor(
    private readonly text: string,
    at: number,
    private readonly known: ReadonlyMap<string, unknown>,
  ) {
    this.tokens.lastIndex = at
  }

  /** Reads assignments, and returns the function's return value. */
  returned(): unknown {
    for (;;) {
      const { word, sign } = this.next()
      if (word === "return") return this.value(0)
      if (sign === ";" || sign === ",") continue
      if (word === undefined || !this.known.has(word)) throw new NotLiteral()
      this.assign(this.known.get(word))
    }
  }

  /** Assigns to a member of a parameter's value, or of its members. */
  private assign(holder: unknown): void {
    let object = holder
    let key = this.member()
    while (!this.peeks("=")) {
      object = (object as Record<string, unknown> | null | undefined)?.[key]
      key = this.member()
    }
    this.next()
    const value = this.value(0)
    if (typeof object !== "object" || object === null || key === "__proto__") return
    if (Array.isArray(object) && !(Number(key) < maxIndex)) return
    ;(object as Record<string, unknown>)[key] = value
  }

  private member(): string {
    const { sign } = this.next()
    if (sign === ".") return this.next().word ?? fail()
    if (sign !== "[") return fail()
    const { word, number, string } = this.next()
    this.expect("]")
    return string ?? number ?? word ?? fail()
  }

  values(end: string, depth = 0): unknown[] {
    const values: unknown[] = []
    while (!this.accept(end)) {
      // A hole of a list.
      if (this.accept(",")) {
        values.push(null)
        continue
      }
      values.push(this.value(depth + 1))
      if (!this.peeks(end)) this.expect(",")
    }
    return values
  }

  private value(depth: number): unknown {
    if (depth > deepest) return fail()
    const { string, number, word, sign } = this.next()
    if (string !== undefined) return string
    if (number !== undefined) return Number(number.replace(/n$/, ""))
    if (sign === "[") return this.values("]", depth)
    if (sign === "{") return this.object(depth)
    if (sign === "!") return !this.value(depth + 1)
    if (sign === "-") return -Number(this.value(depth + 1))
    return word === undefined ? fail() : this.named(word, depth)
  }

  private object(depth: number): Record<string, unknown> {
    const object: Record<string, unknown> = {}
    while (!this.accept("}")) {
      const { string, number, word } = this.next()
      const key = string ?? number ?? word ?? fail()
      this.expect(":")
      const value = this.value(depth + 1)
      if (key !== "__proto__") object[key] = value
      if (!this.peeks("}")) this.expect(",")
    }
    return object
  }

  private named(word: string, depth: number): unknown {
    if (this.known.has(word)) return this.known.get(word)
    if (word === "true" || word === "false") return word === "true"
    if (/^(?:null|undefined|NaN|Infinity)$/.test(word)) return null
    if (word === "void") {
      this.value(depth + 1)
      return null
    }
    if (word === "new") return this.made(this.next().word, depth)
    if (word === "Array") return this.made(word, depth)
    if (word !== "Object") return fail()
    this.member()
    this.expect("(")
    this.values(")", depth)
    return {}
  }

  /** Returns a new `Date`, `Array`, `Set` or `Map`; other classes have no data. */
  private made(kind: string | undefined, depth: number): unknown {
    this.expect("(")
    const [provided] = this.values(")", depth)
    if (kind === "Array") return []
    if (kind === "Set" || kind === "Map") return provided ?? []
    if (kind !== "Date") return fail()
    const time = new Date(provided as string | number)
    return Number.isNaN(time.getTime()) ? null : time.toISOString()
  }

  private accept(sign: string): boolean {
    const accepted = this.peeks(sign)
    if (accepted) this.next()
    return accepted
  }

  private peeks(sign: string): boolean {
    const at = this.tokens.lastIndex
    const next = this.tokens.exec(this.text)?.[4]
    this.tokens.lastIndex = at
    return next === sign
  }

  private expect(sign: string): void {
    if (this.next().sign !== sign) fail()
  }

  private next() {
    const [, quote, number, word, sign] = this.tokens.exec(this.text) ?? fail()
    return { string: quote && this.string(quote), number, word, sign }
  }

  private string(quote: string): string {
    const start = this.tokens.lastIndex - 1
    const end = endOfString(this.text, start, quote)
    if (end < 0) return fail()
    this.tokens.lastIndex = end + 1
    const written = this.text.slice(start, end + 1)
    const value = parseLoose(written) ?? parseLiteral(written)
    return typeof value === "string" ? value : fail()
  }
}

function fail(): never {
  throw new NotLiteral()
}
