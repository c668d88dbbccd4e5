import { sql } from "kysely"
import { type Db, hotQuery } from "../db/database.ts"
import { newId } from "../db/ids.ts"
import { TargetSet } from "./target-set.ts"

/** A run that is stored in the same transaction, with what chooses its destinations. */
export interface RunToDeliver {
  id: string
  accountId: string | null
  slug: string
  recipe: string | null
  origin: string
  /** Name of the destination that its call or batch chooses. */
  destination?: string | null
  at: string
}

interface Candidate {
  id: string
  name: string
  scraper: string | null
  schedule_id: string | null
}

/** Executed for each run of an account. */
const candidatesOf = hotQuery<Candidate, [string]>((db) =>
  db
    .selectFrom("destinations")
    .select(["id", "name", "scraper", "schedule_id"])
    .where("account_id", "=", "")
    .where("disabled_at", "is", sql.lit(null)),
)

/** Queues the deliveries of a new run: to the destination that is chosen for it, and to those that receive all such runs. */
export async function attachDestinations(db: Db, run: RunToDeliver): Promise<void> {
  if (run.accountId === null) return
  const candidates = await candidatesOf(db, run.accountId)
  if (candidates.length === 0) return
  const schedule = await scheduleOf(db, run)
  const names = [run.destination, schedule?.destination, await recipesDestination(db, run)]
  for (const { id, name, scraper, schedule_id } of candidates) {
    const isWanted =
      names.includes(name) ||
      (scraper !== null && (scraper === run.slug || scraper === run.recipe)) ||
      (schedule_id !== null && schedule_id === schedule?.id)
    if (isWanted) await queueRunDelivery(db, { destinationId: id, runId: run.id, at: run.at })
  }
}

async function recipesDestination(db: Db, { accountId, recipe }: RunToDeliver) {
  if (!recipe) return undefined
  const row = await db
    .selectFrom("recipes")
    .select("destination")
    .where("account_id", "=", accountId!)
    .where("slug", "=", recipe)
    .executeTakeFirst()
  return row?.destination
}

async function scheduleOf(db: Db, { id, origin }: RunToDeliver) {
  if (origin !== "schedule") return undefined
  return db
    .selectFrom("scheduled_runs")
    .innerJoin("schedules", "schedules.id", "scheduled_runs.schedule_id")
    .select(["schedules.id", "schedules.destination"])
    .where("scheduled_runs.run_id", "=", id)
    .executeTakeFirst()
}

/**
 * Queues the delivery of a run, which is delivered to a destination once. Returns the delivery's
 * ID, or null if it exists already.
 */
export async function queueRunDelivery(
  db: Db,
  { destinationId, runId, at }: { destinationId: string; runId: string; at: string },
): Promise<string | null> {
  const row = await db
    .insertInto("run_deliveries")
    .values({
      id: newId("rdl"),
      destination_id: destinationId,
      run_id: runId,
      state: "waiting",
      next_at: at,
      created_at: at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst()
  return row?.id ?? null
}

/**
 * Adds a delivery for the further targets of a finished run that continues. Called when its failed
 * targets are queued again.
 */
export async function deliverAgain(db: Db, run: { id: string; n: number }): Promise<void> {
  const before = await db
    .selectFrom("run_deliveries")
    .select((row) => ["destination_id", row.fn.max<number>("pass").as("pass")])
    .where("run_id", "=", run.id)
    .groupBy("destination_id")
    .execute()
  if (before.length === 0) return
  const at = new Date().toISOString()
  const finished = await db
    .selectFrom("targets")
    .select("seq")
    .where("run_n", "=", run.n)
    .where("state", "in", ["done", "failed"])
    .execute()
  const settled = TargetSet.of(finished.map(({ seq }) => seq)).toString()
  await db
    .insertInto("run_deliveries")
    .values(
      before.map(({ destination_id, pass }) => ({
        id: newId("rdl"),
        destination_id,
        run_id: run.id,
        pass: Number(pass) + 1,
        settled,
        state: "waiting" as const,
        next_at: at,
        created_at: at,
      })),
    )
    .execute()
}
