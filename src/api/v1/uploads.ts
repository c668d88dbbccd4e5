import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { messageOf } from "../../base/error-message.ts"
import {
  type AnyScraper,
  type InputFault,
  listField,
  mostFaults,
  parseJson,
} from "../../catalogue/kit/index.ts"
import { storedWork } from "../../engine/workers/work-of.ts"
import { fault, keepSent } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { gives, takes } from "../http/contract.ts"
import { invalid } from "../http/errors.ts"
import { callerOf, requireAccount } from "../http/guard.ts"
import { operation } from "../http/operation.ts"
import { queryOf } from "../http/query.ts"
import { scraperFor } from "../recipes/own-scrapers.ts"
import { batchSchema, mostRuns } from "../schemas/batch.ts"
import { query } from "../schemas/common.ts"
import type { Service } from "../service.ts"
import { createBatch } from "./create-batch.ts"
import { type List, readList } from "./list-body.ts"
import { checkRunInput } from "./run-input.ts"
import { scraperOf } from "./scrapers.ts"
import { idempotencyHeader, requireCredit } from "./start-runs.ts"

const uploadQuery = query({
  scraper: Type.String({ minLength: 1, description: "Slug of a scraper, or of a recipe." }),
  column: Type.Optional(
    Type.String({
      maxLength: 200,
      description:
        "Of a table, the one that holds the values. Default: the only column, the one called like the input, the only one of URLs, or one called url, query, domain …",
    }),
  ),
  field: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "The scraper's input that they fill. Default: its one list.",
    }),
  ),
  input: Type.Optional(
    Type.String({ maxLength: 20_000, description: "Its other inputs, as a JSON object." }),
  ),
  name: Type.Optional(Type.String({ maxLength: 200, description: "Of the batch." })),
})

/** Lists, as files, to be worked on. */
export function uploadRoutes(service: Service): AnyElysia {
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ Batch: gives(batchSchema) })
    .post(
      "/batches/upload",
      async ({ accountId, keyId, root, request, query: asked, body }) => {
        const scraper = await scraperOf(service, accountId, asked.scraper)
        const inputs = await inputsOf(scraper, body, asked)
        await requireCredit(service, { accountId, keyId })
        const runs = inputs.map((input) => storedWork(scraper, input))
        const { name = null } = asked
        return createBatch(service, { request, accountId, keyId, root, name, runs })
      },
      {
        account: true,
        root: true,
        headers: takes.headers(idempotencyHeader),
        query: takes.query(uploadQuery),
        async parse({ request, set, server }) {
          await requireAccount(service, { request, set, server })
          const { accountId } = callerOf(request)
          const asked = queryOf(request)
          const column = asked.get("column") ?? undefined
          const scraper = await scraperFor(service, accountId, asked.get("scraper") ?? "")
          const field = asked.get("field") ?? (scraper && listField(scraper, {})?.name)
          const list = await readList(request, { column, field }, { id: accountId })
          keepSent(request, list.values.join("\n"))
          return list
        },
        body: takes.anyBody<List>(
          Type.String({ description: "Lines, CSV, TSV, or a workbook; 16 MB, 100,000 values." }),
        ),
        response: { 201: "Batch" },
        detail: operation({
          id: "uploadList",
          tag: "Batches",
          summary: "Start a batch with the values of a file: lines, CSV, TSV, Excel",
          description:
            "`curl --data-binary @shops.csv -H 'Content-Type: text/csv' '…/batches/upload?scraper=url-to-markdown-scraper&column=website'`. The batch has as many runs as the scraper's list needs. Nothing is started where a value does not fit; it is named by its line.",
          bodyType: "text/csv",
          examples: { shops: { value: "website,city\nhttps://example.com,Bonn\n" } },
          replies: { 201: "The batch." },
          refusals: [402, 404, 408, 413, 415, 422],
        }),
      },
    )
}

/** As many inputs as the scraper's list needs, as JSON. @throws ApiError 400 */
async function inputsOf(
  scraper: AnyScraper,
  { values, lines }: List,
  { field, input: text }: { field?: string; input?: string },
): Promise<Record<string, unknown>[]> {
  const rest = restOf(text)
  const { name, most } = fieldOf(scraper, field, rest)
  if (values.length === 0) throw invalid([fault("", "The list holds no value.", "values")], "body")
  if (Math.ceil(values.length / most) > mostRuns) {
    const message = `${scraper.slug} takes ${most} of "${name}" a run, and a batch has ${mostRuns} runs; these are ${values.length} values.`
    throw invalid([fault("", message, `at most ${most * mostRuns} values`)], "body")
  }
  const inputs: Record<string, unknown>[] = []
  const faults: InputFault[] = []
  for (let from = 0; from < values.length && faults.length < mostFaults; from += most) {
    const part = values.slice(from, from + most)
    const checked = checkRunInput(scraper, { ...rest, [name]: most === 1 ? part[0] : part })
    if (checked.ok) inputs.push(checked.input)
    else faults.push(...checked.faults.map((one) => byLine(one, name, lines, from)))
    // A list may be long: others have their turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (faults.length > 0) throw invalid(faults.slice(0, mostFaults), "list")
  return inputs
}

/** A fault of a value says on which line it stands. */
function byLine(fault: InputFault, name: string, lines: number[], from: number): InputFault {
  const [head, place] = fault.field.split(".")
  if (head !== name) return fault
  const index = from + (fault.index ?? Number(place ?? 0))
  return { ...fault, field: name, index, message: `Line ${lines[index]}: ${fault.message}` }
}

/** @throws ApiError 400 */
function restOf(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  try {
    const rest = parseJson(text)
    if (typeof rest === "object" && rest !== null && !Array.isArray(rest)) {
      return rest as Record<string, unknown>
    }
  } catch (error) {
    const message = `"input" is no JSON: ${messageOf(error)}`
    throw invalid([fault("input", message, "a JSON object")], "query")
  }
  throw invalid([fault("input", '"input" must be a JSON object.', "a JSON object")], "query")
}

/** @throws ApiError 400 */
function fieldOf(scraper: AnyScraper, field: string | undefined, rest: Record<string, unknown>) {
  const { properties } = scraper.input
  if (field === undefined) {
    const found = listField(scraper, rest)
    if (found) return { ...found, most: Math.min(found.most, mostOfRun) }
    const message = `${scraper.slug} has no one list that values are for; name an input by "field".`
    throw invalid([fault("field", message, Object.keys(properties).join(", "))], "query")
  }
  const schema = Object.hasOwn(properties, field) ? properties[field] : undefined
  if (schema?.type === "string") return { name: field, most: 1 }
  if (schema?.type === "array" && schema.items?.type === "string") {
    return { name: field, most: Math.min(schema.maxItems ?? mostOfRun, mostOfRun) }
  }
  const message = `${scraper.slug} has no list of texts, and no text, "${field}".`
  throw invalid([fault("field", message, Object.keys(properties).join(", "))], "query")
}

/** Where a scraper's list has no bound of its own. */
const mostOfRun = 10_000
