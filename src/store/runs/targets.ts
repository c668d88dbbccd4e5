import { sql } from "kysely"
import { chargeTarget, targetCost } from "../accounts/credits.ts"
import { addUsage } from "../accounts/usage.ts"
import { type Db, hotQuery, isPostgres } from "../db/database.ts"
import { numbersOf } from "../db/dialect.ts"
import { type Attempt, addCounts, holdAttempt, type RunCounts } from "../db/run-counts.ts"
import { insertItems, itemRows, type NewItem } from "./items.ts"
import { type MemoryKey, remember } from "./memory.ts"
import { dropNotes, keepNotes, type NewNote } from "./notes.ts"
import { moveStaged } from "./staged-items.ts"
import { tablesSucceeded } from "./upstream-tables.ts"

export interface FinishedTarget {
  seq: number
  failed: boolean
  /** Number of staged items of this target. */
  staged: number
  items: NewItem[]
  /** Key and JSON of targets that were found while scraping. */
  followed: [key: string, target: string][]
  /** Pages to charge; `unlockerPages` of them came through the unlocker. */
  pages: number
  unlockerPages: number
  /** Responses of the operator's model. */
  modelAnswers?: number
  bytes: number
  /** The most capable fetch method that the target needed. */
  fetchMethod?: string
  /** Values (JSON texts) for the scraper's memory, by key. */
  remembered: Record<string, string>
  /** Sites whose site constants worked for the target, if that is new. */
  tables: string[]
}

export interface TargetCommit extends Attempt {
  /** Targets that start with this commit. */
  started: number[]
  /** Notes of running targets, or of targets that end with this commit. */
  notes: NewNote[]
  finished: FinishedTarget[]
  runId: string
  /** Null for a run of an anonymous caller. */
  accountId: string | null
  /** Owner of the values that the scraper remembers. */
  memoryOwner: string
  /** The key that started the run; its own credit limit counts, too. */
  keyId: string | null
  /** Maximum credits of the run; null means no limit of its own. */
  maxCredits?: number | null
  slug: string
  tier: "free" | "premium"
  /** Whether the run no longer waits, so that its status message is cleared. */
  movesOn?: boolean
  at: string
}

/**
 * Stores the results of several targets of a run, all or nothing: states, items, followed targets,
 * notes, memory, counters, credits. A finished target is skipped, so that a commit may be repeated.
 * @throws AttemptGivenUp
 */
export async function commitTargets(db: Db, commit: TargetCommit): Promise<RunCounts> {
  await holdAttempt(db, commit)
  if (commit.started.length > 0) await begin(db, commit.runN, commit.started)
  await keepNotes(db, commit.runN, commit.notes)
  if (commit.finished.length === 0) return addCounts(db, commit, {})
  const ended = await endTargets(db, commit.runN, commit.finished)
  const bill = await charge(db, commit, ended)
  const retained = bill.unpaid.length === 0 ? ended : await refund(db, commit.runN, ended, bill)
  await keepMemory(db, { owner: commit.memoryOwner, slug: commit.slug }, retained, commit.at)
  const restarting = ended.filter((target) => target.failed || !retained.includes(target))
  await dropNotes(
    db,
    commit.runN,
    restarting.map(({ seq }) => seq),
  )
  await tablesSucceeded(db, [...new Set(retained.flatMap(({ tables }) => tables))], commit.at)
  if (commit.movesOn) await forgetWait(db, commit.runN)
  const stored = await storeItems(db, commit.runN, retained)
  await addUsage(db, {
    ...commit,
    pages: sum(retained, (target) => target.pages),
    items: stored.item_count,
    credits: bill.credits,
    bytes: sum(retained, (target) => target.bytes),
  })
  const counts = await addCounts(db, commit, {
    ...stored,
    targets_done: retained.length,
    targets_failed: retained.filter((target) => target.failed).length,
    targets_total: await addFollowed(db, commit.runN, retained),
    page_count: sum(retained, (target) => target.pages),
    credits_charged: bill.credits,
  })
  return { ...counts, outOfCredit: bill.outOfCredit }
}

