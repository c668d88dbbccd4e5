import { balancedText, parseLoose } from "./json-in-text.ts"

/** A page has some hundreds of rows. */
const maxRows = 20_000
/** Deeper nesting is hostile. */
const deepest = 100

const maxId = 16
const colon = 58
const newline = 10
const comma = 44

interface Row {
  /** Plain text instead of JSON. */
  text?: string
  json?: unknown
}

/** The texts that a script hands to Next.js: `self.__next_f.push([1,"…"])`. */
export function* flightTexts(script: string): Generator<string> {
  if (!script.includes("__next_f")) return
  const pushed = /\b__next_f(?:\s*\|\|\s*\[\])?\)?\.push\(/g
  while (pushed.test(script)) {
    const source = script[pushed.lastIndex] === "[" && balancedText(script, pushed.lastIndex)
    // An unterminated call: the script is cut off here.
    if (source === null) return
    if (source === false) continue
    pushed.lastIndex += source.length
    const push = parseLoose(source)
    if (Array.isArray(push) && push[0] === 1 && typeof push[1] === "string") yield push[1]
  }
}

/**
 * Yields the states that the App Router of Next.js hands to its scripts (React's flight format). Rows have
 * numbers and refer to each other as `$1a`; rows that are objects are yielded with references resolved.
 */
export function* flightStates(texts: readonly string[]): Generator<unknown> {
  const rows = rowsOf(Buffer.from(texts.join("")))
  const resolved = new Map<string, unknown>()
  const row = (id: string, depth: number): unknown => {
    if (resolved.has(id)) return resolved.get(id)
    // A row that names itself holds nothing there.
    resolved.set(id, null)
    const { text, json } = rows.get(id)!
    resolved.set(id, text ?? filled(json, depth))
    return resolved.get(id)
  }
  const named = (text: string, depth: number): unknown => {
    if (text.startsWith("$$")) return text.slice(1)
    if (/^\$(?:undefined|NaN|-?Infinity|-0)$/.test(text)) return null
    const [, kind, rest] = /^\$([A-Za-z]?)(.*)$/s.exec(text)!
    if (kind === "D") return rest
    const [, id, path] = /^\$[LQW@]?([0-9a-f]+)(?::(.*))?$/s.exec(text) ?? []
    if (!id || !rows.has(id)) return text
    return (path?.split(":") ?? []).reduce(
      (value, key) => (value as Record<string, unknown> | null)?.[key],
      row(id, depth),
    )
  }
  const filled = (value: unknown, depth: number): unknown => {
    if (depth > deepest) return null
    if (typeof value === "string") return value.startsWith("$") ? named(value, depth + 1) : value
    if (typeof value !== "object" || value === null) return value
    if (Array.isArray(value)) return value.map((item) => filled(item, depth + 1))
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, filled(child, depth + 1)]),
    )
  }
  for (const id of rows.keys()) {
    const value = row(id, 0)
    if (typeof value === "object" && value !== null) yield value
  }
}

/** `1a:{"json":…}` to the end of its line, or `1a:T<length in hexadecimal>,<text>`. */
function rowsOf(flight: Buffer): Map<string, Row> {
  const rows = new Map<string, Row>()
  for (let at = 0; at < flight.length && rows.size < maxRows; ) {
    const start = at + flight.subarray(at, at + maxId).indexOf(colon)
    if (start < at) {
      // No row begins here: on with the next line.
      const next = flight.indexOf(newline, at)
      if (next < 0) break
      at = next + 1
      continue
    }
    const id = flight.toString("latin1", at, start)
    if (flight[start + 1] === 84) {
      const from = flight.indexOf(comma, start)
      const length = Number.parseInt(flight.toString("latin1", start + 2, from), 16)
      if (from < 0 || from - start > 12 || !Number.isFinite(length)) break
      at = from + 1 + length
      rows.set(id, { text: flight.toString("utf8", from + 1, at) })
    } else {
      const end = flight.indexOf(newline, start)
      const line = flight.toString("utf8", start + 1, end < 0 ? flight.length : end)
      if (/^[[{"]/.test(line)) rows.set(id, { json: parseLoose(line) })
      at = end < 0 ? flight.length : end + 1
    }
  }
  return rows
}
