import { type Static, Type } from "@sinclair/typebox"
import { oneOf } from "../../catalogue/kit/index.ts"
import type { ListedRun } from "../../store/runs/run-lists.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { anyObject, cursorListOf, maybe, responseObject, time } from "./common.ts"

export const runSchema = responseObject(
  {
    id: Type.String({ description: "`run_…`" }),
    scraper: Type.String({ description: "Slug of the scraper." }),
    recipe: maybe(Type.String({ description: "Slug of the account's recipe that it runs." })),
    title: maybe(
      Type.String({
        description: "Title in lists: given, or the schedule's, or the first target.",
      }),
    ),
    session: maybe(Type.String({ description: "Session used to fetch its pages." })),
    appendedTo: maybe(
      Type.String({
        description: "ID of the earlier run's dataset that its items are appended to.",
      }),
    ),
    status: oneOf(runStatuses),
    statusMessage: maybe(Type.String({ description: "Reason why the run is waiting." })),
    input: anyObject("Input with defaults."),
    datasetId: Type.String({ description: "`ds_…`" }),
    itemCount: Type.Integer({ description: "Stored items, without error items." }),
    errorCount: Type.Integer({ description: "Error items, one per failed target." }),
    pageCount: Type.Integer({ description: "Pages fetched for finished targets." }),
    targetsDone: Type.Integer(),
    targetsTotal: Type.Integer({ description: "Targets found so far; crawlers find more." }),
    creditsCharged: Type.Integer(),
    attempt: Type.Integer({ description: "Number of attempts." }),
    capped: maybe(
      Type.String({
        description:
          "`items` or `pages`: the limit of the call (maxItems, maxPages) that ended the run early; null otherwise.",
      }),
    ),
    createdAt: time("Time of creation."),
    startedAt: maybe(time("Time of the first start.")),
    finishedAt: maybe(time("Time at which it finished.")),
    statusUrl: Type.String({ format: "uri", description: "URL of this run." }),
    datasetItemsUrl: Type.String({ format: "uri", description: "URL of its items." }),
    error: maybe(
      responseObject(
        {
          code: Type.String({ description: "Error code, for example `blocked`, `out_of_credit`." }),
          message: Type.String(),
        },
        { description: "Reason why the run did not succeed." },
      ),
    ),
  },
  { $id: "Run" },
)
export type Run = Static<typeof runSchema>

const { input, ...visibleProperties } = runSchema.properties
/** A run in lists and events, without its input, which may be larger than the rest. */
const listedRunSchema = responseObject(
  { ...visibleProperties, input: Type.Optional(input) },
  { $id: "ListedRun", description: "Without its input, unless `view=full` is set." },
)
export type VisibleRun = Static<typeof listedRunSchema>

export const runListSchema = cursorListOf(listedRunSchema, "RunList")
export const batchRunListSchema = cursorListOf(listedRunSchema, "BatchRunList")

/** A run in API responses. `root` is the public URL of the service. */
export function runResponse(row: RunRow, root: string): Run {
  return visibleRun(row, root) as Run
}

/** A run of a list, with its input if that was read. */
export function visibleRun(row: ListedRun, root: string): VisibleRun {
  return {
    id: row.id,
    scraper: row.slug,
    recipe: row.recipe,
    title: row.title,
    session: row.session,
    appendedTo: row.appended_to,
    status: row.status,
    statusMessage: row.status_message,
    ...(row.input !== undefined && { input: JSON.parse(row.input) }),
    datasetId: row.dataset_id,
    itemCount: row.item_count,
    errorCount: row.error_count,
    pageCount: row.page_count,
    targetsDone: row.targets_done,
    targetsTotal: row.targets_total,
    creditsCharged: row.credits_charged,
    attempt: row.attempt,
    capped: row.capped,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    statusUrl: `${root}/api/v1/runs/${row.id}`,
    datasetItemsUrl: `${root}/api/v1/datasets/${row.dataset_id}/items`,
    error:
      row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? "" },
  }
}

export const runExample: Run = {
  id: "run_0198c0ffee7a7b3c9d4e5f6a7b8c9d0e",
  scraper: "pypi-package-scraper",
  recipe: null,
  title: "requests",
  session: null,
  appendedTo: null,
  status: "succeeded",
  statusMessage: null,
  input: { packages: ["requests"], includeDownloads: true },
  datasetId: "ds_0198c0ffee7a7b3c9d4e5f6a7b8c9d0f",
  itemCount: 1,
  errorCount: 0,
  pageCount: 2,
  targetsDone: 1,
  targetsTotal: 1,
  creditsCharged: 2,
  attempt: 1,
  capped: null,
  createdAt: "2026-01-31T12:00:00.000Z",
  startedAt: "2026-01-31T12:00:00.020Z",
  finishedAt: "2026-01-31T12:00:00.480Z",
  statusUrl: "http://127.0.0.1:8080/api/v1/runs/run_0198c0ffee7a7b3c9d4e5f6a7b8c9d0e",
  datasetItemsUrl:
    "http://127.0.0.1:8080/api/v1/datasets/ds_0198c0ffee7a7b3c9d4e5f6a7b8c9d0f/items",
  error: null,
}
