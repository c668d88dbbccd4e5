import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { oneOf } from "../catalogue/define.ts"
import { checkInput } from "../catalogue/input.ts"
import { Outcome } from "../catalogue/outcome.ts"
import type { RunService, StartRun } from "../engine/runs.ts"
import { Stopping } from "../engine/supervisor.ts"
import { accountById } from "../store/accounts.ts"
import { accountRun, listRuns } from "../store/run-lists.ts"
import { isOver, type RunRow } from "../store/runs.ts"
import { runStatuses } from "../store/schema.ts"
import { fault, parseJson, readQuery, readText, requireType } from "./body.ts"
import { ApiError, invalid, notFound, outOfCredit } from "./errors.ts"
import { authenticate } from "./guard.ts"
import { operation } from "./operation.ts"
import { listed, pageQuery, pathId, query } from "./schemas/common.ts"
import { runAnswer, runExample, runListSchema, runSchema } from "./schemas/run.ts"
import { knownScraper, slugParameter } from "./scrapers.ts"
import type { Call, Service } from "./service.ts"

const waitForFinish = Type.Integer({
  default: 0,
  minimum: 0,
  maximum: 300,
  description: "Seconds to wait for the run's end; the answer then has the run as it stands.",
})

const startQuery = query({
  waitForFinish,
  timeoutSeconds: Type.Integer({
    default: 3600,
    minimum: 1,
    maximum: 86_400,
    description: "The run ends `timed_out` after so many seconds.",
  }),
  maxItems: Type.Optional(
    Type.Integer({ minimum: 1, description: "A cap on the items, beside the input's own." }),
  ),
  maxPages: Type.Optional(Type.Integer({ minimum: 1, description: "A cap on the pages." })),
})

const runListQuery = query({
  status: Type.Optional(oneOf(runStatuses)),
  slug: Type.Optional(Type.String({ description: "Runs of one scraper." })),
  createdAfter: Type.Optional(Type.String({ description: "Date or time, ISO 8601; inclusive." })),
  createdBefore: Type.Optional(Type.String({ description: "Date or time, ISO 8601; inclusive." })),
  ...pageQuery,
})

const runParams = { runId: pathId("run", "run") }
export const idempotencyHeader = {
  "Idempotency-Key": Type.String({
    maxLength: 255,
    description: "Repeating the call with the same key within 24 hours creates nothing twice.",
  }),
}

