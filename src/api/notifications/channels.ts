import { type Destination, formatOf, type Kind } from "../../engine/ops/notifications/formats.ts"
import { keyIssue, pushKeyOf } from "../../engine/ops/notifications/push.ts"
import { newWebhookSecret } from "../../engine/ops/notifications/signature.ts"
import {
  placeholders,
  type Template,
  unknownPlaceholder,
} from "../../engine/ops/notifications/templates.ts"
import { accountById } from "../../store/accounts/accounts.ts"
import { listChannels, type WebhookRow } from "../../store/automation/webhooks.ts"
import { newId } from "../../store/db/ids.ts"
import { deliveryTries, latestDelivery } from "../../store/notifications/deliveries.ts"
import {
  accountEvents,
  isOwnerEvent,
  ownerEvents,
  usualEvents,
} from "../../store/notifications/events.ts"
import { issue } from "../http/body.ts"
import { ApiError, invalid, notFound, requireBelowLimit, tooMany } from "../http/errors.ts"
import { deliveryResponse } from "../schemas/webhook.ts"
import type { CoreParts, NotificationParts, RunParts } from "../service-parts.ts"
import { checkReceiver, mayBeWrittenTo } from "./receiver.ts"
import { type ChannelChange, channelResponse, type NewChannel, perMinuteOf } from "./schema.ts"

const maxChannels = 100
const destinationFields = ["url", "token", "room", "user", "to", "keys"] as const

const idPrefix = (kind: Kind) => (kind === "webhook" ? "whk" : "ntf")
export const newChannelPrefix = ({ kind }: NewChannel) => idPrefix(kind)

/** @throws ApiError 400, 409 */
export async function createChannel(
  service: CoreParts & NotificationParts,
  { id, accountId }: { id: string; accountId: string },
  body: NewChannel,
) {
  const { store } = service
  const isOwner = await operates(service, accountId)
  const destination = checkedDestination(service, body.kind, destinationOf(body), isOwner)
  const events = body.events ?? [...usualEvents, ...(isOwner ? ownerEvents : [])]
  await checkEvents(service, accountId, events)
  const existing = await listChannels(store.db, accountId, { limit: 1, offset: 0 })
  requireBelowLimit(existing.total, maxChannels, "notifications and webhooks")
  const secret = body.kind === "webhook" ? newWebhookSecret() : JSON.stringify(destination)
  const row = await store.write("webhooks.create", {
    id,
    account_id: accountId,
    kind: body.kind,
    url: visibleTarget(body.kind, destination),
    events: JSON.stringify(events),
    description: body.name ?? null,
    secret: store.secrets.close(secret, id),
    template: storedTemplate(body.kind, body.template),
    per_minute: perMinuteOf(body.kind, body.perMinute),
    credits_below: body.creditsBelow ?? null,
    created_at: new Date().toISOString(),
  })
  const response = channelResponse(row)
  if (body.kind !== "webhook") return { response, visibleOnce: response }
  return { response, visibleOnce: { ...response, secret: store.secrets.open(row.secret, row.id) } }
}

/** @throws ApiError 400, 404 */
export async function changeChannel(
  service: CoreParts & NotificationParts,
  row: WebhookRow,
  change: ChannelChange,
) {
  if (Object.keys(change).length === 0)
    throw new ApiError(400, "The body contains no change. Send at least one field to change.", [])
  const { store } = service
  const isOwner = await operates(service, row.account_id)
  const { events, name, perMinute, creditsBelow, enabled } = change
  await checkEvents(service, row.account_id, events ?? [])
  const current = await store.write("webhooks.change", {
    id: row.id,
    accountId: row.account_id,
    set: {
      ...redirected(service, row, change, isOwner),
      ...(events && { events: JSON.stringify(events) }),
      ...(name !== undefined && { description: name }),
      ...(change.template !== undefined && {
        template: storedTemplate(row.kind as Kind, change.template),
      }),
      ...(perMinute !== undefined && { per_minute: perMinute }),
      ...(creditsBelow !== undefined && { credits_below: creditsBelow }),
      ...(enabled === true && { disabled_at: null, disabled_reason: null }),
      ...(enabled === false && {
        disabled_at: row.disabled_at ?? new Date().toISOString(),
        disabled_reason: row.disabled_reason ?? "Disabled by its owner.",
      }),
    },
  })
  if (!current) throw notFound("notification channel", row.id)
  return current
}

/** Applies a changed destination to the row. @throws ApiError 400 */
function redirected(
  service: CoreParts & NotificationParts,
  row: WebhookRow,
  change: ChannelChange,
  isOwner: boolean,
): Partial<WebhookRow> {
  const part = destinationOf(change)
  if (Object.keys(part).length === 0) return {}
  const { secrets } = service.store
  const kind = row.kind as Kind
  const isWebhook = kind === "webhook"
  // A channel whose encryption key is lost must be replaced completely.
  const before: Destination =
    isWebhook || !secrets.opens(row.secret) ? {} : JSON.parse(secrets.open(row.secret, row.id))
  const next = checkedDestination(service, kind, { ...before, ...part }, isOwner)
  return {
    url: visibleTarget(kind, next),
    ...(!isWebhook && { secret: secrets.close(JSON.stringify(next), row.id) }),
  }
}

