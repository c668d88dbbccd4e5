import { newId } from "../../store/db/ids.ts"
import { bearerOf, callerOf, limitedKeyOf, requireAccount, requireRunner } from "../http/access.ts"
import { ApiError } from "../http/errors.ts"
import { checkEvents } from "../notifications/channels.ts"
import { checkReceiver } from "../notifications/receiver.ts"
import { scheduleResponse } from "../schemas/schedule.ts"
import type { Call } from "../service.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../service-parts.ts"
import { checkedSchedule } from "../v1/schedules.ts"
import { createWebhook } from "../v1/webhooks.ts"
import type { Watching, WatchRequest } from "./tool-runs.ts"

/** Events that a watch sends to its webhook. */
const events: ["monitor.changed", "run.failed"] = ["monitor.changed", "run.failed"]

const clocks = {
  "15 minutes": "*/15 * * * *",
  hour: "@hourly",
  day: "@daily",
  week: "@weekly",
} as const

/**
 * Creates a schedule for the account of a call, and a webhook for its changes. A key that expires or has
 * a credit limit creates one within these limits. @throws ApiError
 */
export async function watch(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
  call: Call,
  { scraper, input, every, webhook }: WatchRequest,
): Promise<Watching> {
  const { store } = service
  if (bearerOf(call.request) === undefined) {
    const signUp = `${service.root(call)}/signup`
    const message = `A watch requires an account. Your user signs up at ${signUp}, creates a key, and adds it to the client's configuration (Authorization: Bearer <API_KEY>).`
    throw new ApiError(401, message)
  }
  await requireAccount(service, call)
  requireRunner(service, call)
  const keyId = limitedKeyOf(call.request)
  const { accountId } = callerOf(call.request)
  const schedule = {
    ...{ scraper, input, cron: clocks[every], timeZone: "UTC" },
    ...{ misfirePolicy: "skip" as const, enabled: true },
  }
  const create = await checkedSchedule(service, accountId, schedule, keyId)
  if (webhook !== undefined) {
    checkReceiver(service, webhook)
    await checkEvents(service, accountId, events)
  }
  const row = await create(newId("sch"))
  const { nextFireTimes } = await scheduleResponse(store.db, row)
  const watching = { scheduleId: row.id, nextFireTimes }
  if (webhook === undefined) return watching
  const made = await createWebhook(
    service,
    { id: newId("whk"), accountId, scheduleId: row.id },
    { url: webhook, events },
  )
  return { ...watching, webhookSecret: store.secrets.open(made.secret, made.id) }
}
