import type { Schema } from "./catalogue.ts"
import { valuesOf } from "./form.ts"
import { type Input, queryOf, readable } from "./keyless.ts"
import { runOf } from "./runs.ts"
import { scheduleOf } from "./schedules.ts"

/** Servers and browsers refuse longer URLs. */
const maxQuery = 2_000
const draftKey = "trawl-draft"

/**
 * Returns the path of a form with an input filled in. A long input is stored in this tab instead of
 * the URL.
 */
export function filledIn(path: string, input: Input): string {
  const query = readable(queryOf(input))
  if (query.length <= maxQuery) return `${path}?${query}`
  const text = JSON.stringify(input)
  const id = `${text.length}-${Date.now().toString(36)}`
  try {
    sessionStorage.setItem(draftKey, JSON.stringify({ id, input }))
  } catch {
    // Without storage, the form starts with its example.
    return path
  }
  return `${path}?draft=${id}`
}

export const filledFromRun = (path: string, runId: string) => `${path}?from=${runId}`

/**
 * Returns the input that a URL provides: from a run or a schedule, from this tab, or in its query.
 */
export async function providedInput(
  schema: Schema,
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<Input> {
  const from = query.get("from")
  // A scraper may have an input field of this name.
  if (from && /^(?:run|sch)_/.test(from)) {
    const { input = {} } = from.startsWith("run_")
      ? await runOf(from, signal)
      : await scheduleOf(from, signal)
    return knownOf(schema, input)
  }
  const draft = query.get("draft")
  const stored = draft === null ? undefined : draftOf(draft)
  return stored ? knownOf(schema, stored) : valuesOf(schema, query)
}

function draftOf(id: string): Input | undefined {
  const stored = JSON.parse(sessionStorage.getItem(draftKey) ?? "{}") as {
    id?: string
    input?: Input
  }
  return stored.id === id ? stored.input : undefined
}

/**
 * Keeps the fields that the form has: a run of a recipe stores the input of its scraper, and the
 * recipe accepts fewer fields.
 */
const knownOf = ({ properties = {} }: Schema, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => name in properties))
