import type { Static } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { messageOf } from "../../base/error-message.ts"
import { briefText, type Condition } from "../../catalogue/kit/index.ts"
import { cronIssue } from "../../engine/runtime/schedules/cron-error.ts"
import { nextScheduledRun } from "../../engine/runtime/schedules/due-times.ts"
import { listSchedules, type ScheduleRow, scheduleById } from "../../store/automation/schedules.ts"
import { storeTime } from "../../store/db/dialect.ts"
import { checkDestination } from "../destinations/own-destinations.ts"
import { callerOf, requireAccount } from "../http/access.ts"
import { issue } from "../http/body.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, invalid, notFound, requireBelowLimit } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { checkedConditions } from "../monitors/conditions.ts"
import { scraperFor } from "../recipes/own-scrapers.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query, view } from "../schemas/common.ts"
import { checkRunInput } from "../schemas/run-input.ts"
import {
  listedScheduleSchema,
  newScheduleBody,
  scheduleChange,
  scheduleParams,
  scheduleResponse,
  scheduleSchema,
  storedTags,
} from "../schemas/schedule.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  RunParts,
  ScraperParts,
} from "../service-parts.ts"
import { requireSession } from "../sessions/check.ts"
import { firstCheck } from "./schedule-runs.ts"
import { idempotencyHeader } from "./start-runs.ts"

export const maxSchedules = 1000

