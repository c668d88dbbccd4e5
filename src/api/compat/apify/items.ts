import { Type } from "@sinclair/typebox"
import { exportFormats } from "../../../base/export-formats.ts"
import type { Export } from "../../../export/export.ts"
import type { RunRow } from "../../../store/tables/schema.ts"
import { ApiError } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import type { Call } from "../../service.ts"
import type { ClientParts, ResultParts, ScraperParts } from "../../service-parts.ts"
import { plain } from "../../v1/item-exports.ts"
import { notOffered } from "../common/refusal.ts"
import { flagIn, numberIn } from "./request.ts"

const types = {
  json: "application/json;charset=utf-8",
  jsonl: exportFormats.jsonl.mediaType,
  csv: exportFormats.csv.mediaType,
  xlsx: exportFormats.xlsx.mediaType,
  xml: "application/xml;charset=utf-8",
  html: "text/html;charset=utf-8",
  rss: "application/rss+xml;charset=utf-8",
}
const formats = Object.keys(types).join(", ")

/** The items of a run in Apify's response formats. @throws ApiError 400 */
export async function itemsResponse(
  service: ClientParts & ScraperParts & ResultParts,
  call: Call,
  run: RunRow,
): Promise<Response> {
  const { request, server } = call
  // A slow reader may take longer than the idle timeout of a connection.
  server?.timeout(request, 0)
  const query = queryOf(request)
  if (query.has("view")) throw notOffered('"view"', 'Use "fields" instead.')
  const format = query.get("format") ?? "json"
  if (!Object.hasOwn(types, format))
    throw notOffered(`The format "${format.slice(0, 20)}"`, `There are ${formats}.`)
  const clean = flagIn(query, "clean") || flagIn(query, "skipEmpty")
  const total = run.item_count + (clean ? 0 : run.error_count)
  const offset = numberIn(query, "offset", Number.MAX_SAFE_INTEGER) ?? 0
  const limit = numberIn(query, "limit", Number.MAX_SAFE_INTEGER) || Number.POSITIVE_INFINITY
  const desc = flagIn(query, "desc")
  const [fields, omit] = [namesIn(query, "fields"), namesIn(query, "omit")]
  const [unwind, flatten] = [namesIn(query, "unwind"), namesIn(query, "flatten")]
  const reshape = unwind || flatten ? { unwind, flatten } : undefined
  const requested: Export = {
    runs: [{ n: run.n, items: total }],
    format: format === "json" ? "array" : (format as Exclude<Export["format"], "json">),
    limit,
    offset,
    clean,
    desc,
    errors: !clean && run.error_count > 0,
    ...(fields && { fields }),
    ...(omit && { omit }),
    ...(reshape && { reshape }),
    writing: {
      ...writingOf(query),
      title: run.slug,
      link: `${service.root(call)}/v2/datasets/${run.dataset_id}`,
    },
    // Reshaped items have other columns than the scraper's schema.
    schema: plain((!reshape && service.scraper(run.slug)?.item) || Type.Object({})),
  }
  const visible = Math.max(0, Math.min(limit, total - offset))
  return service.exports.send(
    request,
    run.account_id ?? "",
    { name: "items", with: requested },
    {
      "content-type": types[format as keyof typeof types],
      "x-apify-pagination-total": String(total),
      "x-apify-pagination-offset": String(offset),
      "x-apify-pagination-limit": String(Number.isFinite(limit) ? limit : visible),
      "x-apify-pagination-count": String(visible),
      "x-apify-pagination-desc": String(desc),
      ...(flagIn(query, "attachment") && {
        "content-disposition": `attachment; filename="${run.slug}-${run.id.slice(-8)}.${format}"`,
      }),
    },
  )
}

function writingOf(query: URLSearchParams): NonNullable<Export["writing"]> {
  const delimiter = query.get("delimiter") || ","
  if (delimiter.length > 1) throw new ApiError(400, '"delimiter" must be one character.')
  return {
    root: query.get("xmlRoot") || undefined,
    row: query.get("xmlRow") || undefined,
    header: !flagIn(query, "skipHeaderRow"),
    bom: !query.has("bom") || flagIn(query, "bom"),
    delimiter,
  }
}

const maxFields = 500

function namesIn(query: URLSearchParams, name: string): string[] | undefined {
  const names = query.getAll(name).flatMap((written) => written.split(","))
  const provided = names.map((name) => name.trim()).filter((name) => name !== "")
  if (provided.length > maxFields)
    throw new ApiError(400, `"${name}" takes ${maxFields} field names at most.`)
  return provided.length > 0 ? provided : undefined
}
