import { type Selectable, sql } from "kysely"
import { minuteMs } from "../../base/time.ts"
import type { Db } from "../db/database.ts"
import { storeTime } from "../db/dialect.ts"
import { type Listed, listed, type Page } from "../db/page.ts"
import { announce } from "../notifications/events.ts"
import type { ItemPosition } from "../runs/items.ts"
import type { RunDeliveriesTable } from "../tables/destination-tables.ts"
import type { DestinationRow } from "./destinations.ts"

export type RunDeliveryRow = Selectable<RunDeliveriesTable>

/**
 * Milliseconds after which a process without progress loses a destination. Longer than any of its
 * requests.
 */
const leaseMs = minuteMs

const over = sql`('succeeded', 'failed', 'timed_out', 'aborted')`

export interface DueRunDelivery {
  id: string
  destinationId: string
  accountId: string
}

/**
 * Returns deliveries with work to do among the next `limit` waiting ones after `after`, and the
 * last one that was read; undefined after the last one.
 */
export async function dueRunDeliveries(
  db: Db,
  { after, limit, now }: { after: string; limit: number; now: string },
): Promise<{ due: DueRunDelivery[]; after: string | undefined }> {
  const { rows } = await sql<DueRunDelivery & { isDue: number | boolean }>`
    SELECT pending.id, pending.destination_id AS "destinationId", destinations.account_id AS "accountId",
      (pending.next_at <= ${now} AND destinations.disabled_at IS NULL
        AND (destinations.retry_at IS NULL OR destinations.retry_at <= ${now})
        AND (destinations.lease_until IS NULL OR destinations.lease_until <= ${now})
        AND (runs.id IS NULL OR runs.status IN ${over}
          OR (destinations.timing = 'as_they_come' AND runs.item_count > pending.seen))) AS "isDue"
    FROM (
      SELECT * FROM run_deliveries WHERE state = 'waiting' AND id > ${after} ORDER BY id LIMIT ${limit}
    ) AS pending
    JOIN destinations ON destinations.id = pending.destination_id
    LEFT JOIN runs ON runs.id = pending.run_id
    ORDER BY pending.id`.execute(db)
  const due = rows.filter(({ isDue }) => Boolean(isDue))
  return { due, after: rows.length < limit ? undefined : rows.at(-1)!.id }
}

/**
 * Claims a destination for one delivery; returns undefined if another process has it or nothing
 * waits.
 */
export async function claimDestination(
  db: Db,
  { deliveryId, lease }: { deliveryId: string; lease: string },
): Promise<{ destination: DestinationRow; delivery: RunDeliveryRow } | undefined> {
  const now = await storeTime(db)
  const at = now.toISOString()
  const delivery = await deliveryById(db, deliveryId)
  if (delivery?.state !== "waiting") return undefined
  const destination = await db
    .updateTable("destinations")
    .set({ lease, lease_until: new Date(now.getTime() + leaseMs).toISOString() })
    .where("id", "=", delivery.destination_id)
    .where("disabled_at", "is", null)
    .where((row) => row.or([row("lease_until", "is", null), row("lease_until", "<=", at)]))
    .returningAll()
    .executeTakeFirst()
  if (!destination) return undefined
  // Read again, as another process may have finished it just before.
  const current = await deliveryById(db, deliveryId)
  return current?.state === "waiting" ? { destination, delivery: current } : undefined
}

/**
 * Ends all leases. Only this process uses the database, so that they belong to a process that has
 * ended.
 */
export async function freeDestinations(db: Db, _: null): Promise<void> {
  await db
    .updateTable("destinations")
    .set({ lease: null, lease_until: null })
    .where("lease", "is not", null)
    .execute()
}

/** Returns a lease that is released if its process dies. */
export const newLease = (processId: string | null): string =>
  `${processId ?? ""} ${crypto.randomUUID()}`

/** Ends the leases of a process that is no longer alive, so that others need not wait for their end. */
export async function releaseOfProcess(db: Db, processId: string): Promise<void> {
  await db
    .updateTable("destinations")
    .set({ lease: null, lease_until: null })
    .where(sql<boolean>`starts_with(lease, ${`${processId} `})`)
    .execute()
}

interface Leased {
  destinationId: string
  deliveryId: string
  lease: string
}

/**
 * Extends the lease; returns false if another process has the destination, or if it was deleted or
 * disabled.
 */
