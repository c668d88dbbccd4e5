import { type AnyScraper, briefText } from "../../catalogue/kit/index.ts"
import { targetKey } from "../../engine/runtime/run/checkpoints.ts"
import type { RunSource } from "../../store/runs/sources.ts"
import { invalid } from "../http/errors.ts"
import type { BatchSources } from "../schemas/batch.ts"

interface PlannedRun {
  runId: string
  /** JSON. */
  input: string
}

/** Rows processed before yielding to other work. */
const chunkSize = 100

/**
 * Returns the rows of a batch by the targets that they produce. The scraper gets the value of each
 * row's column and returns its targets. If several rows have the same target, the first counts.
 * @throws ApiError 400
 */
export async function sourceRows(
  scraper: AnyScraper,
  planned: readonly PlannedRun[],
  { field, column, rows }: BatchSources,
): Promise<RunSource[]> {
  if (!scraper.input.properties[field]) throw unknownField(scraper, field)
  const runs = runsByValue(planned, field)
  const sources = new Map<string, RunSource>()
  for (const [index, row] of rows.entries()) {
    if (index % chunkSize === chunkSize - 1) await new Promise((resolve) => setImmediate(resolve))
    const value = row[column]
    if (typeof value !== "string") throw lacksColumn(index, column)
    for (const { runId, input, isList } of runs.get(value.trim()) ?? []) {
      const single = { ...input, [field]: isList ? [value.trim()] : value.trim() }
      for (const key of keysOf(scraper, single)) {
        const sourceKey = `${runId} ${key}`
        if (!sources.has(sourceKey))
          sources.set(sourceKey, { run_id: runId, key, body: JSON.stringify(row) })
      }
    }
  }
  return [...sources.values()]
}

interface RunOfValue {
  runId: string
  input: Record<string, unknown>
  isList: boolean
}

function runsByValue(planned: readonly PlannedRun[], field: string): Map<string, RunOfValue[]> {
  const all = new Map<string, RunOfValue[]>()
  for (const { runId, input: text } of planned) {
    const input = JSON.parse(text) as Record<string, unknown>
    const provided = input[field]
    const isList = Array.isArray(provided)
    for (const value of isList ? provided : [provided]) {
      if (typeof value !== "string") continue
      const known = all.get(value) ?? []
      known.push({ runId, input, isList })
      all.set(value, known)
    }
  }
  return all
}

/** Returns no targets if the scraper refuses the value; its run reports the error. */
function keysOf(scraper: AnyScraper, input: Record<string, unknown>): string[] {
  try {
    const { own } = scraper
    return own
      ? own.scraper.targets(own.inputOf(input) as never).map(targetKey)
      : scraper.targets(input as never).map(targetKey)
  } catch {
    return []
  }
}

function unknownField({ slug, input }: AnyScraper, field: string) {
  const message = `${slug} takes no "${briefText(field)}".`
  const expected = Object.keys(input.properties).join(", ")
  return invalid([{ field: "sources.field", message, expected, actual: briefText(field) }], "body")
}

function lacksColumn(index: number, column: string) {
  const message = `Row ${index} has no string in "${briefText(column)}".`
  return invalid([{ field: `sources.rows[${index}]`, message, expected: "a text" }], "body")
}
