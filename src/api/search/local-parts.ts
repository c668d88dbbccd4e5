import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { RunService, StartRun } from "../../engine/runtime/workers/runs.ts"
import { isOver } from "../../store/runs/runs.ts"
import type { Store } from "../../store/store.ts"
import { checkedPart, inTime, maxPartMs, resultOf, tooLate } from "./part-runs.ts"
import type { Part, PartResult, PartRuns } from "./web-search.ts"

interface LocalParts {
  store: Pick<Store, "db">
  runs: Pick<RunService, "start" | "wait" | "abort">
  scraper(slug: string): AnyScraper | undefined
  origin: StartRun["origin"]
  signal: AbortSignal
}

/** Runs of this machine's own engine, without quota and credits. Nothing measures their health. */
export const localParts = (local: LocalParts): PartRuns => ({
  scraper: local.scraper,
  healthOf: () => undefined,
  async run(parts, limits) {
    const results = await inTime(parts, limits, [local.signal], (part, ending) =>
      runHere(local, part, ending),
    )
    return results.map((result) => {
      if (result.status === "fulfilled") return result.value
      throw result.reason
    })
  },
})

async function runHere(
  { store, runs, scraper, origin }: LocalParts,
  part: Part,
  ending: AbortSignal,
): Promise<PartResult> {
  const checked = checkedPart(scraper, part)
  if (!("scraper" in checked)) return checked
  const priority = "interactive" as const
  const { id } = await runs.start({ ...checked, origin, accountId: null, priority })
  const run = await runs.wait(id, maxPartMs, ending)
  if (run && isOver(run.status)) return resultOf(store.db, run)
  await runs.abort(id)
  return tooLate
}
