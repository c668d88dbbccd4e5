import { type AnyElysia, Elysia } from "elysia"
import { listChannels, type WebhookRow, webhookById } from "../../store/automation/webhooks.ts"
import { callerOf, requireAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  changeChannel,
  createChannel,
  newChannelPrefix,
  testChannel,
  visibleChannel,
} from "../notifications/channels.ts"
import {
  channelChange,
  channelCursor,
  channelParams,
  channelSchema,
  newChannelBody,
  newChannelSchema,
} from "../notifications/schema.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import { deliverySchema } from "../schemas/webhook.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  NotificationParts,
  ResultParts,
  RunParts,
} from "../service-parts.ts"
import { idempotencyHeader } from "./start-runs.ts"

/** The notification channels of an account. */
export function notificationRoutes(
  service: CoreParts & ClientParts & AccessParts & RunParts & ResultParts & NotificationParts,
): AnyElysia {
  const { store, idempotency } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      Notification: responseSchema(channelSchema),
      NewNotification: responseSchema(newChannelSchema),
      NotificationList: responseSchema(cursorListOf(channelSchema, "NotificationList")),
      Delivery: responseSchema(deliverySchema),
      DeliveryList: responseSchema(cursorListOf(deliverySchema, "DeliveryList")),
    })
    .post(
      "/notifications",
      async ({ accountId, request, set, body, root }) => {
        set.headers["cache-control"] = "no-store"
        const prefix = newChannelPrefix(body)
        return idempotency.response(
          { request, accountId, prefix, list: `${root}/api/v1/notifications` },
          async (id) => {
            const { response: reply, visibleOnce } = await createChannel(
              service,
              { id, accountId },
              body,
            )
            return { status: 201, body: visibleOnce, repeatedBody: reply }
          },
        )
      },
      {
        account: true,
        fullKey: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        json: true,
        body: requestSchema.body(newChannelBody),
        response: { 201: "NewNotification" },
        detail: operation({
          id: "createNotification",
          tag: "Notifications",
          summary: "Create a notification channel: chat, email or phone",
          description:
            "The secret part of a receiver (its URL or token) is encrypted at rest and not returned again. Each message is sent up to ten times over about a day; a response of 410 disables the channel.",
          examples: {
            ntfy: { value: { kind: "ntfy", url: "https://ntfy.sh/my-topic" } },
            slack: {
              value: {
                kind: "slack",
                url: "https://hooks.slack.com/services/T000/B000/XXXX",
                events: ["run.failed", "monitor.changed"],
              },
            },
            email: { value: { kind: "email", to: ["ada@example.com"] } },
          },
          replies: { 201: "The channel." },
          refusals: [403, 409, 422],
        }),
      },
    )
    .get(
      "/notifications",
      async ({ accountId, query: page }) => {
        const channels = await listChannels(store.db, accountId, page)
        const visible = await Promise.all(channels.rows.map((row) => visibleChannel(service, row)))
        return cursorListed(channels, visible, page)
      },
      {
        account: true,
        query: requestSchema.query(query(cursorQuery(channelCursor))),
        response: { 200: "NotificationList" },
        detail: operation({
          id: "listNotifications",
          tag: "Notifications",
          summary: "List the account's channels, including webhooks",
          replies: { 200: "The channels." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/notifications/:notificationId",
      async ({ accountId, params }) =>
        visibleChannel(service, await ownChannel(service, accountId, params.notificationId)),
      {
        account: true,
        params: requestSchema.params(channelParams),
        response: { 200: "Notification" },
        detail: operation({
          id: "getNotification",
          tag: "Notifications",
          summary: "Get a channel and its last delivery",
          replies: { 200: "The channel." },
          refusals: [404],
        }),
      },
    )
    .patch(
      "/notifications/:notificationId",
      async ({ accountId, params, body }) => {
        const row = await ownChannel(service, accountId, params.notificationId)
        return visibleChannel(service, await changeChannel(service, row, body))
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(channelParams),
        // An unknown ID is reported before the body is read.
        async parse({ request, set, server, params }) {
          await requireAccount(service, { request, set, server })
          await ownChannel(service, callerOf(request).accountId, params.notificationId)
        },
        json: true,
        body: requestSchema.body(channelChange),
        response: { 200: "Notification" },
        detail: operation({
          id: "changeNotification",
          tag: "Notifications",
          summary: "Change, disable or enable a channel",
          examples: { events: { value: { events: ["run.failed", "run.succeeded"] } } },
          replies: { 200: "The channel." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .delete(
      "/notifications/:notificationId",
      async ({ accountId, params, set }) => {
        const gone = await store.write("webhooks.delete", { id: params.notificationId, accountId })
        if (!gone) throw notFound("notification channel", params.notificationId)
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(channelParams),
        detail: operation({
          id: "deleteNotification",
          tag: "Notifications",
          summary: "Delete a channel with its deliveries",
          replies: { 204: "Deleted." },
          refusals: [403, 404],
        }),
      },
    )
    .post(
      "/notifications/:notificationId/test",
      async ({ accountId, params }) =>
        testChannel(service, await ownChannel(service, accountId, params.notificationId)),
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(channelParams),
        response: { 200: "Delivery" },
        detail: operation({
          id: "testNotification",
          tag: "Notifications",
          summary: "Send a test message and return the receiver's response",
          replies: { 200: "Result of the test: `state` is delivered or failed." },
          refusals: [403, 404, 409],
        }),
      },
    )
    .get(
      "/notifications/:notificationId/deliveries",
      async ({ accountId, params, request, query: page }) => {
        const row = await ownChannel(service, accountId, params.notificationId)
        const requested = { webhookId: row.id, page }
        return service.lists.send(request, accountId, { name: "deliveries", with: requested })
      },
      {
        account: true,
        params: requestSchema.params(channelParams),
        query: requestSchema.query(query(cursorQuery(cursors.id("dlv")))),
        response: { 200: "DeliveryList" },
        detail: operation({
          id: "listNotificationDeliveries",
          tag: "Notifications",
          summary: "List the deliveries of a channel with their attempts, newest first",
          replies: { 200: "The deliveries." },
          refusals: [400, 404],
        }),
      },
    )
}

/** @throws ApiError 404 */
async function ownChannel(service: CoreParts, accountId: string, id: string): Promise<WebhookRow> {
  const row = await webhookById(service.store.db, { id, accountId })
  if (!row) throw notFound("notification channel", id)
  return row
}
