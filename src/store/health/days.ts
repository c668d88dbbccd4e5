import type { Db } from "../database.ts"
import { type Verdict, verdicts } from "./verdicts.ts"

/** From what hides all else to what hides nothing. */
const worstFirst: readonly Verdict[] = ["broken", "blocked", "needs", "degraded", "works"]
const rank = (state: Verdict) => [...worstFirst, ...verdicts].indexOf(state)

/** What was seen of a scraper on a day (UTC) is the worst that stood then. */
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
