import { type AnyElysia, Elysia } from "elysia"
import { type WebhookRow, webhookById } from "../../store/automation/webhooks.ts"
import { deliveryTries } from "../../store/notifications/deliveries.ts"
import { callContext } from "../http/context.ts"
import { requestSchema, responseSchema } from "../http/contract.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { operation } from "../http/operation.ts"
import { cursorListOf, cursorQuery, cursors, query } from "../schemas/common.ts"
import {
  deliveryParams,
  deliveryResponse,
  deliverySchema,
  webhookParams,
} from "../schemas/webhook.ts"
import type { AccessParts, ClientParts, CoreParts, ResultParts } from "../service-parts.ts"

/** Deliveries of webhooks. */
export function deliveryRoutes(
  service: CoreParts & ClientParts & AccessParts & ResultParts,
): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(callContext(service))
    .model({
      DeliveryList: responseSchema(cursorListOf(deliverySchema, "DeliveryList")),
      Delivery: responseSchema(deliverySchema),
    })
    .get(
      "/webhooks/:webhookId/deliveries",
      async ({ accountId, params, request, query: page }) => {
        const row = await ownWebhook(service, accountId, params.webhookId)
        const requested = { webhookId: row.id, page }
        return service.lists.send(request, accountId, { name: "deliveries", with: requested })
      },
      {
        account: true,
        params: requestSchema.params(webhookParams),
        query: requestSchema.query(query(cursorQuery(cursors.id("dlv")))),
        response: { 200: "DeliveryList" },
        detail: operation({
          id: "listDeliveries",
          tag: "Webhooks",
          summary: "List a webhook's deliveries with their attempts, newest first",
          replies: { 200: "The deliveries." },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/webhooks/:webhookId/deliveries/:deliveryId/replay",
      async ({ accountId, params, set }) => {
        const row = await ownWebhook(service, accountId, params.webhookId)
        if (row.disabled_at !== null) {
          throw new ApiError(409, "The webhook is disabled; enable it first.")
        }
        const delivery = await store.write("deliveries.replay", {
          id: params.deliveryId,
          webhookId: row.id,
          at: new Date().toISOString(),
        })
        if (!delivery) throw notFound("delivery", params.deliveryId)
        set.status = 202
        return deliveryResponse(delivery, await deliveryTries(store.db, [delivery.id]))
      },
      {
        account: true,
        params: requestSchema.params(deliveryParams),
        response: { 202: "Delivery" },
        detail: operation({
          id: "replayDelivery",
          tag: "Webhooks",
          summary: "Send a delivery again with the same ID and bytes",
          replies: { 202: "The queued delivery." },
          refusals: [403, 404, 409],
        }),
      },
    )
}

/** @throws ApiError 404 */
export async function ownWebhook(
  service: CoreParts,
  accountId: string,
  id: string,
): Promise<WebhookRow> {
  const row = await webhookById(service.store.db, { id, accountId })
  if (row?.kind !== "webhook") throw notFound("webhook", id)
  return row
}
