import { Type } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { allChannels, anyChannel, type WebhookRow } from "../../store/automation/webhooks.ts"
import { newId } from "../../store/db/ids.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import {
  createChannel,
  newChannelPrefix,
  testChannel,
  visibleChannel,
} from "../notifications/channels.ts"
import {
  channelCursor,
  channelParams,
  newChannelBody,
  newChannelSchema,
  ownedChannelSchema,
} from "../notifications/schema.ts"
import { cursorListed, cursorListOf, cursorQuery, query } from "../schemas/common.ts"
import { deliverySchema } from "../schemas/webhook.ts"
import type {
  AccessParts,
  ClientParts,
  CoreParts,
  NotificationParts,
  RunParts,
} from "../service-parts.ts"
import { accountParameter, owningAccount } from "./account-responses.ts"
import { adminPrefix } from "./prefix.ts"

const newBody = Type.Object(
  {
    ...newChannelBody.properties,
    account: Type.Optional({
      ...accountParameter,
      description:
        "ID or email address of the owning account. Default: the first administrator's account.",
    }),
  },
  { additionalProperties: false },
)

/** The notification channels of all accounts; those of administrators also report on the service. */
export function notificationAdminRoutes(
  service: CoreParts & ClientParts & AccessParts & RunParts & NotificationParts,
): AnyElysia {
  const { store } = service
  const { db } = store
  return new Elysia({ prefix: adminPrefix })
    .use(callContext(service))
    .model({
      NewNotification: responseSchema(newChannelSchema),
      AdminNotificationList: responseSchema(
        cursorListOf(ownedChannelSchema, "AdminNotificationList"),
      ),
      Delivery: responseSchema(deliverySchema),
    })
    .get(
      "/notifications",
      async ({ query: page }) => {
        const channels = await allChannels(db, page)
        const visible = channels.rows.map(async (row) => ({
          ...(await visibleChannel(service, row)),
          accountId: row.account_id,
        }))
        return cursorListed(channels, await Promise.all(visible), page)
      },
      {
        owner: true,
        query: requestSchema.query(query(cursorQuery(channelCursor))),
        response: { 200: "AdminNotificationList" },
        detail: operation({
          id: "adminListNotifications",
          tag: "Administration",
          summary: "List the notification channels of all accounts, newest first",
          auth: "owner",
          replies: { 200: "The channels." },
          refusals: [400],
        }),
      },
    )
    .post(
      "/notifications",
      async ({ body: { account, ...body }, set }) => {
        const accountId = await owningAccount(service, account)
        const id = newId(newChannelPrefix(body))
        set.status = 201
        set.headers["cache-control"] = "no-store"
        return (await createChannel(service, { id, accountId }, body)).visibleOnce
      },
      {
        owner: true,
        ownerJson: true,
        body: requestSchema.body(newBody),
        response: { 201: "NewNotification" },
        detail: operation({
          id: "adminCreateNotification",
          tag: "Administration",
          summary: "Create a notification channel for an administrator or another account",
          auth: "owner",
          examples: {
            ntfy: { value: { kind: "ntfy", url: "https://ntfy.sh/ops", events: ["disk.low"] } },
          },
          replies: { 201: "The channel." },
          refusals: [404, 409],
        }),
      },
    )
    .delete(
      "/notifications/:notificationId",
      async ({ params, set }) => {
        const { id, account_id: accountId } = await channelOf(service, params.notificationId)
        await store.write("webhooks.delete", { id, accountId })
        set.status = 204
      },
      {
        owner: true,
        params: requestSchema.params(channelParams),
        detail: operation({
          id: "adminDeleteNotification",
          tag: "Administration",
          summary: "Delete any channel",
          auth: "owner",
          replies: { 204: "Deleted." },
          refusals: [404],
        }),
      },
    )
    .post(
      "/notifications/:notificationId/test",
      async ({ params }) => testChannel(service, await channelOf(service, params.notificationId)),
      {
        owner: true,
        params: requestSchema.params(channelParams),
        response: { 200: "Delivery" },
        detail: operation({
          id: "adminTestNotification",
          tag: "Administration",
          summary: "Send a test message to any channel",
          auth: "owner",
          replies: { 200: "Result of the delivery." },
          refusals: [404, 409],
        }),
      },
    )
}

/** @throws ApiError 404 */
async function channelOf({ store }: CoreParts, id: string): Promise<WebhookRow> {
  const row = await anyChannel(store.db, id)
  if (!row) throw notFound("notification channel", id)
  return row
}
