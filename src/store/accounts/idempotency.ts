import type { Selectable } from "kysely"
import type { Db } from "../db/database.ts"
import type { IdempotencyTable } from "../tables/automation-tables.ts"

export type IdempotencyRow = Selectable<IdempotencyTable>

export interface Reservation {
  accountId: string
  key: string
  fingerprint: string
  resourceId: string
  at: string
  /** Time before which reservations are ignored. */
  storedSince: string
}

/** Returns the reservation of a key: the stored one, or this one if `created` is true. */
export async function reserve(
  db: Db,
  reservation: Reservation,
): Promise<{ row: IdempotencyRow; created: boolean }> {
  const { accountId, key, at } = reservation
  await db
    .deleteFrom("idempotency")
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .where("created_at", "<", reservation.storedSince)
    .execute()
  const made = await db
    .insertInto("idempotency")
    .values({
      account_id: accountId,
      key,
      fingerprint: reservation.fingerprint,
      resource_id: reservation.resourceId,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (made) return { row: made, created: true }
  const row = await db
    .selectFrom("idempotency")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("key", "=", key)
    .executeTakeFirstOrThrow()
  return { row, created: false }
}

export async function saveResponse(
  db: Db,
  response: { accountId: string; key: string; status: number; body: string },
): Promise<void> {
  await db
    .updateTable("idempotency")
    .set({ status: response.status, body: response.body })
    .where("account_id", "=", response.accountId)
    .where("key", "=", response.key)
    .execute()
}
