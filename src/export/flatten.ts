import type { TSchema } from "@sinclair/typebox"

/** A value without parts, as a cell holds it. */
export type Scalar = string | number | boolean | null

/** An item's cells by column: nested fields as `a.b`, entries of lists as `a.0`. */
export function flatten(item: Record<string, unknown>): Map<string, Scalar> {
  const cells = new Map<string, Scalar>()
  for (const [name, value] of Object.entries(item)) add(cells, name, value)
  return cells
}

function add(cells: Map<string, Scalar>, path: string, value: unknown): void {
  if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) add(cells, `${path}.${index}`, entry)
  } else if (typeof value === "object" && value !== null) {
    for (const [name, entry] of Object.entries(value)) add(cells, `${path}.${name}`, entry)
  } else if (value !== undefined) {
    cells.set(path, value as Scalar)
  }
}

/** The columns that a schema names; those of lists and open objects are known from items alone. */
export function schemaColumns(schema: TSchema, path = ""): string[] {
  const object = objectIn(schema)
  if (!object) return path === "" || isOpen(schema) ? [] : [path]
  return Object.entries(object).flatMap(([name, field]) =>
    schemaColumns(field, path === "" ? name : `${path}.${name}`),
  )
}

/** The properties of an object's schema, also of one that may be null. */
function objectIn(schema: TSchema): Record<string, TSchema> | undefined {
  if (schema.properties) return schema.properties
  const members: TSchema[] = schema.anyOf ?? []
  const objects = members.filter((member) => member.properties)
  return objects.length > 0
    ? Object.assign({}, ...objects.map((object) => object.properties))
    : undefined
}

/** Whether values of this schema have parts that it does not name. */
function isOpen(schema: TSchema): boolean {
  const members: TSchema[] = schema.anyOf ?? [schema]
  return members.some(
    (member) =>
      member.type === "array" || member.type === "object" || member.patternProperties !== undefined,
  )
}
