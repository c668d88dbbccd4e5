import { type TSchema, Type } from "@sinclair/typebox"
import { type FieldLocation, technical } from "../../base/own-fields.ts"

/** A field that an input defines: `title: h1`. Items have it at `at`, tables as a column. */
export interface OwnField extends FieldLocation {
  schema: TSchema
}

interface NamingFields {
  item: TSchema
  // biome-ignore lint/suspicious/noExplicitAny: of a scraper of any shape
  ownFields?(input: any): OwnField[]
}

/** Fields that every item can have in addition to its scraper's own. */
const always = ["error", "source", "input"]

/**
 * Returns the fields that an input defines, without those with the name of a field of every item.
 * @example ownFieldsOf(scraper, { fields: [{ name: "price" }] }) // [{ name: "price", schema }]
 */
export function ownFieldsOf(
  { ownFields, item }: NamingFields,
  input: Record<string, unknown>,
): OwnField[] {
  const names = new Set([...Object.keys(item.properties ?? {}), ...always])
  const seen = new Set<string>()
  return (ownFields?.(input) ?? []).filter(({ name }) => {
    const isNew = !names.has(name) && !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/**
 * Returns the schema of an item as `withOwn` returns it: the fields that can be requested by name.
 * @example schemaWithOwn(item, own).properties.price // schema of the field that the input defines
 */
export function schemaWithOwn(item: TSchema, own: readonly OwnField[]): TSchema {
  if (own.length === 0) return item
  const named = Object.fromEntries(own.map(({ name, schema }) => [name, schema]))
  return { ...item, properties: { ...named, ...item.properties } }
}

/**
 * Returns the schema of an item as `asRow` returns it.
 * @example schemaOfRow(item, own, false).properties // one column per field
 */
export function schemaOfRow(item: TSchema, own: readonly OwnField[], isWhole: boolean): TSchema {
  if (own.length === 0) return item
  const { url, ...others } = (item.properties ?? {}) as Record<string, TSchema>
  const holders = new Set(own.map(({ at }) => at[0]))
  const stored = Object.entries(others).filter(
    ([name]) => !holders.has(name) && (isWhole || !technical.includes(name)),
  )
  const named = own.map(({ name, schema }) => [name, schema] as const)
  const properties = { ...(url && { url }), ...Object.fromEntries([...named, ...stored]) }
  return { ...Type.Object({}), ...item, properties }
}
