import { nearest } from "../../../base/nearest.ts"
import type { TableValue, TableValues, UpstreamTable } from "../../../catalogue/kit/index.ts"

/** Maximum entries in a table's overrides. */
const maxEntries = 1000
const maxTextChars = 20_000
const maxIssues = 20

/** A table with its override, or the issues of the override. */
export interface Overlay {
  values: TableValues
  /** Paths of the values that the override sets, for example `itemAt.name`. */
  provided: string[]
  /** Issues, in which case the override is not used. The path of the whole override is "". */
  issues: { path: string; sentence: string }[]
}

/** Applies an override to a table's values: groups are merged, lists replaced. */
export function layOver(
  { open }: Pick<UpstreamTable, "open">,
  values: TableValues,
  override: unknown,
): Overlay {
  const provided: string[] = []
  const issues: Overlay["issues"] = []

  const issue = (path: string, sentence: string) => {
    if (issues.length < maxIssues) issues.push({ path, sentence })
  }

  const joined = (ours: TableValue, theirs: unknown, path: string): TableValue => {
    if (isGroup(ours)) return joinedGroup(ours, theirs, path)
    const wrong = mismatch(ours, theirs)
    if (wrong) {
      issue(path, wrong)
      return ours
    }
    provided.push(path)
    return theirs as TableValue
  }

  const joinedGroup = (ours: TableValues, theirs: unknown, path: string): TableValues => {
    if (!isGroup(theirs)) {
      issue(path, `must be a group of values, not ${nameOf(theirs)}.`)
      return ours
    }
    const result: Record<string, TableValue> = { ...ours }
    for (const [name, value] of Object.entries(theirs).slice(0, maxEntries)) {
      const inside = path ? `${path}.${name}` : name
      const known = Object.hasOwn(ours, name) ? ours[name] : open.includes(path) ? "" : undefined
      if (known === undefined) issue(inside, unknownName(name, Object.keys(ours)))
      else result[name] = joined(known, value, inside)
    }
    return result
  }

  return { values: joinedGroup(values, override, ""), provided, issues }
}

function unknownName(name: string, known: string[]): string {
  const near = nearest(name, known)
  if (near) return `is unknown; did you mean "${near}"?`
  return `is unknown; valid names: ${known.slice(0, 12).join(", ")}.`
}

/** Returns the reason why a value cannot replace the compiled one; undefined if it can. */
function mismatch(ours: TableValue, theirs: unknown): string | undefined {
  if (Array.isArray(ours)) {
    if (!Array.isArray(theirs)) return `must be a list, not ${nameOf(theirs)}.`
    if (theirs.length > maxEntries) return `has more than ${maxEntries} entries.`
    const wrong = theirs.findIndex((entry) => mismatch(ours[0] ?? "", entry) !== undefined)
    if (wrong < 0) return undefined
    return `must hold ${nameOf(ours[0] ?? "")} at each position; entry ${wrong + 1} is ${nameOf(theirs[wrong])}.`
  }
  if (typeof theirs !== typeof ours) return `must be ${nameOf(ours)}, not ${nameOf(theirs)}.`
  if (typeof theirs === "string" && theirs.length > maxTextChars) {
    return `is longer than ${maxTextChars} characters.`
  }
  return undefined
}

function isGroup(value: unknown): value is TableValues {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function nameOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object") return "a group of values"
  if (typeof value === "string") return "a text"
  return typeof value === "number" ? "a number" : "a boolean"
}
