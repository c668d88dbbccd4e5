import type { Expectation } from "../src/engine/fetch/replay/case.ts"

/** Returns the values that a corpus path names: dotted, `[n]`, `[*]` for any, `.length`. */
export function valuesAt(root: unknown, path: string): unknown[] {
  const steps = path.match(/[^.[\]]+|\[\*\]|\[\d+\]/g) ?? []
  let values: unknown[] = [root]
  for (const step of steps) {
    values = values.flatMap((value) => {
      if (step === "[*]") return Array.isArray(value) ? value : []
      const key = step.startsWith("[") ? step.slice(1, -1) : step
      if (value === null || value === undefined) return [undefined]
      return [(value as Record<string, unknown>)[key]]
    })
  }
  return values
}

function same(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (b === null) return a === undefined || a === null
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) < 1e-9
  return Bun.deepEquals(a, b)
}

function holds(operator: string, wanted: unknown, value: unknown): boolean {
  switch (operator) {
    case "equals":
      return same(value, wanted)
    case "contains":
      return Array.isArray(value)
        ? value.some((one) => same(one, wanted))
        : typeof value === "string" && value.includes(String(wanted))
    case "matches":
      return value != null && new RegExp(String(wanted), "i").test(String(value))
    case "gte":
      return typeof value === "number" && value >= Number(wanted)
    case "lte":
      return typeof value === "number" && value <= Number(wanted)
    case "every":
      return jsonType(value) === wanted || (wanted === "number" && jsonType(value) === "integer")
    case "absent":
      return value === undefined || value === null
    default:
      throw new Error(`The expectation's operator "${operator}" is unknown`)
  }
}

function jsonType(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value
}

/** Returns undefined if the expectation holds, else a sentence with the value found. */
export function failure(root: unknown, expectation: Expectation): string | undefined {
  const { path, ...operators } = expectation
  const values = valuesAt(root, path)
  for (const [operator, wanted] of Object.entries(operators)) {
    const all = ["gte", "lte", "every", "absent"].includes(operator)
    const good = all
      ? values.every((value) => holds(operator, wanted, value))
      : values.some((value) => holds(operator, wanted, value))
    const empty = values.length === 0 && operator !== "absent"
    if (good && !empty) continue
    const found = JSON.stringify(values.length === 1 ? values[0] : values) ?? "nothing"
    return `${path} ${operator} ${JSON.stringify(wanted)}, found ${found.slice(0, 200)}`
  }
}
