/**
 * Encodes messages between threads as bytes: JSON that refers to binary data, followed by the data.
 * Decoding returns only plain data, whatever was sent.
 */

/** Replaces values that JSON cannot express; an object of the same form is wrapped. */
type Mark =
  | { $: "bytes"; size: number }
  | { $: "regexp"; source: string; flags: string }
  | { $: "none" }
  | { $: "object"; value: Record<string, unknown> }

const lengthBytes = 4

export function encode(value: unknown): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const text = new TextEncoder().encode(JSON.stringify(marked(value, parts)))
  const size = parts.reduce((total, part) => total + part.length, lengthBytes + text.length)
  const message = new Uint8Array(size)
  new DataView(message.buffer).setUint32(0, text.length)
  message.set(text, lengthBytes)
  let at = lengthBytes + text.length
  for (const part of parts) {
    message.set(part, at)
    at += part.length
  }
  return message
}

function marked(value: unknown, parts: Uint8Array[]): unknown {
  if (value === undefined) return { $: "none" } satisfies Mark
  if (typeof value !== "object" || value === null) return value
  if (value instanceof Uint8Array) {
    parts.push(value)
    return { $: "bytes", size: value.length } satisfies Mark
  }
  if (value instanceof RegExp) {
    return { $: "regexp", source: value.source, flags: value.flags } satisfies Mark
  }
  if (Array.isArray(value)) return value.map((entry) => marked(entry, parts))
  const fields = Object.entries(value).flatMap(([name, field]) =>
    field === undefined ? [] : [[name, marked(field, parts)]],
  )
  const object = Object.fromEntries(fields)
  return "$" in object ? ({ $: "object", value: object } satisfies Mark) : object
}

/** @throws Error if it is not a valid message */
export function decode(message: Uint8Array): unknown {
  const { buffer, byteOffset, byteLength } = message
  if (byteLength < lengthBytes) throw new Error("too short")
  const size = new DataView(buffer, byteOffset, byteLength).getUint32(0)
  const start = lengthBytes + size
  if (start > byteLength) throw new Error("cut off")
  const text = new TextDecoder("utf-8", { fatal: true }).decode(
    message.subarray(lengthBytes, start),
  )
  return unmarked(JSON.parse(text), { rest: message.subarray(start) })
}

function unmarked(value: unknown, remaining: { rest: Uint8Array }): unknown {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => unmarked(entry, remaining))
  if (!Object.hasOwn(value, "$")) return fieldsOf(value, remaining)
  const mark = value as Mark
  if (mark.$ === "none") return undefined
  if (mark.$ === "regexp") return new RegExp(String(mark.source), String(mark.flags))
  if (mark.$ === "object") return fieldsOf(Object(mark.value), remaining)
  if (mark.$ !== "bytes" || !(mark.size >= 0 && mark.size <= remaining.rest.length)) {
    throw new Error("invalid mark")
  }
  const bytes = remaining.rest.slice(0, mark.size)
  remaining.rest = remaining.rest.subarray(mark.size)
  return bytes
}

function fieldsOf(object: object, remaining: { rest: Uint8Array }): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(object).map(([name, field]) => [name, unmarked(field, remaining)]),
  )
}
