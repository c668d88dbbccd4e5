import { Type } from "@sinclair/typebox"
import type { ListedRun } from "../../store/runs/run-lists.ts"
import { maybe, pathId, responseObject, time } from "./common.ts"

export const datasetParams = { datasetId: pathId("dataset", "ds") }

export const datasetSchema = responseObject(
  {
    id: Type.String({ description: "`ds_…`" }),
    title: maybe(Type.String({ description: "Of its run." })),
    recipe: maybe(Type.String({ description: "Slug of the recipe whose run it is of." })),
    name: maybe(Type.String({ description: "By which `appendTo` knows it." })),
    runId: Type.String(),
    scraper: Type.String({ description: "Slug of the scraper whose items these are." }),
    itemCount: Type.Integer({
      description:
        "Of its run; asked for alone, with the runs that were appended, before what repeats is left out.",
    }),
    errorCount: Type.Integer({ description: "In the same way." }),
    appendedTo: maybe(
      Type.String({ description: "The dataset in which these items go on, of an earlier run." }),
    ),
    transform: maybe(
      Type.String({ description: "By which its items are read, unless a reader says otherwise." }),
    ),
    ownFields: Type.Optional(
      Type.Array(responseObject({ name: Type.String(), type: Type.String() }), {
        description:
          "Fields that its call named, in their order: columns of tables, and names for filter and sort. Asked for alone.",
      }),
    ),
    createdAt: time("When its run was accepted."),
    finishedAt: maybe(time("When its run ended.")),
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
