import { type Static, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../catalogue/fields.ts"
import { csv, pick } from "../engine/export/csv.ts"
import { listDatasets, runOfDataset } from "../store/datasets.ts"
import { itemBodies } from "../store/items.ts"
import type { RunRow } from "../store/runs.ts"
import { readQuery } from "./body.ts"
import { invalid, notFound } from "./errors.ts"
import { authenticate } from "./guard.ts"
import { operation } from "./operation.ts"
import { stillActive } from "./runs.ts"
import {
  answerObject,
  listed,
  listOf,
  listQuery,
  maybe,
  pageQuery,
  pathId,
  query,
  time,
} from "./schemas/common.ts"
import type { Service } from "./service.ts"
import { logFailure } from "./store-fault.ts"
import { inChunks, streamed } from "./stream.ts"

const datasetSchema = answerObject(
  {
    id: Type.String({ description: "`ds_…`" }),
    runId: Type.String(),
    slug: Type.String({ description: "The scraper whose items these are." }),
    itemCount: Type.Integer(),
    errorCount: Type.Integer(),
    createdAt: time("When its run was accepted."),
    finishedAt: maybe(time("When its run ended.")),
    itemsUrl: Type.String({ format: "uri" }),
  },
  { $id: "Dataset" },
)

const itemsSchema = listOf(
  Type.Record(Type.String(), Type.Unknown(), {
    description: "An item; one with `error` stands in place of a target that failed.",
  }),
  "Items",
)

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

const itemsQuery = query({
  format: oneOf(["json", "jsonl", "csv"], { default: "json", description: "Form of the answer." }),
  fields: names("Only these fields of the items, separated by commas or repeated."),
  omit: names("Without these fields, separated by commas or repeated."),
  clean: Type.Boolean({ default: false, description: "Without error items." }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Items of the answer: 1 to 1,000 for json (default 100); without one, jsonl and csv hold all.",
    }),
  ),
  offset: pageQuery.offset,
})
type ItemsQuery = Static<typeof itemsQuery>

const datasetParams = { datasetId: pathId("dataset", "ds") }

/** The items of runs. */
export function datasetRoutes(service: Service): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .get(
      "/datasets",
      async ({ request, set, server }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const page = readQuery(request, listQuery)
        const { rows, total } = await listDatasets(store.db, accountId, page)
        const root = service.root({ request, set, server })
        return listed(
          rows.map((row) => datasetAnswer(row, root)),
          total,
          page,
        )
      },
      operation({
        id: "listDatasets",
        tag: "Datasets",
        summary: "The account's datasets, the newest first",
        query: listQuery,
        replies: {
          200: { description: "The datasets.", schema: listOf(datasetSchema, "DatasetList") },
        },
        refusals: [400],
      }),
    )
    .get(
      "/datasets/:datasetId",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownDataset(service, accountId, params.datasetId)
        return datasetAnswer(run, service.root({ request, set, server }))
      },
      operation({
        id: "getDataset",
        tag: "Datasets",
        summary: "A dataset and its figures",
        params: datasetParams,
        replies: { 200: { description: "The dataset.", schema: datasetSchema } },
        refusals: [404],
      }),
    )
    .get(
      "/datasets/:datasetId/items",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownDataset(service, accountId, params.datasetId)
        const asked = readQuery(request, itemsQuery)
        // A slow reader may take longer than a connection may be idle.
        server?.timeout(request, 0)
        const onBroken = (error: unknown) => logFailure(service.log, error, request.url)
        return answerItems(service, run, asked, onBroken)
      },
      operation({
        id: "getItems",
        tag: "Datasets",
        summary: "The items, as JSON, JSON lines or CSV",
        description:
          "CSV is RFC 4180 with CRLF and a byte order mark: nested fields as `a.b`, entries of lists as `a.0`, texts that a spreadsheet would take for a formula behind an apostrophe.",
        params: datasetParams,
        query: itemsQuery,
        replies: {
          200: {
            description: "The items in order.",
            schema: itemsSchema,
            types: ["application/json", "application/jsonl", "text/csv"],
          },
        },
        refusals: [400, 404],
      }),
    )
    .delete(
      "/datasets/:datasetId",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownDataset(service, accountId, params.datasetId)
        const at = new Date().toISOString()
        const deleted = await store.write("datasets.delete", { id: run.dataset_id, accountId, at })
        if (!deleted) throw stillActive()
        set.status = 204
      },
      operation({
        id: "deleteDataset",
        tag: "Datasets",
        summary: "Delete the items of a run that has ended; the run stays",
        params: datasetParams,
        replies: { 204: { description: "Deleted." } },
        refusals: [404, 409],
      }),
    )
}

