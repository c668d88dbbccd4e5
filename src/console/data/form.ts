import type { Schema } from "./catalogue.ts"
import type { Input } from "./keyless.ts"

/** Returns the input to send, without empty lines and default values. */
export function inputOf({ properties = {} }: Schema, values: Input): Input {
  const input: Input = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = Array.isArray(values[name])
      ? values[name].map((line) => String(line).trim()).filter(Boolean)
      : schema.type === "object"
        ? jsonOrText(values[name])
        : values[name]
    if (value === undefined || value === "") continue
    if (Array.isArray(value) && value.length === 0) continue
    if (JSON.stringify(value) !== JSON.stringify(schema.default)) input[name] = value
  }
  return input
}

/** Parses JSON. Other text is sent unchanged, and the server returns an error that explains it. */
function jsonOrText(value: unknown): unknown {
  try {
    return typeof value === "string" ? JSON.parse(value) : value
  } catch {
    return value
  }
}

/** Returns the values of a form in a URL's query, as the API reads them. */
export function valuesOf({ properties = {} }: Schema, query: URLSearchParams): Input {
  const values: Input = wholeOf(query.get("input"))
  for (const [name, schema] of Object.entries(properties)) {
    const provided = query.getAll(name)
    const [first] = provided
    if (first === undefined) continue
    if (schema.type === "array") values[name] = provided.flatMap((text) => text.split("|"))
    else if (schema.type === "boolean") values[name] = first === "true"
    else if (schema.type === "integer" || schema.type === "number") values[name] = Number(first)
    else values[name] = first
  }
  return values
}

function wholeOf(text: string | null): Input {
  try {
    const value = JSON.parse(text ?? "{}")
    return typeof value === "object" && value !== null ? value : {}
  } catch {
    return {}
  }
}
