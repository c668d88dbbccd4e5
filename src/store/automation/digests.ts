import type { Db } from "../db/database.ts"
import { held } from "../db/dialect.ts"
import { type DeliveryRow, queueDelivery } from "../notifications/deliveries.ts"

const digestEvent = "digest"

/** Maximum events that one digest counts, and maximum events that it contains. */
const maxGathered = 1000
const maxVisible = 20

export interface Gathering {
  webhookId: string
  /** IDs of deliveries that are sent separately. */
  but: readonly string[]
  at: string
}

/**
 * Combines a channel's due deliveries without an attempt into one; returns undefined if there are
 * fewer than two.
 */
export async function gatherDeliveries(
  db: Db,
  { webhookId, but, at }: Gathering,
): Promise<DeliveryRow | undefined> {
  const query = db
    .selectFrom("deliveries")
    .select(["id", "payload"])
    .where("webhook_id", "=", webhookId)
    .where("next_at", "<=", at)
    .where("tries", "=", 0)
    .where("event", "!=", digestEvent)
    .$if(but.length > 0, (some) => some.where("id", "not in", but))
    .orderBy("id")
    .limit(maxGathered)
  const due = await held(db, query).execute()
  if (due.length < 2) return undefined
  const visible = due.slice(0, maxVisible).map(({ payload }) => JSON.parse(payload))
  const digest = await queueDelivery(db, {
    webhookId,
    event: digestEvent,
    runId: null,
    payload: JSON.stringify({
      type: digestEvent,
      timestamp: at,
      data: { count: due.length, events: visible },
    }),
    at,
  })
  await db
    .updateTable("deliveries")
    .set({ state: "gathered", next_at: null, ended_at: at, gathered_in: digest.id })
    .where(
      "id",
      "in",
      due.map(({ id }) => id),
    )
    .execute()
  return digest
}

export interface TriedOnce {
  id: string
  webhookId: string
  event: string
  payload: string
  at: string
  status: number | null
  error: string | null
  milliseconds: number
}

/** Stores a delivery that was sent once without the queue: a test. */
export async function keepTried(db: Db, tried: TriedOnce): Promise<DeliveryRow> {
  const { id, webhookId, event, payload, at, status, error, milliseconds } = tried
  const row = await db
    .insertInto("deliveries")
    .values({
      id,
      webhook_id: webhookId,
      event,
      run_id: null,
      payload,
      state: error === null ? "delivered" : "failed",
      tries: 1,
      next_at: null,
      created_at: at,
      ended_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await db
    .insertInto("delivery_tries")
    .values({ delivery_id: id, at, status, error, milliseconds })
    .execute()
  return row
}
