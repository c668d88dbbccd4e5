import { Type } from "@sinclair/typebox"
import type { ListedRun } from "../../store/runs/run-lists.ts"
import { maybe, pathId, responseObject, time } from "./common.ts"

export const datasetParams = { datasetId: pathId("dataset", "ds") }

export const datasetSchema = responseObject(
  {
    id: Type.String({ description: "`ds_…`" }),
    title: maybe(Type.String({ description: "Title of its run." })),
    recipe: maybe(Type.String({ description: "Slug of the recipe of its run." })),
    name: maybe(Type.String({ description: "Name for `appendTo`." })),
    runId: Type.String(),
    scraper: Type.String({ description: "Slug of the scraper that returned the items." }),
    itemCount: Type.Integer({
      description:
        "Items of its run. A single dataset includes the items of appended runs, before duplicates are left out.",
    }),
    errorCount: Type.Integer({ description: "Error items, counted like `itemCount`." }),
    appendedTo: maybe(
      Type.String({
        description: "ID of the earlier run's dataset that these items are appended to.",
      }),
    ),
    transform: maybe(
      Type.String({ description: "JSONata expression applied to its items by default." }),
    ),
    ownFields: Type.Optional(
      Type.Array(responseObject({ name: Type.String(), type: Type.String() }), {
        description:
          "Fields that the run's input defines, in order: columns of tables, and names for filter and sort. Only in a single dataset.",
      }),
    ),
    createdAt: time("Time of creation of its run."),
    finishedAt: maybe(time("Time at which its run finished.")),
    itemsUrl: Type.String({ format: "uri" }),
  },
  { $id: "Dataset" },
)

export function datasetResponse(run: ListedRun, root: string) {
  return {
    id: run.dataset_id,
    title: run.title,
    recipe: run.recipe,
    name: run.dataset_name,
    runId: run.id,
    scraper: run.slug,
    itemCount: run.item_count,
    errorCount: run.error_count,
    appendedTo: run.appended_to,
    transform: run.transform,
    createdAt: run.created_at,
    finishedAt: run.finished_at,
    itemsUrl: `${root}/api/v1/datasets/${run.dataset_id}/items`,
  }
}
