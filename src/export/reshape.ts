type Item = Record<string, unknown>

/** Changes of items before they are written, by field. */
export interface Reshape {
  /** Lists whose entries become separate items, and objects whose fields move to the item. */
  unwind?: string[] | undefined
  /** Objects whose fields become fields `a.b`. */
  flatten?: string[] | undefined
}

/** Maximum items from one item: nested lists multiply. */
const maxOfOne = 10_000
const deepest = 50

export async function* reshaped(
  items: AsyncIterable<Item>,
  { unwind = [], flatten = [] }: Reshape,
): AsyncGenerator<Item> {
  for await (const item of items) {
    let parts: Iterable<Item> = [item]
    for (const field of unwind) parts = unwound(parts, field)
    let left = maxOfOne
    for (const part of parts) {
      if (left-- === 0) break
      yield flatten.reduce(flat, part)
    }
  }
}

function* unwound(items: Iterable<Item>, field: string): Generator<Item> {
  for (const item of items) {
    const { [field]: value, ...rest } = item
    // An empty list leaves its item unchanged, so that nothing is lost.
    if (Array.isArray(value) && value.length > 0) {
      for (const entry of value)
        yield isObject(entry) ? { ...rest, ...entry } : { ...rest, [field]: entry }
    } else yield isObject(value) ? { ...rest, ...value } : item
  }
}

function flat(item: Item, field: string): Item {
  const value = item[field]
  if (!isObject(value)) return item
  const { [field]: _, ...rest } = item
  return { ...rest, ...Object.fromEntries(leaves(field, value, 0)) }
}

function* leaves(path: string, value: unknown, depth: number): Generator<[string, unknown]> {
  if (!isObject(value) || depth === deepest) return yield [path, value]
  for (const [name, part] of Object.entries(value))
    yield* leaves(`${path}.${name}`, part, depth + 1)
}

const isObject = (value: unknown): value is Item =>
  typeof value === "object" && value !== null && !Array.isArray(value)
