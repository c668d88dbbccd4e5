import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../../catalogue/kit/index.ts"
import { accountRun } from "../../store/runs/run-lists.ts"
import { isOver } from "../../store/runs/runs.ts"
import { runStatuses } from "../../store/tables/run-status.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorQuery, cursors, pathId, query, view } from "../schemas/common.ts"
import { runExample, runListSchema, runResponse, runSchema } from "../schemas/run.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  ResultParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import {
  patiently,
  requireCreditToResume,
  unlessRefused,
  waited,
  waitForFinish,
} from "./start-runs.ts"

const runListQuery = query({
  status: Type.Optional(oneOf(runStatuses)),
  scraper: Type.Optional(
    Type.String({ description: "Slug of a scraper or recipe: only its runs." }),
  ),
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Part of the title, scraper or recipe.",
    }),
  ),
  createdAfter: Type.Optional(Type.String({ description: "Date or time, ISO 8601; inclusive." })),
  createdBefore: Type.Optional(Type.String({ description: "Date or time, ISO 8601; inclusive." })),
  ...cursorQuery(cursors.number),
  view,
})

const runChange = Type.Object(
  {
    title: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: "\\S",
      description: "Title in lists.",
    }),
  },
  { additionalProperties: false },
)
const runParams = { runId: pathId("run", "run") }
/** Reading, aborting and resuming runs. */
export function runRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts & ResultParts,
): AnyElysia {
  const { store, runs } = service

  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ RunList: responseSchema(runListSchema), Run: responseSchema(runSchema) })
    .get(
      "/runs",
      ({ accountId, root, request, query }) => {
        const { limit, offset, cursor, view, scraper, ...filter } = query
        const requested = {
          accountId,
          filter: {
            ...filter,
            ...(scraper !== undefined && filterBy(service, scraper)),
            createdAfter: timeOf("createdAfter", filter.createdAfter),
            createdBefore: timeOf("createdBefore", filter.createdBefore),
          },
          page: { limit, offset, cursor, withInput: view === "full" },
          root,
        }
        return service.lists.send(request, accountId, { name: "runs", with: requested })
      },
      {
        account: true,
        root: true,
        query: requestSchema.query(runListQuery),
        response: { 200: "RunList" },
        detail: operation({
          id: "listRuns",
          tag: "Runs",
          summary: "List the account's runs, newest first",
          replies: { 200: "The runs." },
          refusals: [400],
        }),
      },
    )
    .patch(
      "/runs/:runId",
      async ({ accountId, root, params, body: { title } }) => {
        await ownRun(service, accountId, params.runId)
        await store.write("runs.rename", { id: params.runId, accountId, title })
        return runResponse(await ownRun(service, accountId, params.runId), root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(runParams),
        json: true,
        body: requestSchema.body(runChange),
        response: { 200: "Run" },
        detail: operation({
          id: "changeRun",
          tag: "Runs",
          summary: "Change the title of a run",
          examples: { title: { value: { title: "Lamps in March" } } },
          replies: { 200: "The run." },
          refusals: [404],
        }),
      },
    )
    .get(
      "/runs/:runId",
      async ({ accountId, root, call, params, query: requested }) => {
        const run = await ownRun(service, accountId, params.runId)
        const { waitForFinish: wait } = requested
        if (wait > 0 && !isOver(run.status)) {
          const patient = await patiently(service, call, async (begin) => {
            begin({ status: 200 })
            return Response.json(runResponse(await waited(service, call, run, wait), root))
          })
          // A Response is sent as it is, whatever the response schema.
          return patient as never
        }
        return runResponse(run, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(runParams),
        query: requestSchema.query(query({ waitForFinish })),
        call: true,
        response: { 200: "Run" },
        detail: operation({
          id: "getRun",
          tag: "Runs",
          summary: "Get a run's status and counts",
          replies: { 200: { description: "The run.", example: runExample } },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/runs/:runId/abort",
      async ({ accountId, root, params, set }) => {
        const run = await ownRun(service, accountId, params.runId)
        const current = await runs.abort(run.id)
        set.status = 202
        return runResponse(current ?? run, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(runParams),
        response: { 202: "Run" },
        detail: operation({
          id: "abortRun",
          tag: "Runs",
          summary: "Abort a run",
          description: "Items stored so far are kept. A finished run is returned unchanged.",
          replies: { 202: "The run in its current state." },
          refusals: [404],
        }),
      },
    )
    .post(
      "/runs/:runId/resume",
      async ({ accountId, keyId, root, params, set }) => {
        const run = await ownRun(service, accountId, params.runId)
        if (!["failed", "timed_out", "aborted"].includes(run.status)) {
          throw new ApiError(
            409,
            `Only a failed, aborted or timed-out run can be resumed; this one is ${run.status}.`,
          )
        }
        await requireCreditToResume(service, run, keyId)
        const current = await unlessRefused(runs.resume(run.id, keyId))
        set.status = 202
        return runResponse(current ?? run, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(runParams),
        response: { 202: "Run" },
        detail: operation({
          id: "resumeRun",
          tag: "Runs",
          summary: "Resume a failed, aborted or timed-out run",
          description: "Finished targets and their items are kept, and not fetched again.",
          replies: { 202: "The run in its current state." },
          refusals: [402, 404, 409, 503],
        }),
      },
    )
    .post(
      "/runs/:runId/retry",
      async ({ accountId, keyId, root, params, set }) => {
        const run = await ownRun(service, accountId, params.runId)
        if (!isOver(run.status)) throw stillActive()
        if (run.targets_failed === 0)
          throw new ApiError(409, "No target of this run failed, so there is nothing to repeat.")
        if (run.dataset_deleted_at !== null) {
          throw new ApiError(409, "The dataset of this run is deleted; start a new run.")
        }
        await requireCreditToResume(service, run, keyId)
        const current = await unlessRefused(runs.retry(run.id, keyId))
        set.status = 202
        return runResponse(current ?? run, root)
      },
      {
        account: true,
        root: true,
        params: requestSchema.params(runParams),
        response: { 202: "Run" },
        detail: operation({
          id: "retryRun",
          tag: "Runs",
          summary: "Run the failed targets of a run again, into the same dataset",
          description:
            "A failed target has only an error item, which the new items replace. All other items stay. Targets that had not started are run, too.",
          replies: { 202: "The run in its current state." },
          refusals: [402, 404, 409, 503],
        }),
      },
    )
    .delete(
      "/runs/:runId",
      async ({ accountId, params, set }) => {
        const run = await ownRun(service, accountId, params.runId)
        const at = new Date().toISOString()
        if (!(await store.write("runs.delete", { id: run.id, accountId, at }))) throw stillActive()
        set.status = 204
      },
      {
        account: true,
        params: requestSchema.params(runParams),
        detail: operation({
          id: "deleteRun",
          tag: "Runs",
          summary: "Delete a run that has ended, with its items and log",
          replies: { 204: "Deleted." },
          refusals: [404, 409],
        }),
      },
    )
}

/** Runs of a recipe have `web-scraper` as their scraper, so a recipe is a separate filter. */
function filterBy(service: ScraperParts, scraper: string): { slug: string } | { recipe: string } {
  return service.scraper(scraper) ? { slug: scraper } : { recipe: scraper }
}

export function stillActive(): ApiError {
  return new ApiError(409, "The run has not finished; abort it first, or wait until it has.")
}

/** Returns a run of the account. @throws ApiError 404 */
export async function ownRun(service: CoreParts, accountId: string, id: string): Promise<RunRow> {
  const run = await accountRun(service.store.db, { id, accountId })
  if (!run) throw notFound("run", id)
  return run
}

/** A date or time in the store's format. @throws ApiError 400 */
function timeOf(field: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const time = Date.parse(value)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw invalid(
    [
      {
        field,
        message: `"${field}" must be a date or time like 2026-01-31T12:00:00Z, not "${value}".`,
        expected: "an ISO 8601 date or time",
        actual: value,
      },
    ],
    "query",
  )
}
