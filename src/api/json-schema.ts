import type { TSchema } from "@sinclair/typebox"

/** A schema as a caller reads it: what has a default need not be given. */
export function callerSchema(schema: TSchema): TSchema {
  const { properties, items, required } = schema
  if (!properties && !items) return schema
  return {
    ...schema,
    ...(items && { items: callerSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, callerSchema(field as TSchema)]),
      ),
    }),
    ...(required && {
      required: required.filter((name: string) => properties?.[name]?.default === undefined),
    }),
  } as TSchema
}
