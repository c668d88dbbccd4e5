/**
 * Requests that are generated from a route's schema, then broken in their values or their bytes.
 */
export interface Schema {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  format?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  $ref?: string
}

type Next = () => number

export const pick = <T>(next: Next, list: readonly T[]): T =>
  list[Math.floor(next() * list.length)]!

/** Nested deeper than any legitimate body. */
const deep = (open: string, close: string, count: number) =>
  JSON.parse(`${open.repeat(count)}1${close.repeat(count)}`) as unknown

export const hostileTexts = [
  "", " ", "\0", "null", "undefined", "NaN", "-1", "0", "1e999", "9".repeat(400), "true", "[]", "{}", "a|b||c", "-", "@", "*",
  "'; DROP TABLE runs; --", "%00%ff", "../../etc/passwd", "\u202e\ud83d\udca5", "\ud800", "__proto__", "constructor", "toString",
  "<script>alert(1)</script>", "x".repeat(5000), "run_00000000000000000000000000000000", "http://[", "http://a.test:99999/",
  "http://user:password@a.test/", "data:,x", "javascript:1", "//a.test", "a.test", "https://a.test/", "https://\u2024.test/", "xn--a", "a".repeat(64),
  "2024-02-30", "9999999-01-01T00:00:00Z", "-271822-01-01", "2024-01-01T00:00:00Z", "* * * * *", "@yearly", "99 99 * * *", "*/0 * * * *",
  "p > > p", ":not(:not(", "[a=", "a: b @", "$.a[?(@.b)]", "price < ", "price > 1 and", "name ~ (((((", "a,b,-c", "\t\n\r", "Europe/Nowhere", "whsec_", "csv", "xlsx",
] // biome-ignore format: a list reads better dense

const hostileValues: readonly unknown[] = [
  null, true, false, -1, 0, 1, 1.5, 1e308, -0, 2 ** 53, [], {}, [[]], [null], { a: { b: {} } }, deep("[", "]", 200), deep('{"a":', "}", 200),
  { $ref: "#" }, { toString: null }, JSON.parse('{"__proto__":{"a":1}}'), Array.from({ length: 300 }, () => "x"), Array.from({ length: 2000 }, () => 0),
] // biome-ignore format: a list reads better dense

export const hostile = (next: Next): unknown =>
  next() < 0.6 ? pick(next, hostileTexts) : pick(next, hostileValues)

/** Generates values from schemas, which may refer to a document's components. */
export class Maker {
  constructor(
    private readonly next: Next,
    private readonly components: Record<string, Schema> = {},
    /** Existing objects, by the names of the parameters for them. */
    private readonly known: (name: string) => string | undefined = () => undefined,
  ) {}

