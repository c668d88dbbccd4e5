import { type Selectable, sql } from "kysely"
import type { Db } from "../db/database.ts"
import { byIndex, textsOf } from "../db/dialect.ts"
import { newId } from "../db/ids.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type {
  DeliveriesTable,
  DeliveryTriesTable,
  WebhooksTable,
} from "../tables/automation-tables.ts"

export type DeliveryRow = Selectable<DeliveriesTable>
export type DeliveryTry = Selectable<DeliveryTriesTable>

export interface NewDelivery {
  /** Default: a new one. */
  id?: string
  webhookId: string
  event: string
  runId: string | null
  payload: string
  at: string
}

export async function queueDelivery(db: Db, delivery: NewDelivery): Promise<DeliveryRow> {
  return db
    .insertInto("deliveries")
    .values({
      id: delivery.id ?? newId("dlv"),
      webhook_id: delivery.webhookId,
      event: delivery.event,
      run_id: delivery.runId,
      payload: delivery.payload,
      state: "pending",
      tries: 0,
      next_at: delivery.at,
      created_at: delivery.at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export type DueDelivery = DeliveryRow &
  Pick<
    Selectable<WebhooksTable>,
    "kind" | "url" | "secret" | "previous_secret" | "previous_until" | "account_id" | "template"
  >

/** A due delivery, with the values that decide the order of sending. */
export interface DueNow {
  id: string
  webhookId: string
  accountId: string
  url: string
  /** Maximum messages of its channel per minute; null means no limit. */
  perMinute: number | null
  nextAt: string
}

/**
 * Returns webhooks with queued deliveries, due or not, after the ID `after`. An index keeps this
 * fast for any number of deliveries.
 */
export async function pendingWebhooks(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const index = byIndex(db, "deliveries_due_by_webhook")
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE pending (id) AS (
      SELECT min(webhook_id) FROM deliveries ${index}
      WHERE next_at IS NOT NULL AND webhook_id > ${after}
      UNION ALL
      SELECT (
        SELECT min(webhook_id) FROM deliveries ${index}
        WHERE next_at IS NOT NULL AND webhook_id > pending.id
      ) FROM pending WHERE pending.id IS NOT NULL
    )
    SELECT id FROM pending WHERE id IS NOT NULL LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the due deliveries of these webhooks: the ones of each that have waited longest. */
export async function dueDeliveries(
  db: Db,
  { webhooks, now, each }: { webhooks: string[]; now: string; each: number },
): Promise<DueNow[]> {
  const { rows } = await sql<DueNow>`
    SELECT deliveries.id, webhooks.id AS "webhookId", webhooks.account_id AS "accountId",
      webhooks.url, webhooks.per_minute AS "perMinute", deliveries.next_at AS "nextAt"
    FROM ${textsOf(db, webhooks)} AS pending
    JOIN webhooks ON webhooks.id = pending.value
    JOIN deliveries ON deliveries.id IN (
      SELECT id FROM deliveries ${byIndex(db, "deliveries_due_by_webhook")}
      WHERE webhook_id = pending.value AND next_at <= ${now} AND next_at IS NOT NULL
      ORDER BY next_at LIMIT ${each}
    )`.execute(db)
  return rows
}

/**
 * Claims the due ones among these deliveries until a time. If the sender ends before, the delivery
 * is due again then.
 */
export async function claimDeliveries(
  db: Db,
  claim: { ids: string[]; now: string; until: string },
): Promise<DueDelivery[]> {
  const claimed = await db
    .updateTable("deliveries")
    .set({ next_at: claim.until })
    .where("id", "in", claim.ids)
    .where("next_at", "<=", claim.now)
    .returning("id")
    .execute()
  if (claimed.length === 0) return []
  return db
    .selectFrom("deliveries")
    .innerJoin("webhooks", "webhooks.id", "deliveries.webhook_id")
    .selectAll("deliveries")
    .select([
      "kind",
      "url",
      "secret",
      "previous_secret",
      "previous_until",
      "account_id",
      "template",
    ])
    .where(
      "deliveries.id",
      "in",
      claimed.map(({ id }) => id),
    )
    .execute()
}

/** Releases a claimed delivery whose attempt could not be completed: it is due again. */
export async function releaseDelivery(
  db: Db,
  { id, at }: { id: string; at: string },
): Promise<void> {
  await db
    .updateTable("deliveries")
    .set({ next_at: at })
    .where("id", "=", id)
    .where("next_at", "is not", null)
    .execute()
}

export interface TriedDelivery {
  id: string
  at: string
  status: number | null
  error: string | null
  milliseconds: number
  state: DeliveryRow["state"]
  /** Time of the next attempt; null if there is none. */
  nextAt: string | null
  /** Reason for disabling the webhook; null if it stays enabled. */
  disable: string | null
}

/** Records an attempt and its consequences. */
export async function recordTry(db: Db, tried: TriedDelivery): Promise<void> {
  const delivery = await db
    .updateTable("deliveries")
    .set((row) => ({
      tries: row("tries", "+", 1),
      state: tried.state,
      next_at: tried.nextAt,
      ended_at: tried.nextAt === null ? tried.at : null,
    }))
    .where("id", "=", tried.id)
    .returning("webhook_id")
    .executeTakeFirst()
  // The webhook was deleted meanwhile.
  if (!delivery) return
  await db
    .insertInto("delivery_tries")
    .values({
      delivery_id: tried.id,
      at: tried.at,
      status: tried.status,
      error: tried.error,
      milliseconds: tried.milliseconds,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  if (tried.disable !== null) await disableWebhook(db, delivery.webhook_id, tried)
}

async function disableWebhook(db: Db, webhookId: string, tried: TriedDelivery): Promise<void> {
  await db
    .updateTable("webhooks")
    .set({ disabled_at: tried.at, disabled_reason: tried.disable })
    .where("id", "=", webhookId)
    .where("disabled_at", "is", null)
    .execute()
  await db
    .updateTable("deliveries")
    .set({ state: "failed", next_at: null, ended_at: tried.at })
    .where("webhook_id", "=", webhookId)
    .where("state", "=", "pending")
    .execute()
}

/** Sends a delivery again, with the same ID and the same bytes. */
export async function replayDelivery(
  db: Db,
  replay: { id: string; webhookId: string; at: string },
): Promise<DeliveryRow | undefined> {
  return db
    .updateTable("deliveries")
    .set({ state: "pending", tries: 0, next_at: replay.at, ended_at: null })
    .where("id", "=", replay.id)
    .where("webhook_id", "=", replay.webhookId)
    .returningAll()
    .executeTakeFirst()
}

export async function listDeliveries(
  db: Db,
  webhookId: string,
  page: Page,
): Promise<Listed<DeliveryRow>> {
  const query = db.selectFrom("deliveries").where("webhook_id", "=", webhookId).selectAll()
  return listed(query, page, "id")
}

export async function latestDelivery(db: Db, webhookId: string): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom("deliveries")
    .selectAll()
    .where("webhook_id", "=", webhookId)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst()
}

export async function deliveryTries(db: Db, deliveryIds: string[]): Promise<DeliveryTry[]> {
  if (deliveryIds.length === 0) return []
  return db
    .selectFrom("delivery_tries")
    .selectAll()
    .where("delivery_id", "in", deliveryIds)
    .orderBy("at")
    .execute()
}
