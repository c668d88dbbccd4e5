import type { Db } from "./database.ts"

/** A named secret of this installation: the one that stands, else `value` from now on. */
export async function ensureSecret(
  db: Db,
  secret: { name: string; value: string },
): Promise<string> {
  await db
    .insertInto("secrets")
    .values(secret)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom("secrets")
    .select("value")
    .where("name", "=", secret.name)
    .executeTakeFirstOrThrow()
  return row.value
}
