import { sql } from "kysely"
import { type Db, hotQuery } from "../db/database.ts"
import type { RunRow } from "../tables/schema.ts"
import { queueDelivery } from "./deliveries.ts"

export const runEnds = ["run.succeeded", "run.failed", "run.aborted", "run.timed_out"] as const
/** Events that every account can receive. */
export const accountEvents = [
  ...runEnds,
  "monitor.changed",
  "credits.low",
  "schedule.disabled",
  "session.expired",
  "destination.failed",
  "scraper.health",
] as const
/** Events that only administrators receive. */
export const ownerEvents = ["disk.low", "backup.failed"] as const

export const events = [...accountEvents, ...ownerEvents] as const
export type EventName = (typeof events)[number]

export function isOwnerEvent(name: string): boolean {
  return (ownerEvents as readonly string[]).includes(name)
}

/** Default events of a channel: those that need attention. */
export const usualEvents: readonly EventName[] = [
  "run.failed",
  "run.timed_out",
  "monitor.changed",
  "credits.low",
  "schedule.disabled",
  "session.expired",
  "destination.failed",
]

/** Default credits below which `credits.low` is sent. */
const usualCreditsBelow = 50

export interface Happened {
  event: EventName
  /** The receivers: one account, all administrators, or every subscribed channel. */
  to: { accountId: string } | "owners" | "all"
  runId?: string | null
  /** The run's scraper: webhooks of other scrapers do not receive the event. */
  slug?: string
  data: Record<string, unknown>
  at: string
  /** Skips channels that have received such an event since then. */
  unlessSince?: string
}

/**
 * Queues a delivery for each channel that has subscribed to the event. Called in the event's
 * transaction.
 */
export async function announce(db: Db, happened: Happened): Promise<void> {
  const { event, unlessSince } = happened
  for (const { id } of await listening(db, happened)) {
    if (unlessSince && (await wasReported(db, id, event, unlessSince))) continue
    await queue(db, id, happened)
  }
}

async function wasReported(
  db: Db,
  channel: string,
  event: EventName,
  since: string,
): Promise<boolean> {
  const row = await db
    .selectFrom("deliveries")
    .select("id")
    .where("webhook_id", "=", channel)
    .where("event", "=", event)
    .where("created_at", ">", since)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

async function queue(
  db: Db,
  webhookId: string,
  { event, runId = null, data, at }: Omit<Happened, "to">,
): Promise<void> {
  const payload = JSON.stringify({ type: event, timestamp: at, data })
  await queueDelivery(db, { webhookId, event, runId, payload, at })
}

function listening(db: Db, { event, to, runId, slug }: Happened) {
  let query = db
    .selectFrom("webhooks")
    .select("webhooks.id")
    .where("disabled_at", "is", null)
    .where("events", "like", `%"${event}"%`)
    .where((row) => row.or([row("slug", "is", null), row("slug", "=", slug ?? "")]))
    .where((row) => row.or([row("run_id", "is", null), row("run_id", "=", runId ?? "")]))
    .where((row) =>
      row.or([
        row("schedule_id", "is", null),
        row.exists(
          row
            .selectFrom("scheduled_runs")
            .select("scheduled_runs.run_id")
            .whereRef("scheduled_runs.schedule_id", "=", "webhooks.schedule_id")
            .where("scheduled_runs.run_id", "=", runId ?? ""),
        ),
      ]),
    )
  if (typeof to === "object") query = query.where("webhooks.account_id", "=", to.accountId)
  if (to === "owners") {
    query = query
      .innerJoin("accounts", "accounts.id", "webhooks.account_id")
      .where("accounts.role", "=", "owner")
      .where("accounts.locked_at", "is", null)
  }
  return query.execute()
}

/** Announces the end of a run unless its schedule is muted; small, as Standard Webhooks advises. */
export async function announceRunEnd(db: Db, run: RunRow): Promise<void> {
  const event = runEnds.find((name) => name === `run.${run.status}`)
  if (!event || run.account_id === null || run.finished_at === null) return
  if (run.origin === "schedule" && (await isMuted(db, run))) return
  await announce(db, {
    event,
    to: { accountId: run.account_id },
    runId: run.id,
    slug: run.slug,
    at: run.finished_at,
    data: {
      runId: run.id,
      scraper: run.slug,
      // Its old name, until the next major version.
      slug: run.slug,
      status: run.status,
      datasetId: run.dataset_id,
      itemCount: run.item_count,
      errorCount: run.error_count,
      creditsCharged: run.credits_charged,
      error: run.error_code === null ? null : { code: run.error_code, message: run.error_message },
    },
  })
}

async function isMuted(db: Db, { id, finished_at }: RunRow): Promise<boolean> {
  const row = await db
    .selectFrom("scheduled_runs")
    .innerJoin("schedules", "schedules.id", "scheduled_runs.schedule_id")
    .select("schedules.muted_until")
    .where("scheduled_runs.run_id", "=", id)
    .executeTakeFirst()
  return row?.muted_until != null && row.muted_until > finished_at!
}

/** Executed for each charged target. */
const channelsForLowCredits = hotQuery<{ id: string; credits_below: number | null }, [string]>(
  (db) =>
    db
      .selectFrom("webhooks")
      .select(["id", "credits_below"])
      .where("account_id", "=", "")
      .where("disabled_at", "is", sql.lit(null))
      .where("events", "like", sql.lit('%"credits.low"%')),
)

/** Announces that an account's credits have fallen below the limit of one of its channels. */
export async function announceLowCredits(
  db: Db,
  { accountId, charged, at }: { accountId: string; charged: number; at: string },
): Promise<void> {
  const channels = await channelsForLowCredits(db, accountId)
  if (channels.length === 0) return
  const { balance } = await db
    .selectFrom("accounts")
    .select("balance")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow()
  for (const { id, credits_below } of channels) {
    const level = credits_below ?? usualCreditsBelow
    const crossed = [level, 1].some((line) => balance < line && balance + charged >= line)
    if (crossed) await queue(db, id, { event: "credits.low", data: { balance, below: level }, at })
  }
}
