import type { Static } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { exportTypes } from "../../base/export-formats.ts"
import { briefText, type InputIssue, maxIssues } from "../../catalogue/kit/index.ts"
import { storedWork } from "../../engine/runtime/workers/work-of.ts"
import { type BatchRow, batchById, batchRuns } from "../../store/automation/batches.ts"
import { isOver } from "../../store/runs/runs.ts"
import { checkDestination } from "../destinations/own-destinations.ts"
import { issue } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { ownScrapers } from "../recipes/own-scrapers.ts"
import { batchParams, batchResponse, batchSchema, maxRuns, newBatchBody } from "../schemas/batch.ts"
import { cursorListOf, cursorQuery, cursors, query, view } from "../schemas/common.ts"
import { batchRunListSchema } from "../schemas/run.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import type { Service } from "../service.ts"
import type { CoreParts } from "../service-parts.ts"
import { requireSession } from "../sessions/check.ts"
import { sourceRows } from "./batch-sources.ts"
import { createBatch, type WantedRun } from "./create-batch.ts"
import { itemsQuery, itemsSchema, sendItems } from "./item-exports.ts"
import {
  idempotencyHeader,
  requireCredit,
  requireCreditToResume,
  unlessRefused,
} from "./start-runs.ts"

/** Batches: many runs by one call, with one ID. */
export function batchRoutes(service: Service): AnyElysia {
  const { store, runs } = service

  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Batch: responseSchema(batchSchema),
      BatchList: responseSchema(cursorListOf(batchSchema, "BatchList")),
      Items: responseSchema(itemsSchema),
      BatchRunList: responseSchema(batchRunListSchema),
    })
    .post(
      "/batches",
      async ({ accountId, keyId, root, request, body }) => {
        const registry = await registryFor(service, accountId, body)
        const wanted = checkedRuns(registry, body)
        await requireSession(store.db, accountId, body.session)
        await checkDestination(service, accountId, body.destination)
        await requireCredit(service, { accountId, keyId })
        const { name = null, destination = null, sources } = body
        const scraper = sources && registry.scraper(body.scraper ?? "")
        return createBatch(service, {
          ...{ request, accountId, keyId, root, name, destination },
          runs: wanted,
          ...(scraper && { sourcesOf: (planned) => sourceRows(scraper, planned, sources) }),
        })
      },
      {
        account: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        json: true,
        body: requestSchema.body(newBatchBody),
        response: { 201: "Batch" },
        detail: operation({
          id: "createBatch",
          tag: "Batches",
          summary: "Start many runs of one or several scrapers",
          examples: {
            oneScraper: {
              summary: "Many inputs of one scraper",
              value: {
                scraper: "pypi-package-scraper",
                inputs: [{ packages: ["requests"] }, { packages: ["flask"] }],
              },
            },
            several: {
              summary: "Several scrapers",
              value: {
                runs: [{ scraper: "pypi-package-scraper", input: { packages: ["numpy"] } }],
              },
            },
          },
          replies: { 201: "The batch." },
          refusals: [402, 422],
        }),
      },
    )
    .get(
      "/batches",
      ({ accountId, root, request, query: page }) => {
        return service.lists.send(request, accountId, {
          name: "batches",
          with: { accountId, page, root },
        })
      },
      {
        account: true,
        root: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("bat")))),
        response: { 200: "BatchList" },
        detail: operation({
          id: "listBatches",
          tag: "Batches",
          summary: "List the account's batches, newest first",
          replies: { 200: "The batches." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/batches/:batchId",
      async ({ accountId, root, params }) => {
        const batch = await ownBatch(service, accountId, params.batchId)
        return batchResponse(store.db, batch, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(batchParams),
        response: { 200: "Batch" },
        detail: operation({
          id: "getBatch",
          tag: "Batches",
          summary: "Get the progress of a batch",
          replies: { 200: "The batch." },
          refusals: [404],
        }),
      },
    )
    .get(
      "/batches/:batchId/runs",
      async ({ accountId, root, params, request, query: { limit, offset, cursor, view } }) => {
        const batch = await ownBatch(service, accountId, params.batchId)
        return service.lists.send(request, accountId, {
          name: "batchRuns",
          with: { batch, page: { limit, offset, cursor, withInput: view === "full" }, root },
        })
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(batchParams),
        query: requestSchema.query(query({ ...cursorQuery("^[0-9]{1,4}$"), view })),
        response: { 200: "BatchRunList" },
        detail: operation({
          id: "listBatchRuns",
          tag: "Batches",
          summary: "List the runs of a batch in the order of the call",
          replies: { 200: "The runs." },
          refusals: [400, 404],
        }),
      },
    )
    .get(
      "/batches/:batchId/items",
      async ({ accountId, params, query: requested, request, server }) => {
        const batch = await ownBatch(service, accountId, params.batchId)
        const rows = await batchRuns(store.db, batch.id, { limit: maxRuns, offset: 0 })
        const stored = rows.filter((row) => row.dataset_deleted_at === null)
        const of = { accountId, runs: stored, file: `batch-${batch.id.slice(-8)}` }
        return sendItems(service, { request, server }, of, requested)
      },
      {
        account: true,
        params: requestSchema.params(batchParams),
        query: requestSchema.query(itemsQuery),
        response: { 200: "Items" },
        detail: operation({
          id: "getBatchItems",
          tag: "Batches",
          summary: "Get the items of all runs of a batch in the order of the call",
          description:
            "As for a dataset. Running runs return their items so far; deleted datasets are left out.",
          replies: {
            200: {
              description: "The items in order.",
              types: exportTypes(),
            },
          },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/batches/:batchId/retry",
      async ({ accountId, keyId, root, params, set }) => {
        const batch = await ownBatch(service, accountId, params.batchId)
        const rows = await batchRuns(store.db, batch.id, { limit: maxRuns, offset: 0 })
        const failed = rows.filter(
          (row) => isOver(row.status) && row.targets_failed > 0 && row.dataset_deleted_at === null,
        )
        if (failed.length === 0) {
          throw new ApiError(
            409,
            "No target of the batch's finished runs failed, so there is nothing to repeat.",
          )
        }
        for (const row of failed) {
          await requireCreditToResume(service, row, keyId)
          await unlessRefused(runs.retry(row.id, keyId))
        }
        set.status = 202
        return batchResponse(store.db, batch, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(batchParams),
        response: { 202: "Batch" },
        detail: operation({
          id: "retryBatch",
          tag: "Batches",
          summary: "Run the failed targets of a batch again, into the same datasets",
          description:
            "As for a run: failed targets of finished runs are run again. Running runs continue.",
          replies: { 202: "The batch in its current state." },
          refusals: [402, 404, 409, 503],
        }),
      },
    )
    .post(
      "/batches/:batchId/abort",
      async ({ accountId, root, params, set }) => {
        const batch = await ownBatch(service, accountId, params.batchId)
        const rows = await batchRuns(store.db, batch.id, { limit: maxRuns, offset: 0 })
        const active = rows.filter((row) => !isOver(row.status))
        await Promise.all(active.map((row) => runs.abort(row.id)))
        set.status = 202
        return batchResponse(store.db, batch, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(batchParams),
        response: { 202: "Batch" },
        detail: operation({
          id: "abortBatch",
          tag: "Batches",
          summary: "Abort all runs of a batch",
          replies: { 202: "The batch in its current state." },
          refusals: [404],
        }),
      },
    )
}

/** The catalogue, with the account's own scrapers if a run uses one. */
async function registryFor(
  service: Service,
  accountId: string,
  { scraper, runs = [] }: Static<typeof newBatchBody>,
): Promise<Pick<Service, "scraper">> {
  const slugs = scraper === undefined ? runs.map(({ scraper }) => scraper) : [scraper]
  if (slugs.every((slug) => service.scraper(slug))) return service
  const own = new Map((await ownScrapers(service, accountId)).map((one) => [one.slug, one]))
  return { scraper: (slug) => service.scraper(slug) ?? own.get(slug) }
}

/** Validates all inputs before any run starts. @throws ApiError 400 */
function checkedRuns(
  registry: Pick<Service, "scraper">,
  body: Static<typeof newBatchBody>,
): WantedRun[] {
  const isOneScraper = body.scraper !== undefined && body.inputs !== undefined
  if (isOneScraper === (body.runs !== undefined)) {
    const message = 'Set either "scraper" and "inputs", or "runs".'
    throw invalid([issue("runs", message, "scraper and inputs, or runs")], "body")
  }
  if (body.sources && !isOneScraper) {
    const message = '"sources" requires "scraper" and "inputs".'
    throw invalid([issue("sources", message, "scraper and inputs")], "body")
  }
  const issues: InputIssue[] = []
  const check = (slug: string, raw: unknown, path: string, inputPath: string): WantedRun => {
    const refused = { slug, recipe: null, input: "" }
    if (issues.length >= maxIssues) return refused
    const scraper = registry.scraper(slug)
    if (!scraper) {
      const actual = briefText(slug)
      const message = `There is no scraper "${actual}". GET /api/v1/scrapers lists all.`
      issues.push({ ...issue(path, message, "a slug of /api/v1/scrapers"), actual })
      return refused
    }
    const result = checkRunInput(scraper, raw)
    if (result.ok) return storedWork(scraper, result.input, body.session)
    issues.push(
      ...result.issues.map((issue) => ({
        ...issue,
        field: issue.field === "" ? inputPath : `${inputPath}.${issue.field}`,
      })),
    )
    return refused
  }
  const wanted = isOneScraper
    ? body.inputs!.map((raw, index) => check(body.scraper!, raw, "scraper", `inputs[${index}]`))
    : body.runs!.map(({ scraper, input }, index) =>
        check(scraper, input, `runs[${index}].scraper`, `runs[${index}].input`),
      )
  if (issues.length > 0) throw invalid(issues.slice(0, maxIssues), "body")
  return wanted
}

/** @throws ApiError 404 */
async function ownBatch(service: CoreParts, accountId: string, id: string): Promise<BatchRow> {
  const batch = await batchById(service.store.db, { id, accountId })
  if (!batch) throw notFound("batch", id)
  return batch
}
