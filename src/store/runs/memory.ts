import type { Db } from "../db/database.ts"
import type { RunRow } from "../tables/schema.ts"

/** Returns the owner of the values that a run's scraper remembers. */
export function memoryOwner(run: Pick<RunRow, "account_id" | "memory_owner">): string {
  return run.account_id ?? run.memory_owner ?? ""
}

/** The owner and the scraper of remembered values. */
export interface MemoryKey {
  owner: string
  slug: string
}

export async function remembered(
  db: Db,
  { owner, slug, key }: MemoryKey & { key: string },
): Promise<unknown> {
  const row = await db
    .selectFrom("memory")
    .select("value")
    .where("owner", "=", owner)
    .where("slug", "=", slug)
    .where("key", "=", key)
    .executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** Returns the ID of a run's schedule, else that of its recipe, else "". */
export async function seriesOf(
  db: Db,
  { id, recipe, origin }: Pick<RunRow, "id" | "recipe" | "origin">,
): Promise<string> {
  if (origin !== "schedule") return recipe ?? ""
  const scheduled = db.selectFrom("scheduled_runs").select("schedule_id").where("run_id", "=", id)
  return (await scheduled.executeTakeFirst())?.schedule_id ?? recipe ?? ""
}

/** Deletes the values of an account whose keys end with a tag, for example the ID of a monitor. */
export async function forgetTagged(
  db: Db,
  { owner, tag }: { owner: string; tag: string },
): Promise<void> {
  await db
    .deleteFrom("memory")
    .where("owner", "=", owner)
    .where("key", "like", `% ${tag}`)
    .execute()
}

/** Maximum values of one scraper and owner; the oldest ones are dropped. */
const maxValues = 50_000
/** Average number of values between two counts. */
const countedEvery = 500

/** Drops the oldest values if there are too many. */
export async function dropOldest(
  db: Db,
  { owner, slug }: MemoryKey,
  max = maxValues,
): Promise<void> {
  const newestDropped = await db
    .selectFrom("memory")
    .select("updated_at")
    .where("owner", "=", owner)
    .where("slug", "=", slug)
    .orderBy("updated_at", "desc")
    .offset(max)
    .limit(1)
    .executeTakeFirst()
  if (!newestDropped) return
  await db
    .deleteFrom("memory")
    .where("owner", "=", owner)
    .where("slug", "=", slug)
    .where("updated_at", "<=", newestDropped.updated_at)
    .execute()
}

/** Stores values (JSON texts) by key and replaces earlier ones. */
export async function remember(
  db: Db,
  { owner, slug, values, at }: MemoryKey & { values: Record<string, string>; at: string },
): Promise<void> {
  // Sorted, so that concurrent changes lock the rows in the same order and cannot deadlock.
  const keys = Object.keys(values).sort()
  for (const key of keys) {
    const value = values[key]!
    await db
      .insertInto("memory")
      .values({ owner, slug, key, value, updated_at: at })
      .onConflict((conflict) =>
        conflict.columns(["owner", "slug", "key"]).doUpdateSet({ value, updated_at: at }),
      )
      .execute()
  }
  if (Math.random() * countedEvery < keys.length) await dropOldest(db, { owner, slug })
}
