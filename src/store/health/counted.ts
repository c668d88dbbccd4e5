import type { Db } from "../db/database.ts"

export interface CountsToKeep {
  slug: string
  fetchMethod: string
  /** Plain data; null deletes the stored counts. */
  counts: unknown
}

export async function keepCounts(db: Db, { stored }: { stored: CountsToKeep[] }): Promise<void> {
  for (const { slug, fetchMethod, counts } of stored) {
    if (counts === null) {
      await db
        .deleteFrom("health_counts")
        .where("slug", "=", slug)
        .where("fetch_method", "=", fetchMethod)
        .execute()
      continue
    }
    const text = JSON.stringify(counts)
    await db
      .insertInto("health_counts")
      .values({ slug, fetch_method: fetchMethod, counts: text })
      .onConflict((conflict) =>
        conflict.columns(["slug", "fetch_method"]).doUpdateSet({ counts: text }),
      )
      .execute()
  }
}

export async function storedCounts(
  db: Db,
): Promise<{ slug: string; fetchMethod: string; counts: string }[]> {
  const rows = await db.selectFrom("health_counts").selectAll().execute()
  return rows.map(({ fetch_method, ...row }) => ({ ...row, fetchMethod: fetch_method }))
}

export interface PlannedCheck {
  slug: string
  /** `all`, or one fetch method. */
  fetchMethod: string
  dueAt: string
}

export async function planChecks(db: Db, { planned }: { planned: PlannedCheck[] }): Promise<void> {
  for (const { slug, fetchMethod, dueAt } of planned) {
    await db
      .insertInto("health_plan")
      .values({ slug, fetch_method: fetchMethod, due_at: dueAt })
      .onConflict((conflict) =>
        conflict.columns(["slug", "fetch_method"]).doUpdateSet({ due_at: dueAt }),
      )
      .execute()
  }
}

export async function plannedChecks(db: Db): Promise<PlannedCheck[]> {
  const rows = await db.selectFrom("health_plan").selectAll().orderBy("due_at").execute()
  return rows.map(({ slug, fetch_method, due_at }) => ({
    slug,
    fetchMethod: fetch_method,
    dueAt: due_at,
  }))
}
