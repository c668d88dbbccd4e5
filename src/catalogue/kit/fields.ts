import {
  Kind,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from "@sinclair/typebox"

/** A schema that also takes null: the value is unknown or absent upstream. */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description })

/** Item fields that are null where the upstream says nothing. */
export const textField = (description: string) => nullable(Type.String({ description }))
export const numberField = (description: string) => nullable(Type.Number({ description }))
export const integerField = (description: string) => nullable(Type.Integer({ description }))
export const booleanField = (description: string) => nullable(Type.Boolean({ description }))
/** A list of texts, empty where the upstream says nothing. */
export const textsField = (description: string) => Type.Array(Type.String(), { description })

/** A field that the site no longer publishes: null, or an empty list, in every item. */
export const discontinued = <S extends TSchema>(field: S): S => ({
  ...field,
  description: `${field.description} No longer published by the site, so always empty.`,
})

/** An item's schema: closed, so that a field without documentation cannot slip in. */
export const itemObject = <P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false })

/** An input's schema: closed, so that a misspelt field is an error. */
export const inputObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

TypeRegistry.Set<{ enum: string[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value as string),
)

/** One of a fixed list of words; plain `enum` in JSON Schema. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  options: { description?: string; default?: V[number] } = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ [Kind]: "OneOf", type: "string", enum: [...values], ...options })
}
