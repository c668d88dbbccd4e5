import {
  listSchedules,
  recentRuns,
  type ScheduleRow,
  scheduleById,
} from "../../../store/automation/schedules.ts"
import { newId } from "../../../store/db/ids.ts"
import { requireFullKey } from "../../http/access.ts"
import { parseJsonField } from "../../http/body.ts"
import { ApiError, invalid, notFound, requireBelowLimit } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import { checkRunInput } from "../../schemas/run-input.ts"
import type { Call } from "../../service.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../../service-parts.ts"
import { checkedNext, maxSchedules } from "../../v1/schedules.ts"
import { accountOf } from "../common/account-run.ts"
import { bodyOf } from "../common/body.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { actorOf, pageIn } from "./request.ts"
import { apifyList, username } from "./responses.ts"
import type { Json } from "./webhooks.ts"

async function scheduleResponse({ store }: CoreParts, row: ScheduleRow) {
  const [last] = await recentRuns(store.db, row.id, 1)
  return {
    id: row.id,
    userId: row.account_id,
    name: row.name ?? row.id,
    title: row.name,
    cronExpression: row.cron,
    timezone: row.time_zone,
    isEnabled: row.enabled === 1,
    isExclusive: row.exclusive === 1,
    createdAt: row.created_at,
    modifiedAt: row.created_at,
    nextRunAt: row.next_at,
    lastRunAt: last?.fired_at ?? null,
    notifications: { email: false },
    actions: [
      {
        id: `${row.id}-1`,
        type: "RUN_ACTOR",
        actorId: `${username}~${row.slug}`,
        runInput: { body: row.input, contentType: "application/json" },
        runOptions: null,
      },
    ],
  }
}

/** The scraper of a schedule: exactly one actor of its actions. @throws ApiError 400, 404 */
function actionOf(service: ScraperParts, actions: unknown) {
  const [action, ...more] = (Array.isArray(actions) ? actions : []) as Json[]
  if (!action) throw new ApiError(400, '"actions" must contain an action.')
  if (more.length > 0) throw notOffered("More than one action in a schedule")
  if (action.type !== "RUN_ACTOR") {
    throw notOffered(`The action "${String(action.type).slice(0, 40)}"`, "There is RUN_ACTOR.")
  }
  const scraper = actorOf(service, String(action.actorId ?? ""))
  const { timeoutSecs } = (action.runOptions ?? {}) as Json
  if (timeoutSecs) throw notOffered("timeoutSecs of a schedule")
  const { body } = (action.runInput ?? {}) as Json
  const checked = checkRunInput(scraper, inputIn(body))
  if (!checked.ok) throw invalid(checked.issues)
  return { slug: scraper.slug, input: JSON.stringify(checked.input) }
}

function inputIn(body: unknown): unknown {
  if (body === undefined || body === null || body === "") return {}
  return typeof body === "string" ? parseJsonField("actions[0].runInput.body", body) : body
}

/** @throws ApiError 400 */
function clockOf({
  cronExpression,
  timezone = "UTC",
  isEnabled = true,
  isExclusive = false,
  name,
  title,
}: Json) {
  if (typeof cronExpression !== "string") throw new ApiError(400, '"cronExpression" is missing.')
  const next = checkedNext(cronExpression.slice(0, 200), String(timezone))
  const called = title ?? name
  return {
    cron: cronExpression,
    time_zone: String(timezone),
    enabled: isEnabled === false ? 0 : 1,
    next_at: isEnabled === false ? null : next.toISOString(),
    exclusive: isExclusive === true ? 1 : 0,
    name: typeof called === "string" ? called.slice(0, 200) : null,
  }
}

export function createSchedule(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    requireFullKey(call.request)
    const requested = await bodyOf(call)
    const action = actionOf(service, requested.actions)
    const clock = clockOf(requested)
    const { db } = service.store
    const existing = await listSchedules(db, accountId, { limit: 1, offset: 0 })
    requireBelowLimit(existing.total, maxSchedules, "schedules")
    const row = await service.store.write("schedules.create", {
      id: newId("sch"),
      account_id: accountId,
      ...action,
      ...clock,
      misfire_policy: "skip",
      conditions: null,
      created_at: new Date().toISOString(),
    })
    return Response.json({ data: await scheduleResponse(service, row) }, { status: 201 })
  }
}

export function listTheirSchedules(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    const page = pageIn(queryOf(call.request))
    const all = { limit: maxSchedules, offset: 0 }
    const { rows, total } = await listSchedules(service.store.db, accountId, all)
    const ordered = page.desc ? rows : rows.toReversed()
    const visible = ordered.slice(page.offset, page.offset + page.limit)
    const answers = await Promise.all(visible.map((row) => scheduleResponse(service, row)))
    return apifyList(answers, total, page)
  }
}

/** @throws ApiError 404 */
async function ownSchedule(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  id: string,
): Promise<ScheduleRow> {
  const { accountId } = await accountOf(service, call)
  const row = await scheduleById(service.store.db, { id, accountId })
  if (!row) throw notFound("schedule", id)
  return row
}

export function getSchedule(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { schedule }) => ({
    data: await scheduleResponse(service, await ownSchedule(service, call, schedule!)),
  })
}

export function changeSchedule(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): Work {
  return async (call, { schedule }) => {
    const row = await ownSchedule(service, call, schedule!)
    requireFullKey(call.request)
    const change = await bodyOf(call)
    const whole = { ...(await scheduleResponse(service, row)), ...change }
    const { slug, input } = actionOf(service, whole.actions)
    if (slug !== row.slug) throw notOffered("Changing the actor of a schedule", "Make another.")
    const set = {
      ...clockOf(whole),
      input,
      ...(change.isEnabled === true && { disabled_reason: null }),
    }
    const of = { id: row.id, accountId: row.account_id }
    const current = await service.store.write("schedules.change", { ...of, set })
    return { data: await scheduleResponse(service, current ?? row) }
  }
}

export function deleteSchedule(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { schedule }) => {
    const { id, account_id: accountId } = await ownSchedule(service, call, schedule!)
    requireFullKey(call.request)
    await service.store.write("schedules.delete", { id, accountId })
    return new Response(null, { status: 204 })
  }
}

const maxScheduledRuns = 100

export function scheduleLog(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { schedule }) => {
    const row = await ownSchedule(service, call, schedule!)
    const scheduledRuns = await recentRuns(service.store.db, row.id, maxScheduledRuns)
    const data = scheduledRuns.map(({ fired_at: createdAt, outcome, run_id }) => ({
      createdAt,
      level: "INFO",
      message: run_id ? `${outcome} ${run_id}` : outcome,
    }))
    return { data }
  }
}