async function holdLease(db: Db, { destinationId, lease }: Leased): Promise<boolean> {
  const until = new Date((await storeTime(db)).getTime() + leaseMs).toISOString()
  const { numUpdatedRows } = await db
    .updateTable("destinations")
    .set({ lease_until: until })
    .where("id", "=", destinationId)
    .where("lease", "=", lease)
    .where("disabled_at", "is", null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores the end of the part that is sent next, so that a later attempt sends the same part. */
export async function planPart(db: Db, plan: Leased & { to: ItemPosition }): Promise<boolean> {
  if (!(await holdLease(db, plan))) return false
  await db
    .updateTable("run_deliveries")
    .set({ planned: JSON.stringify(plan.to) })
    .where("id", "=", plan.deliveryId)
    .execute()
  return true
}

export interface DeliveredPart extends Leased {
  from: ItemPosition
  to: ItemPosition
  items: number
  parts: number
  notes: string[]
  at: string
}

/**
 * Records that a part was delivered; returns false if another process has delivered it meanwhile.
 */
export async function advanceRunDelivery(db: Db, part: DeliveredPart): Promise<boolean> {
  if (!(await holdLease(db, part))) return false
  const row = await deliveryById(db, part.deliveryId)
  if (!row || row.seq !== part.from.seq || row.idx !== part.from.idx) return false
  await db
    .updateTable("run_deliveries")
    .set({
      seq: part.to.seq,
      idx: part.to.idx,
      items: row.items + part.items,
      parts: row.parts + part.parts,
      planned: null,
      tries: 0,
      error: null,
      notes: joinedNotes(row.notes, part.notes),
      sent_at: part.at,
    })
    .where("id", "=", part.deliveryId)
    .execute()
  await succeeded(db, part.destinationId, part.at)
  return true
}

const maxNotes = 50

function joinedNotes(before: string, notes: readonly string[]): string {
  const all = new Set([...(JSON.parse(before) as string[]), ...notes])
  return JSON.stringify([...all].slice(0, maxNotes))
}

async function succeeded(db: Db, destinationId: string, at: string): Promise<void> {
  await db
    .updateTable("destinations")
    .set({ failures: 0, retry_at: null, delivered_at: at, error: null })
    .where("id", "=", destinationId)
    .execute()
}

export interface Outcome extends Leased {
  at: string
  /** `waiting`: more may follow. */
  state: RunDeliveryRow["state"]
  /** Number of items of the run when they were read. */
  seen?: number
  nextAt?: string
  /** Set if an attempt failed; the next one is not before `retryAt`. */
  failure?: { message: string; retryAt: string }
}

/** Ends the time slice of a delivery and releases its destination. */
export async function endDelivery(db: Db, outcome: Outcome): Promise<void> {
  const { destinationId, deliveryId, lease, at, state, failure } = outcome
  const released = await db
    .updateTable("destinations")
    .set((row) => ({
      lease: null,
      lease_until: null,
      ...(failure && {
        failures: row("failures", "+", 1),
        retry_at: failure.retryAt,
        failed_at: at,
        error: failure.message,
      }),
    }))
    .where("id", "=", destinationId)
    .where("lease", "=", lease)
    .returningAll()
    .executeTakeFirst()
  if (!released) return
  const row = await db
    .updateTable("run_deliveries")
    .set((columns) => ({
      state,
      next_at: state === "waiting" ? (outcome.nextAt ?? at) : null,
      ended_at: state === "waiting" ? null : at,
      ...(outcome.seen !== undefined && { seen: outcome.seen }),
      ...(failure && { tries: columns("tries", "+", 1), error: failure.message }),
    }))
    .where("id", "=", deliveryId)
    .returningAll()
    .executeTakeFirst()
  if (row?.state === "failed") await announceFailure(db, released, row, at)
}

async function announceFailure(
  db: Db,
  destination: DestinationRow,
  row: RunDeliveryRow,
  at: string,
) {
  const { id: destinationId, name, account_id: accountId } = destination
  await announce(db, {
    event: "destination.failed",
    to: { accountId },
    runId: row.run_id,
    at,
    data: { destinationId, name, runId: row.run_id, deliveryId: row.id, error: row.error },
  })
}

/** Queues failed deliveries again, one of them or all of a destination; returns their number. */
export async function redeliver(
  db: Db,
  { destinationId, deliveryId, at }: { destinationId: string; deliveryId?: string; at: string },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("run_deliveries")
    .set({ state: "waiting", tries: 0, next_at: at, ended_at: null })
    .where("destination_id", "=", destinationId)
    .where("state", "=", "failed")
    .$if(deliveryId !== undefined, (query) => query.where("id", "=", deliveryId!))
    .executeTakeFirstOrThrow()
  await db
    .updateTable("destinations")
    .set({ failures: 0, retry_at: null })
    .where("id", "=", destinationId)
    .execute()
  return Number(numUpdatedRows)
}

export async function deliveryById(db: Db, id: string): Promise<RunDeliveryRow | undefined> {
  return db.selectFrom("run_deliveries").selectAll().where("id", "=", id).executeTakeFirst()
}

/** Returns the delivery of the run's next pass. */
export async function nextPass(db: Db, row: RunDeliveryRow): Promise<RunDeliveryRow | undefined> {
  return db
    .selectFrom("run_deliveries")
    .selectAll()
    .where("destination_id", "=", row.destination_id)
    .where("run_id", "=", row.run_id)
    .where("pass", "=", row.pass + 1)
    .executeTakeFirst()
}

export async function listRunDeliveries(
  db: Db,
  {
    destinationId,
    state,
    runId,
  }: { destinationId: string; state?: RunDeliveryRow["state"]; runId?: string },
  page: Page,
): Promise<Listed<RunDeliveryRow>> {
  const query = db
    .selectFrom("run_deliveries")
    .where("destination_id", "=", destinationId)
    .selectAll()
    .$if(state !== undefined, (some) => some.where("state", "=", state!))
    .$if(runId !== undefined, (some) => some.where("run_id", "=", runId!))
  return listed(query, page, "id")
}

export type DeliveryCounts = Record<RunDeliveryRow["state"], number>

/** Returns the numbers of deliveries by state; without IDs, those of all destinations. */
export async function deliveryCounts(
  db: Db,
  destinationIds?: readonly string[],
): Promise<Map<string, DeliveryCounts & { items: number }>> {
  if (destinationIds?.length === 0) return new Map()
  const rows = await db
    .selectFrom("run_deliveries")
    .select((row) => [
      "destination_id",
      "state",
      row.fn.countAll<number>().as("count"),
      row.fn.sum<number>("items").as("items"),
    ])
    .$if(destinationIds !== undefined, (query) =>
      query.where("destination_id", "in", [...destinationIds!]),
    )
    .groupBy(["destination_id", "state"])
    .execute()
  const all = new Map<string, DeliveryCounts & { items: number }>()
  for (const { destination_id: id, state, count, items } of rows) {
    const counts = all.get(id) ?? { waiting: 0, delivered: 0, failed: 0, items: 0 }
    counts[state] = Number(count)
    counts.items += Number(items)
    all.set(id, counts)
  }
  return all
}
