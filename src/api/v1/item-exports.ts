import { type Static, type TSchema, Type } from "@sinclair/typebox"
import { exportFormatNames, exportFormats } from "../../base/export-formats.ts"
import { type OwnField, oneOf, schemaOfRow, schemaWithOwn } from "../../catalogue/kit/index.ts"
import type { Export } from "../../export/export.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { invalid } from "../http/errors.ts"
import { jsonHeaders } from "../http/stream.ts"
import { requireColumns, requireFields } from "../items/item-fields.ts"
import { cursorListOf, cursorQuery, query } from "../schemas/common.ts"
import { anyItem } from "../schemas/item.ts"
import type { Call } from "../service.ts"
import type { CoreParts, ResultParts, ScraperParts } from "../service-parts.ts"
import { choiceOf, choiceQuery, namesIn } from "./item-choice.ts"
import { requireExpression, transform, withinLimits } from "./item-transform.ts"
import { ownFieldsOfRuns } from "./own-columns.ts"

export const itemsSchema = cursorListOf(anyItem, "Items")

/**
 * Index of the run, of its target and of the item; with a filter or order, also the number of items
 * before.
 */
const paged = cursorQuery("^[0-9]{1,4}(?:\\.[0-9]{1,9}){2,3}$")

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

export const itemsQuery = query({
  format: oneOf(exportFormatNames, {
    default: "json",
    description: "Format of the response; md is an archive of the pages' Markdown.",
  }),
  fields: names("Comma-separated or repeated fields to return."),
  columns: names(
    "Columns of a table, in this order: fields of the scraper, fields that the input defines, or paths such as `offer.price`. `filled` (default of CSV, XLSX and Parquet): columns that any item fills. `all`: all possible columns. With JSON: items as rows, with the fields that the input defines at the top level.",
  ),
  omit: names("Comma-separated or repeated fields to leave out."),
  ...choiceQuery,
  clean: Type.Boolean({ default: false, description: "Leaves out error items." }),
  sources: Type.Boolean({
    default: false,
    description: "Adds the row of the batch's `sources` to each item as `source`.",
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Maximum items: 1 to 1,000 for json (default 100); unlimited by default for the other formats.",
    }),
  ),
  transform: transform(
    "JSONata expression that replaces each good item by an object or a list of objects; no result leaves the item out. It is applied after filter, order and limit, and before `fields`. An empty value disables the run's own expression.",
  ),
  offset: paged.offset,
  cursor: paged.cursor,
})
type ItemsQuery = Static<typeof itemsQuery>

/** The runs of a response. */
interface ItemsOf {
  accountId: string
  runs: readonly Omit<RunRow, "input">[]
  /** File name without its extension. */
  file: string
}

/** Sends the items of runs in the requested order and format. @throws ApiError 400, 404, 429 */
export async function sendItems(
  service: CoreParts & ScraperParts & ResultParts,
  { request, server }: Pick<Call, "request" | "server">,
  { accountId, runs, file }: ItemsOf,
  requested: ItemsQuery,
): Promise<Response> {
  // A slow reader may take longer than the idle timeout of a connection.
  server?.timeout(request, 0)
  const long = await exportOf(service, accountId, runs, requested)
  const headers = exportHeaders(file, requested.format)
  const sent = service.exports.send(request, accountId, { name: "items", with: long }, headers)
  return long.transform ? withinLimits(sent) : sent
}

