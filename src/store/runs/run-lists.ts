import { sql } from "kysely"
import { type Db, hotQuery } from "../db/database.ts"
import { storedCount } from "../db/list-counts.ts"
import { asMade, type Listed, listed, type Page } from "../db/page.ts"
import type { RunStatus } from "../tables/run-status.ts"
import type { RunRow } from "../tables/schema.ts"
import type { LogRow } from "./run-log.ts"

export interface RunFilter {
  status?: RunStatus
  slug?: string
  recipe?: string
  /** ISO 8601 UTC, inclusive. */
  createdAfter?: string
  createdBefore?: string
  /** Whether only runs with a dataset are returned. */
  hasDataset?: boolean
  /** Name of the runs' dataset. */
  datasetName?: string
  /** Part of the title, of the scraper's name or of the recipe's name. */
  search?: string
}

const runOfAccount = hotQuery<RunRow, [id: string, accountId: string]>((db) =>
  db
    .selectFrom("runs")
    .selectAll()
    .where("id", "=", "")
    .where("account_id", "=", "")
    .where("deleted_at", "is", sql.lit(null)),
)

/** Returns a run of this account. */
export async function accountRun(
  db: Db,
  run: { id: string; accountId: string },
): Promise<RunRow | undefined> {
  return (await runOfAccount(db, run.id, run.accountId))[0]
}

/**
 * Returns a run of this account immediately from SQLite; undefined in PostgreSQL or if it does not
 * exist.
 */
export function knownRun(db: Db, run: { id: string; accountId: string }): RunRow | undefined {
  const rows = runOfAccount(db, run.id, run.accountId)
  return rows instanceof Promise ? undefined : rows[0]
}

/** A run as lists return it. */
export type ListedRun = Omit<RunRow, "input"> & { input?: string }

const columns: Record<keyof Omit<RunRow, "input">, true> = {
  n: true,
  id: true,
  dataset_id: true,
  slug: true,
  recipe: true,
  appended_to: true,
  unique_by: true,
  dataset_name: true,
  transform: true,
  session: true,
  title: true,
  status: true,
  status_message: true,
  account_id: true,
  memory_owner: true,
  key_id: true,
  origin: true,
  item_count: true,
  error_count: true,
  page_count: true,
  targets_done: true,
  targets_failed: true,
  targets_total: true,
  credits_charged: true,
  attempt: true,
  done_before: true,
  suspicion: true,
  max_items: true,
  max_pages: true,
  max_credits: true,
  trace_parent: true,
  timeout_seconds: true,
  worked_ms: true,
  capped: true,
  error_code: true,
  error_message: true,
  created_at: true,
  started_at: true,
  finished_at: true,
  deleted_at: true,
  dataset_deleted_at: true,
  process_id: true,
  not_before: true,
  expires_at: true,
  priority: true,
  targets_known: true,
  start_failures: true,
}
export const visibleColumns = Object.keys(columns) as (keyof typeof columns)[]

/** Runs read at once: each contains its input, which may be large. */
const runsAtOnce = 50

/**
 * Returns a part of the account's runs, newest first, in small groups. Their inputs, which may be
 * large, are read only if requested.
 */
