import type { Db } from "../database.ts"

export interface CountsToKeep {
  slug: string
  way: string
  /** Plain data; null when there is nothing to be kept any more. */
  counts: unknown
}

export async function keepCounts(db: Db, { kept }: { kept: CountsToKeep[] }): Promise<void> {
  for (const { slug, way, counts } of kept) {
    if (counts === null) {
      await db.deleteFrom("health_counts").where("slug", "=", slug).where("way", "=", way).execute()
      continue
    }
    const text = JSON.stringify(counts)
    await db
      .insertInto("health_counts")
      .values({ slug, way, counts: text })
      .onConflict((conflict) => conflict.columns(["slug", "way"]).doUpdateSet({ counts: text }))
      .execute()
  }
}

export async function keptCounts(db: Db): Promise<{ slug: string; way: string; counts: string }[]> {
  return db.selectFrom("health_counts").selectAll().execute()
}

export interface PlannedCheck {
  slug: string
  /** `all`, or one way by itself. */
  way: string
  dueAt: string
}

export async function planChecks(db: Db, { planned }: { planned: PlannedCheck[] }): Promise<void> {
  for (const { slug, way, dueAt } of planned) {
    await db
      .insertInto("health_plan")
      .values({ slug, way, due_at: dueAt })
      .onConflict((conflict) => conflict.columns(["slug", "way"]).doUpdateSet({ due_at: dueAt }))
      .execute()
  }
}

export async function plannedChecks(db: Db): Promise<PlannedCheck[]> {
  const rows = await db.selectFrom("health_plan").selectAll().orderBy("due_at").execute()
  return rows.map(({ slug, way, due_at }) => ({ slug, way, dueAt: due_at }))
}
