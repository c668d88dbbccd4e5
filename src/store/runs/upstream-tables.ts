import type { Db } from "../db/database.ts"

/** Records that targets succeeded with the site constants of these sites. */
export async function tablesSucceeded(db: Db, sites: string[], at: string): Promise<void> {
  for (const site of sites) {
    await db
      .insertInto("upstream_tables")
      .values({ site, succeeded_at: at })
      .onConflict((conflict) => conflict.column("site").doUpdateSet({ succeeded_at: at }))
      .execute()
  }
}
