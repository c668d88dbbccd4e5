/** Maximum characters of an input's text in a message. */
const maxText = 100
/** Maximum characters of a list or object as JSON in a message. */
const maxValue = 200

/**
 * Returns a text of an input, shortened for a message.
 * @example throw new BadInput(`"${briefText(url)}" is not a URL of a store.`)
 */
export function briefText(text: string, max = maxText): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}

/**
 * Returns a value of an input for a message: the value if it is small, else its kind.
 * @example briefValue(["a"]) // ["a"]
 */
export function briefValue(value: unknown): unknown {
  if (typeof value === "string") return briefText(value)
  if (typeof value !== "object" || value === null) return value
  if (sizeUpTo(value, maxValue) <= maxValue) return value
  return Array.isArray(value)
    ? `a list of ${value.length} entries`
    : `an object of ${Object.keys(value).length} fields`
}

/** Returns the approximate length of a value as JSON. Counting stops above the limit. */
function sizeUpTo(value: unknown, limit: number): number {
  if (typeof value === "string") return value.length + 2
  if (typeof value !== "object" || value === null) return 5
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const length = names?.length ?? (value as unknown[]).length
  let size = 2
  for (let index = 0; index < length && size <= limit; index++) {
    const name = names?.[index]
    const part = (value as Record<string, unknown>)[name ?? index]
    size += (name === undefined ? 1 : name.length + 4) + sizeUpTo(part, limit - size)
  }
  return size
}
