import { type TSchema, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { exportTypes } from "../../base/export-formats.ts"
import { visibleItems } from "../examples/examples.ts"
import { requireAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { invalid } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { queryOf } from "../http/query.ts"
import { ownDataset, readableDataset } from "../links/dataset-links.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import { datasetParams, datasetResponse, datasetSchema } from "../schemas/dataset.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  ScraperParts,
} from "../service-parts.ts"
import { joinedDataset } from "./appending.ts"
import { namesIn } from "./item-choice.ts"
import { itemsQuery, itemsSchema, sendItems } from "./item-exports.ts"
import { ownFieldsOfRuns } from "./own-columns.ts"
import { stillActive } from "./runs.ts"

/** Maximum datasets per request. */
const maxJoined = 100
const linkedQuery = query({
  ...itemsQuery.properties,
  link: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Secret of a link to this dataset, instead of an API key.",
    }),
  ),
})
const joinedQuery = query({
  datasets: Type.Array(Type.String(), {
    description: `Dataset IDs, comma-separated or repeated; at most ${maxJoined}.`,
  }),
  ...itemsQuery.properties,
})

/** Items of runs. */
export function datasetRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & ResultParts,
): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      DatasetList: responseSchema(cursorListOf(datasetSchema, "DatasetList")),
      Dataset: responseSchema(datasetSchema),
      Items: responseSchema(itemsSchema),
    })
    .get(
      "/datasets",
      ({ accountId, root, request, query: { name, search, ...page } }) => {
        return service.lists.send(request, accountId, {
          name: "datasets",
          with: { accountId, page, root, name, search },
        })
      },
      {
        account: true,
        root: true,
        query: requestSchema.query(
          query({
            name: Type.Optional(Type.String({ description: "Only the dataset with this name." })),
            search: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: "Part of the title, scraper or recipe.",
              }),
            ),
            ...cursorQuery(cursors.number),
          }),
        ),
        response: { 200: "DatasetList" },
        detail: operation({
          id: "listDatasets",
          tag: "Datasets",
          summary: "List the account's datasets, newest first",
          replies: { 200: "The datasets." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/datasets/:datasetId",
      async ({ accountId, root, params }) => {
        const run = await ownDataset(service, accountId, params.datasetId)
        const { runs } = await joinedDataset(service, run)
        const sum = (of: "item_count" | "error_count") =>
          runs.reduce((total, one) => total + one[of], 0)
        const own = await ownFieldsOfRuns(service, runs)
        return {
          ...datasetResponse(run, root),
          ...(own.length > 0 && {
            ownFields: own.map(({ name, schema }) => ({ name, type: typeWord(schema) })),
          }),
          itemCount: sum("item_count"),
          errorCount: sum("error_count"),
        }
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(datasetParams),
        response: { 200: "Dataset" },
        detail: operation({
          id: "getDataset",
          tag: "Datasets",
          summary: "Get a dataset's metadata",
          replies: { 200: "The dataset." },
          refusals: [404],
        }),
      },
    )
    .get(
      "/datasets/:datasetId/items",
      async ({ call, params, query: { link, ...requested } }) => {
        const run = await readableDataset(service, call, params.datasetId, link)
        if (link !== undefined && requested.since !== undefined) throw notByLink("since")
        if (link !== undefined && requested.sources) throw notByLink("sources")
        if (link !== undefined && requested.transform !== undefined) throw notByLink("transform")
        const { runs, uniqueBy, transform } = await joinedDataset(service, run)
        const file = `${run.slug}-${run.id.slice(-8)}`
        return sendItems(
          service,
          call,
          { accountId: run.account_id!, runs, file },
          {
            ...requested,
            unique: requested.unique ?? uniqueBy,
            transform: requested.transform ?? transform,
          },
        )
      },
      {
        call: true,
        // An anonymous caller without a link gets only 401.
        async transform({ request, set, server }) {
          if (!queryOf(request).has("link")) {
            await requireAccount(service, { request, set, server })
          }
        },
        params: requestSchema.params(datasetParams),
        query: requestSchema.query(linkedQuery),
        response: { 200: "Items" },
        detail: operation({
          id: "getItems",
          tag: "Datasets",
          summary: "Get the items as JSON, JSON Lines, CSV, Excel, Parquet or Markdown files",
          description:
            "CSV follows RFC 4180 with CRLF and a byte order mark. Nested fields are `a.b`, list entries `a.0`; text that a spreadsheet would evaluate starts with an apostrophe. A workbook has the same columns, and a further sheet if one is full. Parquet has the types of the schema; values that a column cannot hold are in `_rest`, as JSON.",
          replies: {
            200: {
              description: "The items in order.",
              types: exportTypes(),
              example: () =>
                cursorListed({ total: 1, nextCursor: null }, visibleItems(), {
                  limit: 100,
                  offset: 0,
                }),
            },
          },
          refusals: [400, 404],
        }),
      },
    )
    .get(
      "/items",
      async ({ accountId, query: { datasets, ...requested }, request, server }) => {
        const ids = [...new Set(namesIn(datasets))]
        if (ids.length < 1 || ids.length > maxJoined) throw notJoined(ids.length)
        const runs = await Promise.all(ids.map((id) => ownDataset(service, accountId, id)))
        return sendItems(
          service,
          { request, server },
          { accountId, runs, file: "items" },
          requested,
        )
      },
      {
        account: true,
        query: requestSchema.query(joinedQuery),
        response: { 200: "Items" },
        detail: operation({
          id: "getJoinedItems",
          tag: "Datasets",
          summary: "Get the items of several datasets as one",
          description:
            "Works like the items of one dataset: in the order of the call; with `unique`, duplicates are returned once.",
          replies: { 200: { description: "The items in order.", types: exportTypes() } },
          refusals: [400, 404],
        }),
      },
    )
    .delete(
      "/datasets/:datasetId",
      async ({ accountId, params, set }) => {
        const run = await ownDataset(service, accountId, params.datasetId)
        const at = new Date().toISOString()
        const deleted = await store.write("datasets.delete", { id: run.dataset_id, accountId, at })
        if (!deleted) throw stillActive()
        set.status = 204
      },
      {
        account: true,
        params: requestSchema.params(datasetParams),
        detail: operation({
          id: "deleteDataset",
          tag: "Datasets",
          summary: "Delete the items of a run that has ended; the run stays",
          replies: { 204: "Deleted." },
          refusals: [404, 409],
        }),
      },
    )
}

/** The type of a union without null. */
function typeWord(schema: TSchema): string {
  const forms: TSchema[] = schema.anyOf ?? [schema]
  const types = forms.flatMap(({ type }): string[] => type ?? []).filter((type) => type !== "null")
  return types.length === 1 ? types[0]! : "any"
}

function notJoined(count: number) {
  const message = `"datasets" takes 1 to ${maxJoined} dataset IDs, not ${count}.`
  return invalid([{ field: "datasets", message, expected: "ds_…,ds_…" }], "query")
}

const notOpened = {
  since: '"since" reads another dataset, to which a link gives no access.',
  sources: 'A link gives access to the items only, without "sources".',
  transform:
    'A link gives access to the items as they were shared: "transform" requires the account\'s API key.',
}

function notByLink(field: keyof typeof notOpened) {
  return invalid(
    [{ field, message: notOpened[field], expected: "a call with the account's API key" }],
    "query",
  )
}