const beginning = (db: Db, runN: number, seqs: readonly number[]) => sql`
  UPDATE targets SET state = 'running'
  WHERE run_n = ${runN} AND state = 'queued' AND seq IN ${numbersOf(db, seqs)}`
const beginHere = hotQuery<unknown, [runN: number, seqs: string]>((db) => beginning(db, 0, []))

async function begin(db: Db, runN: number, seqs: number[]): Promise<void> {
  if (isPostgres(db)) await beginning(db, runN, seqs).execute(db)
  else await beginHere(db, runN, JSON.stringify(seqs))
}

/** Targets of a run that start. */
export interface Beginning extends Attempt {
  seqs: number[]
}

/** Marks queued targets as running. @throws AttemptGivenUp */
export async function beginTargets(db: Db, { seqs, ...attempt }: Beginning): Promise<void> {
  await holdAttempt(db, attempt)
  await begin(db, attempt.runN, seqs)
}

async function forgetWait(db: Db, runN: number): Promise<void> {
  await db.updateTable("runs").set({ status_message: null }).where("n", "=", runN).execute()
}

const ending = (db: Db, state: string, method: string | null, runN: number, seqs: number[]) => sql<{
  seq: number
}>`
  UPDATE targets SET state = ${state}, fetch_method = ${method}
  WHERE run_n = ${runN} AND state IN ('queued', 'running') AND seq IN ${numbersOf(db, seqs)}
  RETURNING seq`
const endHere = hotQuery<
  { seq: number },
  [state: string, method: string | null, runN: number, seqs: string]
>((db) => ending(db, "", null, 0, []))

/** Ends targets; returns those that had not ended before. */
async function endTargets(
  db: Db,
  runN: number,
  finished: FinishedTarget[],
): Promise<FinishedTarget[]> {
  const moved = new Set<number>()
  const alike = Map.groupBy(finished, ({ failed, fetchMethod = "" }) => `${failed} ${fetchMethod}`)
  for (const targets of alike.values()) {
    const { failed, fetchMethod = null } = targets[0]!
    const seqs = targets.map(({ seq }) => seq)
    const state = failed ? "failed" : "done"
    const rows = isPostgres(db)
      ? (await ending(db, state, fetchMethod, runN, seqs).execute(db)).rows
      : await endHere(db, state, fetchMethod, runN, JSON.stringify(seqs))
    for (const { seq } of rows) moved.add(seq)
  }
  return finished.filter((target) => moved.has(target.seq))
}

async function storeItems(db: Db, runN: number, finished: FinishedTarget[]) {
  let staged = 0
  let stagedErrors = 0
  for (const target of finished) {
    if (target.staged === 0) continue
    const retained = await moveStaged(db, runN, target.seq)
    staged += retained.items
    stagedErrors += retained.errors
  }
  const rows = finished.flatMap((target) => itemRows(runN, target.seq, target.staged, target.items))
  await insertItems(db, "items", rows)
  const errors = stagedErrors + sum(rows, (row) => row.is_error)
  return { item_count: staged + rows.length - errors, error_count: errors }
}

const followHere = hotQuery<unknown, [runN: number, followed: string, sameRunN: number]>(
  () => sql`
    INSERT INTO targets (run_n, seq, key, target)
    SELECT ${0}, next.free + found.key, found.value ->> 0, found.value ->> 1
    FROM json_each(${""}) AS found,
      (SELECT seq + 1 AS free FROM targets WHERE run_n = ${0} ORDER BY seq DESC LIMIT 1) AS next
    WHERE true
    ON CONFLICT (run_n, key) DO NOTHING
    RETURNING 1`,
)

/** Appends targets to the run; returns the number of new ones. */
async function addFollowed(db: Db, runN: number, finished: FinishedTarget[]): Promise<number> {
  const followed = finished.flatMap((target) => target.followed)
  if (followed.length === 0) return 0
  if (isPostgres(db)) return addFollowedRows(db, runN, followed)
  return (await followHere(db, runN, JSON.stringify(followed), runN)).length
}

/**
 * Keys may contain characters that PostgreSQL's JSON functions refuse, so that they are sent as
 * lists of texts.
 */
