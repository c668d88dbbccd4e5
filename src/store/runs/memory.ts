import type { Db } from "../database.ts"
import type { RunRow } from "../tables/schema.ts"

/** Returns the owner of what a run's scraper remembers. */
export function memoryOwner(run: Pick<RunRow, "account_id" | "memory_owner">): string {
  return run.account_id ?? run.memory_owner ?? ""
}

/** Where a scraper's memory of one owner is stored. */
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

/** Deletes the values of an account whose keys end with a tag, as those of a monitor do with its ID. */
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

/** Keeps values (JSON texts) by key, over those of before. */
export async function remember(
  db: Db,
  { owner, slug, values, at }: MemoryKey & { values: Record<string, string>; at: string },
): Promise<void> {
  // In the same order as others, who would wait for each other else.
  for (const key of Object.keys(values).sort()) {
    const value = values[key]!
    await db
      .insertInto("memory")
      .values({ owner, slug, key, value, updated_at: at })
      .onConflict((conflict) =>
        conflict.columns(["owner", "slug", "key"]).doUpdateSet({ value, updated_at: at }),
      )
      .execute()
  }
}