/** Starting runs, reading them, ending them, going on with them. */
export function runRoutes(service: Service): AnyElysia {
  const { store, runs, idempotency } = service

  return new Elysia({ prefix: "/api/v1" })
    .post(
      "/scrapers/:slug/runs",
      async ({ request, set, server, params }) => {
        const call = { request, set, server }
        const { accountId } = await authenticate(service, call)
        const scraper = knownScraper(service, params.slug)
        const { waitForFinish: wait, ...caps } = readQuery(request, startQuery)
        requireType(request, "application/json")
        const text = await readText(request)
        const checked = checkInput(scraper.input, parseJson(text))
        if (!checked.ok) throw invalid(checked.faults)
        const start = { scraper, input: checked.input, accountId, origin: "api" as const, ...caps }
        return idempotency.answer(
          { request, accountId, text, prefix: "run" },
          async (id, repeated) => {
            const known = repeated ? await accountRun(store.db, { id, accountId }) : undefined
            const run = known ?? (await startPaid(service, { ...start, id }))
            const stands = wait > 0 ? await waited(call, runs, run.id, wait) : run
            return { status: 201, body: runAnswer(stands ?? run, service.root(call)) }
          },
        )
      },
      operation({
        id: "startRun",
        tag: "Runs",
        summary: "Start a run",
        description:
          "The body is the scraper's input. The run is on disk when the answer comes. With `waitForFinish` the answer comes when the run has ended, or after so many seconds with the run as it stands.",
        params: { slug: slugParameter(service) },
        query: startQuery,
        headers: idempotencyHeader,
        body: {
          schema: Type.Object({}, { additionalProperties: true, description: "The input." }),
          examples: Object.fromEntries(
            service.catalogue.map((scraper) => [
              scraper.slug,
              { summary: scraper.name, value: scraper.example },
            ]),
          ),
        },
        replies: { 201: { description: "The run.", schema: runSchema, example: runExample } },
        refusals: [402, 404, 422, 503],
      }),
    )
    .get(
      "/runs",
      async ({ request, set, server }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const { limit, offset, ...filter } = readQuery(request, runListQuery)
        const { rows, total } = await listRuns(
          store.db,
          accountId,
          {
            ...filter,
            createdAfter: timeOf("createdAfter", filter.createdAfter),
            createdBefore: timeOf("createdBefore", filter.createdBefore),
          },
          { limit, offset },
        )
        const root = service.root({ request, set, server })
        return listed(
          rows.map((row) => runAnswer(row, root)),
          total,
          { limit, offset },
        )
      },
      operation({
        id: "listRuns",
        tag: "Runs",
        summary: "The account's runs, the newest first",
        query: runListQuery,
        replies: { 200: { description: "The runs.", schema: runListSchema } },
        refusals: [400],
      }),
    )
    .get(
      "/runs/:runId",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownRun(service, accountId, params.runId)
        if (request.url.includes("?")) {
          const { waitForFinish: wait } = readQuery(request, query({ waitForFinish }))
          if (wait > 0 && !isOver(run.status)) {
            const stands = await waited({ request, set, server }, runs, run.id, wait)
            return runAnswer(stands ?? run, service.root({ request, set, server }))
          }
        }
        return runAnswer(run, service.root({ request, set, server }))
      },
      operation({
        id: "getRun",
        tag: "Runs",
        summary: "A run's status and figures",
        params: runParams,
        query: query({ waitForFinish }),
        replies: { 200: { description: "The run.", schema: runSchema, example: runExample } },
        refusals: [400, 404],
      }),
    )
    .post(
      "/runs/:runId/abort",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownRun(service, accountId, params.runId)
        const stands = await runs.abort(run.id)
        set.status = 202
        return runAnswer(stands ?? run, service.root({ request, set, server }))
      },
      operation({
        id: "abortRun",
        tag: "Runs",
        summary: "Ask for the end of a run",
        description:
          "Items stored so far are kept. A run that has ended already is answered as it stands.",
        params: runParams,
        replies: { 202: { description: "The run as it stands.", schema: runSchema } },
        refusals: [404],
      }),
    )
    .post(
      "/runs/:runId/resume",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownRun(service, accountId, params.runId)
        if (!["failed", "timed_out", "aborted"].includes(run.status)) {
          throw new ApiError(
            409,
            `Only a failed, aborted or timed-out run can go on; this one is ${run.status}.`,
          )
        }
        await requireCredit(service, accountId)
        const stands = await unlessRefused(runs.resume(run.id))
        set.status = 202
        return runAnswer(stands ?? run, service.root({ request, set, server }))
      },
      operation({
        id: "resumeRun",
        tag: "Runs",
        summary: "Go on with a failed, aborted or timed-out run",
        description: "Finished targets and their items are kept, and not fetched again.",
        params: runParams,
        replies: { 202: { description: "The run as it stands.", schema: runSchema } },
        refusals: [402, 404, 409, 503],
      }),
    )
    .delete(
      "/runs/:runId",
      async ({ request, set, server, params }) => {
        const { accountId } = await authenticate(service, { request, set, server })
        const run = await ownRun(service, accountId, params.runId)
        const at = new Date().toISOString()
        if (!(await store.write("runs.delete", { id: run.id, accountId, at }))) throw stillActive()
        set.status = 204
      },
      operation({
        id: "deleteRun",
        tag: "Runs",
        summary: "Delete a run that has ended, with its items and log",
        params: runParams,
        replies: { 204: { description: "Deleted." } },
        refusals: [404, 409],
      }),
    )
}

export function stillActive(): ApiError {
  return new ApiError(409, "The run has not ended; abort it before.")
}

/** A run of this account. @throws ApiError 404 */
export async function ownRun(service: Service, accountId: string, id: string): Promise<RunRow> {
  const run = await accountRun(service.store.db, { id, accountId })
  if (!run) throw notFound("run")
  return run
}

/** @throws ApiError 402 when the account has nothing to pay with. */
export async function requireCredit(service: Service, accountId: string): Promise<void> {
  const account = await accountById(service.store.db, accountId)
  if (!account || (account.unlimited === 0 && account.balance === 0)) throw outOfCredit()
}

/** Starts a run of an account that can pay. @throws ApiError 402, 503 */
export async function startPaid(
  service: Service,
  start: StartRun & { accountId: string },
): Promise<RunRow> {
  await requireCredit(service, start.accountId)
  return unlessRefused(service.runs.start(start))
}

/** @throws ApiError 503 while the service stops, 400 when the scraper itself refuses the input */
async function unlessRefused<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Stopping) {
      throw new ApiError(503, error.message, undefined, { "retry-after": "5" })
    }
    if (error instanceof Outcome) {
      throw invalid([fault("", error.message, "an input that the scraper takes")])
    }
    throw error
  }
}

function waited({ request, server }: Call, runs: RunService, id: string, seconds: number) {
  // The wait may be longer than a connection may be idle.
  server?.timeout(request, 0)
  return runs.wait(id, seconds * 1000, request.signal)
}

/** A date or time as the store writes it. @throws ApiError 400 */
function timeOf(field: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const time = Date.parse(value)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw invalid(
    [
      {
        field,
        message: `"${field}" must be a date or time like 2026-01-31T12:00:00Z, not "${value}".`,
        expected: "a date or time, ISO 8601",
        actual: value,
      },
    ],
    "query",
  )
}
