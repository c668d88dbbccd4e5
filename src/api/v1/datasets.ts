import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import type { Export } from "../../export/export.ts"
import { runOfDataset } from "../../store/runs/datasets.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { shownItems } from "../docs/examples.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { invalid, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { jsonHeaders } from "../http/stream.ts"
import {
  cursorListOf,
  cursorQuery,
  cursors,
  listed,
  listOf,
  pageQuery,
  pathId,
  query,
} from "../schemas/common.ts"
import { datasetAnswer, datasetSchema } from "../schemas/dataset.ts"
import { anyItem } from "../schemas/item.ts"
import type { Service } from "../service.ts"
import { requireFields } from "./item-fields.ts"
import { stillActive } from "./runs.ts"

const itemsSchema = listOf(anyItem, "Items")

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

const itemsQuery = query({
  format: oneOf(["json", "jsonl", "csv", "xlsx", "md"], {
    default: "json",
    description: "Form of the answer; md is an archive of the pages' Markdown.",
  }),
  fields: names("Only these fields of the items, separated by commas or repeated."),
  omit: names("Without these fields, separated by commas or repeated."),
  clean: Type.Boolean({ default: false, description: "Without error items." }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Items of the answer: 1 to 1,000 for json (default 100); without one, the others hold all.",
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
    .use(callContext(service))
    .model({
      DatasetList: gives(cursorListOf(datasetSchema, "DatasetList")),
      Dataset: gives(datasetSchema),
      Items: gives(itemsSchema),
    })
    .get(
      "/datasets",
      ({ accountId, root, request, query: page }) => {
        return service.lists.send(request, accountId, {
          name: "datasets",
          with: { accountId, page, root },
        })
      },
      {
        account: true,
        root: true,
        query: takes.query(query(cursorQuery(cursors.number))),
        response: { 200: "DatasetList" },
        detail: operation({
          id: "listDatasets",
          tag: "Datasets",
          summary: "The account's datasets, the newest first",
          replies: { 200: "The datasets." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/datasets/:datasetId",
      async ({ accountId, root, params }) => {
        const run = await ownDataset(service, accountId, params.datasetId)
        return datasetAnswer(run, root)
      },
      {
        account: true,
        root: true,
        params: takes.params(datasetParams),
        response: { 200: "Dataset" },
        detail: operation({
          id: "getDataset",
          tag: "Datasets",
          summary: "A dataset and its figures",
          replies: { 200: "The dataset." },
          refusals: [404],
        }),
      },
    )
    .get(
      "/datasets/:datasetId/items",
      async ({ accountId, params, query: asked, request, server }) => {
        const run = await ownDataset(service, accountId, params.datasetId)
        // A slow reader may take longer than a connection may be idle.
        server?.timeout(request, 0)
        const long = exportOf(service, run, asked)
        return service.exports.send(
          request,
          accountId,
          { name: "items", with: long },
          exportHeaders(run, long.format),
        )
      },
      {
        account: true,
        params: takes.params(datasetParams),
        query: takes.query(itemsQuery),
        response: { 200: "Items" },
        detail: operation({
          id: "getItems",
          tag: "Datasets",
          summary: "The items, as JSON, JSON lines, CSV, Excel or pages of Markdown",
          description:
            "CSV is RFC 4180 with CRLF and a byte order mark: nested fields as `a.b`, entries of lists as `a.0`, texts that a spreadsheet would take for a formula behind an apostrophe. A workbook has the same columns, and a further sheet where one is full.",
          replies: {
            200: {
              description: "The items in order.",
              types: [
                "application/json",
                "application/jsonl",
                "text/csv",
                mediaTypes.xlsx,
                mediaTypes.md,
              ],
              example: () => listed(shownItems(), 1, { limit: 100, offset: 0 }),
            },
          },
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
        params: takes.params(datasetParams),
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

/** @throws ApiError 404 */
export async function ownDataset(service: Service, accountId: string, id: string): Promise<RunRow> {
  const run = await runOfDataset(service.store.db, { id, accountId })
  if (!run) throw notFound("dataset")
  return run
}

function exportOf(service: Service, run: RunRow, asked: ItemsQuery): Export {
  const { format, clean, offset } = asked
  const limit = asked.limit ?? (format === "json" ? 100 : Number.POSITIVE_INFINITY)
  if (format === "json" && limit > 1000) throw tooManyAtOnce(limit)
  const [fields, omit] = [namesIn(asked.fields), namesIn(asked.omit)]
  const schema = service.scraper(run.slug)?.item
  if (format === "md" && schema && !("markdown" in (schema.properties ?? {}))) throw noPages(run)
  if (fields && schema) requireFields(schema, fields)
  return {
    runN: run.n,
    format,
    limit,
    offset,
    total: run.item_count + (clean ? 0 : run.error_count),
    clean,
    errors: !clean && run.error_count > 0,
    ...(fields && { fields }),
    ...(omit && { omit }),
    schema: plain(schema ?? Type.Object({})),
  }
}

/** Without what JSON has not: another thread is given it. */
export function plain(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema))
}

const mediaTypes: Record<Exclude<Export["format"], "json" | "array">, string> = {
  jsonl: "application/jsonl;charset=utf-8",
  csv: "text/csv;charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  md: "application/zip",
}

function exportHeaders(run: RunRow, format: Export["format"]): Record<string, string> {
  if (format === "json" || format === "array") return jsonHeaders
  const name = `${run.slug}-${run.id.slice(-8)}.${format === "md" ? "zip" : format}`
  return {
    "content-type": mediaTypes[format],
    "content-disposition": `attachment; filename="${name}"`,
  }
}

function noPages({ slug }: RunRow) {
  const message = `The items of ${slug} are no pages of Markdown; take another format.`
  return invalid([{ field: "format", message, expected: "json, jsonl, csv or xlsx" }], "query")
}

function tooManyAtOnce(limit: number) {
  return invalid(
    [
      {
        field: "limit",
        message: `"limit" must be an integer from 1 to 1000, not ${limit}; the other formats have no such limit.`,
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
