import type { Field } from "./schema.ts"

/** Returns what is wrong with a model's value for a field, as a sentence; null if it is valid. */
export function issueOf(value: unknown, field: Field, path = ""): string | null {
  const issues = [field, ...field.others].map((one) => issueOfOne(value, one, path))
  return issues.includes(null) ? null : issues[0]!
}

function issueOfOne(value: unknown, field: Field, path: string): string | null {
  const place = path === "" ? "the answer" : `"${path}"`
  if (value === null || value === undefined) return null
  if (field.choices) {
    if (field.choices.includes(value)) return null
    return `${place} must be one of ${JSON.stringify(field.choices).slice(0, 300)}.`
  }
  if (!isOfKind(value, field)) return `${place} must be of type ${field.kind}.`
  if (field.kind === "object") {
    // Such as one that is wrapped in another.
    const isOther = field.properties.every(
      ([name]) => (value as Record<string, unknown>)[name] === undefined,
    )
    if (path === "" && isOther) return "it has none of the schema's properties."
    return firstIssue(field.properties, ([name, child]) =>
      issueOf(
        (value as Record<string, unknown>)[name],
        child,
        path === "" ? name : `${path}.${name}`,
      ),
    )
  }
  if (field.kind !== "array") return null
  return firstIssue(value as unknown[], (entry, index) =>
    issueOf(entry, field.items!, `${path}[${index}]`),
  )
}

function firstIssue<T>(list: readonly T[], check: (one: T, index: number) => string | null) {
  for (const [index, one] of list.entries()) {
    const issue = check(one, index)
    if (issue !== null) return issue
  }
  return null
}

function isOfKind(value: unknown, { kind }: Field): boolean {
  switch (kind) {
    case "object":
      return typeof value === "object" && !Array.isArray(value)
    case "array":
      return Array.isArray(value)
    case "integer":
      return Number.isInteger(value)
    case "any":
      return true
    default:
      return (typeof value as string) === kind
  }
}

/** Returns a value with the schema's properties only, in their order; missing nullable ones are null. */
export function fitted(value: unknown, field: Field): unknown {
  if (value === null || value === undefined) return field.nullable ? null : undefined
  if (field.kind === "array" && Array.isArray(value)) {
    return value.map((one) => fitted(one, field.items!)).filter((one) => one !== undefined)
  }
  if (field.kind !== "object") return value
  const entries = field.properties.map(([name, child]): [string, unknown] => [
    name,
    fitted((value as Record<string, unknown>)[name], child),
  ])
  return Object.fromEntries(entries.filter(([, one]) => one !== undefined))
}

/** Returns the paths of missing values. */
export function missingIn(value: unknown, field: Field, path = ""): string[] {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return [path]
  if (field.kind === "array" && Array.isArray(value)) {
    return value.flatMap((one, index) => missingIn(one, field.items!, `${path}[${index}]`))
  }
  if (field.kind !== "object") return []
  return field.properties.flatMap(([name, child]) =>
    missingIn(
      (value as Record<string, unknown>)[name],
      child,
      path === "" ? name : `${path}.${name}`,
    ),
  )
}