async function exportOf(
  service: CoreParts & ScraperParts,
  accountId: string,
  runs: readonly Omit<RunRow, "input">[],
  requested: ItemsQuery,
): Promise<Export> {
  const { format, clean, offset, cursor, sources, transform } = requested
  const limit = requested.limit ?? (format === "json" ? 100 : Number.POSITIVE_INFINITY)
  if (format === "json" && limit > 1000) throw tooManyAtOnce(limit)
  const [fields, omit] = [namesIn(requested.fields), namesIn(requested.omit)]
  const slugs = new Set(runs.map(({ slug }) => slug))
  const own = slugs.size === 1 ? service.scraper([...slugs][0]!)?.item : undefined
  const schema = own && sources ? withSource(own) : own
  // The result of a transformation may have any fields.
  const provided = transform ? undefined : schema
  const ownFields = await ownFieldsOfRuns(service, runs)
  const wanted = columnsOf(requested)
  const columns = typeof wanted === "string" ? undefined : wanted
  const rows =
    wanted !== undefined || isTable(format) ? (wanted === "all" ? "all" : "filled") : undefined
  const wide = schema && schemaWithOwn(schema, ownFields)
  if (format === "md" && provided && !("markdown" in (provided.properties ?? {}))) {
    throw noPages([...slugs][0]!)
  }
  if (fields && provided) requireFields(provided, fields)
  if (transform) await requireExpression(transform)
  if (columns && provided) requireColumns(schemaWithOwn(provided, ownFields), columns)
  const choice = await choiceOf(service, requested, { accountId, runs, schema: wide })
  return {
    ...(choice && { choice }),
    runs: runs.map((run) => ({ n: run.n, items: run.item_count + (clean ? 0 : run.error_count) })),
    format,
    limit,
    offset,
    ...(cursor !== undefined && { after: positionOf(cursor) }),
    clean,
    ...(sources && { sources }),
    errors: !clean && runs.some((run) => run.error_count > 0),
    ...(fields && { fields }),
    ...(omit && { omit }),
    ...(transform && { transform, tenant: { id: accountId } }),
    ...(ownFields.length > 0 && { own: ownFields.map(({ name, at }) => ({ name, at })) }),
    ...(rows && !transform && { rows }),
    ...(columns && { columns }),
    schema: plain(
      rows && provided
        ? rowSchema(provided, ownFields, { rows, columns })
        : (provided ?? Type.Object({})),
    ),
  }
}

const isTable = (format: ItemsQuery["format"]) => ["csv", "xlsx", "parquet"].includes(format)

function columnsOf({ columns }: ItemsQuery): "all" | "filled" | string[] | undefined {
  const named = namesIn(columns)
  const [only] = named?.length === 1 ? named : []
  return only === "all" || only === "filled" ? only : named
}

function rowSchema(
  item: TSchema,
  own: readonly OwnField[],
  { rows, columns }: { rows: "all" | "filled"; columns: string[] | undefined },
): TSchema {
  const whole = schemaOfRow(item, own, rows === "all" || columns !== undefined)
  if (!columns) return whole
  const named = columns.map((name) => [name, whole.properties?.[name] ?? {}] as const)
  return Type.Object(Object.fromEntries(named))
}

/** The source columns come first, as in a spreadsheet. */
const withSource = (item: TSchema): TSchema => ({
  ...item,
  properties: { source: Type.Object({}, { additionalProperties: true }), ...item.properties },
})

function positionOf(cursor: string): NonNullable<Export["after"]> {
  const [run = 0, seq = 0, idx = 0, total] = cursor.split(".").map(Number)
  return { run, seq, idx, ...(total !== undefined && { total }) }
}

/** Removes parts that JSON cannot represent, because the schema is sent to another thread. */
export function plain(schema: TSchema): TSchema {
  return JSON.parse(JSON.stringify(schema))
}

function exportHeaders(file: string, format: ItemsQuery["format"]): Record<string, string> {
  if (format === "json") return jsonHeaders
  const name = `${file}.${exportFormats[format].extension}`
  return {
    "content-type": exportFormats[format].mediaType,
    "content-disposition": `attachment; filename="${name}"`,
  }
}

function noPages(slug: string) {
  const message = `The items of ${slug} have no Markdown; use another format.`
  return invalid(
    [{ field: "format", message, expected: "json, jsonl, csv, xlsx or parquet" }],
    "query",
  )
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
