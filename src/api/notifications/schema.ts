import { type Static, Type } from "@sinclair/typebox"
import { expectedWords, oneOf } from "../../catalogue/kit/index.ts"
import { formats, type Kind, kinds } from "../../engine/ops/notifications/formats.ts"
import { placeholders, type Template } from "../../engine/ops/notifications/templates.ts"
import type { WebhookRow } from "../../store/automation/webhooks.ts"
import type { DeliveryRow, DeliveryTry } from "../../store/notifications/deliveries.ts"
import { maybe, pathId, responseObject, time } from "../schemas/common.ts"
import { eventsSchema } from "../schemas/webhook.ts"

/** Default maximum messages per minute. */
const usualPerMinute = 10

const described = kinds.map((kind) => `\`${kind}\`: ${formats[kind].describes}`).join("; ")

const fields = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "URL of the receiver (http or https).",
    }),
  ),
  token: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      writeOnly: true,
      description: "Token of ntfy, Matrix, Telegram, Pushover or `post`.",
    }),
  ),
  room: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "Room of Matrix (`!id:server`), or chat ID of Telegram.",
    }),
  ),
  user: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: "User key or group key of Pushover.",
    }),
  ),
  to: Type.Optional(
    Type.Array(
      Type.String({
        pattern: '^[^\\s@<>,;"]+@[^\\s@<>,;"]+$',
        maxLength: 254,
        [expectedWords]: "an email address",
      }),
      {
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        description: "Recipients (email addresses) of an email channel.",
      },
    ),
  ),
  keys: Type.Optional(
    Type.Object(
      {
        p256dh: Type.String({ minLength: 1, maxLength: 100 }),
        auth: Type.String({ minLength: 1, maxLength: 50 }),
      },
      {
        additionalProperties: false,
        description:
          "For browser push: the `keys` of the browser's PushSubscription; `url` is its `endpoint`.",
      },
    ),
  ),
  name: Type.Optional(Type.String({ maxLength: 200 })),
  template: Type.Optional(
    maybe(
      Type.Object(
        {
          title: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
          text: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
        },
        {
          additionalProperties: false,
          description: `Custom texts with placeholders: ${Object.entries(placeholders)
            .map(([name, meaning]) => `\`{${name}}\` ${meaning}`)
            .join(", ")}. Null for the default texts.`,
        },
      ),
    ),
  ),
  perMinute: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 60,
      description: `Maximum messages per minute (1-60, default ${usualPerMinute}); further ones are sent as one digest. A webhook has no limit.`,
    }),
  ),
  creditsBelow: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "Number of credits below which `credits.low` is sent (default 50).",
    }),
  ),
}

export const newChannelBody = Type.Object(
  {
    kind: oneOf(kinds, { description: described }),
    ...fields,
    events: Type.Optional({
      ...eventsSchema,
      description: `${eventsSchema.description} Default: events that may need action.`,
    }),
  },
  { additionalProperties: false },
)
export const channelChange = Type.Object(
  { ...fields, events: Type.Optional(eventsSchema), enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
)
export type NewChannel = Static<typeof newChannelBody>
export type ChannelChange = Static<typeof channelChange>

const channel = {
  id: Type.String({ description: "`ntf_…`; `whk_…` of a webhook." }),
  kind: oneOf(kinds),
  name: maybe(Type.String()),
  target: Type.String({
    description:
      "The receiver: host, or email addresses. The full URL is a secret, and is returned only for webhooks.",
  }),
  events: Type.Array(Type.String()),
  template: maybe(
    responseObject({ title: Type.Optional(Type.String()), text: Type.Optional(Type.String()) }),
  ),
  perMinute: maybe(Type.Integer()),
  creditsBelow: maybe(Type.Integer()),
  enabled: Type.Boolean(),
  disabledReason: maybe(Type.String({ description: "Reason why it was disabled." })),
  lastDelivery: maybe(
    responseObject(
      {
        id: Type.String(),
        event: Type.String(),
        state: oneOf(["pending", "delivered", "failed", "gathered"]),
        at: time("Time of the last attempt, or of queueing."),
        status: maybe(Type.Integer({ description: "HTTP status of the receiver's response." })),
        error: maybe(Type.String()),
      },
      { description: "Last delivery; null if there was none." },
    ),
  ),
  createdAt: time("Time of creation."),
}
export const channelSchema = responseObject(channel, { $id: "Notification" })
export const newChannelSchema = responseObject(
  {
    ...channel,
    secret: Type.Optional(
      Type.String({ description: "Secret of a webhook (`whsec_…`), returned only once." }),
    ),
  },
  { $id: "NewNotification" },
)
export const ownedChannelSchema = responseObject(
  { ...channel, accountId: Type.String() },
  { $id: "AdminNotification" },
)

export const channelParams = { notificationId: pathId("notification", "ntf") }

/** Pattern of cursors in lists of channels, which include webhooks. */
export const channelCursor = "^(?:ntf|whk)_[0-9a-f]{32}$"

export const perMinuteOf = (kind: Kind, requested: number | undefined) =>
  requested ?? (kind === "webhook" ? null : usualPerMinute)

export function channelResponse(
  row: WebhookRow,
  last?: { row: DeliveryRow; tries: DeliveryTry[] },
) {
  const tried = last?.tries.at(-1)
  return {
    id: row.id,
    kind: row.kind as Kind,
    name: row.description,
    target: row.url.replace(/^mailto:/, ""),
    events: JSON.parse(row.events) as string[],
    template: row.template === null ? null : (JSON.parse(row.template) as Template),
    perMinute: row.per_minute,
    creditsBelow: row.credits_below,
    enabled: row.disabled_at === null,
    disabledReason: row.disabled_reason,
    lastDelivery: last
      ? {
          id: last.row.id,
          event: last.row.event,
          state: last.row.state,
          at: tried?.at ?? last.row.created_at,
          status: tried?.status ?? null,
          error: tried?.error ?? null,
        }
      : null,
    createdAt: row.created_at,
  }
}
