import { listWebhooks, type WebhookRow, webhookById } from "../../../store/automation/webhooks.ts"
import {
  deliveryTries,
  latestDelivery,
  listDeliveries,
} from "../../../store/notifications/deliveries.ts"
import { runEnds } from "../../../store/notifications/events.ts"
import { requireFullKey } from "../../http/access.ts"
import { parseJsonField } from "../../http/body.ts"
import { ApiError, notFound, requireBelowLimit } from "../../http/errors.ts"
import { queryOf } from "../../http/query.ts"
import { checkReceiver } from "../../notifications/receiver.ts"
import type { Call } from "../../service.ts"
import type { AccessParts, ClientParts, CoreParts, ScraperParts } from "../../service-parts.ts"
import { accountOf, ownRunOf } from "../common/account-run.ts"
import { bodyOf } from "../common/body.ts"
import { receiverRow } from "../common/receiver.ts"
import { notOffered, type Work } from "../common/refusal.ts"
import { actorOf, pageIn } from "./request.ts"
import { apifyList, username } from "./responses.ts"

export type Json = Record<string, unknown>

const kind = "apify"
const maxWebhooks = 100
/** Maximum webhooks per run. */
const maxOfRun = 10
const before = "ACTOR.RUN."
const ourEvent = (theirs: string) => `run.${theirs.slice(before.length).toLowerCase()}`
const theirEvent = (ours: string) => before + ours.slice("run.".length).toUpperCase()

/** @throws ApiError 400 */
function eventsOf(written: unknown): string[] {
  if (!Array.isArray(written) || written.length === 0) {
    throw new ApiError(400, '"eventTypes" must be a list of events.')
  }
  return written.map((theirs: unknown) => {
    const ours = ourEvent(String(theirs))
    if (String(theirs).startsWith(before) && (runEnds as readonly string[]).includes(ours))
      return ours
    throw notOffered(
      `The event "${String(theirs).slice(0, 60)}"`,
      `There are ${runEnds.map(theirEvent).join(", ")}.`,
    )
  })
}

/** Returns the options of a webhook. @throws ApiError 400 for options that Trawl does not have */
function requestOf(requested: Json) {
  for (const name of ["payloadTemplate", "headersTemplate", "doNotRetry"]) {
    if (requested[name]) throw notOffered(`"${name}" of a webhook`)
  }
  if (typeof requested.requestUrl !== "string") throw new ApiError(400, '"requestUrl" is missing.')
  const { description } = requested
  return {
    url: requested.requestUrl,
    events: eventsOf(requested.eventTypes),
    description: typeof description === "string" ? description.slice(0, 200) : null,
  }
}

/** Webhooks in the parameter of a start, as JSON in Base64. @throws ApiError 400 */
export function webhooksOfStart(
  service: CoreParts,
  call: Call,
): ((run: { runId: string; accountId: string }) => Promise<void>) | undefined {
  const written = queryOf(call.request).get("webhooks")
  if (!written) return undefined
  if (call.request.method !== "POST") {
    throw new ApiError(400, '"webhooks" cannot be sent by GET; start the run with POST.')
  }
  const list = readBase64(written)
  if (list.length > maxOfRun)
    throw new ApiError(400, `A run may have at most ${maxOfRun} webhooks, not ${list.length}.`)
  const wanted = list.map(requestOf)
  return async ({ runId, accountId }) => {
    const rows = wanted.map((one) => receiverRow(service, { kind, accountId, runId, ...one }))
    for (const row of rows) await service.store.write("webhooks.create", row)
  }
}

function readBase64(written: string): Json[] {
  const list = parseJsonField("webhooks", Buffer.from(written, "base64").toString("utf8"), "query")
  if (Array.isArray(list)) return list as Json[]
  throw new ApiError(400, '"webhooks" must be a JSON list encoded in Base64.')
}

function webhookResponse(row: WebhookRow) {
  return {
    id: row.id,
    userId: row.account_id,
    createdAt: row.created_at,
    modifiedAt: row.created_at,
    isAdHoc: row.run_id !== null,
    eventTypes: (JSON.parse(row.events) as string[]).map(theirEvent),
    condition: {
      ...(row.slug && { actorId: `${username}~${row.slug}` }),
      ...(row.run_id && { actorRunId: row.run_id }),
    },
    ignoreSslErrors: false,
    doNotRetry: false,
    requestUrl: row.url,
    payloadTemplate: null,
    shouldInterpolateStrings: false,
    description: row.description,
    lastDispatch: null,
    stats: {},
  }
}

