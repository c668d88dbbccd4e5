import { type TSchema, Type } from "@sinclair/typebox"
import { type FieldLocation, technical } from "../../base/own-fields.ts"

/** A field that a call names itself: `title: h1`. Its items have it at `at`; tables, as a column. */
export interface OwnField extends FieldLocation {
  schema: TSchema
}

interface NamingFields {
  item: TSchema
  // biome-ignore lint/suspicious/noExplicitAny: of a scraper of any shape
  ownFields?(input: any): OwnField[]
}

/** Fields of every item in addition to its scraper's own. */
const always = ["error", "source", "input"]

/** The fields that an input names; those called like a field of every item keep their path as name. */
export function ownFieldsOf(
  { ownFields, item }: NamingFields,
  input: Record<string, unknown>,
): OwnField[] {
  const taken = new Set([...Object.keys(item.properties ?? {}), ...always])
  const seen = new Set<string>()
  return (ownFields?.(input) ?? []).filter(({ name }) => {
    const isNew = !taken.has(name) && !seen.has(name)
    seen.add(name)
    return isNew
  })
}

/** The schema of `withOwn`: what may be asked for by name. */
export function schemaWithOwn(item: TSchema, own: readonly OwnField[]): TSchema {
  if (own.length === 0) return item
  const named = Object.fromEntries(own.map(({ name, schema }) => [name, schema]))
  return { ...item, properties: { ...named, ...item.properties } }
}

/** The schema of `asRow`. */
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
