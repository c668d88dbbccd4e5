import type { Selectable } from "kysely"
import type { Db } from "../database.ts"
import type { KeylessResultsTable } from "../tables/account-tables.ts"

export async function saveKeylessResult(
  db: Db,
  result: { tokenHash: string; runId: string; request: string; expiresAt: string },
): Promise<void> {
  await db
    .insertInto("keyless_results")
    .values({
      token_hash: result.tokenHash,
      run_id: result.runId,
      request: result.request,
      expires_at: result.expiresAt,
    })
    .execute()
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
