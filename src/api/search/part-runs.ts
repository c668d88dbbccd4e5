import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { isErrorItem } from "../../engine/runtime/run/checkpoints.ts"
import type { Db } from "../../store/db/database.ts"
import { itemBodies } from "../../store/runs/items.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import type { Part, PartLimits, PartResult, RunError } from "./web-search.ts"

/** Items that are read of one run. */
const maxItems = 1000

export const tooLate: PartResult = {
  items: [],
  error: { code: "timeout", message: "It did not finish in time." },
}

/** A wait for a run ends sooner, by its signal. */
export const maxPartMs = 10 * 60_000

export interface CheckedPart {
  scraper: AnyScraper
  input: Record<string, unknown>
}

/** Returns the part with its defaults, or the result of one that cannot run. */
export function checkedPart(
  find: (slug: string) => AnyScraper | undefined,
  { slug, input: raw }: Part,
): CheckedPart | PartResult {
  const scraper = find(slug)
  if (!scraper) return { items: [], error: { code: "not_found", message: `No ${slug} here.` } }
  const checked = checkRunInput(scraper, raw)
  if (checked.ok) return { scraper, input: checked.input }
  const message = checked.issues.map((issue) => issue.message).join(" ")
  return { items: [], error: { code: "invalid_input", message } }
}

/** Returns the items of a finished run, and its error if it has no good one. */
export async function resultOf(db: Db, run: RunRow): Promise<PartResult> {
  const items: Record<string, unknown>[] = []
  for await (const body of itemBodies(db, run.n, { limit: maxItems })) items.push(JSON.parse(body))
  if (items.some((item) => !isErrorItem(item))) return { items }
  const error = (items.find(isErrorItem)?.error as RunError | undefined) ?? endOf(run)
  return { items, ...(error && { error }) }
}

/** Why a run ended; undefined if it succeeded. */
function endOf(run: RunRow): RunError | undefined {
  if (run.status === "succeeded") return undefined
  const message = run.error_message ?? `The run ended ${run.status.replace("_", " ")}.`
  return { code: run.error_code ?? run.status, message }
}

/**
 * Does work for each of some parts at the same time. The signal ends what is unfinished: at the end of
 * the time, a while after the first result with items, or by one of `others`.
 */
export async function inTime<Part, Result extends PartResult>(
  parts: readonly Part[],
  { endsAt, graceMs }: PartLimits,
  others: readonly AbortSignal[],
  work: (part: Part, ending: AbortSignal) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const late = new AbortController()
  const end = () => late.abort()
  const timers = [setTimeout(end, Math.max(0, endsAt - performance.now()))]
  const ending = AbortSignal.any([late.signal, ...others])
  const results = await Promise.allSettled(
    parts.map(async (part) => {
      const result = await work(part, ending)
      if (graceMs !== undefined && result.items.length > 0 && !result.error) {
        timers.push(setTimeout(end, graceMs))
      }
      return result
    }),
  )
  for (const timer of timers) clearTimeout(timer)
  return results
}
