import { messageOf } from "./error-message.ts"

/** An error in messages between threads or in recordings, as plain data. */
export interface ErrorMessage {
  message: string
  /** Class that is restored on the other side; other errors have only a name. */
  kind?: string
  name?: string
  [field: string]: unknown
}

/** Prototypes of error classes by their kind. */
const kinds = new Map<string, object>()

/** Registers a module's error classes, so that their errors keep their class between threads. */
export function keepClasses(module: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value === "function" && value.prototype instanceof Error) {
      kinds.set(name, value.prototype)
    }
  }
}

export function encodeError(error: unknown): ErrorMessage {
  const message = messageOf(error)
  if (!(error instanceof Error)) return { name: "Error", message }
  const { kind, code } = error as { kind?: unknown; code?: unknown }
  if (typeof kind === "string" && kinds.has(kind)) {
    const { name: _, ...fields } = error as Error & Record<string, unknown>
    return { kind, message, ...Object.fromEntries(Object.entries(fields).filter(isPlain)) }
  }
  return { name: error.name, message, ...(typeof code === "string" ? { code } : {}) }
}

export function decodeError({ message, ...fields }: ErrorMessage): Error {
  const { kind } = fields
  const prototype = kind === undefined ? undefined : kinds.get(kind)
  const error = new Error(message)
  if (!prototype) return Object.assign(error, fields)
  return Object.assign(Object.setPrototypeOf(error, prototype), { ...fields, name: kind })
}

function isPlain([, value]: [string, unknown]): boolean {
  return value === null || ["string", "number", "boolean"].includes(typeof value)
}
