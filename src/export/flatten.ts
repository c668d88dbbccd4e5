import type { TSchema } from "@sinclair/typebox"

/** A value of a cell. */
export type Scalar = string | number | boolean | null

/** Returns an item's cells by column: nested fields as `a.b`, list entries as `a.0`. */
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

/**
 * Returns the columns that a schema names. Columns of lists and open objects depend on the items.
 */
export function schemaColumns(schema: TSchema, path = ""): string[] {
  const object = objectIn(schema)
  if (!object) return path === "" || isOpen(schema) ? [] : [path]
  return Object.entries(object).flatMap(([name, field]) =>
    schemaColumns(field, path === "" ? name : `${path}.${name}`),
  )
}

/** Returns the properties of an object's schema, including a nullable one. */
function objectIn(schema: TSchema): Record<string, TSchema> | undefined {
  if (schema.properties) return schema.properties
  const members: TSchema[] = schema.anyOf ?? []
  const objects = members.filter((member) => member.properties)
  return objects.length > 0
    ? Object.assign({}, ...objects.map((object) => object.properties))
    : undefined
}

/** Whether values of this schema may have fields that the schema does not name. */
function isOpen(schema: TSchema): boolean {
  const members: TSchema[] = schema.anyOf ?? [schema]
  return members.some(
    (member) =>
      member.type === "array" || member.type === "object" || member.patternProperties !== undefined,
  )
}
