import { dayMs } from "../../../base/time.ts"
import type { ProbeExpectation } from "../../../catalogue/kit/index.ts"
import { hasContent } from "./counters.ts"

type Item = Record<string, unknown>

/** An expectation that is not met. */
export interface Unmet {
  line: string
  soft: boolean
  /** Field of the items; null if it is about their number. */
  field: string | null
  actual: string
}

/** Returns the expectations of a probe that its items do not meet. */
export function unmet(
  items: readonly Item[],
  expectations: readonly ProbeExpectation[],
  now: number,
): Unmet[] {
  return expectations.flatMap((expectation) => {
    const values = valuesAt({ items }, expectation.path)
    if (holds(expectation, values, now)) return []
    const visible = JSON.stringify(values.length === 1 ? values[0] : values) ?? "nothing"
    const { line, soft } = expectation
    return [{ line, soft, field: fieldOf(expectation.path), actual: visible.slice(0, 120) }]
  })
}

/** Returns the values at a path: dotted, `[n]`, `[*]` for each. */
export function valuesAt(root: unknown, path: string): unknown[] {
  const steps = path.match(/[^.[\]]+|\[\*\]|\[\d+\]/g) ?? []
  return steps.reduce<unknown[]>(
    (values, step) =>
      values.flatMap((value) => {
        if (step === "[*]") return Array.isArray(value) ? value : []
        if (value === null || value === undefined) return [undefined]
        return [(value as Record<string, unknown>)[step.replace(/[[\]]/g, "")]]
      }),
    [root],
  )
}

const fieldOf = (path: string) => /^items\[(?:\d+|\*)\]\.([\w$-]+)/.exec(path)?.[1] ?? null

function holds({ operator, value }: ProbeExpectation, values: unknown[], now: number): boolean {
  if (values.length === 0) return false
  switch (operator) {
    case "equals":
      return values.some((actual) => isSame(actual, value))
    case "only":
      return values.every((actual) => !hasContent(actual) || isSame(actual, value))
    case "contains":
      return values.some((actual) => contains(actual, value))
    case "matches": {
      const expression = new RegExp(String(value), "i")
      return values.some((actual) => isPlain(actual) && expression.test(String(actual)))
    }
    case "gte":
      return values.every((actual) => typeof actual === "number" && actual >= Number(value))
    case "lte":
      return values.every((actual) => typeof actual === "number" && actual <= Number(value))
    case "share":
      return values.filter(isFilled).length >= Number(value) * values.length
    case "fresh":
      return newest(values) >= now - Number(value) * dayMs
  }
}

const isPlain = (value: unknown) => hasContent(value) && typeof value !== "object"

/** Whether a value is set; an object if anything in it is. */
function isFilled(value: unknown): boolean {
  const isObject = typeof value === "object" && value !== null
  return isObject ? Object.keys(value).length > 0 : hasContent(value)
}

function isSame(one: unknown, other: unknown): boolean {
  const bothNumbers = typeof one === "number" && typeof other === "number"
  return bothNumbers ? Math.abs(one - other) < 1e-9 : Bun.deepEquals(one ?? null, other)
}

function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(whole)) return whole.some((item) => isSame(item, part))
  return typeof whole === "string" && whole.includes(String(part))
}

function newest(values: unknown[]): number {
  const times = values.map((value) => (typeof value === "string" ? Date.parse(value) : Number.NaN))
  return Math.max(Number.NEGATIVE_INFINITY, ...times.filter((time) => !Number.isNaN(time)))
}
