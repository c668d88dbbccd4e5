import type { Insertable, Selectable, Updateable } from "kysely"
import type { Db } from "../db/database.ts"
import { held } from "../db/dialect.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import type { DestinationsTable } from "../tables/destination-tables.ts"

export type DestinationRow = Selectable<DestinationsTable>

interface Owned {
  id: string
  accountId: string
}

/** Stores a destination; returns the stored one if the ID is known, "taken" or "full" if it is refused. */
export async function createDestination(
  db: Db,
  { maximum: max, ...destination }: Insertable<DestinationsTable> & { maximum: number },
): Promise<DestinationRow | "taken" | "full"> {
  const { id, account_id: accountId } = destination
  await held(db, db.selectFrom("accounts").select("id").where("id", "=", accountId)).execute()
  const known = await destinationById(db, { id, accountId })
  if (known) return known
  const { total } = await listDestinations(db, accountId, { limit: 1, offset: 0 })
  if (total >= max) return "full"
  const row = await db
    .insertInto("destinations")
    .values(destination)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? "taken"
}

/** Returns undefined if there is none, "taken" if another one has the new name. */
export async function changeDestination(
  db: Db,
  { id, accountId, set }: Owned & { set: Updateable<DestinationsTable> },
): Promise<DestinationRow | "taken" | undefined> {
  await held(db, db.selectFrom("accounts").select("id").where("id", "=", accountId)).execute()
  if (set.name !== undefined) {
    const other = await destinationByName(db, { name: set.name, accountId })
    if (other && other.id !== id) return "taken"
    const before = await destinationById(db, { id, accountId })
    if (before) await renameChoices(db, { accountId, from: before.name, to: set.name })
  }
  return db
    .updateTable("destinations")
    .set(set)
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Deletes a destination with its deliveries. Schedules and recipes that name it no longer deliver
 * to it.
 */
export async function deleteDestination(db: Db, { id, accountId }: Owned): Promise<boolean> {
  const deleted = await db
    .deleteFrom("destinations")
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .returning("name")
    .executeTakeFirst()
  if (deleted) await renameChoices(db, { accountId, from: deleted.name, to: null })
  return deleted !== undefined
}

/** Updates the name of a destination in schedules and recipes. */
async function renameChoices(
  db: Db,
  { accountId, from, to }: { accountId: string; from: string; to: string | null },
): Promise<void> {
  for (const table of ["schedules", "recipes"] as const) {
    await db
      .updateTable(table)
      .set({ destination: to })
      .where("account_id", "=", accountId)
      .where("destination", "=", from)
      .execute()
  }
}

export async function destinationById(
  db: Db,
  { id, accountId }: Owned,
): Promise<DestinationRow | undefined> {
  return db
    .selectFrom("destinations")
    .selectAll()
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst()
}

export async function destinationByName(
  db: Db,
  { name, accountId }: { name: string; accountId: string },
): Promise<DestinationRow | undefined> {
  return db
    .selectFrom("destinations")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .executeTakeFirst()
}

export async function listDestinations(
  db: Db,
  accountId: string,
  page: Page,
): Promise<Listed<DestinationRow>> {
  const query = db.selectFrom("destinations").where("account_id", "=", accountId).selectAll()
  return listed(query, page, "id")
}

/** Returns the destinations of all accounts. */
export async function allDestinations(db: Db, page: Page): Promise<Listed<DestinationRow>> {
  return listed(db.selectFrom("destinations").selectAll(), page, "id")
}

/** Returns destinations of any account by ID or name, at most two. */
export async function destinationsNamed(db: Db, idOrName: string): Promise<DestinationRow[]> {
  return db
    .selectFrom("destinations")
    .selectAll()
    .where((row) => row.or([row("id", "=", idOrName), row("name", "=", idOrName)]))
    .limit(2)
    .execute()
}
