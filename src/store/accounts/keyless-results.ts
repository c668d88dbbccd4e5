import { type Selectable, sql } from "kysely"
import type { Db } from "../db/database.ts"
import type { KeylessResultsTable } from "../tables/account-tables.ts"

/**
 * Returns false if the run does not exist: a database server that took over did not have it yet.
 */
export async function saveKeylessResult(
  db: Db,
  result: { tokenHash: string; runId: string; request: string; expiresAt: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("keyless_results")
    .columns(["token_hash", "run_id", "request", "expires_at"])
    .expression(
      db
        .selectFrom("runs")
        .select((eb) => [
          sql.val(result.tokenHash).as("token_hash"),
          eb.ref("id").as("run_id"),
          sql.val(result.request).as("request"),
          sql.val(result.expiresAt).as("expires_at"),
        ])
        .where("id", "=", result.runId),
    )
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0) > 0
}

export async function keylessResult(
  db: Db,
  tokenHash: string,
  now: string,
): Promise<Selectable<KeylessResultsTable> | undefined> {
  return db
    .selectFrom("keyless_results")
    .selectAll()
    .where("token_hash", "=", tokenHash)
    .where("expires_at", ">", now)
    .executeTakeFirst()
}
