import type { TSchema } from "@sinclair/typebox"
import { flatten, type Scalar, schemaColumns } from "./flatten.ts"

export interface TableOptions {
  /**
   * Schema of a successful item. It gives the first columns, so that they do not depend on the
   * items.
   */
  schema: TSchema
  /** Fields to include, in this order. */
  fields?: readonly string[]
  /** Fields to leave out. */
  omit?: readonly string[]
  /** Whether the header includes the columns of error items. */
  errors?: boolean
  /** Maximum columns; further fields are in a last column as JSON. */
  maxColumns?: number
  /** `filled`: omits columns that no item fills, as far as known when the header is written. */
  columns?: "all" | "filled"
  /** The columns that items fill, if all items were read before. */
  filled?: ReadonlySet<string>
}

/** Maximum items, and characters of their texts, that are read before the header is written. */
export const lookAhead = 2000
export const lookAheadCharacters = 4_000_000
/**
 * Column with the fields of later items that have no column of their own, as JSON; nulls are
 * omitted.
 */
export const restColumn = "_rest"
const errorColumns = ["input", "url", "statusCode", "error.code", "error.message"]

/**
 * Returns items as rows of cells, after a row of column names. The columns are those of the schema and of the
 * first 2,000 items (fewer if items are large). Other fields of later items are in a last column as JSON.
 */
export async function* table(
  items: AsyncIterable<Record<string, unknown>>,
  options: TableOptions,
): AsyncGenerator<Scalar[]> {
  const rows = flatRows(items, options)
  const first: Map<string, Scalar>[] = []
  let characters = 0
  let more = false
  while (!more) {
    const { value, done } = await rows.next()
    if (done) break
    first.push(value)
    for (const cell of value.values()) if (typeof cell === "string") characters += cell.length
    more = first.length === lookAhead || characters >= lookAheadCharacters
  }
  const all = columnsOf(first, more, options)
  const columns = all.slice(0, options.maxColumns)
  const hasRest = (more && !options.filled) || columns.length < all.length
  const known = new Set(columns)
  const cellsOf = (row: Map<string, Scalar>) =>
    hasRest ? [...cells(row, columns), rest(row, known)] : cells(row, columns)
  yield hasRest ? [...columns, restColumn] : columns
  for (const row of first) yield cellsOf(row)
  first.length = 0
  if (more) for await (const row of rows) yield cellsOf(row)
}

async function* flatRows(items: AsyncIterable<Record<string, unknown>>, options: TableOptions) {
  for await (const item of items) yield flatten(pick(item, options))
}

/** Returns only the named fields of an item, or all except some. */
export function pick(
  item: Record<string, unknown>,
  { fields, omit }: Pick<TableOptions, "fields" | "omit">,
): Record<string, unknown> {
  if (!fields && !omit) return item
  const names = fields ?? Object.keys(item)
  const stored = names.filter((name) => Object.hasOwn(item, name) && !omit?.includes(name))
  return Object.fromEntries(stored.map((name) => [name, item[name]]))
}

/**
 * Returns the columns: those of the schema first, then those of the items after the columns that
 * preceded them.
 */
function columnsOf(rows: Map<string, Scalar>[], more: boolean, options: TableOptions): string[] {
  const columns = new Set<string>(options.filled)
  const filled = new Set<string>(options.filled)
  for (const row of rows) {
    for (const [column, value] of row) {
      columns.add(column)
      if (value !== null) filled.add(column)
    }
  }
  const own = schemaColumns(options.schema)
  const ofErrors = options.errors ? errorColumns : []
  // Columns without a schema come first.
  const named = own.length > 0 ? [...own, ...ofErrors, ...columns] : [...columns, ...ofErrors]
  const both = [...new Set(named)].filter((column) => isWanted(column, options))
  // An object that is sometimes null has only the columns of its fields.
  const parents = new Set(both.flatMap(ancestors))
  const isTrimmed =
    options.columns === "filled" && rows.length > 0 && (!more || options.filled !== undefined)
  const all = both.filter((column) => filled.has(column) || !(isTrimmed || parents.has(column)))
  const order = options.fields ?? topLevel(options.schema, all)
  const rank = new Map(order.map((name, index) => [name, index]))
  const rankOf = (column: string) =>
    [column, ...ancestors(column)].map((name) => rank.get(name)).find((at) => at !== undefined) ??
    order.length
  const sorted = all.map((column, index) => ({ column, index, rank: rankOf(column) }))
  sorted.sort((a, b) => a.rank - b.rank || byIndices(a.column, b.column) || a.index - b.index)
  return sorted.map(({ column }) => column)
}

/** Returns `a` and `a.b` for `a.b.c`. */
function ancestors(column: string): string[] {
  const parts = column.split(".")
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."))
}

function isWanted(column: string, { fields, omit }: TableOptions): boolean {
  const names = [column, ...ancestors(column)]
  const has = (list: readonly string[]) => names.some((name) => list.includes(name))
  return (fields === undefined || has(fields)) && !(omit && has(omit))
}

/** Adds the columns that an item fills. */
export function addFilled(
  item: Record<string, unknown>,
  options: Pick<TableOptions, "fields" | "omit">,
  filled: Set<string>,
): void {
  for (const [column, value] of flatten(pick(item, options))) {
    if (value !== null && filled.size < maxFilled) filled.add(column)
  }
}

/** Maximum columns that are tracked. */
const maxFilled = 20_000

function topLevel(schema: TSchema, columns: string[]): string[] {
  const names = columns.map((column) => column.split(".")[0]!)
  return [...new Set([...Object.keys(schema.properties ?? {}), ...names])]
}

/** Compares the numbers in which two paths differ: `tags.2` comes before `tags.10`. */
function byIndices(a: string, b: string): number {
  const left = a.split(".")
  const right = b.split(".")
  const at = left.findIndex((part, index) => part !== right[index])
  if (at < 0) return 0
  const [x, y] = [Number(left[at]), Number(right[at])]
  return Number.isInteger(x) && Number.isInteger(y) ? x - y : 0
}

function cells(row: Map<string, Scalar>, columns: readonly string[]): Scalar[] {
  return columns.map((column) => row.get(column) ?? null)
}

function rest(row: Map<string, Scalar>, known: ReadonlySet<string>): string {
  const others = [...row].filter(([column, value]) => value !== null && !known.has(column))
  return others.length > 0 ? JSON.stringify(Object.fromEntries(others)) : ""
}
