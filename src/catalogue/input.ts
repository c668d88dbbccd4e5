import type { TObject, TSchema } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"

/** One fault of an input: where, what was there, what was expected. */
export interface InputFault {
  field: string
  message: string
  expected: string
  actual?: unknown
}

export type CheckedInput =
  | { ok: true; input: Record<string, unknown> }
  | { ok: false; faults: InputFault[] }

/** Checks an input against a scraper's schema and fills in the defaults. */
export function checkInput(schema: TObject, raw: unknown): CheckedInput {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) {
    const fault = { field: "", message: "The input must be a JSON object.", expected: "object" }
    return { ok: false, faults: [{ ...fault, actual: raw }] }
  }
  const input = Value.Default(schema, structuredClone(raw)) as Record<string, unknown>
  for (const name of Object.keys(input)) {
    if (input[name] === null || input[name] === undefined) delete input[name]
  }
  const withDefaults = Value.Default(schema, input) as Record<string, unknown>
  const faults = unknownFields(schema, withDefaults)
  for (const error of Value.Errors(schema, withDefaults)) {
    const field = error.path.slice(1).replaceAll("/", ".")
    if (error.message === "Unexpected property") continue
    if (faults.some((known) => known.field === field)) continue
    faults.push(describeFault(field, error.schema, error.value))
  }
  return faults.length > 0 ? { ok: false, faults } : { ok: true, input: withDefaults }
}

function unknownFields(schema: TObject, input: Record<string, unknown>): InputFault[] {
  const known = Object.keys(schema.properties)
  return Object.keys(input)
    .filter((name) => !known.includes(name))
    .map((field) => {
      const near = nearest(field, known)
      const hint = near ? ` Did you mean "${near}"?` : ""
      return {
        field,
        message: `There is no field "${field}".${hint}`,
        expected: near ?? known.join(", "),
        actual: input[field],
      }
    })
}

function describeFault(field: string, schema: TSchema, value: unknown): InputFault {
  const expected = expectation(schema)
  const message =
    value === undefined
      ? `"${field}" is required: ${expected}.`
      : `"${field}" must be ${expected}, not ${JSON.stringify(value)?.slice(0, 100)}.`
  return { field, message, expected, ...(value === undefined ? {} : { actual: value }) }
}

const nouns: Record<string, string> = {
  string: "texts",
  integer: "integers",
  number: "numbers",
  object: "objects",
}

/** A schema in words: "an integer from 1 to 100". */
export function expectation(schema: TSchema): string {
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(", ")}`
  if (schema.type === "array") {
    const { minItems, maxItems } = schema
    const noun = nouns[schema.items?.type as string] ?? "entries"
    if (minItems !== undefined && maxItems !== undefined) {
      return `a list of ${minItems} to ${maxItems} ${noun}`
    }
    return `a list of ${noun}${range(minItems, maxItems, "")}`
  }
  if (schema.type === "string") {
    const pattern = schema.pattern ? ` that matches ${schema.pattern}` : ""
    const length = range(schema.minLength, schema.maxLength, " characters")
    return schema.minLength === 1 && !schema.maxLength && !pattern
      ? "a text that is not empty"
      : `a text${pattern}${length}`
  }
  if (schema.type === "integer" || schema.type === "number") {
    const noun = schema.type === "integer" ? "an integer" : "a number"
    return `${noun}${range(schema.minimum, schema.maximum, "")}`
  }
  if (schema.type === "boolean") return "true or false"
  return schema.type ? `a ${schema.type}` : "another value"
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  if (from !== undefined && to !== undefined) return ` from ${from} to ${to}${unit}`
  if (from !== undefined) return ` of at least ${from}${unit}`
  if (to !== undefined) return ` of at most ${to}${unit}`
  return ""
}

/** The known name nearest to a misspelt one, within a third of its length. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(name.length / 3)) + 1
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, swap))
    }
    previous = row
  }
  return previous[b.length]!
}

/**
 * An input from query parameters: texts become what the schema wants, arrays come by repeating or
 * by `|`, `input` holds JSON, and named parameters win over it.
 * @throws SyntaxError when `input` is no JSON object.
 */
export function inputFromQuery(
  schema: TObject,
  query: URLSearchParams,
  reserved: readonly string[] = [],
): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  const json = query.get("input")
  if (json !== null && !("input" in schema.properties)) {
    const parsed: unknown = JSON.parse(json)
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      throw new SyntaxError("input must be a JSON object")
    }
    Object.assign(input, parsed)
  }
  for (const name of new Set(query.keys())) {
    if (reserved.includes(name)) continue
    if (name === "input" && !("input" in schema.properties)) continue
    input[name] = fromTexts(schema.properties[name], query.getAll(name))
  }
  return input
}

function fromTexts(schema: TSchema | undefined, values: string[]): unknown {
  if (schema?.type === "array") {
    const parts = values.flatMap((value) => value.split("|")).map((part) => part.trim())
    return parts.filter((part) => part !== "").map((part) => fromText(schema.items, part))
  }
  return fromText(schema, values.at(-1)!)
}

function fromText(schema: TSchema | undefined, value: string): unknown {
  if (schema?.type === "boolean") {
    if (/^(?:true|1|yes|on)$/i.test(value)) return true
    if (/^(?:false|0|no|off)$/i.test(value)) return false
  }
  if (schema?.type === "integer" || schema?.type === "number") {
    if (value.trim() !== "" && Number.isFinite(Number(value))) return Number(value)
  }
  return value
}
