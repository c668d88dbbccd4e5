export interface SortKey {
  field: string
  desc: boolean
}

/**
 * Value by which an item is sorted. Texts are cut, so that sorting many items needs little memory.
 */
export type SortValue = number | string | undefined

const maxCharacters = 100

export function sortValue(value: unknown): SortValue {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return Number(value)
  // A slice would keep the whole text in memory.
  if (typeof value === "string") return Buffer.from(value.slice(0, maxCharacters)).toString()
  return undefined
}

/** Returns a comparison: numbers before texts, and missing values last in either direction. */
export function sorter(keys: readonly SortKey[]) {
  const { compare } = new Intl.Collator("en")
  return (a: readonly SortValue[], b: readonly SortValue[]): number => {
    for (const [index, { desc }] of keys.entries()) {
      const [x, y] = [a[index], b[index]]
      if (x === y) continue
      if (x === undefined) return 1
      if (y === undefined) return -1
      const order = typeof x === "number" ? (typeof y === "number" ? x - y : -1) : textOrder(x, y)
      if (order !== 0) return desc ? -order : order
    }
    return 0
  }

  function textOrder(x: string, y: string | number): number {
    return typeof y === "number" ? 1 : compare(x, y)
  }
}