async function addFollowedRows(
  db: Db,
  runN: number,
  followed: readonly (readonly [key: string, target: string])[],
): Promise<number> {
  const keys = followed.map(([key]) => key.replaceAll("\0", "\uFFFD"))
  const targets = followed.map(([, target]) => target)
  const result = await sql`
    INSERT INTO targets (run_n, seq, key, target)
    SELECT ${runN}, next.free + found.place - 1, found.key, found.target
    FROM unnest(${keys}::text[], ${targets}::text[]) WITH ORDINALITY AS found (key, target, place),
      (SELECT seq + 1 AS free FROM targets WHERE run_n = ${runN} ORDER BY seq DESC LIMIT 1) AS next
    ON CONFLICT (run_n, key) DO NOTHING`.execute(db)
  return Number(result.numAffectedRows ?? 0)
}

interface Bill {
  credits: number
  outOfCredit: boolean
  /** Targets that no credits were left for. */
  unpaid: number[]
}

/** Returns the credits that the run may still cost by its own limit. */
async function creditsLeft(db: Db, { runN, maxCredits }: TargetCommit): Promise<number> {
  if (maxCredits === null || maxCredits === undefined) return Number.POSITIVE_INFINITY
  const run = await db
    .selectFrom("runs")
    .select("credits_charged")
    .where("n", "=", runN)
    .executeTakeFirstOrThrow()
  return maxCredits - run.credits_charged
}

async function charge(db: Db, commit: TargetCommit, targets: FinishedTarget[]): Promise<Bill> {
  const bill: Bill = { credits: 0, outOfCredit: false, unpaid: [] }
  const { accountId, keyId, runId, tier, at } = commit
  if (accountId === null) return bill
  let left = await creditsLeft(db, commit)
  for (const { seq, pages, unlockerPages, modelAnswers = 0 } of targets) {
    // A target is charged in full or not stored, so that the run never exceeds its maximum.
    const cost = targetCost({ tier, pages, unlockerPages, modelAnswers })
    if (cost > left) {
      bill.outOfCredit = true
      bill.unpaid.push(seq)
      continue
    }
    const part = await chargeTarget(db, {
      accountId,
      keyId,
      runId,
      tier,
      pages,
      unlockerPages,
      modelAnswers,
      at,
    })
    bill.credits += part.credits
    left -= part.credits
    bill.outOfCredit ||= part.outOfCredit
    if (!part.paid) bill.unpaid.push(seq)
  }
  return bill
}

/** Requeues targets that could not be charged; returns the others. */
async function refund(db: Db, runN: number, targets: FinishedTarget[], { unpaid }: Bill) {
  await db
    .updateTable("targets")
    .set({ state: "queued" })
    .where("run_n", "=", runN)
    .where("seq", "in", unpaid)
    .execute()
  return targets.filter((target) => !unpaid.includes(target.seq))
}

async function keepMemory(db: Db, key: MemoryKey, finished: FinishedTarget[], at: string) {
  const values = Object.assign({}, ...finished.map((target) => target.remembered))
  await remember(db, { ...key, values, at })
}

/** Returns the positions of a run's finished targets, in order. */
export async function finishedTargets(db: Db, runN: number): Promise<number[]> {
  const rows = await db
    .selectFrom("targets")
    .select("seq")
    .where("run_n", "=", runN)
    .where("state", "in", ["done", "failed"])
    .orderBy("seq")
    .execute()
  return rows.map(({ seq }) => seq)
}

/** Returns a run's queued targets in order, after `after`. */
export async function queuedTargets(
  db: Db,
  { runN, after, limit }: { runN: number; after: number; limit: number },
): Promise<{ seq: number; target: string; suspicion: number }[]> {
  return db
    .selectFrom("targets")
    .select(["seq", "target", "suspicion"])
    .where("run_n", "=", runN)
    .where("seq", ">", after)
    .where("state", "=", "queued")
    .orderBy("seq")
    .limit(limit)
    .execute()
}

function sum<T>(values: readonly T[], amount: (value: T) => number): number {
  return values.reduce((total, value) => total + amount(value), 0)
}
