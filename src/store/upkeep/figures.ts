import type { Db } from "../database.ts"

/** What an operator watches that only the store knows. */
export async function operatingFigures(db: Db, now: Date) {
  const today = now.toISOString().slice(0, 10)
  const oldest = await db
    .selectFrom("runs")
    .select("created_at")
    .where("status", "=", "queued")
    .orderBy("n")
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
    queueSeconds: oldest ? Math.max(0, (now.getTime() - Date.parse(oldest.created_at)) / 1000) : 0,
    usageToday: {
      pages: usage.pages ?? 0,
      items: usage.items ?? 0,
      credits: usage.credits ?? 0,
      bytes: usage.bytes ?? 0,
    },
    keylessCalls: keyless.used ?? 0,
    deliveriesPending: pending.count,
    webhooksDisabled: disabled.count,
    accounts: accounts.count,
  }
}