  /** Returns a value that matches as far as its schema describes it. */
  fitting(schema: Schema | undefined, name = "", depth = 0): unknown {
    const { next } = this
    if (!schema || depth > 6) return pick(next, hostileTexts)
    if (schema.$ref)
      return this.fitting(this.components[schema.$ref.replace(/^.*\//, "")], name, depth + 1)
    const there = this.known(name)
    if (there !== undefined && next() < 0.8) return there
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return pick(next, schema.enum)
    if (schema.examples && next() < 0.5) return pick(next, schema.examples)
    const choices = schema.anyOf ?? schema.oneOf
    if (choices) return this.fitting(pick(next, choices), name, depth + 1)
    if (schema.allOf)
      return Object.assign({}, ...schema.allOf.map((part) => this.fitting(part, name, depth + 1)))
    const type = Array.isArray(schema.type) ? pick(next, schema.type) : schema.type
    if (type === "object" || schema.properties) return this.object(schema, depth)
    if (type === "array") {
      const length = pick(next, [0, 1, 1, 2, 3])
      return Array.from({ length }, () => this.fitting(schema.items, name, depth + 1))
    }
    if (type === "boolean") return next() < 0.5
    if (type === "integer" || type === "number") {
      const { minimum = 0, maximum = 100 } = schema
      return pick(next, [
        minimum,
        maximum,
        minimum - 1,
        maximum + 1,
        Math.floor(next() * 20),
        next(),
      ])
    }
    if (type === "null") return null
    return this.text(schema)
  }

  private object({ properties = {}, required = [] }: Schema, depth: number): unknown {
    const fields = Object.entries(properties).filter(
      ([name]) => required.includes(name) || this.next() < 0.35,
    )
    return Object.fromEntries(
      fields.map(([name, one]) => [name, this.fitting(one, name, depth + 1)]),
    )
  }

  private text({ format, maxLength }: Schema): string {
    if (format === "uri")
      return pick(this.next, ["https://a.test/", "http://127.0.0.1:1/", "http://[::1]/"])
    if (format === "date-time") return "2024-01-01T00:00:00Z"
    if (maxLength && this.next() < 0.1) return "x".repeat(Math.min(maxLength + 1, 20_000))
    return pick(this.next, hostileTexts)
  }
}

/** Returns a value with one part of it removed, replaced, doubled, renamed or wrapped. */
export function nearly(value: unknown, next: Next): unknown {
  if (Array.isArray(value)) {
    if (value.length === 0 || next() < 0.3) return broken(value, next)
    const at = Math.floor(next() * value.length)
    return value.map((one, index) => (index === at ? nearly(one, next) : one))
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value)
    if (entries.length === 0 || next() < 0.25) return broken(value, next)
    const at = Math.floor(next() * entries.length)
    const [name, one] = entries[at]!
    const how = next()
    if (how < 0.15) entries.splice(at, 1)
    else if (how < 0.3) entries[at] = [pick(next, hostileTexts), one]
    else entries[at] = [name, nearly(one, next)]
    return Object.fromEntries(entries)
  }
  return broken(value, next)
}

function broken(value: unknown, next: Next): unknown {
  const how = next()
  if (how < 0.5) return hostile(next)
  if (how < 0.6) return [value]
  if (how < 0.7) return { value }
  if (how < 0.8) return String(value)
  if (how < 0.9 && Array.isArray(value)) return [...value, ...value, hostile(next)]
  if (typeof value === "object") return { ...value, [pick(next, hostileTexts)]: hostile(next) }
  return `${value}${pick(next, hostileTexts)}`
}

/** Returns bytes with some of them flipped, cut, doubled, moved or inserted. */
export function brokenBytes(bytes: Uint8Array, next: Next): Uint8Array<ArrayBuffer> {
  let now = new Uint8Array(bytes)
  const at = () => Math.floor(next() * (now.length + 1))
  const spliced = (from: number, to: number, put: Uint8Array | readonly number[]) => {
    const made = new Uint8Array(from + put.length + Math.max(0, now.length - to))
    made.set(now.subarray(0, from))
    made.set(put, from)
    made.set(now.subarray(to), from + put.length)
    return made
  }
  for (let turn = 1 + Math.floor(next() * 4); turn > 0; turn--) {
    const from = at()
    const to = Math.min(now.length, from + Math.floor(next() * 12))
    const how = next()
    if (how < 0.3 && from < now.length) now[from] = now[from]! ^ (1 << Math.floor(next() * 8))
    else if (how < 0.5) now = spliced(from, to, [])
    else if (how < 0.7)
      now = spliced(from, from, now.subarray(from, from + Math.floor(next() * 200)))
    else if (how < 0.9) now = spliced(from, from, pick(next, oddBytes))
    else now = now.slice(0, from)
  }
  return now
}

/** Delimiters of every parsed format; invalid UTF-8; numbers; parts of HTTP. */
const oddBytes: readonly (readonly number[])[] = [
  "\0", "\r\n", "\n\n", "\r\n\r\n", '"', "\\", "{", "}", "[", "]", ",", ":", "%", "&", "=", "?", "#", "/", "..", " ", "\t", "\\u0000", "\\ud800",
  "1e999", "-", "null", "content-length: 99999\r\n", "transfer-encoding: chunked\r\n", "expect: 100-continue\r\n", "content-encoding: gzip\r\n", "HTTP/1.0",
].map((text) => [...new TextEncoder().encode(text)]).concat([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xef, 0xbb, 0xbf], [0xf4, 0x90, 0x80, 0x80]]) // biome-ignore format: a list reads better dense
