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
 * A text of an item; null if the upstream has none.
 * @example title: textField("Title of the page."),
 */
export const textField = (description: string) => nullable(Type.String({ description }))
/**
 * A number of an item; null if the upstream has none.
 * @example rating: numberField("Average rating, of five."),
 */
export const numberField = (description: string) => nullable(Type.Number({ description }))
/**
 * A whole number of an item; null if the upstream has none.
 * @example reviewCount: integerField("Number of reviews."),
 */
export const integerField = (description: string) => nullable(Type.Integer({ description }))
/**
 * A boolean of an item; null if the upstream does not state it.
 * @example verified: booleanField("Whether the purchase is verified."),
 */
export const booleanField = (description: string) => nullable(Type.Boolean({ description }))
/**
 * A list of texts of an item; empty if the upstream has none.
 * @example tags: textsField("Tags."),
 */
export const textsField = (description: string) => Type.Array(Type.String(), { description })

/**
 * Returns a field that the site no longer publishes: null, or an empty list, in every item.
 * @example subjects: discontinued(textsField("Subjects.")),
 */
export const discontinued = <S extends TSchema>(field: S): S => ({
  ...field,
  description: `${field.description} The site no longer publishes it, so it is always empty.`,
})

/**
 * Returns an item's schema. It allows no other fields, so that every field has documentation.
 * @example
 * ```ts
 * const item = itemObject({
 *   url: textField("URL of the page."),
 *   rank: integerField("Rank, from 1."),
 * })
 * ```
 */
export const itemObject = <P extends TProperties>(
  properties: P,
  options: { description?: string } = {},
) => Type.Object(properties, { ...options, additionalProperties: false })

/**
 * An object that every item has.
 * @example openGraph: requiredObject("Open Graph tags.", { title: textField("og:title.") }),
 */
export const requiredObject = <P extends TProperties>(description: string, properties: P) =>
  itemObject(properties, { description })
/**
 * An object of an item; null if the upstream has none.
 * @example seller: objectField("Seller.", { name: textField("Name."), url: textField("URL.") }),
 */
export const objectField = <P extends TProperties>(description: string, properties: P) =>
  nullable(itemObject(properties, { description }))
/**
 * A list of objects of an item; empty if the upstream has none.
 * @example files: objectsField("Attached files.", { url: textField("URL of the file.") }),
 */
export const objectsField = <P extends TProperties>(description: string, properties: P) =>
  Type.Array(itemObject(properties), { description })

/**
 * Returns an input's schema. It allows no other fields, so that a misspelt field is an error.
 * @example
 * ```ts
 * input: inputObject({ queries: inputs.texts("Search queries, for example lamps.", { max: 50 }) })
 * ```
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