/** Runs on a schedule. */
export function scheduleRoutes(
  service: CoreParts & ClientParts & AccessParts & ScraperParts & RunParts,
): AnyElysia {
  const { store, idempotency } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Schedule: responseSchema(scheduleSchema),
      ScheduleList: responseSchema(cursorListOf(listedScheduleSchema, "ScheduleList")),
    })
    .post(
      "/schedules",
      async ({ accountId, keyId, request, body, root }) => {
        const create = await checkedSchedule(service, accountId, body)
        return idempotency.response(
          { request, accountId, prefix: "sch", list: `${root}/api/v1/schedules` },
          async (id, repeated) => {
            const row = await create(id)
            if (!repeated) await firstCheck(service, row, keyId)
            return { status: 201, body: await scheduleResponse(store.db, row) }
          },
        )
      },
      {
        account: true,
        fullKey: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        json: true,
        body: requestSchema.body(newScheduleBody),
        response: { 201: "Schedule" },
        detail: operation({
          id: "createSchedule",
          tag: "Schedules",
          summary: "Run a scraper on a schedule",
          description:
            "Each scheduled time starts one run. A schedule that watches something also runs once when it is created. Times in the hour that a change to summer time skips are moved by the gap. In the hour that occurs twice, fixed times start once.",
          examples: {
            everyMorning: {
              value: {
                scraper: "pypi-package-scraper",
                input: { packages: ["requests"] },
                cron: "30 7 * * MON-FRI",
                timeZone: "Europe/Berlin",
              },
            },
          },
          replies: { 201: "The schedule." },
          refusals: [403, 409, 422],
        }),
      },
    )
    .get(
      "/schedules",
      async ({ accountId, query: page }) => {
        const schedules = await listSchedules(store.db, accountId, page)
        const answers = await Promise.all(
          schedules.rows.map((row) => scheduleResponse(store.db, row)),
        )
        const visible =
          page.view === "full" ? answers : answers.map(({ input: _, ...rest }) => rest)
        return cursorListed(schedules, visible, page)
      },
      {
        account: true,
        query: requestSchema.query(query({ ...cursorQuery(cursors.id("sch")), view })),
        response: { 200: "ScheduleList" },
        detail: operation({
          id: "listSchedules",
          tag: "Schedules",
          summary: "List the account's schedules, newest first",
          replies: { 200: "The schedules." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/schedules/:scheduleId",
      async ({ accountId, params }) => {
        return scheduleResponse(store.db, await ownSchedule(service, accountId, params.scheduleId))
      },
      {
        account: true,
        params: requestSchema.params(scheduleParams),
        response: { 200: "Schedule" },
        detail: operation({
          id: "getSchedule",
          tag: "Schedules",
          summary: "Get a schedule with its next times and recent runs",
          replies: { 200: "The schedule." },
          refusals: [404],
        }),
      },
    )
    .patch(
      "/schedules/:scheduleId",
      async ({ accountId, params, body: change }) => {
        const row = await ownSchedule(service, accountId, params.scheduleId)
        const next = await changed(service, row, change)
        const current = await store.write("schedules.change", { id: row.id, accountId, set: next })
        return scheduleResponse(store.db, current ?? row)
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(scheduleParams),
        // An unknown ID is reported before the body is read.
        async parse({ request, set, server, params }) {
          await requireAccount(service, { request, set, server })
          await ownSchedule(service, callerOf(request).accountId, params.scheduleId)
        },
        json: true,
        body: requestSchema.body(scheduleChange),
        response: { 200: "Schedule" },
        detail: operation({
          id: "changeSchedule",
          tag: "Schedules",
          summary: "Change, disable or enable a schedule",
          examples: { off: { value: { enabled: false } } },
          replies: { 200: "The schedule." },
          refusals: [403, 404],
        }),
      },
    )
    .delete(
      "/schedules/:scheduleId",
      async ({ accountId, params, set }) => {
        const deleted = await store.write("schedules.delete", { id: params.scheduleId, accountId })
        if (!deleted) throw notFound("schedule", params.scheduleId)
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(scheduleParams),
        detail: operation({
          id: "deleteSchedule",
          tag: "Schedules",
          summary: "Delete a schedule; its runs stay",
          replies: { 204: "Deleted." },
          refusals: [403, 404],
        }),
      },
    )
}

/** Validates a new schedule of an account. @throws ApiError 400, 409 */
export async function checkedSchedule(
  service: CoreParts & ScraperParts,
  accountId: string,
  body: Static<typeof newScheduleBody>,
  /** The key within whose limits it runs. Default: only the account's limits. */
  keyId: string | null = null,
): Promise<(id: string) => Promise<ScheduleRow>> {
  const { store } = service
  await requireSession(store.db, accountId, body.session)
  await checkDestination(service, accountId, body.destination)
  const input = await checkedInput(service, accountId, body.scraper, body.input)
  const next = checkedNext(body.cron, body.timeZone, await storeTime(store.db))
  const { conditions: requested } = body
  const conditions = await conditionsOf(service, accountId, body.scraper, { input, requested })
  return async (id) => {
    const existing = await listSchedules(store.db, accountId, { limit: 1, offset: 0 })
    requireBelowLimit(existing.total, maxSchedules, "schedules")
    return store.write("schedules.create", {
      id,
      account_id: accountId,
      name: body.name ?? null,
      slug: body.scraper,
      input,
      cron: body.cron,
      time_zone: body.timeZone,
      misfire_policy: body.misfirePolicy as ScheduleRow["misfire_policy"],
      enabled: body.enabled ? 1 : 0,
      next_at: body.enabled ? next.toISOString() : null,
      conditions,
      tags: storedTags(body.tags ?? []),
      destination: body.destination ?? null,
      session: body.session ?? null,
      key_id: keyId,
      created_at: new Date().toISOString(),
    })
  }
}

/** Returns the input with its defaults, as JSON. @throws ApiError 400 */
async function checkedInput(
  service: CoreParts & ScraperParts,
  accountId: string,
  slug: string,
  raw: unknown,
): Promise<string> {
  const scraper = await scraperFor(service, accountId, slug)
  if (!scraper) {
    const actual = briefText(slug)
    const message = `There is no scraper "${actual}". GET /api/v1/scrapers lists all.`
    throw invalid([{ ...issue("scraper", message, "a slug of /api/v1/scrapers"), actual }])
  }
  const result = checkRunInput(scraper, raw)
  if (result.ok) return JSON.stringify(result.input)
  throw invalid(
    result.issues.map((issue) => ({
      ...issue,
      field: issue.field === "" ? "input" : `input.${issue.field}`,
    })),
  )
}

/**
 * Returns the next scheduled time. @throws ApiError 400 if the expression or the time zone is not
 * valid
 */
export function checkedNext(cron: string, timeZone: string, now = new Date()): Date {
  let next: Date | null
  try {
    next = nextScheduledRun(cron, timeZone, now)
  } catch (error) {
    const message = messageOf(error)
    if (message.includes("time zone")) {
      const expected = "an IANA time zone, for example Europe/Berlin"
      throw invalid([
        {
          ...issue(
            "timeZone",
            `Unknown time zone "${timeZone}". Use a name such as Europe/Berlin or UTC.`,
            expected,
          ),
          actual: timeZone,
        },
      ])
    }
    throw invalid([
      { ...issue("cron", cronIssue(cron), "five fields, or for example @daily"), actual: cron },
    ])
  }
  if (next) return next
  const message = `"${cron}" never matches a date; change the day or the month.`
  throw invalid([
    { ...issue("cron", message, "a cron expression that matches a future date"), actual: cron },
  ])
}

/** Returns the row's new values, with the next scheduled run. @throws ApiError 400 */
async function changed(
  service: CoreParts & ScraperParts,
  row: ScheduleRow,
  change: Static<typeof scheduleChange>,
): Promise<Partial<ScheduleRow>> {
  if (Object.keys(change).length === 0)
    throw new ApiError(400, "The body contains no change. Send at least one field to change.", [])
  await checkDestination(service, row.account_id, change.destination)
  const cron = change.cron ?? row.cron
  const timeZone = change.timeZone ?? row.time_zone
  const enabled = change.enabled ?? row.enabled === 1
  const next = checkedNext(cron, timeZone, await storeTime(service.store.db))
  const input =
    change.input && (await checkedInput(service, row.account_id, row.slug, change.input))
  await requireSession(service.store.db, row.account_id, change.session)
  return {
    cron,
    time_zone: timeZone,
    enabled: enabled ? 1 : 0,
    next_at: enabled ? next.toISOString() : null,
    name: change.name ?? row.name,
    misfire_policy:
      (change.misfirePolicy as ScheduleRow["misfire_policy"] | undefined) ?? row.misfire_policy,
    ...(change.enabled && { disabled_reason: null }),
    ...(change.conditions !== undefined && {
      conditions: await conditionsOf(service, row.account_id, row.slug, {
        input: input ?? row.input,
        requested: change.conditions,
      }),
    }),
    ...(change.session !== undefined && { session: change.session }),
    ...(change.destination !== undefined && { destination: change.destination }),
    ...(change.tags && { tags: storedTags(change.tags) }),
    ...(change.mutedUntil !== undefined && { muted_until: mutedUntil(change.mutedUntil) }),
    ...(input && { input, input_error: null }),
  }
}

async function conditionsOf(
  service: CoreParts & ScraperParts,
  accountId: string,
  slug: string,
  { input, requested }: { input: string; requested: readonly Condition[] | null | undefined },
): Promise<string | null> {
  const scraper = await scraperFor(service, accountId, slug)
  return scraper && requested ? checkedConditions(requested, scraper, JSON.parse(input)) : null
}

/** Converts a time to UTC, so that times compare as strings. @throws ApiError 400 */
function mutedUntil(time: string | null): string | null {
  if (time === null) return null
  const at = Date.parse(time)
  if (!Number.isNaN(at)) return new Date(at).toISOString()
  const message = `"${time}" is not a date and time such as 2026-01-31T12:00:00Z.`
  throw invalid([{ ...issue("mutedUntil", message, "as 2026-01-31T12:00:00Z"), actual: time }])
}

/** @throws ApiError 404 */
async function ownSchedule(
  service: CoreParts,
  accountId: string,
  id: string,
): Promise<ScheduleRow> {
  const row = await scheduleById(service.store.db, { id, accountId })
  if (!row) throw notFound("schedule", id)
  return row
}
