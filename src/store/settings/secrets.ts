import type { Db } from "../db/database.ts"

/** Returns a secret that was generated when the database was created. */
export async function ownSecret(db: Db, name: "callers" | "files"): Promise<string> {
  const row = await db
    .selectFrom("secrets")
    .select("value")
    .where("name", "=", name)
    .executeTakeFirstOrThrow()
  return row.value
}

/** Writes a value that is already stored, to check that the database accepts writes. */
export async function probe(db: Db, _: null): Promise<void> {
  await db
    .updateTable("secrets")
    .set((row) => ({ value: row.ref("value") }))
    .execute()
}
