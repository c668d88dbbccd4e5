import type { AnyScraper } from "../../catalogue/kit/index.ts"
import { appendedRuns, mostAppended, runOfDataset } from "../../store/runs/datasets.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { fault } from "../http/body.ts"
import { ApiError, invalid } from "../http/errors.ts"
import type { Service } from "../service.ts"
import { namesIn, uniqueFaults } from "./item-choice.ts"

export interface AskedAppending {
  appendTo?: string
  uniqueBy?: string[]
}

/** Where a run's items go, and by what they are known again. @throws ApiError 400, 409 */
export async function appendingOf(
  service: Service,
  { accountId, scraper }: { accountId: string; scraper: AnyScraper },
  { appendTo, uniqueBy }: AskedAppending,
): Promise<{ appendedTo?: string; uniqueBy?: string[] }> {
  const unique = namesIn(uniqueBy)
  const faults = unique ? uniqueFaults(scraper.item, unique) : []
  if (faults.length > 0) throw invalid(faults, "query")
  const own = unique && { uniqueBy: unique }
  if (appendTo === undefined) return { ...own }
  const { db } = service.store
  const run = await runOfDataset(db, { id: appendTo, accountId })
  if (!run) {
    const message = `There is no dataset "${appendTo}".`
    throw invalid([fault("appendTo", message, "the id of a dataset of the account")], "query")
  }
  // What is appended to a run that was appended itself goes where its items went.
  const appendedTo = run.appended_to ?? run.dataset_id
  const before = await appendedRuns(db, { ...run, dataset_id: appendedTo })
  if (before.length >= mostAppended) {
    throw new ApiError(409, `A dataset goes on in at most ${mostAppended} runs; begin another.`)
  }
  return { appendedTo, ...own }
}

/** A dataset's runs in order, and how an item of it is known again. */
export async function joinedDataset(service: Service, run: RunRow) {
  const runs = [run, ...(await appendedRuns(service.store.db, run))]
  const last = runs.findLast((one) => one.unique_by !== null)
  const uniqueBy = last ? (JSON.parse(last.unique_by!) as string[]) : undefined
  return { runs, uniqueBy }
}
