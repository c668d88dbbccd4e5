import { type Db, isPostgres } from "./database.ts"

export type CountedList = "runs" | "datasets" | "ledger"

/** Returns the stored length of an account's list; undefined in PostgreSQL, which counts the rows. */
export async function storedCount(
  db: Db,
  accountId: string,
  list: CountedList,
): Promise<number | undefined> {
  if (isPostgres(db)) return undefined
  const row = await db
    .selectFrom("list_counts")
    .select("length")
    .where("account_id", "=", accountId)
    .where("list", "=", list)
    .executeTakeFirst()
  return row?.length ?? 0
}
