import type { TObject, TSchema } from "@sinclair/typebox"
import { parseJson } from "../../base/json-text.ts"

/**
 * Key of a schema: a list of `name: value` texts that can also be written as an object.
 * @example Type.Array(Type.String(), { [entriesOfObject]: true }) // also accepts { "X-Key": "1" }
 */
export const entriesOfObject = "x-entries"

/**
 * Key of a schema: the name of a field with which the required list may be missing.
 * @example Type.Array(field, { [emptyWith]: "schema" }) // optional if the input has `schema`
 */
export const emptyWith = "x-empty-with"

/**
 * Key of an object's schema: the name of the property to which a plain JSON Schema is assigned.
 * @example itemObject(fields, { [plainSchemaAs]: "schema" }) // a JSON Schema is read as { schema }
 */
export const plainSchemaAs = "x-bare-schema-as"

/**
 * Returns an input in the form of its schema, if its meaning is certain. A single value becomes a
 * list of one, and texts become numbers and booleans. JSON text becomes an object or a list, and
 * `url` becomes `urls`. All other values stay as they are; `checkInput` refuses them.
 * @example coerced(schema, { query: "lamps", limit: "5" }) // { queries: ["lamps"], limit: 5 }
 */
export function coerced(schema: TObject, raw: unknown): unknown {
  const whole = typeof raw === "string" ? (jsonOf(raw, "object") ?? raw) : raw
  if (typeof whole !== "object" || whole === null || Array.isArray(whole)) return whole
  const provided = whole as Record<string, unknown>
  const input: Record<string, unknown> = Object.create(null)
  for (const name of Object.keys(provided)) {
    const field = fieldFor(schema, name, (other) => Object.hasOwn(provided, other))
    const own = Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined
    input[field] = own ? coercedValue(own, provided[name]) : provided[name]
  }
  for (const [name, own] of Object.entries<TSchema>(schema.properties)) {
    const other: unknown = own[emptyWith]
    if (typeof other === "string" && input[name] === undefined && input[other]) input[name] = []
  }
  return { ...input }
}

/**
 * Returns the field to which a name refers: the field of that name, or of its plural or singular if
 * the input does not have it yet; `q` is `query`.
 * @example fieldFor(schema, "url", () => false) // "urls"
 */
export function fieldFor(
  schema: TObject,
  name: string,
  isProvided: (name: string) => boolean,
): string {
  const isField = (field: string) => Object.hasOwn(schema.properties, field)
  if (isField(name)) return name
  const meant = name === "q" ? "query" : name
  const plural = meant.endsWith("y") ? `${meant.slice(0, -1)}ies` : `${meant}s`
  const singular = meant.replace(/ies$/, "y").replace(/s$/, "")
  const other = [meant, plural, singular].find(isField) ?? urlField(schema, name)
  return other !== undefined && !isProvided(other) ? other : name
}

/** Returns the only required list of URLs, whatever its name: `startUrls`, `productUrls`. */
function urlField(schema: TObject, name: string): string | undefined {
  if (name !== "url" && name !== "urls") return undefined
  const [only, ...others] = schema.required ?? []
  return others.length === 0 && /Urls?$/.test(only ?? "") ? only : undefined
}

function coercedValue(schema: TSchema, value: unknown): unknown {
  switch (schema.type) {
    case "array":
      return coercedList(schema, value)
    case "integer":
    case "number":
      return numberOf(value)
    case "boolean":
      if (value === "true" || value === "false") return value === "true"
      return value
    case "object":
      return coercedObject(schema, value)
    case "string":
      return Array.isArray(value) && value.length === 1 ? value[0] : value
    default:
      return value
  }
}

function coercedObject(schema: TSchema, value: unknown): unknown {
  const whole = typeof value === "string" ? (jsonOf(value, "object") ?? value) : value
  const name: unknown = schema[plainSchemaAs]
  if (typeof name !== "string" || !isPlainObject(whole)) return whole
  const isOwn = Object.keys(whole).some((key) => Object.hasOwn(schema.properties ?? {}, key))
  if (isOwn) return whole
  const isSchema = isPlainObject(whole.properties) || "$ref" in whole || "$schema" in whole
  const plain = isSchema ? whole : schemaOfTypes(whole)
  return plain ? { [name]: plain } : whole
}

const typeNames = new Set(["string", "number", "integer", "boolean"])
/** Maximum levels of objects and lists in a short form. */
const maxTypeLevels = 5

/**
 * Returns the JSON Schema of an object whose fields are named with their types, and undefined for
 * any other object. A list has one entry with the type of its entries.
 * @example schemaOfTypes({ name: "string", prices: ["number"] })
 */
export function schemaOfTypes(
  types: Record<string, unknown>,
  levels = maxTypeLevels,
): Record<string, unknown> | undefined {
  const entries = Object.entries(types)
  // `{ "type": "string" }` is the schema of a text.
  const isSchema = entries.length === 1 && Object.hasOwn(types, "type")
  if (entries.length === 0 || isSchema || levels === 0) return undefined
  const properties: Record<string, unknown> = Object.create(null)
  for (const [name, type] of entries) {
    const schema = schemaOfType(type, levels)
    if (!schema) return undefined
    properties[name] = schema
  }
  return { type: "object", properties: { ...properties } }
}

function schemaOfType(type: unknown, levels: number): Record<string, unknown> | undefined {
  if (typeof type === "string") return typeNames.has(type) ? { type } : undefined
  if (Array.isArray(type)) {
    const items = type.length === 1 && levels > 1 ? schemaOfType(type[0], levels - 1) : undefined
    return items && { type: "array", items }
  }
  return isPlainObject(type) ? schemaOfTypes(type, levels - 1) : undefined
}

function coercedList(schema: TSchema, value: unknown): unknown {
  if (value === null || value === undefined) return value
  if (Array.isArray(value)) {
    const { type } = schema.items ?? {}
    if (type === "integer" || type === "number") return value.map(numberOf)
    return type === "object" ? value.map((entry) => coercedValue(schema.items, entry)) : value
  }
  const list = typeof value === "string" ? jsonOf(value, "list") : undefined
  if (list !== undefined) return coercedList(schema, list)
  if (schema[entriesOfObject] === true) {
    const entries = typeof value === "string" ? jsonOf(value, "object") : value
    if (isPlainObject(entries) && Object.values(entries).every(isText)) {
      return Object.entries(entries).map(([name, text]) => `${name}: ${text}`)
    }
  }
  const one = coercedValue(schema.items ?? {}, value)
  const isOne = schema.items?.type === "object" ? isPlainObject(one) : typeof one !== "object"
  return isOne ? [one] : value
}

const isText = (value: unknown) => typeof value === "string"
const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Matches a number as people write it: decimal, without spaces, not empty. */
const plainNumber = /^-?\d{1,15}(?:\.\d{1,15})?$/

function numberOf(value: unknown): unknown {
  return typeof value === "string" && plainNumber.test(value) ? Number(value) : value
}

function jsonOf(text: string, kind: "object" | "list"): unknown {
  const [open, close] = kind === "object" ? ["{", "}"] : ["[", "]"]
  const trimmed = text.trim()
  if (!trimmed.startsWith(open!) || !trimmed.endsWith(close!)) return undefined
  try {
    return parseJson(trimmed)
  } catch {
    return undefined
  }
}
