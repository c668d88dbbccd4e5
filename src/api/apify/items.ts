import { Type } from "@sinclair/typebox"
import type { Export } from "../../export/export.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { notOffered } from "../dropin/refusal.ts"
import { queryOf } from "../http/query.ts"
import type { Call, Service } from "../service.ts"
import { plain } from "../v1/item-exports.ts"
import { flagIn, numberIn } from "./asked.ts"

const types = {
  json: "application/json;charset=utf-8",
  jsonl: "application/jsonl;charset=utf-8",
  csv: "text/csv;charset=utf-8",
}

const refused = ["unwind", "flatten", "view"]

/** The items of a run, in Apify's forms of an answer. @throws ApiError 400 */
export async function itemsAnswer(service: Service, call: Call, run: RunRow): Promise<Response> {
  const { request, server } = call
  // A slow reader may take longer than a connection may be idle.
  server?.timeout(request, 0)
  const query = queryOf(request)
  for (const name of refused) if (query.has(name)) throw notOffered(`"${name}"`)
  const format = query.get("format") ?? "json"
  if (!(format in types))
    throw notOffered(`The format "${format.slice(0, 20)}"`, "There are json, jsonl and csv.")
  const clean = flagIn(query, "clean") || flagIn(query, "skipEmpty")
  const total = run.item_count + (clean ? 0 : run.error_count)
  const offset = numberIn(query, "offset", Number.MAX_SAFE_INTEGER) ?? 0
  const limit = numberIn(query, "limit", Number.MAX_SAFE_INTEGER) || Number.POSITIVE_INFINITY
  const desc = flagIn(query, "desc")
  const [fields, omit] = [namesIn(query, "fields"), namesIn(query, "omit")]
  const asked: Export = {
    runs: [{ n: run.n, items: total }],
    format: format === "json" ? "array" : (format as "jsonl" | "csv"),
    limit,
    offset,
    clean,
    desc,
    errors: !clean && run.error_count > 0,
    ...(fields && { fields }),
    ...(omit && { omit }),
    schema: plain(service.scraper(run.slug)?.item ?? Type.Object({})),
  }
  const shown = Math.max(0, Math.min(limit, total - offset))
  return service.exports.send(
    request,
    run.account_id ?? "",
    { name: "items", with: asked },
    {
      "content-type": types[format as keyof typeof types],
      "x-apify-pagination-total": String(total),
      "x-apify-pagination-offset": String(offset),
      "x-apify-pagination-limit": String(Number.isFinite(limit) ? limit : shown),
      "x-apify-pagination-count": String(shown),
      "x-apify-pagination-desc": String(desc),
      ...(flagIn(query, "attachment") && {
        "content-disposition": `attachment; filename="${run.slug}-${run.id.slice(-8)}.${format}"`,
      }),
    },
  )
}

function namesIn(query: URLSearchParams, name: string): string[] | undefined {
  const names = query.getAll(name).flatMap((written) => written.split(","))
  const given = names.map((name) => name.trim()).filter((name) => name !== "")
  return given.length > 0 ? given : undefined
}
