import {
  Kind,
  type TProperties,
  type TSchema,
  type TUnsafe,
  Type,
  TypeRegistry,
} from "@sinclair/typebox"

/**
 * Returns a schema that also accepts null, for values that are unknown or absent upstream.
 * @example nullable(oneOf(["new", "used"], { description: "Condition." }))
 */
export const nullable = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.Null()], { description: schema.description })

/**
 * Returns a field that the site no longer publishes: null, or an empty list, in every item.
 * @example subjects: discontinued(items.texts("Subjects.")),
 */
export const discontinued = <S extends TSchema>(field: S): S => ({
  ...field,
  description: `${field.description} The site no longer publishes it, so it is always empty.`,
})

/**
 * Returns an item's schema. It allows no other fields, so that every field has documentation.
 * @example const item = itemObject({ url: items.text("URL."), rank: items.integer("Rank, from 1.") })
 */
export const itemObject = <P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false })

const byName = <S extends TSchema>(schema: S, description: string) =>
  Type.Record(Type.String(), schema, { description })

/**
 * The kinds of fields of an item whose values are computed. A kind is null, or an empty list, if
 * the upstream has no value, unless its name begins with `required` or ends with
 * `ByName`, which is an object without fixed names.
 * @example
 * ```ts
 * const item = itemObject({
 *   url: items.requiredText("URL of the page."),
 *   title: items.text("Title of the page."),
 *   images: items.objects("Images of the page.", { url: items.requiredText("URL of the image.") }),
 * })
 * ```
 */
export const items = {
  text: (description: string) => nullable(Type.String({ description })),
  number: (description: string) => nullable(Type.Number({ description })),
  integer: (description: string) => nullable(Type.Integer({ description })),
  boolean: (description: string) => nullable(Type.Boolean({ description })),
  object: <P extends TProperties>(description: string, properties: P) =>
    nullable(itemObject(properties, { description })),
  texts: (description: string) => Type.Array(Type.String(), { description }),
  objects: <P extends TProperties>(description: string, properties: P) =>
    Type.Array(itemObject(properties), { description }),
  textsByName: (description: string) => byName(Type.String(), description),
  listsByName: (description: string) => byName(Type.Array(Type.String()), description),
  countsByName: (description: string) => byName(Type.Integer(), description),
  numbersByName: (description: string) => byName(Type.Number(), description),
  valuesByName: (description: string) => byName(Type.Unknown(), description),
  /** Values that only some inputs request; other items lack the field. */
  optionalText: (description: string) => Type.Optional(Type.String({ description })),
  optionalNumber: (description: string) => Type.Optional(Type.Number({ description })),
  optionalInteger: (description: string) => Type.Optional(Type.Integer({ description })),
  optionalBoolean: (description: string) => Type.Optional(Type.Boolean({ description })),
  requiredText: (description: string) => Type.String({ description }),
  requiredNumber: (description: string) => Type.Number({ description }),
  requiredInteger: (description: string) => Type.Integer({ description }),
  requiredBoolean: (description: string) => Type.Boolean({ description }),
  requiredObject: <P extends TProperties>(description: string, properties: P) =>
    itemObject(properties, { description }),
}

/**
 * Returns an input's schema. It allows no other fields, so that a misspelt field is an error.
 * @example input: inputObject({ queries: inputs.texts("Search queries.", { max: 50 }) }),
 */
export const inputObject = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

TypeRegistry.Set<{ enum: string[] }>("OneOf", (schema, value) =>
  schema.enum.includes(value as string),
)

/**
 * Returns the schema of a text with a fixed list of values; `enum` in JSON Schema.
 * @example oneOf(["organic", "ad"], { description: "Kind of the result." })
 */
export function oneOf<const V extends readonly string[]>(
  values: V,
  options: { description?: string; default?: V[number] } = {},
): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ [Kind]: "OneOf", type: "string", enum: [...values], ...options })
}
