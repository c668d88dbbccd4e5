import type { SQL } from "bun"
import { migrations, pendingAfter } from "../db/migrate.ts"
import { type Applied, hashOf } from "../db/migration-hashes.ts"
import { isCollision, withCode } from "../db/postgres/errors.ts"
import { asPostgres } from "../db/postgres/translate.ts"
import { DataRefused } from "../db/refused.ts"
import { replacedIn } from "../db/replaced-migrations.ts"

/** Key of the lock under which one process at a time checks and migrates: "trawl". */
const lock = 0x7472_6177

/** Attempts at a migration that collides with changes of running processes. */
const maxTries = 10

/** Migrates a database to this version's schema, or leaves it unchanged. @throws DataRefused */
export async function migratePostgres(client: SQL): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await migrateOnce(client)
    } catch (error) {
      if (tries === maxTries || !isCollision(withCode(error))) throw error
      await Bun.sleep(Math.random() * 100 * tries)
    }
  }
}

async function migrateOnce(client: SQL): Promise<void> {
  await client.begin(async (transaction) => {
    await transaction.unsafe(`SELECT pg_advisory_xact_lock(${lock})`)
    const applied = await appliedTo(transaction)
    const pending = new Set(pendingAfter(applied))
    if (pending.size === 0) return
    const replaced = replacedIn(applied)
    for (const id of replaced.flatMap(({ old }) => old)) {
      await transaction.unsafe("DELETE FROM migrations WHERE id = $1", [id])
    }
    for (const { id, sql, postgres = "" } of migrations) {
      const isReplaced = replaced.some((one) => one.id === id)
      if (!pending.has(id) && !isReplaced) continue
      if (!isReplaced) await transaction.unsafe(asPostgres(sql) + postgres)
      await transaction.unsafe(
        "INSERT INTO migrations (id, applied_at, hash) VALUES ($1, $2, $3)",
        [id, new Date().toISOString(), hashOf(sql)],
      )
    }
  })
}

/** Returns the pending migrations of a database; all of them if it is empty. @throws DataRefused */
export async function pendingIn(client: SQL): Promise<string[]> {
  return pendingAfter(await appliedTo(client, false))
}

async function appliedTo(transaction: Pick<SQL, "unsafe">, isToMigrate = true): Promise<Applied[]> {
  const tables = await transaction.unsafe(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()",
  )
  if (tables.some(({ name }: { name: string }) => name === "migrations")) {
    return transaction.unsafe("SELECT id, hash FROM migrations")
  }
  if (tables.length > 0) {
    throw new DataRefused(
      "The database at TRAWL_DATABASE_URL contains another program's tables. Create a separate database for Trawl.",
    )
  }
  if (!isToMigrate) return []
  await transaction.unsafe(
    asPostgres(
      "CREATE TABLE migrations (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL, hash TEXT)",
    ),
  )
  return []
}
