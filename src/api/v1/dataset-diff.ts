import { type TSchema, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { diffFormats, exportFormats, exportTypes } from "../../base/export-formats.ts"
import { oneOf, schemaWithOwn } from "../../catalogue/kit/index.ts"
import { runBefore } from "../../store/runs/datasets.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { jsonHeaders } from "../http/stream.ts"
import { requireColumns } from "../items/item-fields.ts"
import { ownDataset } from "../links/dataset-links.ts"
import { cursorListOf, maybe, query, responseObject } from "../schemas/common.ts"
import { datasetParams } from "../schemas/dataset.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  ScraperParts,
} from "../service-parts.ts"
import { joinedDataset } from "./appending.ts"
import { namesIn } from "./item-choice.ts"
import { plain } from "./item-exports.ts"
import { ownFieldsOfRuns } from "./own-columns.ts"

const cell = maybe(Type.Union([Type.String(), Type.Number(), Type.Boolean()]))
const entrySchema = responseObject(
  {
    change: oneOf(["added", "removed", "changed"]),
    key: Type.String({ description: "Identifying value of the item." }),
    name: maybe(Type.String()),
    url: maybe(Type.String()),
    field: maybe(Type.String({ description: "The changed field." })),
    before: cell,
    after: cell,
  },
  { $id: "DatasetChange" },
)

/** Maximum items of both datasets together. */
const maxItems = 200_000
const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

const diffQuery = query({
  since: Type.String({
    pattern: "^(?:previous|ds_[0-9a-f]{32})$",
    default: "previous",
    description:
      "The earlier dataset. `previous` is the dataset of the last earlier successful run of the same scraper with the same input.",
  }),
  by: names("Comma-separated fields that identify an item. Default: `url`, otherwise `id`."),
  fields: names("Comma-separated fields to compare. Default: all."),
  format: oneOf(diffFormats, {
    default: "json",
    description: "Format of the response.",
  }),
  limit: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 100,
    description: "Maximum changes of a JSON response.",
  }),
  offset: Type.Integer({
    minimum: 0,
    default: 0,
    description: "Number of changes to skip in a JSON response.",
  }),
})

/** Differences between two datasets. */
export function datasetDiffRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & ResultParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ DatasetDiff: responseSchema(cursorListOf(entrySchema, "DatasetDiff")) })
    .get(
      "/datasets/:datasetId/diff",
      async ({ accountId, params, query: requested, request, server }) => {
        server?.timeout(request, 0)
        const run = await ownDataset(service, accountId, params.datasetId)
        const earlier = await earlierOf(service, accountId, run, requested.since)
        const [runs, before] = await Promise.all(
          [run, earlier].map(async (one) => (await joinedDataset(service, one)).runs),
        )
        requireFew([...runs!, ...before!])
        const own = await ownFieldsOfRuns(service, [...runs!, ...before!])
        const item = service.scraper(run.slug)?.item
        const schema = item && schemaWithOwn(item, own)
        const by = byOf(namesIn(requested.by), schema)
        const fields = namesIn(requested.fields)
        if (schema) requireColumns(schema, [...by, ...(fields ?? [])])
        const { format, limit, offset } = requested
        const diff = {
          runs: runs!.map(({ n }) => ({ n })),
          before: before!.map(({ n }) => ({ n })),
          own: own.map(({ name, at }) => ({ name, at })),
          by,
          ...(fields && { fields }),
          format,
          limit,
          offset,
          schema: plain(entrySchema),
        }
        const file = `changes-${run.id.slice(-8)}.${format}`
        const headers =
          format === "json"
            ? jsonHeaders
            : {
                "content-type": exportFormats[format].mediaType,
                "content-disposition": `attachment; filename="${file}"`,
              }
        return service.exports
          .send(request, accountId, { name: "diff", with: diff }, headers)
          .catch((error: Error & { code?: string }) => {
            throw error.code === "diff_too_large" ? new ApiError(413, error.message) : error
          })
      },
      {
        account: true,
        params: requestSchema.params(datasetParams),
        query: requestSchema.query(diffQuery),
        response: { 200: "DatasetDiff" },
        detail: operation({
          id: "getDatasetDiff",
          tag: "Datasets",
          summary: "Compare a dataset with an earlier one",
          description:
            "A changed item has an entry per changed field with the old and new values. Removed items come last.",
          replies: {
            200: {
              description: "The changes.",
              types: exportTypes(diffFormats),
            },
          },
          refusals: [400, 404, 409, 413],
        }),
      },
    )
}

/** @throws ApiError 404, 409 */
async function earlierOf(
  service: CoreParts,
  accountId: string,
  run: RunRow,
  since: string,
): Promise<RunRow> {
  if (since !== "previous") return ownDataset(service, accountId, since)
  const before = await runBefore(service.store.db, run.n)
  if (before) return before
  throw new ApiError(
    409,
    'There is no earlier successful run of the same scraper with the same input. Set "since" to a dataset ID.',
  )
}

function byOf(requested: string[] | undefined, schema: TSchema | undefined): string[] {
  if (requested) return requested
  const known = Object.keys(schema?.properties ?? { url: {} })
  const field = ["url", "id", "key", "name"].find((name) => known.includes(name))
  if (field) return [field]
  const message = 'Set "by" to the fields that identify an item.'
  throw invalid([{ field: "by", message, expected: known.join(", ") }], "query")
}

/** @throws ApiError 400 */
function requireFew(runs: readonly Pick<RunRow, "item_count">[]): void {
  const count = runs.reduce((sum, { item_count: items }) => sum + items, 0)
  if (count <= maxItems) return
  const message = `At most ${maxItems.toLocaleString("en")} items of both datasets together can be compared; these have ${count.toLocaleString("en")}.`
  throw invalid([{ field: "since", message, expected: "a smaller dataset" }], "query")
}
