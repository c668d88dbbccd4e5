import { Type } from "@sinclair/typebox"
import { oneOf } from "../../catalogue/kit/index.ts"
import type { WebhookRow } from "../../store/automation/webhooks.ts"
import type { DeliveryRow, DeliveryTry } from "../../store/notifications/deliveries.ts"
import { events as allEvents, runEnds } from "../../store/notifications/events.ts"
import { anyObject, maybe, pathId, responseObject, time } from "./common.ts"

export const eventsSchema = Type.Array(oneOf(allEvents), {
  minItems: 1,
  maxItems: allEvents.length,
  uniqueItems: true,
  description:
    "Events to send: finished runs, changes of a monitor, low credits, a schedule that the service disabled, a scraper that stopped or resumed working; for administrators also low disk space and a failed backup.",
})
const url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: "URL of the receiver (http or https).",
})

export const newWebhookBody = Type.Object(
  {
    url,
    events: Type.Array(oneOf(allEvents), { ...eventsSchema, default: [...runEnds] }),
    description: Type.Optional(Type.String({ maxLength: 200 })),
  },
  { additionalProperties: false },
)
export const webhookChange = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(eventsSchema),
    description: Type.Optional(Type.String({ maxLength: 200 })),
    enabled: Type.Optional(
      Type.Boolean({
        description:
          "Whether deliveries are sent. Set it to true again after a receiver's 410 disabled the webhook.",
      }),
    ),
  },
  { additionalProperties: false },
)

const webhook = {
  id: Type.String({ description: "`whk_…`" }),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: maybe(Type.String()),
  enabled: Type.Boolean(),
  disabledReason: maybe(Type.String({ description: "Reason why it was disabled." })),
  scheduleId: maybe(Type.String({ description: "Schedule whose events it receives only." })),
  createdAt: time("Time of creation."),
}
export const webhookSchema = responseObject(webhook, { $id: "Webhook" })
export const newWebhookSchema = responseObject(
  {
    ...webhook,
    secret: Type.Optional(
      Type.String({
        description:
          "Secret that verifies deliveries (`whsec_…`); returned only once, and not when the call is repeated.",
      }),
    ),
  },
  { $id: "NewWebhook" },
)

export const deliverySchema = responseObject(
  {
    id: Type.String({ description: "`dlv_…`; sent as `webhook-id`, the same at each attempt." }),
    event: Type.String(),
    runId: maybe(Type.String()),
    state: oneOf(["pending", "delivered", "failed", "gathered"], {
      description: "`gathered`: sent in a digest with others; not used for webhooks.",
    }),
    nextTryAt: maybe(time("Time of the next attempt.")),
    createdAt: time("Time of queueing."),
    tries: Type.Array(
      responseObject({
        at: time("Time of the attempt."),
        status: maybe(Type.Integer({ description: "HTTP status of the receiver's response." })),
        error: maybe(Type.String()),
        milliseconds: Type.Integer(),
      }),
    ),
    payload: anyObject("Body of the delivery."),
  },
  { $id: "Delivery" },
)

export const webhookParams = { webhookId: pathId("webhook", "whk") }
export const deliveryParams = { ...webhookParams, deliveryId: pathId("delivery", "dlv") }

export function webhookResponse(row: WebhookRow) {
  return {
    id: row.id,
    url: row.url,
    events: JSON.parse(row.events) as string[],
    description: row.description,
    enabled: row.disabled_at === null,
    disabledReason: row.disabled_reason,
    scheduleId: row.schedule_id,
    createdAt: row.created_at,
  }
}

export function deliveryResponse(row: DeliveryRow, tries: DeliveryTry[]) {
  return {
    id: row.id,
    event: row.event,
    runId: row.run_id,
    state: row.state,
    nextTryAt: row.next_at,
    createdAt: row.created_at,
    tries: tries
      .filter((attempt) => attempt.delivery_id === row.id)
      .map(({ at, status, error, milliseconds }) => ({ at, status, error, milliseconds })),
    payload: JSON.parse(row.payload),
  }
}