/** @throws ApiError 404 */
async function ownDataset(service: Service, accountId: string, id: string): Promise<RunRow> {
  const run = await runOfDataset(service.store.db, { id, accountId })
  if (!run) throw notFound("dataset")
  return run
}

function datasetAnswer(run: RunRow, root: string) {
  return {
    id: run.dataset_id,
    runId: run.id,
    slug: run.slug,
    itemCount: run.item_count,
    errorCount: run.error_count,
    createdAt: run.created_at,
    finishedAt: run.finished_at,
    itemsUrl: `${root}/api/v1/datasets/${run.dataset_id}/items`,
  }
}

function answerItems(
  service: Service,
  run: RunRow,
  asked: ItemsQuery,
  onBroken: (error: unknown) => void,
): Response {
  const { format, clean, offset } = asked
  const limit = asked.limit ?? (format === "json" ? 100 : Number.POSITIVE_INFINITY)
  if (format === "json" && limit > 1000) throw tooManyAtOnce(limit)
  const chosen = { fields: namesIn(asked.fields), omit: namesIn(asked.omit) }
  const bodies = itemBodies(service.store.db, run.n, { limit, offset, clean })
  const total = run.item_count + (clean ? 0 : run.error_count)
  const name = `${run.slug}-${run.id.slice(-8)}.${format}`
  const disposition = { "content-disposition": `attachment; filename="${name}"` }
  if (format === "csv") {
    const schema = service.scraper(run.slug)?.item ?? Type.Object({})
    const errors = !clean && run.error_count > 0
    const rows = csv(parsed(bodies), { schema, errors, ...chosen })
    const headers = { "content-type": "text/csv;charset=utf-8", ...disposition }
    return streamed(inChunks(rows), headers, 200, onBroken)
  }
  const texts = chosen.fields || chosen.omit ? picked(bodies, chosen) : bodies
  if (format === "jsonl") {
    const headers = { "content-type": "application/jsonl;charset=utf-8", ...disposition }
    return streamed(inChunks(lines(texts)), headers, 200, onBroken)
  }
  const headers = { "content-type": "application/json;charset=utf-8" }
  return streamed(inChunks(envelope(texts, { total, limit, offset })), headers, 200, onBroken)
}

function tooManyAtOnce(limit: number) {
  return invalid(
    [
      {
        field: "limit",
        message: `"limit" must be an integer from 1 to 1000, not ${limit}; format=jsonl and csv have no such limit.`,
        expected: "an integer from 1 to 1000",
        actual: limit,
      },
    ],
    "query",
  )
}

/** Field names, given by repeating or by commas. */
function namesIn(names: string[] | undefined): string[] | undefined {
  const all = names?.flatMap((name) => name.split(",")).map((name) => name.trim())
  const given = all?.filter((name) => name !== "")
  return given && given.length > 0 ? given : undefined
}

async function* parsed(bodies: AsyncIterable<string>) {
  for await (const body of bodies) yield JSON.parse(body) as Record<string, unknown>
}

async function* picked(
  bodies: AsyncIterable<string>,
  chosen: { fields?: string[]; omit?: string[] },
) {
  for await (const item of parsed(bodies)) yield JSON.stringify(pick(item, chosen))
}

async function* lines(texts: AsyncIterable<string>) {
  for await (const text of texts) yield `${text}\n`
}

/** The form of every list, written item by item. */
async function* envelope(
  texts: AsyncIterable<string>,
  { total, limit, offset }: { total: number; limit: number; offset: number },
) {
  let separator = '{"items":['
  for await (const text of texts) {
    yield separator + text
    separator = ","
  }
  const start = separator === "," ? "" : separator
  yield `${start}],"total":${total},"limit":${limit},"offset":${offset}}`
}
