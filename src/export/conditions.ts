export const comparisons = ["<=", ">=", "!=", "<", ">", "=", "~"] as const

/** A condition on one field of an item. */
export interface Condition {
  /** Path of the field: `price`, `offer.price`, `tags`. If it is a list, any entry may match. */
  field: string
  /** `has`: any value; `lacks`: no value. */
  is: (typeof comparisons)[number] | "has" | "lacks"
  value: string
}

/** Maximum list entries of an item that are compared. */
const maxValues = 1000

/** Returns the values of an item's field, list entries one by one, without nulls. */
export function valuesAt(item: unknown, field: string): unknown[] {
  let values = [item]
  for (const name of field.split(".")) {
    values = values.flatMap(entries).flatMap((value) => {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return []
      return [(value as Record<string, unknown>)[name]]
    })
    if (values.length > maxValues) values.length = maxValues
  }
  return values.flatMap(entries).filter((value) => value !== null && value !== undefined)
}

const entries = (value: unknown) => (Array.isArray(value) ? value.slice(0, maxValues) : [value])

export const texted = (value: unknown) =>
  typeof value === "object" ? JSON.stringify(value) : String(value)

export function fits(item: unknown, condition: Condition): boolean {
  const values = valuesAt(item, condition.field)
  if (condition.is === "lacks") return values.length === 0
  if (condition.is === "has") return values.length > 0
  if (condition.is === "!=") {
    return values.length > 0 && !values.some((value) => holds(value, "=", condition.value))
  }
  const { is } = condition
  return values.some((value) => holds(value, is, condition.value))
}

function holds(
  actual: unknown,
  is: Exclude<Condition["is"], "has" | "lacks" | "!=">,
  value: string,
) {
  const text = texted(actual)
  if (is === "~") {
    const whole = text.toLowerCase()
    return value
      .toLowerCase()
      .split(/\s+/)
      .every((word) => whole.includes(word))
  }
  // Numbers and numeric texts are compared as numbers, other texts by their characters.
  const [a, b] = [numberIn(text), numberIn(value)]
  const bothNumbers = !Number.isNaN(a) && !Number.isNaN(b)
  const order = bothNumbers ? a - b : text < value ? -1 : text > value ? 1 : 0
  if (is === "=") return typeof actual === "string" ? text === value : order === 0
  if (typeof actual === "number" && !bothNumbers) return false
  if (is === "<") return order < 0
  if (is === "<=") return order <= 0
  return is === ">" ? order > 0 : order >= 0
}

export const numberIn = (text: string) => (text.trim() === "" ? Number.NaN : Number(text))
