import { type AnyElysia, Elysia } from "elysia"
import { checkInput } from "../../catalogue/kit/index.ts"
import { conditionsOf } from "../../engine/ops/monitors/watcher.ts"
import { currentTraceparent } from "../../engine/runtime/traces/calls.ts"
import { storedWork } from "../../engine/runtime/workers/work-of.ts"
import type { ScheduleRow } from "../../store/automation/schedules.ts"
import { scheduleById } from "../../store/automation/schedules.ts"
import { newId } from "../../store/db/ids.ts"
import { accountRun } from "../../store/runs/run-lists.ts"
import type { RunRow } from "../../store/tables/schema.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { scraperFor } from "../recipes/own-scrapers.ts"
import { runResponse, runSchema } from "../schemas/run.ts"
import { scheduleParams } from "../schemas/schedule.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { idempotencyHeader, requireCredit } from "./start-runs.ts"

/** Starts a schedule immediately. */
export function scheduleRunRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  const { store, idempotency } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({ Run: responseSchema(runSchema) })
    .post(
      "/schedules/:scheduleId/run",
      async ({ accountId, keyId, root, params, request }) => {
        const row = await scheduleById(store.db, { id: params.scheduleId, accountId })
        if (!row) throw notFound("schedule", params.scheduleId)
        return idempotency.response(
          { request, accountId, prefix: "run", list: `${root}/api/v1/runs` },
          async (runId, repeated) => {
            const known = repeated
              ? await accountRun(store.db, { id: runId, accountId })
              : undefined
            const run = known ?? (await runScheduleNow(service, row, { runId, keyId }))
            return { status: 201, body: runResponse(run, root) }
          },
        )
      },
      {
        account: true,
        fullKey: true,
        root: true,
        params: requestSchema.params(scheduleParams),
        headers: requestSchema.headers(idempotencyHeader),
        response: { 201: "Run" },
        detail: operation({
          id: "runSchedule",
          tag: "Schedules",
          summary: "Run a schedule now",
          description:
            "The run belongs to the schedule: it is listed in its recent runs, and a monitor compares its items. The next scheduled time stays the same.",
          replies: { 201: "The run." },
          refusals: [402, 403, 404, 409, 503],
        }),
      },
    )
}

/** Runs a schedule now. @throws ApiError 402, 409, 503 */
export async function runScheduleNow(
  service: CoreParts & ScraperParts & RunParts,
  schedule: ScheduleRow,
  { runId, keyId }: { runId: string; keyId: string | null },
): Promise<RunRow> {
  const { store } = service
  const accountId = schedule.account_id
  await requireCredit(service, { accountId, keyId })
  const scraper = await scraperFor(service, accountId, schedule.slug)
  if (!scraper)
    throw new ApiError(
      409,
      `There is no scraper "${schedule.slug}" any more. Delete the schedule, or create one with another scraper.`,
    )
  const checked = checkInput(scraper.input, JSON.parse(schedule.input))
  if (!checked.ok) {
    const { message } = checked.issues[0]!
    throw new ApiError(409, `The schedule's input does not fit its scraper: ${message} Change it.`)
  }
  const work = storedWork(scraper, checked.input, schedule.session)
  const at = new Date().toISOString()
  const queued = await store.write("schedules.runNow", {
    ...{ schedule, work, runId, keyId, at },
    traceParent: currentTraceparent(),
  })
  if (!queued) throw new ApiError(409, "The schedule has just been started; see its runs.")
  service.runs.queued([queued])
  const run = await accountRun(store.db, { id: runId, accountId })
  return run!
}

/** Checks a new monitor immediately, so that a mistake shows. An account without credits waits. */
export async function firstCheck(
  service: CoreParts & ScraperParts & RunParts,
  schedule: ScheduleRow,
  keyId: string | null,
): Promise<void> {
  const scraper = await scraperFor(service, schedule.account_id, schedule.slug)
  if (schedule.enabled === 0 || conditionsOf(schedule, scraper).length === 0) return
  try {
    await runScheduleNow(service, schedule, { runId: newId("run"), keyId })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}
