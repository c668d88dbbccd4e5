import { sql } from "kysely"
import type { Db } from "../db/database.ts"

/** Time by the database's clock, because the clocks of the machines differ. */
const now = sql<number>`extract(epoch FROM clock_timestamp()) * 1000`

/** Maximum lengths. Longer names and values are not shared between processes. */
const maxChars = { name: 400, value: 65_536 }
/** Maximum rows; those that expire first are deleted first. */
const maxRows = 500_000

export interface Remembered {
  value: string
  /** Milliseconds until the value expires. */
  leftMs: number
}

/** Returns the value that a process shared about a host; undefined if there is none or it expired. */
export async function rememberedOfHost(db: Db, name: string): Promise<Remembered | undefined> {
  return db
    .selectFrom("host_memory")
    .select(["value", sql<number>`ends_at - ${now}`.as("leftMs")])
    .where("name", "=", name)
    .where("ends_at", ">", now)
    .executeTakeFirst()
}

/** Shares a value about a host with the other processes until it expires. */
export async function rememberOfHost(
  db: Db,
  { id: name, value, forMs }: { id: string; value: string; forMs: number },
): Promise<void> {
  if (name.length > maxChars.name || value.length > maxChars.value) return
  await db
    .insertInto("host_memory")
    .values({ name, value, ends_at: sql`${now} + ${forMs}::float` })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((row) => ({
        value: row.ref("excluded.value"),
        ends_at: row.ref("excluded.ends_at"),
      })),
    )
    .execute()
}

export async function forgetOfHost(db: Db, { id }: { id: string }): Promise<void> {
  await db.deleteFrom("host_memory").where("name", "=", id).execute()
}

/** Deletes a part of the rows that have expired or exceed the maximum; returns their number. */
export async function forgetEnded(db: Db, atOnce: number, max = maxRows): Promise<number> {
  const result = await sql`
    DELETE FROM host_memory WHERE name IN (
      SELECT name FROM host_memory
      WHERE ends_at <= greatest(${now},
        (SELECT ends_at FROM host_memory ORDER BY ends_at DESC OFFSET ${max} LIMIT 1))
      LIMIT ${atOnce}
    )`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}