export async function* accountRuns(
  db: Db,
  accountId: string,
  filter: RunFilter,
  page: Page & { withInput?: boolean },
): AsyncGenerator<ListedRun> {
  let left = page.limit
  let offset = page.offset
  let before = page.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(page.cursor)
  while (left > 0) {
    const rows = await ownRuns(db, accountId, filter)
      .select(visibleColumns)
      .$if(page.withInput === true, (query) => query.select("input"))
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
  const { hasDataset, ...others } = filter
  if (Object.values(others).every((value) => value === undefined)) {
    const known = await storedCount(db, accountId, hasDataset ? "datasets" : "runs")
    if (known !== undefined) return known
  }
  const { total } = await ownRuns(db, accountId, filter)
    .select((row) => row.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow()
  return total
}

/**
 * Selects an account's runs from an index only, with any filter; see the migration of the lists.
 */
function ownRuns(db: Db, accountId: string, filter: RunFilter) {
  const { status, slug, recipe, createdAfter, createdBefore, hasDataset, datasetName } = filter
  const { search } = filter
  const part = `%${search?.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`
  const has = (column: "title" | "slug" | "recipe") =>
    sql<boolean>`lower(${sql.ref(column)}) LIKE ${part} ESCAPE '\\'`
  return db
    .selectFrom("runs")
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .$if(hasDataset === true, (query) => query.where("dataset_deleted_at", "is", null))
    .$if(datasetName !== undefined, (query) => query.where("dataset_name", "=", datasetName!))
    .$if(search !== undefined, (query) =>
      query.where(({ or }) => or([has("title"), has("slug"), has("recipe")])),
    )
    .$if(status !== undefined, (query) => query.where("status", "=", status!))
    .$if(slug !== undefined, (query) => query.where("slug", "=", slug!))
    .$if(recipe !== undefined, (query) => query.where("recipe", "=", recipe!))
    .$if(createdAfter !== undefined, (query) => query.where("created_at", ">=", createdAfter!))
    .$if(createdBefore !== undefined, (query) => query.where("created_at", "<=", createdBefore!))
}

/** Returns IDs of some of the account's unfinished runs. */
export async function liveRunIds(db: Db, accountId: string, max: number): Promise<string[]> {
  const rows = await db
    .selectFrom("runs")
    .select("id")
    .where("account_id", "=", accountId)
    .where("deleted_at", "is", null)
    .where("status", "in", ["queued", "running", "aborting"])
    .limit(max)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns a page of a run's log, in order. */
export function logPage(db: Db, runN: number, page: Page): Promise<Listed<LogRow>> {
  const lines = db.selectFrom("run_log").where("run_n", "=", runN)
  return listed(lines.select(["id", "at", "level", "message"]), page, "id", asMade)
}

/** Errors of runs that were given up: no worker retries them automatically. */
export const deadLetterCodes = ["crashed", "not_started"] as const

/** Returns the runs of all accounts that were given up, newest first. */
export function deadLetters(db: Db, limit: number) {
  return (
    db
      .selectFrom("runs")
      .leftJoin("accounts", "accounts.id", "runs.account_id")
      // The same condition as that of the index.
      .where(
        "runs.error_code",
        "in",
        deadLetterCodes.map((code) => sql.lit(code)),
      )
      .where("runs.finished_at", "is not", null)
      .where("runs.deleted_at", "is", null)
      .select([
        "runs.id",
        "runs.slug",
        "runs.error_code",
        "runs.error_message",
        "runs.attempt",
        "runs.finished_at",
        "accounts.email",
      ])
      .orderBy("runs.finished_at", "desc")
      .limit(limit)
      .execute()
  )
}

const unfinished = ["running", "aborting", "queued"] as const

/** Returns the oldest unfinished runs with their accounts; each state is read by its index. */
export async function unfinishedRuns(db: Db, limit: number) {
  const states = await Promise.all(unfinished.map((status) => runsInState(db, status, limit)))
  return states.flat().slice(0, limit)
}

function runsInState(db: Db, status: RunStatus, limit: number) {
  return db
    .selectFrom("runs")
    .leftJoin("accounts", "accounts.id", "runs.account_id")
    .where("runs.status", "=", status)
    .where("runs.deleted_at", "is", null)
    .select([
      "runs.id",
      "runs.slug",
      "runs.status",
      "runs.status_message",
      "runs.targets_done",
      "runs.targets_total",
      "runs.created_at",
      "accounts.email",
    ])
    .orderBy("runs.n")
    .limit(limit)
    .execute()
}

/** Returns the inputs of runs. */
export const inputsOfRuns = (db: Db, ns: readonly number[]) =>
  db
    .selectFrom("runs")
    .select(["slug", "input"])
    .where("n", "in", [...ns])
    .orderBy("n")
    .execute()
