import { sql } from "kysely"
import { type Db, hotQuery, isPostgres } from "./database.ts"
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
class AttemptAbandoned extends Error {
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

type Counters = Record<(typeof counters)[number], number>

/** Adds to all counters by one statement, whichever change. */
const addHere = hotQuery<Counters, [...more: number[], runN: number, attempt: number]>((db) =>
  db
    .updateTable("runs")
    .set((eb) => Object.fromEntries(counters.map((counter) => [counter, eb(counter, "+", 0)])))
    .where("n", "=", 0)
    .where("attempt", "=", 0)
    .where(sql<boolean>`status IN ('running', 'aborting')`)
    .returning(counters),
)

/** Adds to a run's counters and returns them. @throws AttemptGivenUp */
export async function addCounts(
  db: Db,
  { runN, attempt }: Attempt,
  more: Partial<Record<(typeof counters)[number], number>>,
): Promise<RunCounts> {
  const changed = counters.filter((counter) => more[counter])
  if (!isPostgres(db) && changed.length > 0) {
    const amounts = counters.map((counter) => more[counter] ?? 0)
    const [row] = await addHere(db, ...amounts, runN, attempt)
    if (!row) throw lostCounts(attempt)
    return countsOf(row)
  }
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
  if (!row) throw lostCounts(attempt)
  return countsOf(row)
}

const lostCounts = (attempt: number) =>
  new AttemptAbandoned(`Attempt ${attempt} at the run was given up.`)

function countsOf(row: Counters): RunCounts {
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

/** What several runs add to their counters. */
export interface Addition extends Attempt, Partial<Counters> {
  /** Whether the status message is cleared. */
  movesOn: boolean
}

const holdAll = hotQuery<Counters & { n: number }, [attempts: string]>(
  () => sql`
    SELECT n, ${sql.join(counters.map((counter) => sql.ref(counter)))} FROM runs
    WHERE (n, attempt) IN (
        SELECT n, attempt FROM json_to_recordset((${""}::text)::json) AS held (n bigint, attempt bigint)
      ) AND status IN ('running', 'aborting')
    ORDER BY n FOR NO KEY UPDATE`,
)

/**
 * Locks several runs in PostgreSQL; returns their counters by run.
 * @throws AttemptGivenUp if one of the attempts was given up
 */
export async function holdAttempts(
  db: Db,
  attempts: readonly Attempt[],
): Promise<Map<number, RunCounts>> {
  const list = JSON.stringify(attempts.map(({ runN, attempt }) => ({ n: runN, attempt })))
  const rows = await holdAll(db, list)
  const countsByTarget = new Map(rows.map((row) => [row.n, countsOf(row)]))
  const lost = attempts.find(({ runN }) => !countsByTarget.has(runN))
  if (lost) throw lostCounts(lost.attempt)
  return countsByTarget
}

const addToAll = hotQuery<Counters & { n: number }, [additions: string]>(() => {
  const sums = counters.map(
    (counter) =>
      sql`${sql.ref(counter)} = runs.${sql.ref(counter)} + coalesce(more.${sql.ref(counter)}, 0)`,
  )
  const types = counters.map((counter) => sql`${sql.ref(counter)} bigint`)
  return sql`
    UPDATE runs SET ${sql.join(sums)},
      status_message = CASE WHEN more."movesOn" THEN NULL ELSE runs.status_message END
    FROM json_to_recordset((${""}::text)::json) AS more (n bigint, "movesOn" boolean, ${sql.join(types)})
    WHERE runs.n = more.n
    RETURNING runs.n, ${sql.join(counters.map((counter) => sql`runs.${sql.ref(counter)}`))}`
})

/** Adds to the counters of runs that `holdAttempts` has locked; returns them by run. */
export async function addCountsOfRuns(
  db: Db,
  additions: readonly Addition[],
): Promise<Map<number, RunCounts>> {
  const list = JSON.stringify(additions.map(({ runN, ...more }) => ({ ...more, n: runN })))
  const rows = await addToAll(db, list)
  return new Map(rows.map((row) => [row.n, countsOf(row)]))
}
