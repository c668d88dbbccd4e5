import type { TSchema } from "@sinclair/typebox"

/** Type of a column or of a part of it. */
export type Kind =
  | { is: "text" | "integer" | "number" | "flag" | "json" }
  | { is: "list"; of: Kind }
  | { is: "group"; fields: Record<string, Kind> }

/** An element of a Parquet schema, in the form of hyparquet-writer. */
interface Element {
  name: string
  repetition_type?: "OPTIONAL" | "REPEATED"
  type?: "BYTE_ARRAY" | "INT64" | "DOUBLE" | "BOOLEAN"
  converted_type?: "UTF8" | "JSON" | "LIST"
  num_children?: number
}

const json: Kind = { is: "json" }
const deepest = 6
/** Maximum fields of a group that is inferred from values; a group with more becomes a map. */
const maxFields = 100

/** Returns the type by a schema; undefined if it depends on the values. */
export function kindOfSchema(schema: TSchema, depth = 0): Kind | undefined {
  if (depth > deepest) return json
  const forms: TSchema[] = schema.anyOf ?? schema.oneOf ?? [schema]
  const kinds = forms
    .filter(({ type, const: only }) => type !== "null" && only !== null)
    .map((form) => kindOfForm(form, depth))
  if (kinds.length === 0 || kinds.includes(undefined)) return undefined
  return kinds.reduce((a, b) => merged(a!, b!))
}

function kindOfForm(schema: TSchema, depth: number): Kind | undefined {
  const { type, properties, items, additionalProperties, patternProperties } = schema
  if (type === "string") return { is: "text" }
  if (type === "integer") return { is: "integer" }
  if (type === "number") return { is: "number" }
  if (type === "boolean") return { is: "flag" }
  if (type === "array") {
    const of = items && kindOfSchema(items, depth + 1)
    return of && { is: "list", of }
  }
  const isOpen = patternProperties || (additionalProperties && additionalProperties !== true)
  if (isOpen) return json
  const named = Object.entries((properties ?? {}) as Record<string, TSchema>)
  if (named.length === 0) return undefined
  const fields = named.map(([name, field]) => [name, kindOfSchema(field, depth + 1) ?? json])
  return { is: "group", fields: Object.fromEntries(fields) }
}

/** Returns the type of a value; undefined for null. */
export function kindOfValue(value: unknown, depth = 0): Kind | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === "string") return { is: "text" }
  if (typeof value === "boolean") return { is: "flag" }
  if (typeof value === "number") return { is: Number.isSafeInteger(value) ? "integer" : "number" }
  if (depth > deepest) return json
  if (Array.isArray(value)) {
    const kinds = value.slice(0, maxFields).map((entry) => kindOfValue(entry, depth + 1))
    const of = kinds.reduce((a, b) => (a && b ? merged(a, b) : (a ?? b)), undefined)
    return of && { is: "list", of }
  }
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const kind = kindOfValue(field, depth + 1)
    return kind ? [[name, kind]] : []
  })
  if (fields.length === 0) return undefined
  return fields.length > maxFields ? json : { is: "group", fields: Object.fromEntries(fields) }
}

/** Returns a type that fits the values of both. */
export function merged(a: Kind, b: Kind): Kind {
  if (a.is === "group" && b.is === "group") {
    const names = [...new Set([...Object.keys(a.fields), ...Object.keys(b.fields)])]
    if (names.length > maxFields) return json
    const both = names.map((name) => {
      const [one, other] = [a.fields[name], b.fields[name]]
      return [name, one && other ? merged(one, other) : (one ?? other)]
    })
    return { is: "group", fields: Object.fromEntries(both) }
  }
  if (a.is === "list" && b.is === "list") return { is: "list", of: merged(a.of, b.of) }
  if (a.is === b.is) return a
  const isNumber = [a, b].every(({ is }) => is === "integer" || is === "number")
  return isNumber ? { is: "number" } : json
}

/** Returns the number of leaf columns of a type. */
export function leavesOf(kind: Kind): number {
  if (kind.is === "list") return leavesOf(kind.of)
  if (kind.is !== "group") return 1
  return Object.values(kind.fields).reduce((sum, field) => sum + leavesOf(field), 0)
}

/** Returns the schema elements of a column; every value may be null. */
export function elementsOf(name: string, kind: Kind): Element[] {
  const own = { name, repetition_type: "OPTIONAL" } as const
  switch (kind.is) {
    case "text":
      return [{ ...own, type: "BYTE_ARRAY", converted_type: "UTF8" }]
    case "json":
      return [{ ...own, type: "BYTE_ARRAY", converted_type: "JSON" }]
    case "integer":
      return [{ ...own, type: "INT64" }]
    case "number":
      return [{ ...own, type: "DOUBLE" }]
    case "flag":
      return [{ ...own, type: "BOOLEAN" }]
    case "list":
      return [
        { ...own, converted_type: "LIST", num_children: 1 },
        { name: "list", repetition_type: "REPEATED", num_children: 1 },
        ...elementsOf("element", kind.of),
      ]
    case "group": {
      const fields = Object.entries(kind.fields)
      return [
        { ...own, num_children: fields.length },
        ...fields.flatMap(([field, of]) => elementsOf(field, of)),
      ]
    }
  }
}

/** Returns a value in the form of its column. @throws Unfit if the column cannot contain it */
export function fitted(value: unknown, kind: Kind): unknown {
  if (value === null || value === undefined) return null
  switch (kind.is) {
    case "json":
      return value
    case "text":
      return require(typeof value === "string", value)
    case "flag":
      return require(typeof value === "boolean", value)
    case "number":
      return require(typeof value === "number", value)
    case "integer":
      return BigInt(require(Number.isSafeInteger(value), value as number))
    case "list":
      return require(Array.isArray(value), value as unknown[]).map((entry) =>
        fitted(entry, kind.of),
      )
    case "group": {
      const { fields } = kind
      const isGroup = typeof value === "object" && !Array.isArray(value)
      const provided = Object.entries(require(isGroup, value))
      return Object.fromEntries(
        provided.map(([name, field]) => [
          name,
          fitted(field, require(Object.hasOwn(fields, name), fields[name]!)),
        ]),
      )
    }
  }
}

/** Thrown for a value that does not fit its column. */
export class Unfit extends Error {}

function require<T>(fits: boolean, value: T): T {
  if (!fits) throw new Unfit()
  return value
}
