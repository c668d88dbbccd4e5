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
    recipe: maybe(Type.String({ description: "Slug of the account's own that it is a run of." })),
    title: maybe(
      Type.String({
        description: "What lists call it: given, or its schedule's, or its first target.",
      }),
    ),
    appendedTo: maybe(
      Type.String({ description: "The dataset of an earlier run, in which its items go on." }),
    ),
    status: oneOf(runStatuses),
    statusMessage: maybe(Type.String({ description: "What the run waits for." })),
    input: anyObject("The input with its defaults filled in."),
    datasetId: Type.String({ description: "`ds_…`" }),
    itemCount: Type.Integer({ description: "Items stored, without error items." }),
    errorCount: Type.Integer({ description: "Error items, one for each failed target." }),
    pageCount: Type.Integer({ description: "Pages fetched for finished targets." }),
    targetsDone: Type.Integer(),
    targetsTotal: Type.Integer({ description: "Targets known so far; crawlers find more." }),
    creditsCharged: Type.Integer(),
    attempt: Type.Integer({ description: "Times that a worker has taken the run up." }),
    capped: maybe(
      Type.String({
        description:
          "`items` or `pages`: the cap of the call (maxItems, maxPages) that ended it early; null when the input's own limit did.",
      }),
    ),
    createdAt: time("When the run was accepted."),
    startedAt: maybe(time("When a worker first took it up.")),
    finishedAt: maybe(time("When it ended.")),
    statusUrl: Type.String({ format: "uri", description: "Address of this run." }),
    datasetItemsUrl: Type.String({ format: "uri", description: "Address of its items." }),
    error: maybe(
      responseObject(
        {
          code: Type.String({ description: "Such as `blocked`, `out_of_credit`." }),
          message: Type.String(),
        },
        { description: "Why the run did not succeed." },
      ),
    ),
  },
  { $id: "Run" },
)
export type Run = Static<typeof runSchema>

const { input, ...visibleProperties } = runSchema.properties
/** A run as lists and events show it: its input may be larger than all the rest. */
const listedRunSchema = responseObject(
  { ...visibleProperties, input: Type.Optional(input) },
  { $id: "ListedRun", description: "Without its input, but with `view=full`." },
)
export type VisibleRun = Static<typeof listedRunSchema>

export const runListSchema = cursorListOf(listedRunSchema, "RunList")
export const batchRunListSchema = cursorListOf(listedRunSchema, "BatchRunList")

/** A run as every surface shows it. `root` is the public address of the service. */
export function runResponse(row: RunRow, root: string): Run {
  return visibleRun(row, root) as Run
}

/** With its input where that was read. */
export function visibleRun(row: ListedRun, root: string): VisibleRun {
  return {
    id: row.id,
    scraper: row.slug,
    recipe: row.recipe,
    title: row.title,
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
