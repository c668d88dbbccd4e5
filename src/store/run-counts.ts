import { type Db, isPostgres } from "./database.ts"
import { held } from "./dialect.ts"

/** Identifies an attempt at a run; writes of an attempt that was given up are refused. */
export interface Attempt {
  runN: number
  attempt: number
}

export interface RunCounts {
  itemCount: number
  errorCount: number
  pageCount: number
  targetsDone: number
  targetsFailed: number
  targetsTotal: number
  outOfCredit: boolean
}

/** The attempt was given up: its run is executed by another worker, or by none. */
class AttemptGivenUp extends Error {
  override name = "AttemptGivenUp"
}

const counters = [
  "item_count",
  "error_count",
  "page_count",
  "targets_done",
  "targets_failed",
  "targets_total",
  "credits_charged",
] as const

/**
 * In PostgreSQL, locks the run, so that the attempt is not given up while it writes.
 * @throws AttemptGivenUp
 */
export async function holdAttempt(db: Db, attempt: Attempt): Promise<void> {
  if (isPostgres(db)) await addCounts(db, attempt, {})
}

/** Adds to a run's counters and returns them. @throws AttemptGivenUp */
export async function addCounts(
  db: Db,
  { runN, attempt }: Attempt,
  more: Partial<Record<(typeof counters)[number], number>>,
): Promise<RunCounts> {
  const changed = counters.filter((counter) => more[counter])
  const row =
    changed.length === 0
      ? await held(
          db,
          db
            .selectFrom("runs")
            .select(counters)
            .where("n", "=", runN)
            .where("attempt", "=", attempt)
            .where("status", "in", ["running", "aborting"]),
        ).executeTakeFirst()
      : await db
          .updateTable("runs")
          .set((eb) =>
            Object.fromEntries(
              changed.map((counter) => [counter, eb(counter, "+", more[counter]!)]),
            ),
          )
          .where("n", "=", runN)
          .where("attempt", "=", attempt)
          .where("status", "in", ["running", "aborting"])
          .returning(counters)
          .executeTakeFirst()
  if (!row) throw new AttemptGivenUp(`Attempt ${attempt} at the run was given up.`)
  return {
    itemCount: row.item_count,
    errorCount: row.error_count,
    pageCount: row.page_count,
    targetsDone: row.targets_done,
    targetsFailed: row.targets_failed,
    targetsTotal: row.targets_total,
    outOfCredit: false,
  }
}
