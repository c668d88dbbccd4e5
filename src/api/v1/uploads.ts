import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import {
  type AnyScraper,
  type InputIssue,
  listField,
  maxIssues,
  topField,
} from "../../catalogue/kit/index.ts"
import { storedWork } from "../../engine/runtime/workers/work-of.ts"
import { callerOf, requireAccount } from "../http/access.ts"
import { issue, keepSent, parseJsonField } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { invalid } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { queryOf } from "../http/query.ts"
import { scraperFor } from "../recipes/own-scrapers.ts"
import { batchSchema, maxRuns } from "../schemas/batch.ts"
import { query } from "../schemas/common.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import { sessionOption } from "../schemas/session.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { requireSession } from "../sessions/check.ts"
import { createBatch } from "./create-batch.ts"
import { type List, readList } from "./list-body.ts"
import { scraperOf } from "./scrapers.ts"
import { idempotencyHeader, requireCredit } from "./start-runs.ts"

const uploadQuery = query({
  scraper: Type.String({ minLength: 1, description: "Slug of a scraper, or of a recipe." }),
  column: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Column of a table with the values. Default: the only column, the one with the name of the input, the only one with URLs, or one called url, query, domain …",
    }),
  ),
  field: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Scraper input for the values. Default: its only list.",
    }),
  ),
  input: Type.Optional(
    Type.String({
      maxLength: 20_000,
      description: "Other inputs of the scraper, as a JSON object.",
    }),
  ),
  name: Type.Optional(Type.String({ maxLength: 200, description: "Name of the batch." })),
  session: Type.Optional(sessionOption),
})

/** Batches from uploaded lists. */
export function uploadRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ Batch: responseSchema(batchSchema) })
    .post(
      "/batches/upload",
      async ({ accountId, keyId, root, request, query: requested, body }) => {
        const scraper = await scraperOf(service, accountId, requested.scraper)
        const inputs = await inputsOf(scraper, body, requested)
        await requireCredit(service, { accountId, keyId })
        await requireSession(service.store.db, accountId, requested.session, "query")
        const runs = inputs.map((input) => storedWork(scraper, input, requested.session))
        const { name = null } = requested
        return createBatch(service, { request, accountId, keyId, root, name, runs })
      },
      {
        account: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        query: requestSchema.query(uploadQuery),
        async parse({ request, set, server }) {
          await requireAccount(service, { request, set, server })
          const { accountId } = callerOf(request)
          const requested = queryOf(request)
          const column = requested.get("column") ?? undefined
          const scraper = await scraperFor(service, accountId, requested.get("scraper") ?? "")
          const field = requested.get("field") ?? (scraper && listField(scraper, {})?.name)
          const list = await readList(request, { column, field }, { id: accountId })
          keepSent(request, list.values.join("\n"))
          return list
        },
        body: requestSchema.anyBody<List>(
          Type.String({
            description: "Lines, CSV, TSV or a workbook; up to 16 MB and 100,000 values.",
          }),
        ),
        response: { 201: "Batch" },
        detail: operation({
          id: "uploadList",
          tag: "Batches",
          summary: "Start a batch with the values of a file: lines, CSV, TSV, Excel",
          description:
            "`curl --data-binary @shops.csv -H 'Content-Type: text/csv' '…/batches/upload?scraper=url-to-markdown-scraper&column=website'`. The values are divided into runs by the max length of the scraper's list. If a value is not valid, nothing is started, and the error contains its line number.",
          bodyType: "text/csv",
          examples: { shops: { value: "website,city\nhttps://example.com,Bonn\n" } },
          replies: { 201: "The batch." },
          refusals: [402, 404, 408, 413, 415, 422],
        }),
      },
    )
}

/** Returns the inputs of the runs, as JSON. @throws ApiError 400 */
async function inputsOf(
  scraper: AnyScraper,
  { values, lines }: List,
  { field, input: text }: { field?: string; input?: string },
): Promise<Record<string, unknown>[]> {
  const rest = restOf(text)
  const { name, max } = fieldOf(scraper, field, rest)
  if (values.length === 0)
    throw invalid(
      [issue("", "The list contains no values. Send at least one value.", "values")],
      "body",
    )
  if (Math.ceil(values.length / max) > maxRuns) {
    const message = `${scraper.slug} takes ${max} of "${name}" per run, and a batch has at most ${maxRuns} runs; the list has ${values.length} values.`
    throw invalid([issue("", message, `at most ${max * maxRuns} values`)], "body")
  }
  const inputs: Record<string, unknown>[] = []
  const issues: InputIssue[] = []
  for (let from = 0; from < values.length && issues.length < maxIssues; from += max) {
    const part = values.slice(from, from + max)
    const checked = checkRunInput(scraper, { ...rest, [name]: max === 1 ? part[0] : part })
    if (checked.ok) inputs.push(checked.input)
    else issues.push(...checked.issues.map((one) => byLine(one, name, lines, from)))
    // A list may be long, so other work runs in between.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues), "list")
  return inputs
}

/** Adds the line number of the value to an issue. */
function byLine(issue: InputIssue, name: string, lines: number[], from: number): InputIssue {
  if (topField(issue.field) !== name) return issue
  const index = from + (issue.index ?? 0)
  return { ...issue, field: name, index, message: `Line ${lines[index]}: ${issue.message}` }
}

/** @throws ApiError 400 */
function restOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  const rest = parseJsonField("input", text, "query")
  if (typeof rest === "object" && rest !== null && !Array.isArray(rest)) {
    return rest as Record<string, unknown>
  }
  throw invalid([issue("input", '"input" must be a JSON object.', "a JSON object")], "query")
}

/** @throws ApiError 400 */
function fieldOf(scraper: AnyScraper, field: string | undefined, rest: Record<string, unknown>) {
  const { properties } = scraper.input
  if (field === undefined) {
    const list = listField(scraper, rest)
    if (list) return { ...list, max: Math.min(list.max, maxOfRun) }
    const message = `${scraper.slug} has no single list for values; set "field" to one of its inputs.`
    throw invalid([issue("field", message, Object.keys(properties).join(", "))], "query")
  }
  const schema = Object.hasOwn(properties, field) ? properties[field] : undefined
  if (schema?.type === "string") return { name: field, max: 1 }
  if (schema?.type === "array" && schema.items?.type === "string") {
    return { name: field, max: Math.min(schema.maxItems ?? maxOfRun, maxOfRun) }
  }
  const message = `${scraper.slug} has no list of strings and no string "${field}". Set "field" to one of its inputs.`
  throw invalid([issue("field", message, Object.keys(properties).join(", "))], "query")
}

/** Maximum values per run if the scraper's list has no limit. */
const maxOfRun = 10_000