/** Sends a test message, and stores its result. @throws ApiError 409, 429 */
export async function testChannel(
  service: CoreParts & RunParts & NotificationParts,
  row: WebhookRow,
) {
  const { dispatcher, rates, store } = service
  if (row.disabled_at !== null) {
    throw new ApiError(409, "The channel is disabled; enable it first.")
  }
  if (rates.left(row.id, row.per_minute ?? 60) === 0) {
    throw tooMany(60, "The channel has reached its maximum of messages per minute.")
  }
  rates.note(row.id)
  const id = newId("dlv")
  const at = new Date()
  const event = "test"
  const payload = JSON.stringify({ type: event, timestamp: at.toISOString(), data: {} })
  const started = performance.now()
  const reported = { ...row, id, payload, webhook_id: row.id }
  const { status, error } = await dispatcher.carry(reported, at, service.ending.signal)
  const delivery = await store.write("deliveries.keepTried", {
    id,
    webhookId: row.id,
    event,
    payload,
    at: at.toISOString(),
    status,
    error,
    milliseconds: Math.round(performance.now() - started),
  })
  return deliveryResponse(delivery, await deliveryTries(store.db, [id]))
}

/** Returns the channel with its last delivery. */
export async function visibleChannel(service: CoreParts, row: WebhookRow) {
  const { db } = service.store
  const last = await latestDelivery(db, row.id)
  if (!last) return channelResponse(row)
  return channelResponse(row, { row: last, tries: await deliveryTries(db, [last.id]) })
}

async function operates({ store }: CoreParts, accountId: string): Promise<boolean> {
  return (await accountById(store.db, accountId))?.role === "owner"
}

function destinationOf(body: Destination): Destination {
  return Object.fromEntries(
    destinationFields.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])),
  )
}

/** Validates the destination of a channel of this kind. @throws ApiError 400, 409 */
function checkedDestination(
  service: CoreParts & NotificationParts,
  kind: Kind,
  destination: Destination,
  isOwner: boolean,
): Destination {
  const { needs, may = [] } = formatOf(kind)!
  for (const name of needs) {
    if (destination[name] !== undefined) continue
    throw wrong(name, `A channel of the kind ${kind} requires "${name}".`, needs.join(", "))
  }
  for (const name of destinationFields) {
    if (destination[name] === undefined || [...needs, ...may].includes(name)) continue
    throw wrong(
      name,
      `A channel of the kind ${kind} has no "${name}".`,
      [...needs, ...may].join(", "),
    )
  }
  if (destination.url !== undefined) checkReceiver(service, destination.url)
  if (destination.to) checkAddresses(service, destination.to, isOwner)
  if (!destination.keys) return destination
  const issue = keyIssue(destination.keys)
  if (issue) throw wrong(...issue, "the keys of a browser's PushSubscription")
  // Stored with the channel, so that a new key file does not end the browser's subscription.
  return { ...destination, pushKey: pushKeyOf(service.store.secrets) }
}

function checkAddresses(
  { config, dispatcher }: CoreParts & NotificationParts,
  to: readonly string[],
  isOwner: boolean,
) {
  const { notServed } = dispatcher.mailer
  if (notServed) {
    throw new ApiError(
      409,
      `This server cannot send email, because its operator has not set ${notServed}. Use another kind of channel.`,
    )
  }
  const strange = isOwner ? undefined : to.find((one) => !mayBeWrittenTo(one, config.smtpTo))
  if (strange === undefined) return
  throw wrong(
    "to",
    `This server may not send email to ${strange}. The operator lists the allowed recipients in TRAWL_SMTP_TO.`,
  )
}

/** Refuses events for administrators if the account is not one. @throws ApiError 400 */
export async function checkEvents(
  service: CoreParts,
  accountId: string,
  events: readonly string[],
): Promise<void> {
  const hidden = events.find(isOwnerEvent)
  if (!hidden || (await operates(service, accountId))) return
  throw wrong(
    "events",
    `${hidden} is sent only to administrators. Choose other events.`,
    accountEvents.join(", "),
  )
}

function wrong(field: string, message: string, expected = "see the kinds of channels") {
  return invalid([issue(field, message, expected)], "body")
}

/** Returns a template as it is stored. @throws ApiError 400 */
function storedTemplate(kind: Kind, template: Template | null | undefined): string | null {
  if (!template || Object.keys(template).length === 0) return null
  if (kind === "webhook")
    throw wrong("template", 'A webhook sends JSON and has no template. Leave "template" out.')
  for (const [field, text] of Object.entries(template)) {
    const unknown = unknownPlaceholder(text)
    if (unknown === undefined) continue
    const known = Object.keys(placeholders).map((name) => `{${name}}`)
    throw wrong(`template.${field}`, `Unknown placeholder "{${unknown}}".`, known.join(", "))
  }
  return JSON.stringify(template)
}

/** Returns the part of the URL that is not secret: the path usually contains a key. */
function visibleTarget(kind: Kind, { url, to, room, user }: Destination): string {
  if (to) return `mailto:${to.join(", ")}`
  if (kind === "webhook") return url!
  const { origin } = new URL(url ?? formatOf(kind)!.service!)
  if (user !== undefined) return `${origin}#${user.slice(0, 4)}…`
  return origin + (room === undefined ? "" : `#${room}`)
}
