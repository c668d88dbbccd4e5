import type { AnyScraper } from "../../catalogue/kit/index.ts"
import type { StartRun } from "../../engine/runtime/workers/runs.ts"
import {
  appendedRuns,
  maxAppended,
  runOfDataset,
  runOfNamedDataset,
} from "../../store/runs/datasets.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { issue } from "../http/body.ts"
import { ApiError, invalid } from "../http/errors.ts"
import type { CoreParts } from "../service-parts.ts"
import { namesIn, uniqueIssues } from "./item-choice.ts"

export interface RequestedAppending {
  appendTo?: string
  uniqueBy?: string[]
}

/** A dataset's ID, or a name chosen by the account. */
export const datasetIdOrName = "^(?:ds_[0-9a-f]{32}|(?!ds_)[a-z0-9][a-z0-9._-]{0,99})$"
const isId = (text: string) => text.startsWith("ds_")

/**
 * Returns the dataset that a run appends to, and the fields that identify items. @throws ApiError
 * 400, 409
 */
export async function appendingOf(
  service: CoreParts,
  { accountId, scraper }: { accountId: string; scraper: AnyScraper },
  { appendTo, uniqueBy }: RequestedAppending,
): Promise<Pick<StartRun, "appendedTo" | "uniqueBy" | "datasetName">> {
  const unique = namesIn(uniqueBy)
  const issues = unique ? uniqueIssues(scraper.item, unique) : []
  if (issues.length > 0) throw invalid(issues, "query")
  const own = unique && { uniqueBy: unique }
  if (appendTo === undefined) return { ...own }
  const { db } = service.store
  const run = isId(appendTo)
    ? await runOfDataset(db, { id: appendTo, accountId })
    : await runOfNamedDataset(db, { name: appendTo, accountId })
  if (!run && !isId(appendTo)) return { datasetName: appendTo, ...own }
  if (!run) {
    const message = `Unknown dataset "${appendTo}". Use the datasetId of one of your runs.`
    throw invalid(
      [
        issue(
          "appendTo",
          message,
          "A run that appends to an appended run appends to the same dataset.",
        ),
      ],
      "query",
    )
  }
  // What is appended to a run that was appended itself goes where its items went.
  const appendedTo = run.appended_to ?? run.dataset_id
  const before = await appendedRuns(db, { ...run, dataset_id: appendedTo })
  if (before.length >= maxAppended) {
    throw new ApiError(
      409,
      `A dataset can have at most ${maxAppended} appended runs; start a run with a new dataset.`,
    )
  }
  return { appendedTo, ...own }
}

/** A dataset's runs in order, and its default transformation. */
export async function joinedDataset(service: CoreParts, run: RunRow) {
  const runs = [run, ...(await appendedRuns(service.store.db, run))]
  const last = runs.findLast((one) => one.unique_by !== null)
  const uniqueBy = last ? (JSON.parse(last.unique_by!) as string[]) : undefined
  const transform = runs.findLast((one) => one.transform !== null)?.transform ?? undefined
  return { runs, uniqueBy, transform }
}
