import type { TSchema } from "@sinclair/typebox"

/** A schema for callers: fields with a default are optional. */
export function callerSchema(schema: TSchema): TSchema {
  const { required, ...rest } = schema
  const { properties, items } = schema
  if (!properties && !items) return schema
  const needed = (required ?? []).filter(
    (name: string) => properties?.[name]?.default === undefined,
  )
  return {
    ...rest,
    ...(items && { items: callerSchema(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, callerSchema(field as TSchema)]),
      ),
    }),
    ...(needed.length > 0 && { required: needed }),
  } as TSchema
}
