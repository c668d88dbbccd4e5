/** Location of a field that the run's input defines. */
export interface FieldLocation {
  name: string
  /** Path in the item: `["data", "title"]`. */
  at: readonly string[]
}

type Item = Readonly<Record<string, unknown>>

/** Returns the value at a path; `["tags", "0"]` is the first entry of a list. */
export function valueAt(item: Item, path: readonly string[]): unknown {
  let value: unknown = item
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

/** Returns an item whose own fields can be read by their names. */
export function withOwn(item: Item, own: readonly FieldLocation[]): Record<string, unknown> {
  if (own.length === 0 || item.error !== undefined) return item
  const values: Record<string, unknown> = {}
  for (const { name, at } of own) {
    const value = valueAt(item, at)
    if (value !== undefined) values[name] = value
  }
  return { ...values, ...item }
}

/** Fields about the fetch and not about the page, for items whose fields the caller names. */
export const technical = ["finalUrl", "statusCode", "missing"]

/**
 * Returns an item as a row of a table: its own fields are top-level, in order after its URL, and
 * the object that contained them is left out. `isWhole`: includes the fields about the fetch.
 */
export function asRow(
  item: Item,
  own: readonly FieldLocation[],
  isWhole: boolean,
): Record<string, unknown> {
  if (own.length === 0 || item.error !== undefined) return item
  const { source, url } = item
  const row: Record<string, unknown> = {
    ...(source !== undefined && { source }),
    ...(url !== undefined && { url }),
  }
  for (const { name, at } of own) row[name] = valueAt(item, at) ?? null
  for (const [name, value] of Object.entries(without(item, own))) {
    if (name in row || (!isWhole && technical.includes(name))) continue
    row[name] = value
  }
  return row
}

/** Returns an item without its own fields, and without objects that contained only them. */
function without(item: Item, own: readonly FieldLocation[]): Record<string, unknown> {
  const rest: Record<string, unknown> = { ...item }
  for (const [key, fields] of Map.groupBy(own, ({ at }) => at.slice(0, -1).join("."))) {
    const path = key.split(".")
    const names = new Set(fields.map(({ at }) => at.at(-1)))
    removed(rest, path, names)
  }
  return rest
}

function removed(rest: Record<string, unknown>, [head, ...tail]: string[], names: Set<unknown>) {
  const inner = rest[head!]
  if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return
  const copy = { ...inner } as Record<string, unknown>
  if (tail.length > 0) removed(copy, tail, names)
  else for (const name of Object.keys(copy)) if (names.has(name)) delete copy[name]
  if (Object.keys(copy).length > 0) rest[head!] = copy
  else delete rest[head!]
}
