/** Finds JSON in scripts by matching brackets, without greedy patterns. */

/** The text of the JSON value that starts at `start`, to its closing brace; null if it never ends. */
export function balancedText(text: string, start: number): string | null {
  const open: string[] = []
  for (let at = start; at < text.length; at++) {
    const char = text[at]!
    if (char === '"' || char === "'" || char === "`") {
      at = endOfString(text, at, char)
      if (at < 0) return null
    } else if (char === "{" || char === "[") {
      open.push(char === "{" ? "}" : "]")
    } else if (char === "}" || char === "]") {
      if (open.pop() !== char) return null
      if (open.length === 0) return text.slice(start, at + 1)
    }
  }
  return null
}

/** Returns the position of the quote that ends a string; -1 if it has none. */
export function endOfString(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === quote) return at
  }
  return -1
}

/** Parses JSON that a script wrote: bare `undefined` and `NaN` become null. */
export function parseLoose(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const repaired = text.replace(/"(?:[^"\\]|\\.)*"|\b(?:undefined|NaN|-?Infinity)\b/g, (token) =>
      token.startsWith('"') ? token : "null",
    )
    try {
      return JSON.parse(repaired)
    } catch {
      return undefined
    }
  }
}

/** A JavaScript literal that is not JSON: single quotes, bare keys, trailing commas. */
export function parseLiteral(text: string): unknown {
  try {
    return Bun.JSON5.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Yields the JSON objects and arrays after the matches of `marker` in a text, in order, for example the
 * arguments of `state.push({…})`. Malformed ones are skipped.
 */
export function* allJsonAfter<T = unknown>(
  text: string,
  marker: string | RegExp,
  parse: (source: string) => unknown = parseLoose,
): Generator<T> {
  const pattern =
    typeof marker === "string"
      ? new RegExp(marker.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "g")
      : new RegExp(marker.source, marker.flags.includes("g") ? marker.flags : `${marker.flags}g`)
  for (const match of text.matchAll(pattern)) {
    const rest = /^[\s=:(]*/.exec(
      text.slice(match.index + match[0].length, match.index + match[0].length + 200),
    )!
    const start = match.index + match[0].length + rest[0].length
    if (text[start] !== "{" && text[start] !== "[") continue
    const source = balancedText(text, start)
    const value = source === null ? undefined : parse(source)
    if (value !== undefined) yield value as T
  }
}

/**
 * The JSON object or array that follows the first match of `marker` in a text, as in
 * `window.__STATE__ = {…}`; undefined when none parses.
 */
export function jsonAfter<T = unknown>(text: string, marker: string | RegExp): T | undefined {
  for (const value of allJsonAfter<T>(text, marker)) return value
}

/** A value that was serialised as JSON within JSON, parsed; any other value unchanged. */
export function unwrapJson(value: unknown): unknown {
  let current = value
  while (typeof current === "string" && /^\s*[{["]/.test(current)) {
    const parsed = parseLoose(current)
    if (parsed === undefined) break
    current = parsed
  }
  return current
}

/** JSON after a guard against being run as a script: `{}&&`, `)]}'`, or a call around it. */
export function parseGuarded(text: string): unknown {
  const plain = text.replace(/^\s*(?:\{\}\s*&&|\)\]\}'?,?|while\s*\(1\);?|for\s*\(;;\);?)\s*/, "")
  return /^\s*[\w$.]+\s*\(/.test(plain) ? jsonAfter(plain, /^\s*[\w$.]+/) : parseLoose(plain)
}

/** Returns the state of a Next.js page: `script#__NEXT_DATA__`. */
export function nextState<T = unknown>(document: Document): T | undefined {
  return scriptJson<T>(document, "script#__NEXT_DATA__")
}

/**
 * Returns the data that Apollo's streamed rendering pushed into a page, in order:
 * `(window[Symbol.for("ApolloSSRDataTransport")] ??= []).push({"events":[{"value":{"data":{…}}}]})`.
 */
export function apolloData(text: string): unknown[] {
  const marker = /Symbol\.for\(["']ApolloSSRDataTransport["']\)\][^;]{0,40}?\.push/
  return [...allJsonAfter(text, marker)].flatMap((push) => {
    const events = at<unknown[]>(push, "events")
    return Array.isArray(events) ? events.map((event) => at(event, "value", "data")) : []
  })
}

/** Merges parts of one object: the first known value wins, objects are merged. */
export function mergeParts(parts: object[]): Json {
  const whole: Json = {}
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      const known = whole[key]
      whole[key] = isPlain(known) && isPlain(value) ? mergeParts([known, value]) : (known ?? value)
    }
  }
  return whole
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** The parsed content of `<script id="…">`, or of the first script that the selector names. */
export function scriptJson<T = unknown>(document: Document, selector: string): T | undefined {
  const text = document.querySelector(selector)?.textContent?.trim()
  return text ? (parseLoose(text) as T | undefined) : undefined
}

type Json = Record<string, unknown>

/** Every object, at any depth and in document order, for which `test` holds. */
export function* findObjects(root: unknown, test: (object: Json) => boolean): Generator<Json> {
  const stack: unknown[] = [root]
  while (stack.length > 0) {
    const value = stack.pop()
    if (typeof value !== "object" || value === null) continue
    if (!Array.isArray(value) && test(value as Json)) yield value as Json
    const children = Array.isArray(value) ? value : Object.values(value)
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index])
  }
}

/** The first value under `key`, at any depth. */
export function findKey<T = unknown>(root: unknown, key: string): T | undefined {
  for (const object of findObjects(root, (object) => key in object)) return object[key] as T
}

/** Returns the value at a path of keys and indices; undefined if a step is missing. */
export function at<T = unknown>(root: unknown, ...path: (string | number)[]): T | undefined {
  let value: unknown = root
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined
    value = (value as Json)[step as string]
  }
  return value as T | undefined
}
