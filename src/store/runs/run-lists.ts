import { type CompiledQuery, sql } from "kysely"
import type { Db } from "../database.ts"
import { type Listed, listed, type Page } from "../page.ts"
import type { RunStatus } from "../tables/run-status.ts"
import type { RunRow } from "../tables/schema.ts"
import type { LogRow } from "./run-log.ts"

export interface RunFilter {
  status?: RunStatus
  slug?: string
  /** ISO 8601 UTC, inclusive. */
  createdAfter?: string
  createdBefore?: string
  /** Only those whose dataset was not deleted. */
  hasDataset?: boolean
}

/** A query that is built once and run with other values: reading a run is the hottest path. */
const compiled = new WeakMap<Db, CompiledQuery<RunRow>>()

function runQuery(db: Db): CompiledQuery<RunRow> {
  const known = compiled.get(db)
  if (known) return known
  const made = db
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", "")
    .where("account_id", "=", "")
    .where("deleted_at", "is", sql.lit(null))
    .compile()
  compiled.set(db, made)
  return made
}

/** A run of this account. */
export async function accountRun(
  db: Db,
  run: { id: string; accountId: string },
): Promise<RunRow | undefined> {
  const query = runQuery(db)
  const { rows } = await db.executeQuery<RunRow>({ ...query, parameters: [run.id, run.accountId] })
  return rows[0]
}

/** Runs read at once: each holds its input, which may be large. */
const runsAtOnce = 50

/** A part of the account's runs, the newest first, read few by few. */
export async function* accountRuns(
  db: Db,
  accountId: string,
  filter: RunFilter,
  page: Page,
): AsyncGenerator<RunRow> {
  let left = page.limit
  let offset = page.offset
  let before = Number.MAX_SAFE_INTEGER
  while (left > 0) {
    const rows = await ownRuns(db, accountId, filter)
      .selectAll()
      .where("n", "<", before)
      .orderBy("n", "desc")
      .limit(Math.min(left, runsAtOnce))
      .offset(offset)
      .execute()
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    before = last.n
    left -= rows.length
    offset = 0
  }
}

export async function countRuns(db: Db, accountId: string, filter: RunFilter): Promise<number> {
  const { total } = await ownRuns(db, accountId, filter)
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  return total
}

/** Answered from an index alone, whatever is filtered by; see the migration of the lists. */
function ownRuns(db: Db, accountId: string, filter: RunFilter) {
  const { status, slug, createdAfter, createdBefore, hasDataset } = filter
  return db
    .selectFrom("runs")
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .$if(hasDataset === true, (query) => query.where("dataset_deleted_at", "is", null))
    .$if(status !== undefined, (query) => query.where("status", "=", status!))
    .$if(slug !== undefined, (query) => query.where("slug", "=", slug!))
    .$if(createdAfter !== undefined, (query) => query.where("created_at", ">=", createdAfter!))
    .$if(createdBefore !== undefined, (query) => query.where("created_at", "<=", createdBefore!))
}

/** A part of a run's log, in order. */
export async function logPage(db: Db, runN: number, page: Page): Promise<Listed<LogRow>> {
  const query = db
    .selectFrom("run_log")
    .where("run_n", "=", runN)
    .select(["id", "at", "level", "message"])
    .orderBy("id")
  return listed(query, page)
}