export function createWebhook(service: CoreParts & ClientParts & AccessParts & ScraperParts): Work {
  return async (call) => {
    const { accountId } = await accountOf(service, call)
    requireFullKey(call.request)
    const requested = await bodyOf(call)
    const { actorId, actorRunId } = (requested.condition ?? {}) as Json
    if (typeof actorId !== "string" && typeof actorRunId !== "string") {
      throw notOffered("A webhook without actorId or actorRunId in its condition")
    }
    const slug = typeof actorId === "string" ? actorOf(service, actorId).slug : null
    const runId =
      typeof actorRunId === "string" ? (await ownRunOf(service, call, actorRunId)).id : null
    const existing = await listWebhooks(service.store.db, accountId, { limit: 1, offset: 0 }, kind)
    requireBelowLimit(existing.total, maxWebhooks, "webhooks")
    const row = receiverRow(service, { kind, accountId, slug, runId, ...requestOf(requested) })
    const made = await service.store.write("webhooks.create", row)
    return Response.json({ data: webhookResponse(made) }, { status: 201 })
  }
}

export function listTheirWebhooks(
  service: CoreParts & ClientParts & AccessParts & ScraperParts,
): Work {
  return async (call, { actor }) => {
    const { accountId } = await accountOf(service, call)
    const slug = actor === undefined ? undefined : actorOf(service, actor).slug
    const all = { limit: maxWebhooks, offset: 0 }
    const { rows } = await listWebhooks(service.store.db, accountId, all, kind)
    const page = pageIn(queryOf(call.request))
    const webhooks = rows.filter((row) => slug === undefined || row.slug === slug)
    const ordered = page.desc ? webhooks : webhooks.toReversed()
    const visible = ordered.slice(page.offset, page.offset + page.limit)
    return apifyList(visible.map(webhookResponse), webhooks.length, page)
  }
}

/** @throws ApiError 404 */
async function ownWebhook(
  service: CoreParts & ClientParts & AccessParts,
  call: Call,
  id: string,
): Promise<WebhookRow> {
  const { accountId } = await accountOf(service, call)
  const row = await webhookById(service.store.db, { id, accountId })
  if (row?.kind !== kind) throw notFound("webhook", id)
  return row
}

export function getWebhook(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { webhook }) => ({
    data: webhookResponse(await ownWebhook(service, call, webhook!)),
  })
}

export function changeWebhook(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { webhook }) => {
    const row = await ownWebhook(service, call, webhook!)
    requireFullKey(call.request)
    const change = await bodyOf(call)
    const { url, events, description } = requestOf({
      ...webhookResponse(row),
      ...change,
    })
    if (change.condition !== undefined) throw notOffered("Changing a webhook's condition")
    checkReceiver(service, url)
    const set = { url, events: JSON.stringify(events), description }
    const of = { id: row.id, accountId: row.account_id }
    const current = await service.store.write("webhooks.change", { ...of, set })
    return { data: webhookResponse(current ?? row) }
  }
}

export function deleteWebhook(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { webhook }) => {
    const { id, account_id: accountId } = await ownWebhook(service, call, webhook!)
    requireFullKey(call.request)
    await service.store.write("webhooks.delete", { id, accountId })
    return new Response(null, { status: 204 })
  }
}

/** A test is delivered like any other event, in order. */
export function testWebhook(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { webhook }) => {
    const row = await ownWebhook(service, call, webhook!)
    const at = new Date().toISOString()
    const payload = JSON.stringify({ type: "test", timestamp: at, data: {} })
    const of = { webhookId: row.id, event: "test", runId: null, payload, at }
    const last = await latestDelivery(service.store.db, row.id)
    if (last?.event === "test" && last.state === "pending") {
      throw new ApiError(
        429,
        "The previous test is still being delivered. Wait until it has finished.",
      )
    }
    await service.store.write("deliveries.queue", of)
    return Response.json({ data: (await dispatches(service, row, 1))[0] }, { status: 201 })
  }
}

const states = { pending: "ACTIVE", delivered: "SUCCEEDED", failed: "FAILED", gathered: "ACTIVE" }

async function dispatches({ store }: CoreParts, row: WebhookRow, limit: number, offset = 0) {
  const { rows } = await listDeliveries(store.db, row.id, { limit, offset })
  const tries = await deliveryTries(
    store.db,
    rows.map(({ id }) => id),
  )
  return rows.map((delivery) => ({
    id: delivery.id,
    userId: row.account_id,
    webhookId: row.id,
    createdAt: delivery.created_at,
    status: states[delivery.state],
    eventType: delivery.event === "test" ? "TEST" : theirEvent(delivery.event),
    eventData: delivery.run_id === null ? null : { actorRunId: delivery.run_id },
    webhook: { requestUrl: row.url, isAdHoc: row.run_id !== null },
    calls: tries
      .filter(({ delivery_id }) => delivery_id === delivery.id)
      .map(({ at, milliseconds, status, error }) => ({
        startedAt: at,
        finishedAt: new Date(Date.parse(at) + milliseconds).toISOString(),
        responseStatus: status,
        responseBody: null,
        errorMessage: error,
      })),
  }))
}

export function listDispatches(service: CoreParts & ClientParts & AccessParts): Work {
  return async (call, { webhook }) => {
    const row = await ownWebhook(service, call, webhook!)
    const page = { ...pageIn(queryOf(call.request)), desc: true }
    const all = await listDeliveries(service.store.db, row.id, { limit: 1, offset: 0 })
    return apifyList(await dispatches(service, row, page.limit, page.offset), all.total, page)
  }
}
