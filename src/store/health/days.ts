import type { Db } from "../db/database.ts"
import { type Verdict, verdicts } from "./verdicts.ts"

/** Verdicts from the worst to the best. */
const worstFirst: readonly Verdict[] = ["broken", "blocked", "needs", "degraded", "works"]
const rank = (state: Verdict) => [...worstFirst, ...verdicts].indexOf(state)

/** Stores the worst verdict on a scraper for a day (UTC). */
export async function noteDay(db: Db, slug: string, state: Verdict, at: string): Promise<void> {
  const day = at.slice(0, 10)
  const known = await db
    .selectFrom("health_days")
    .select("state")
    .where("slug", "=", slug)
    .where("day", "=", day)
    .executeTakeFirst()
  if (known && rank(known.state) <= rank(state)) return
  await db
    .insertInto("health_days")
    .values({ slug, day, state })
    .onConflict((conflict) => conflict.columns(["slug", "day"]).doUpdateSet({ state }))
    .execute()
}

export async function healthDays(db: Db): Promise<{ slug: string; day: string; state: Verdict }[]> {
  return db.selectFrom("health_days").selectAll().execute()
}
