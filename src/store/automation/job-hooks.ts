import { type Insertable, type Selectable, sql } from "kysely"
import type { Db } from "../db/database.ts"
import { type NewDelivery, queueDelivery } from "../notifications/deliveries.ts"
import type { ItemPosition } from "../runs/items.ts"
import type { JobHooksTable, WebhooksTable } from "../tables/automation-tables.ts"

export type JobHook = Selectable<JobHooksTable>

/** Stores a webhook that receives a run's pages one after the other. */
export async function createJobHook(
  db: Db,
  {
    webhook,
    options,
  }: { webhook: Insertable<WebhooksTable> & { run_id: string }; options: string },
): Promise<void> {
  await db.insertInto("webhooks").values(webhook).execute()
  const hook = { webhook_id: webhook.id, run_id: webhook.run_id, options }
  await db.insertInto("job_hooks").values(hook).execute()
}

/** Returns the job webhooks with pending notifications, after the ID `after`. */
export async function liveJobHooks(
  db: Db,
  { after, limit }: { after: string; limit: number },
): Promise<JobHook[]> {
  return db
    .selectFrom("job_hooks")
    .selectAll()
    .where("webhook_id", ">", after)
    .orderBy("webhook_id")
    .limit(limit)
    .execute()
}

/** Returns the first unfinished target from a position on; undefined if there is none. */
export async function openTarget(
  db: Db,
  { runN, from }: { runN: number; from: number },
): Promise<number | undefined> {
  const row = await db
    .selectFrom("targets")
    .select("seq")
    .where("run_n", "=", runN)
    .where("seq", ">=", from)
    .where("state", "not in", ["done", "failed"])
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}

/** Returns the numbers of pending and failed deliveries of a webhook. */
export async function statusOf(
  db: Db,
  webhookId: string,
): Promise<{ pending: number; failed: number }> {
  const counted = (state: string) => sql<number>`count(CASE WHEN state = ${state} THEN 1 END)`
  return db
    .selectFrom("deliveries")
    .select([counted("pending").as("pending"), counted("failed").as("failed")])
    .where("webhook_id", "=", webhookId)
    .executeTakeFirstOrThrow()
}

export interface Advance {
  hook: Pick<JobHook, "webhook_id" | "started" | "seq" | "idx">
  to: ItemPosition
  deliveries: NewDelivery[]
  /** Whether no further notification follows. */
  isOver: boolean
}

/** Queues the next notifications; returns false if another process was first or the webhook is gone. */
export async function advanceJobHook(db: Db, advance: Advance): Promise<boolean> {
  const { hook, to, deliveries, isOver } = advance
  const status = db
    .updateTable("job_hooks")
    .set({ started: 1, seq: to.seq, idx: to.idx })
    .where("webhook_id", "=", hook.webhook_id)
    .where("started", "=", hook.started)
    .where("seq", "=", hook.seq)
    .where("idx", "=", hook.idx)
  const { numUpdatedRows } = await status.executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  // Deliveries contain whole pages, which are also in the run's items.
  await db
    .deleteFrom("deliveries")
    .where("webhook_id", "=", hook.webhook_id)
    .where("state", "=", "delivered")
    .execute()
  for (const delivery of deliveries) await queueDelivery(db, delivery)
  if (isOver) await dropJobHook(db, hook.webhook_id)
  return true
}

/**
 * Deletes the state of a job webhook. The webhook is deleted with its run, or some days later:
 * upkeep/purge.ts.
 */
export async function dropJobHook(db: Db, webhookId: string): Promise<void> {
  await db.deleteFrom("job_hooks").where("webhook_id", "=", webhookId).execute()
}
