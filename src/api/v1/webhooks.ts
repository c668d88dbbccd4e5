import type { Static } from "@sinclair/typebox"
import { type AnyElysia, Elysia } from "elysia"
import { dayMs } from "../../base/time.ts"
import { newWebhookSecret } from "../../engine/ops/notifications/signature.ts"
import { listWebhooks, type WebhookRow } from "../../store/automation/webhooks.ts"
import { callerOf, requireAccount } from "../http/access.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound, requireBelowLimit } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { checkEvents } from "../notifications/channels.ts"
import { checkReceiver } from "../notifications/receiver.ts"
import { cursorListed, cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import {
  newWebhookBody,
  newWebhookSchema,
  webhookChange,
  webhookParams,
  webhookResponse,
  webhookSchema,
} from "../schemas/webhook.ts"
import type { AccessParts, ClientParts, CoreParts, RunParts } from "../service-parts.ts"
import { ownWebhook } from "./deliveries.ts"
import { idempotencyHeader } from "./start-runs.ts"

const maxWebhooks = 100

/** Period after a rotation in which both secrets sign. */
const rotationMs = dayMs

/** Creates a webhook. @throws ApiError 409 if the account has its maximum */
export async function createWebhook(
  { store }: CoreParts,
  { id, accountId, scheduleId }: { id: string; accountId: string; scheduleId?: string },
  body: Static<typeof newWebhookBody>,
): Promise<WebhookRow> {
  const existing = await listWebhooks(store.db, accountId, { limit: 1, offset: 0 })
  requireBelowLimit(existing.total, maxWebhooks, "webhooks")
  return store.write("webhooks.create", {
    id,
    account_id: accountId,
    url: body.url,
    events: JSON.stringify(body.events),
    description: body.description ?? null,
    secret: store.secrets.close(newWebhookSecret(), id),
    previous_secret: null,
    previous_until: null,
    disabled_at: null,
    disabled_reason: null,
    created_at: new Date().toISOString(),
    ...(scheduleId !== undefined && { schedule_id: scheduleId }),
  })
}

/** Webhooks: requests to URLs of an account when runs finish. */
export function webhookRoutes(
  service: CoreParts & ClientParts & AccessParts & RunParts,
): AnyElysia {
  const { store, idempotency } = service

  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      NewWebhook: responseSchema(newWebhookSchema),
      WebhookList: responseSchema(cursorListOf(webhookSchema, "WebhookList")),
      Webhook: responseSchema(webhookSchema),
    })
    .post(
      "/webhooks",
      async ({ accountId, request, set, body, root }) => {
        checkReceiver(service, body.url)
        await checkEvents(service, accountId, body.events)
        set.headers["cache-control"] = "no-store"
        return idempotency.response(
          { request, accountId, prefix: "whk", list: `${root}/api/v1/webhooks` },
          async (id) => {
            const row = await createWebhook(service, { id, accountId }, body)
            const reply = webhookResponse(row)
            return {
              status: 201,
              body: { ...reply, secret: store.secrets.open(row.secret, row.id) },
              repeatedBody: reply,
            }
          },
        )
      },
      {
        account: true,
        fullKey: true,
        root: true,
        headers: requestSchema.headers(idempotencyHeader),
        json: true,
        body: requestSchema.body(newWebhookBody),
        response: { 201: "NewWebhook" },
        detail: operation({
          id: "createWebhook",
          tag: "Webhooks",
          summary: "Create a webhook for finished runs",
          description:
            "Deliveries follow Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` (HMAC-SHA256). Each is sent at least once, with ten attempts over about a day. Only a 2xx response is success; a 410 response disables the webhook.",
          examples: {
            plain: { value: { url: "https://example.com/hook", events: ["run.succeeded"] } },
          },
          replies: { 201: "The webhook and its secret." },
          refusals: [403, 409, 422],
        }),
      },
    )
    .get(
      "/webhooks",
      async ({ accountId, query: page }) => {
        const webhooks = await listWebhooks(store.db, accountId, page)
        return cursorListed(webhooks, webhooks.rows.map(webhookResponse), page)
      },
      {
        account: true,
        query: requestSchema.query(query(cursorQuery(cursors.id("whk")))),
        response: { 200: "WebhookList" },
        detail: operation({
          id: "listWebhooks",
          tag: "Webhooks",
          summary: "List the account's webhooks, newest first",
          replies: { 200: "The webhooks." },
          refusals: [400],
        }),
      },
    )
    .get(
      "/webhooks/:webhookId",
      async ({ accountId, params }) => {
        return webhookResponse(await ownWebhook(service, accountId, params.webhookId))
      },
      {
        account: true,
        params: requestSchema.params(webhookParams),
        response: { 200: "Webhook" },
        detail: operation({
          id: "getWebhook",
          tag: "Webhooks",
          summary: "Get a webhook",
          replies: { 200: "The webhook." },
          refusals: [404],
        }),
      },
    )
    .patch(
      "/webhooks/:webhookId",
      async ({ accountId, params, body: change }) => {
        const row = await ownWebhook(service, accountId, params.webhookId)
        if (change.url !== undefined) checkReceiver(service, change.url)
        await checkEvents(service, accountId, change.events ?? [])
        const current = await store.write("webhooks.change", {
          id: row.id,
          accountId,
          set: changed(row, change),
        })
        return webhookResponse(current ?? row)
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(webhookParams),
        // An unknown ID is reported before the body is read.
        async parse({ request, set, server, params }) {
          await requireAccount(service, { request, set, server })
          await ownWebhook(service, callerOf(request).accountId, params.webhookId)
        },
        json: true,
        body: requestSchema.body(webhookChange),
        response: { 200: "Webhook" },
        detail: operation({
          id: "changeWebhook",
          tag: "Webhooks",
          summary: "Change, disable or enable a webhook",
          examples: { off: { value: { enabled: false } } },
          replies: { 200: "The webhook." },
          refusals: [403, 404],
        }),
      },
    )
    .delete(
      "/webhooks/:webhookId",
      async ({ accountId, params, set }) => {
        const deleted = await store.write("webhooks.delete", { id: params.webhookId, accountId })
        if (!deleted) throw notFound("webhook", params.webhookId)
        set.status = 204
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(webhookParams),
        detail: operation({
          id: "deleteWebhook",
          tag: "Webhooks",
          summary: "Delete a webhook with its deliveries",
          replies: { 204: "Deleted." },
          refusals: [403, 404],
        }),
      },
    )
    .post(
      "/webhooks/:webhookId/rotate-secret",
      async ({ accountId, params, set }) => {
        set.headers["cache-control"] = "no-store"
        const secret = newWebhookSecret()
        const row = await store.write("webhooks.rotate", {
          id: params.webhookId,
          accountId,
          secret: store.secrets.close(secret, params.webhookId),
          previousUntil: new Date(Date.now() + rotationMs).toISOString(),
        })
        if (!row) throw notFound("webhook", params.webhookId)
        return { ...webhookResponse(row), secret }
      },
      {
        account: true,
        fullKey: true,
        params: requestSchema.params(webhookParams),
        response: { 200: "NewWebhook" },
        detail: operation({
          id: "rotateWebhookSecret",
          tag: "Webhooks",
          summary: "Rotate a webhook's secret",
          description: "For 24 hours, deliveries are signed with both secrets.",
          replies: { 200: "The new secret." },
          refusals: [403, 404],
        }),
      },
    )
}

function changed(row: WebhookRow, change: Static<typeof webhookChange>): Partial<WebhookRow> {
  const { url, events, description, enabled } = change
  if (Object.keys(change).length === 0)
    throw new ApiError(400, "The body contains no change. Send at least one field to change.", [])
  return {
    url: url ?? row.url,
    events: events ? JSON.stringify(events) : row.events,
    description: description ?? row.description,
    ...(enabled === true && { disabled_at: null, disabled_reason: null }),
    ...(enabled === false && {
      disabled_at: row.disabled_at ?? new Date().toISOString(),
      disabled_reason: row.disabled_reason ?? "Disabled by its owner.",
    }),
  }
}
