import { type AnyElysia, Elysia } from "elysia"
import { deliveryTries } from "../../store/automation/deliveries.ts"
import { type WebhookRow, webhookById } from "../../store/automation/webhooks.ts"
import { readQuery } from "../http/body.ts"
import { ApiError, notFound } from "../http/errors.ts"
import { keyed } from "../http/keyed.ts"
import { operation } from "../http/operation.ts"
import { listOf, listQuery } from "../schemas/common.ts"
import {
  deliveryAnswer,
  deliveryParams,
  deliverySchema,
  webhookParams,
} from "../schemas/webhook.ts"
import type { Service } from "../service.ts"

/** What was sent to webhooks, and sending it again. */
export function deliveryRoutes(service: Service): AnyElysia {
  const { store } = service
  return new Elysia({ prefix: "/api/v1" })
    .use(keyed(service))
    .get(
      "/webhooks/:webhookId/deliveries",
      async ({ accountId, params, request }) => {
        const row = await ownWebhook(service, accountId, params.webhookId)
        const page = readQuery(request, listQuery)
        const asked = { webhookId: row.id, page }
        return service.lists.send(request, accountId, { name: "deliveries", with: asked })
      },
      {
        account: true,
        ...operation({
          id: "listDeliveries",
          tag: "Webhooks",
          summary: "A webhook's deliveries and their tries, the newest first",
          params: webhookParams,
          query: listQuery,
          replies: {
            200: { description: "The deliveries.", schema: listOf(deliverySchema, "DeliveryList") },
          },
          refusals: [400, 404],
        }),
      },
    )
    .post(
      "/webhooks/:webhookId/deliveries/:deliveryId/replay",
      async ({ accountId, params, set }) => {
        const row = await ownWebhook(service, accountId, params.webhookId)
        if (row.disabled_at !== null) {
          throw new ApiError(409, "The webhook is switched off; switch it on before.")
        }
        const delivery = await store.write("deliveries.replay", {
          id: params.deliveryId,
          webhookId: row.id,
          at: new Date().toISOString(),
        })
        if (!delivery) throw notFound("delivery")
        set.status = 202
        return deliveryAnswer(delivery, await deliveryTries(store.db, [delivery.id]))
      },
      {
        account: true,
        ...operation({
          id: "replayDelivery",
          tag: "Webhooks",
          summary: "Send a delivery again, with the same id and bytes",
          params: deliveryParams,
          replies: { 202: { description: "The delivery, queued.", schema: deliverySchema } },
          refusals: [403, 404, 409],
        }),
      },
    )
}

/** @throws ApiError 404 */
export async function ownWebhook(
  service: Service,
  accountId: string,
  id: string,
): Promise<WebhookRow> {
  const row = await webhookById(service.store.db, { id, accountId })
  if (!row) throw notFound("webhook")
  return row
}
