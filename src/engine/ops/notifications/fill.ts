import type { Destination, Format } from "./formats.ts"
import type { Message } from "./messages.ts"

/** Values for a format. */
export interface Filling {
  id: string
  message: Message
  destination: Destination
  /** The event as JSON. */
  payload: string
}

export interface Filled {
  method: "POST" | "PUT"
  url: string
  headers: Record<string, string>
  body: unknown
}

type Values = Readonly<Record<string, string>>

/** Returns the request that sends a message in this format. */
export function fill(format: Format, filling: Filling): Filled {
  const { id, message, destination } = filling
  const values: Values = {
    id,
    title: message.title,
    link: message.link ?? "",
    image: message.image ?? "",
    priority: priorityOf(message),
    url: (destination.url ?? format.service ?? "").replace(/\/+$/, ""),
    room: encodeURIComponent(destination.room ?? ""),
    token: destination.token ?? "",
  }
  const url = new URL(replaced(format.url ?? "{url}", values))
  for (const [name, text] of Object.entries(format.query ?? {})) {
    if (isWhole(text, values)) url.searchParams.set(name, replaced(text, values))
  }
  const isText = typeof format.body === "string"
  const headers: Record<string, string> = {
    "content-type": isText ? "text/plain; charset=utf-8" : "application/json",
  }
  for (const [name, text] of Object.entries(format.headers ?? {})) {
    if (isWhole(text, values)) headers[name] = replaced(text, values)
  }
  const { method = "POST" } = format
  return { method, url: url.href, headers, body: filledBody(format, filling) }
}

/** Returns the body: a string, or data for JSON. */
export function filledBody(
  format: Format,
  { id, message, destination, payload }: Filling,
): unknown {
  const { escape: marks = [], maxChars } = format
  const escaped = (text: string) =>
    marks.reduce((rest, [mark, instead]) => rest.replace(mark, instead), text)
  const values: Values = {
    id,
    title: escaped(message.title),
    text: cut(escaped(message.text), maxChars),
    link: message.link ?? "",
    image: message.image ?? "",
    priority: priorityOf(message),
    urgency: message.isUrgent ? "1" : "0",
    room: destination.room ?? "",
    user: destination.user ?? "",
    token: destination.token ?? "",
  }
  return filledIn(format.body, values, payload)
}

/** Priorities of ntfy: 3 is normal, 4 is high. */
const priorityOf = ({ isUrgent }: Message) => (isUrgent ? "4" : "3")

/**
 * Replaces placeholders in a tree of strings; the event is inserted as data. Without an image, its
 * part is left out.
 */
function filledIn(tree: unknown, values: Values, payload: string): unknown {
  if (tree === "{payload}") return JSON.parse(payload)
  if (tree === "{image}" && values.image === "") return undefined
  if (typeof tree === "string") return replaced(tree, values).trimEnd()
  if (Array.isArray(tree)) {
    const parts = tree.map((part) => filledIn(part, values, payload))
    const there = parts.filter((part) => part !== undefined)
    return there.length > 0 || tree.length === 0 ? there : undefined
  }
  if (typeof tree !== "object" || tree === null) return tree
  const parts = Object.entries(tree).map(
    ([name, part]) => [name, filledIn(part, values, payload)] as const,
  )
  const there = parts.filter(([, part]) => part !== undefined)
  return there.length > 0 || parts.length === 0 ? Object.fromEntries(there) : undefined
}

const placeholder = /\{([a-z]+)\}/g

/** Replaces placeholders in one pass, so that texts of messages are not replaced again. */
function replaced(text: string, values: Values): string {
  return text.replace(placeholder, (_, name: string) => values[name] ?? "")
}

/** Whether each placeholder has a value. */
const isWhole = (text: string, values: Values) =>
  [...text.matchAll(placeholder)].every(([, name]) => (values[name!] ?? "") !== "")

const encoder = new TextEncoder()

/** Returns the beginning of a text, with at most `bytes` bytes. */
function cut(text: string, bytes: number): string {
  if (!Number.isFinite(bytes) || encoder.encode(text).length <= bytes) return text
  const { read } = encoder.encodeInto(text, new Uint8Array(bytes - 3))
  return `${text.slice(0, read)}…`
}
