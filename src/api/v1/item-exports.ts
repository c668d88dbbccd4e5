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

/** The place of a run, of its target, and of the item; behind a choice, how many it left. */
const paged = cursorQuery("^[0-9]{1,4}(?:\\.[0-9]{1,9}){2,3}$")

const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

export const itemsQuery = query({
  format: oneOf(exportFormatNames, {
    default: "json",
    description: "Format of the response; md is an archive of the pages' Markdown.",
  }),
  fields: names("Only these fields of the items, separated by commas or repeated."),
  columns: names(
    "Columns of a table, in this order: fields, those that the call named itself, or paths such as `offer.price`. Default of CSV, XLSX and Parquet: those that any item fills. `filled`: those that any item fills. `all`: each that there may be. For JSON: items as rows, with the fields that the call named at the top.",
  ),
  omit: names("Without these fields, separated by commas or repeated."),
  ...choiceQuery,
  clean: Type.Boolean({ default: false, description: "Without error items." }),
  sources: Type.Boolean({
    default: false,
    description: "Each item with the row of its batch's `sources` as `source`.",
  }),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        "Items of the answer: 1 to 1,000 for json (default 100); without one, the others hold all.",
    }),
  ),
  transform: transform(
    "JSONata that makes of each good item what is given in its place: an object, or a list of them; nothing leaves it out. Behind filter, order and limit, before `fields`. Empty: not that of the run.",
  ),
  offset: paged.offset,
  cursor: paged.cursor,
})
type ItemsQuery = Static<typeof itemsQuery>

/** The runs of an answer. */
interface ItemsOf {
  accountId: string
  runs: readonly Omit<RunRow, "input">[]
  /** Its name as a file, without the ending. */
  file: string
}

/** Sends the items of runs, one behind the other, as they are asked for. @throws ApiError 400, 404, 429 */
export async function sendItems(
  service: CoreParts & ScraperParts & ResultParts,
  { request, server }: Pick<Call, "request" | "server">,
  { accountId, runs, file }: ItemsOf,
  requested: ItemsQuery,
): Promise<Response> {
  // A slow reader may take longer than a connection may be idle.
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
  // What a transformation gives may have any fields.
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
    ...(cursor !== undefined && { after: placeOf(cursor) }),
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

/** What the caller gave comes first, as it would in a spreadsheet. */
const withSource = (item: TSchema): TSchema => ({
  ...item,
  properties: { source: Type.Object({}, { additionalProperties: true }), ...item.properties },
})

function placeOf(cursor: string): NonNullable<Export["after"]> {
  const [run = 0, seq = 0, idx = 0, total] = cursor.split(".").map(Number)
  return { run, seq, idx, ...(total !== undefined && { total }) }
}

/** Without what JSON has not: another thread is given it. */
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
  const message = `The items of ${slug} are no pages of Markdown; take another format.`
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
