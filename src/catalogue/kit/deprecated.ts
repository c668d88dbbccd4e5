import type { TSchema } from "@sinclair/typebox"

/**
 * Published names that a better one has replaced, and that one: `{ zip: "postalCode" }`. For a field
 * within objects the path to it, lists on the way not named: `{ "office.zip": "postalCode" }`.
 */
export type DeprecatedNames = Readonly<Record<string, string>>

/** The names of an object that stands in others, by its path there. */
export const within = (path: string, names: DeprecatedNames): DeprecatedNames =>
  Object.fromEntries(Object.entries(names).map(([old, name]) => [`${path}.${old}`, name]))

/** One object of an item: the old names of its fields by the new ones, and the objects in it. */
interface Level {
  old: Map<string, string[]>
  inner: Map<string, Level>
}

const level = (): Level => ({ old: new Map(), inner: new Map() })

function levels(names: DeprecatedNames): Level {
  const top = level()
  for (const [path, name] of Object.entries(names)) {
    const steps = path.split(".")
    const old = steps.pop()!
    let place = top
    for (const step of steps) {
      const inner = place.inner.get(step) ?? level()
      place.inner.set(step, inner)
      place = inner
    }
    place.old.set(name, [...(place.old.get(name) ?? []), old])
  }
  return top
}

/** Gives schemas and items their old names back, each right behind the name that replaced it. */
export function oldNames(names: DeprecatedNames) {
  const top = levels(names)
  return {
    schema: <S extends TSchema>(schema: S): S => schemaWith(schema, top) as S,
    item: <T>(item: T): T => valueWith(item, top) as T,
  }
}

function schemaWith(schema: TSchema, here: Level): TSchema {
  if (schema.anyOf) {
    return { ...schema, anyOf: schema.anyOf.map((shape: TSchema) => schemaWith(shape, here)) }
  }
  if (schema.items) return { ...schema, items: schemaWith(schema.items, here) }
  if (!schema.properties) return schema
  const fields = Object.entries<TSchema>(schema.properties).flatMap(([name, field]) => {
    const deeper = here.inner.get(name)
    const now = deeper ? schemaWith(field, deeper) : field
    const description = `Deprecated: same as \`${name}\`.`
    const before = { ...now, deprecated: true, description }
    return [[name, now], ...(here.old.get(name) ?? []).map((old) => [old, before])]
  })
  const required = (schema.required as string[] | undefined)?.flatMap((name) => [
    name,
    ...(here.old.get(name) ?? []),
  ])
  return { ...schema, properties: Object.fromEntries(fields), ...(required && { required }) }
}

function valueWith(value: unknown, here: Level): unknown {
  if (Array.isArray(value)) return value.map((entry) => valueWith(entry, here))
  if (typeof value !== "object" || value === null) return value
  const fields = Object.entries(value).flatMap(([name, inner]) => {
    const deeper = here.inner.get(name)
    const now = deeper ? valueWith(inner, deeper) : inner
    return [[name, now], ...(here.old.get(name) ?? []).map((old) => [old, now])]
  })
  return Object.fromEntries(fields)
}
