/** Types of the columns for fields. */
export type ColumnType =
  | "boolean"
  | "bigint"
  | "double precision"
  | "timestamp with time zone"
  | "text"
  | "jsonb"

/**
 * Maximum depth of nested values; deeper ones are stored as text, because a server refuses them.
 */
const maxDepth = 50

const isoTime =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):?[0-5]\d)$/

/** The column type of a value; undefined for null, which fits every column. */
export function typeOf(value: unknown): ColumnType | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === "boolean") return "boolean"
  if (typeof value === "number") return Number.isSafeInteger(value) ? "bigint" : "double precision"
  if (typeof value !== "string") return "jsonb"
  return isoTime.test(value) && isDate(value) ? "timestamp with time zone" : "text"
}

/** Whether a string in the form of a date is a date; February 31 is not. */
function isDate(text: string): boolean {
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`)
  return !Number.isNaN(day) && new Date(day).toISOString().slice(0, 10) === text.slice(0, 10)
}

const numbers = ["bigint", "double precision"]

/** Returns the type that can store the values of both. */
export function widened(one: ColumnType, other: ColumnType): ColumnType {
  if (one === other) return one
  if (one === "jsonb" || other === "jsonb") return "jsonb"
  return numbers.includes(one) && numbers.includes(other) ? "double precision" : "text"
}

const ownTypes: readonly string[] = [
  "boolean",
  "bigint",
  "double precision",
  "timestamp with time zone",
  "text",
  "jsonb",
]

export const isColumnType = (type: string): type is ColumnType => ownTypes.includes(type)

/** Whether a PostgreSQL column can store values of a type. */
export function holds(column: string, type: ColumnType): boolean {
  if (column === type || column === "jsonb" || column === "json") return true
  if (column === "text") return type !== "jsonb"
  if (column === "double precision" || column === "real" || column.startsWith("numeric")) {
    return numbers.includes(type)
  }
  // These are widened, because later values may not fit.
  if (/^(?:integer|smallint|character)/.test(column)) return false
  if (column === "date" || column === "timestamp without time zone") {
    return type === "timestamp with time zone"
  }
  // Other types are read from text: uuid, inet, enumerations.
  return !isColumnType(column) && type !== "jsonb"
}

/** The expression that turns a column's values into those of a wider type. */
export function cast(column: string, from: string, to: ColumnType): string {
  if (to === "jsonb") return `to_jsonb(${column})`
  if (to === "text" && from === "timestamp with time zone") {
    return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
  }
  return `${column}::${to}`
}

/** Converts a value for PostgreSQL: without zero bytes, lone surrogates and too deep nesting. */
export function storable(value: unknown, depth = 0): unknown {
  if (typeof value === "string") return clean(value)
  if (typeof value !== "object" || value === null) return value
  if (depth >= maxDepth) return clean(JSON.stringify(value))
  if (Array.isArray(value)) return value.map((entry) => storable(entry, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [clean(name), storable(entry, depth + 1)]),
  )
}

export const clean = (text: string) => text.toWellFormed().replaceAll("\0", "\uFFFD")
