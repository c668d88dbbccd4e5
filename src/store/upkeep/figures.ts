import { sql } from "kysely"
import { type Db, isPostgres } from "../db/database.ts"
import { deliveryCounts } from "../destinations/run-deliveries.ts"
import { type Priority, priorities } from "../runs/priority.ts"
import { deadLetterCodes } from "../runs/run-lists.ts"

/** Number of queued runs of one kind. */
export interface QueueFigure {
  /** `deferred`: waiting for a time instead of a worker. */
  state: "ready" | "deferred"
  tenant: "account" | "anonymous"
  priority: Priority
  count: number
  /** Waiting time of the oldest of them. */
  ageSeconds: number
}

interface QueueRow {
  isDeferred: number | boolean
  isAnonymous: number | boolean
  priority: number
  count: number
  oldest: string
}

/** Returns the numbers of queued runs by state, caller and priority, including zeros. */
async function queueFigures(db: Db, now: Date): Promise<QueueFigure[]> {
  const { rows } = await sql<QueueRow>`
    SELECT not_before IS NOT NULL AS "isDeferred", account_id IS NULL AS "isAnonymous", priority,
      count(*) AS count, min(created_at) AS oldest
    FROM runs WHERE status = 'queued' GROUP BY 1, 2, 3`.execute(db)
  const kinds = (["ready", "deferred"] as const).flatMap((state) =>
    (["account", "anonymous"] as const).flatMap((tenant) =>
      (Object.keys(priorities) as Priority[]).map((priority) => ({ state, tenant, priority })),
    ),
  )
  return kinds.map((kind) => {
    const row = rows.find(
      ({ isDeferred, isAnonymous, priority }) =>
        Boolean(isDeferred) === (kind.state === "deferred") &&
        Boolean(isAnonymous) === (kind.tenant === "anonymous") &&
        priority === priorities[kind.priority],
    )
    return { ...kind, count: row?.count ?? 0, ageSeconds: secondsSince(row?.oldest, now) }
  })
}

async function countIn(db: Db, status: "running" | "aborting"): Promise<number> {
  const { count } = await db
    .selectFrom("runs")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("status", "=", status)
    .executeTakeFirstOrThrow()
  return count
}

async function bytesOfDatabase(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    SELECT pg_database_size(current_database())::double precision AS bytes`.execute(db)
  return rows[0]!.bytes
}

const secondsSince = (time: string | null | undefined, now: Date) =>
  time ? Math.max(0, (now.getTime() - Date.parse(time)) / 1000) : 0

/** Returns figures of the whole database for the operator's metrics. */
export async function operatingFigures(db: Db, now: Date) {
  const today = now.toISOString().slice(0, 10)
  const queue = await queueFigures(db, now)
  const dead = await db
    .selectFrom("runs")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where(
      "error_code",
      "in",
      deadLetterCodes.map((code) => sql.lit(code)),
    )
    .where("finished_at", "is not", null)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow()
  const refused = await db
    .selectFrom("schedules")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("input_error", "is not", null)
    .executeTakeFirstOrThrow()
  const due = await db
    .selectFrom("schedules")
    .select("next_at")
    .where("next_at", "<=", now.toISOString())
    .orderBy("next_at")
    .limit(1)
    .executeTakeFirst()
  const usage = await db
    .selectFrom("usage_days")
    .select((row) => [
      row.fn.sum<number | null>("pages").as("pages"),
      row.fn.sum<number | null>("items").as("items"),
      row.fn.sum<number | null>("credits").as("credits"),
      row.fn.sum<number | null>("bytes").as("bytes"),
    ])
    .where("day", "=", today)
    .executeTakeFirstOrThrow()
  const keyless = await db
    .selectFrom("allowance")
    .select((row) => row.fn.sum<number | null>("used").as("used"))
    .where("day", "=", today)
    .where("subject", "like", "ip:%")
    .executeTakeFirstOrThrow()
  const pending = await db
    .selectFrom("deliveries")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("next_at", "is not", null)
    .executeTakeFirstOrThrow()
  const failing = await db
    .selectFrom("destinations")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("failures", ">", 0)
    .executeTakeFirstOrThrow()
  const byDestination = [...(await deliveryCounts(db)).values()]
  const disabled = await db
    .selectFrom("webhooks")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("disabled_at", "is not", null)
    .executeTakeFirstOrThrow()
  const accounts = await db
    .selectFrom("accounts")
    .select((row) => row.fn.countAll<number>().as("count"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow()
  return {
    queue,
    runningRuns: await countIn(db, "running"),
    abortingRuns: await countIn(db, "aborting"),
    deadLetters: dead.count,
    schedulesRefused: refused.count,
    scheduleLagSeconds: secondsSince(due?.next_at, now),
    databaseBytes: isPostgres(db) ? await bytesOfDatabase(db) : undefined,
    usageToday: {
      pages: usage.pages ?? 0,
      items: usage.items ?? 0,
      credits: usage.credits ?? 0,
      bytes: usage.bytes ?? 0,
    },
    keylessCalls: keyless.used ?? 0,
    deliveriesPending: pending.count,
    webhooksDisabled: disabled.count,
    destinationsFailing: failing.count,
    destinationDeliveries: {
      waiting: byDestination.reduce((sum, { waiting }) => sum + waiting, 0),
      failed: byDestination.reduce((sum, { failed }) => sum + failed, 0),
    },
    accounts: accounts.count,
  }
}
