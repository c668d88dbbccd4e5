import { Type } from "@sinclair/typebox"
import { type ExportFormat, exportFormats } from "../../base/export-formats.ts"
import { type AnyScraper, briefText } from "../../catalogue/kit/index.ts"
import { csv } from "../../export/csv.ts"
import type { Call } from "../service.ts"
import { invalidInput } from "./error.ts"
import type { KeylessResponse } from "./response.ts"

export const forms = ["json", "jsonl", "csv", "md"] as const satisfies ExportFormat[]
type Form = (typeof forms)[number]

/** Markdown of several pages is one text here, not an archive. */
const mediaTypeOf = (form: Exclude<Form, "json">) =>
  form === "md" ? "text/markdown;charset=utf-8" : exportFormats[form].mediaType

const accepted: Record<string, Form> = {
  "application/json": "json",
  "application/jsonl": "jsonl",
  "application/x-ndjson": "jsonl",
  "text/csv": "csv",
  "text/markdown": "md",
}

/** Format of the items, and whether it was requested explicitly. */
export interface RequestedForm {
  form: Form
  isNamed: boolean
}

/** Returns the format in `format`, or the first supported one in `Accept`. @throws KeylessFault */
function requestedForm(format: string | null, accept: string | null): RequestedForm {
  if (format !== null) {
    const form = forms.find((name) => name === format)
    if (form) return { form, isNamed: true }
    const expected = `one of ${forms.join(", ")}`
    const actual = briefText(format)
    const message = `"format" must be ${expected}, not "${actual}".`
    throw invalidInput([{ field: "format", message, expected, actual }])
  }
  const types = (accept ?? "").split(",", 20).map((type) => type.split(";", 1)[0]!.trim())
  const known = types.map((type) => accepted[type.toLowerCase()]).find((form) => form !== undefined)
  return { form: known ?? "json", isNamed: false }
}

/**
 * Returns the format of a call, unless its scraper has an input called `format`. @throws
 * KeylessFault
 */
export function formFor(
  { request }: Pick<Call, "request">,
  query: URLSearchParams,
  scraper?: AnyScraper,
): RequestedForm {
  const isInput = scraper && Object.hasOwn(scraper.input.properties, "format")
  return requestedForm(isInput ? null : query.get("format"), request.headers.get("accept"))
}

/** Returns the items of a call in the requested format, or the response itself if it has none. */
export async function inForm(
  response: KeylessResponse,
  { form, isNamed }: RequestedForm,
): Promise<KeylessResponse> {
  if (form === "json" || response.status !== "SUCCEEDED") return response
  const text = await textOf(response, form)
  if (text !== undefined) {
    // Elysia sends a response as it is; the schema of the route describes the JSON format.
    return new Response(text, { headers: headersOf(response, form) }) as unknown as KeylessResponse
  }
  if (!isNamed) return response
  const message = `The items of ${response.tool} have no Markdown; use another format.`
  const details = [{ field: "format", message, expected: "json, jsonl or csv", actual: form }]
  return {
    ...response,
    status: "INVALID_INPUT",
    itemCount: 0,
    items: [],
    error: { message, details },
  }
}

async function textOf(
  { items }: KeylessResponse,
  form: Exclude<Form, "json">,
): Promise<string | undefined> {
  if (form === "jsonl") return items.map((item) => `${JSON.stringify(item)}\n`).join("")
  if (form === "md") return markdownOf(items)
  const options = { schema: Type.Object({}), bom: false }
  const lines = await Array.fromAsync(csv(eachOf(items), options))
  return lines.join("")
}

async function* eachOf(items: Record<string, unknown>[]) {
  yield* items
}

function markdownOf(items: Record<string, unknown>[]): string | undefined {
  if (!items.some(({ markdown }) => typeof markdown === "string")) return undefined
  return items
    .map((item) => item.markdown ?? (item.error as { message?: string } | undefined)?.message ?? "")
    .join("\n\n---\n\n")
}

/** Returns the fields of the envelope as headers. */
function headersOf({ agentId, next, notice }: KeylessResponse, form: Exclude<Form, "json">) {
  return {
    "content-type": mediaTypeOf(form),
    "x-trawl-agent": headerText(agentId),
    ...(next && { link: `<${next}>; rel="next"` }),
    ...(notice && { "x-trawl-notice": headerText(notice) }),
  }
}

const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, "?")
