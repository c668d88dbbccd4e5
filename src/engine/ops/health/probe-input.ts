import { valuesAt } from "./expectations.ts"

/** A string in a probe's input that refers to the items of another scraper's probe. */
const reference = /^@([a-z0-9-]+) (items\S+)$/

/** Returns the scraper whose probe this input refers to. */
export function sourceOf(input: unknown): string | null {
  if (typeof input === "string") return reference.exec(input)?.[1] ?? null
  if (typeof input !== "object" || input === null) return null
  for (const part of Object.values(input)) {
    const source = sourceOf(part)
    if (source !== null) return source
  }
  return null
}

/** Returns the input with the values from the other probe's items; undefined if they lack one. */
export function filledInput(
  input: Readonly<Record<string, unknown>>,
  items: readonly Record<string, unknown>[],
): Record<string, unknown> | undefined {
  let isMissing = false
  const fill = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(fill)
    if (typeof part === "object" && part !== null) {
      return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, fill(value)]))
    }
    const path = typeof part === "string" ? reference.exec(part)?.[2] : undefined
    if (path === undefined) return part
    const value = valuesAt({ items }, path)[0]
    if (typeof value !== "string" && typeof value !== "number") isMissing = true
    return value
  }
  const filled = fill(input) as Record<string, unknown>
  return isMissing ? undefined : filled
}
