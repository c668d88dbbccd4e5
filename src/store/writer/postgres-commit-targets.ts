import { sql } from "kysely"
import {
  type Charge,
  type Cover,
  chargeCovered,
  coveredCost,
  coverOf,
  targetCost,
} from "../accounts/credits.ts"
import { addUsage } from "../accounts/usage.ts"
import type { Db } from "../db/database.ts"
import { pipelined } from "../db/postgres/pipelined.ts"
import { addCountsOfRuns, holdAttempts, type RunCounts } from "../db/run-counts.ts"
import { insertItems, itemRows } from "../runs/items.ts"
import {
  type Beginning,
  commitTargets,
  type FinishedTarget,
  type TargetCommit,
} from "../runs/targets.ts"

/** A target of one of several commits. */
interface Ended {
  commit: TargetCommit
  target: FinishedTarget
}

/**
 * Stores the commits of several runs in one transaction: nearly all by one statement for each table, so
 * that a page is unstored only briefly. A commit with more than states, items and costs is stored separately.
 * Returns the counters in the order of the commits. @throws AttemptGivenUp
 */
export async function commitTogether(
  db: Db,
  commits: readonly TargetCommit[],
): Promise<RunCounts[]> {
  const plain = plainCommits(commits)
  const counts = plain.size > 0 ? await commitPlain(db, [...plain.values()]) : new Map()
  const results: RunCounts[] = []
  for (const commit of commits) {
    const stored = plain.get(commit.runN) === commit ? counts.get(commit.runN) : undefined
    results.push(stored ?? (await commitTargets(db, commit)))
  }
  return results
}

/**
 * Marks targets of several runs as running by one statement that is its own transaction, and skips those of
 * attempts that were given up. The lock waits for a change of the run, so that a target that was requeued or
 * has ended meanwhile is not marked.
 */
export async function beginTogether(db: Db, beginnings: readonly Beginning[]): Promise<null[]> {
  const places = beginnings.flatMap(({ runN, attempt, seqs }) =>
    seqs.map((seq) => ({ n: runN, attempt, seq })),
  )
  await sql`
    WITH place AS MATERIALIZED (
      SELECT * FROM json_to_recordset((${JSON.stringify(places)}::text)::json)
        AS place (n bigint, attempt bigint, seq bigint)
    ), held AS (
      SELECT n FROM runs WHERE (n, attempt) IN (SELECT n, attempt FROM place)
        AND status IN ('running', 'aborting')
      ORDER BY n FOR SHARE
    )
    UPDATE targets SET state = 'running' FROM place JOIN held USING (n)
    WHERE targets.run_n = place.n AND targets.seq = place.seq AND targets.state = 'queued'`.execute(
    db,
  )
  return beginnings.map(() => null)
}

/** Returns the first commit of each run, without those that need more than the statements below. */
function plainCommits(commits: readonly TargetCommit[]): Map<number, TargetCommit> {
  const plain = new Map<number, TargetCommit>()
  const seen = new Set<number>()
  for (const commit of commits) {
    if (isPlain(commit) && !seen.has(commit.runN)) plain.set(commit.runN, commit)
    seen.add(commit.runN)
  }
  return plain
}

function isPlain({ notes, maxCredits, finished }: TargetCommit): boolean {
  return (
    notes.length === 0 &&
    (maxCredits ?? null) === null &&
    finished.every(
      ({ staged, followed, remembered, tables }) =>
        staged === 0 &&
        followed.length === 0 &&
        tables.length === 0 &&
        Object.keys(remembered).length === 0,
    )
  )
}

/** Returns the new counters by run; without the runs of accounts that cannot pay for everything. */
async function commitPlain(
  db: Db,
  commits: readonly TargetCommit[],
): Promise<Map<number, RunCounts>> {
  const [counts, covers] = await pipelined([holdAttempts(db, commits), coversOf(db, commits)])
  const paid = commits.filter(({ accountId }) => accountId === null || covers.has(accountId))
  for (const { runN } of commits) {
    if (!paid.some((commit) => commit.runN === runN)) counts.delete(runN)
  }
  const ended = await moveTargets(db, paid)
  const credits = creditsOf(ended, covers)
  const items = ended.flatMap(({ commit, target }) =>
    itemRows(commit.runN, target.seq, 0, target.items),
  )
  const additions = paid.flatMap((commit) => addition(commit, ended, credits) ?? [])
  const [added] = await pipelined([
    additions.length > 0 ? addCountsOfRuns(db, additions) : [],
    chargeAll(db, ended, covers),
    dropNotesOf(db, ended),
    insertItems(db, "items", items),
    addUsageOf(db, ended, credits),
  ])
  for (const [runN, row] of added) counts.set(runN, row)
  return counts
}

const chargeOf = ({ commit, target }: Ended): Charge => ({
  accountId: commit.accountId!,
  keyId: commit.keyId,
  runId: commit.runId,
  tier: commit.tier,
  pages: target.pages,
  unlockerPages: target.unlockerPages,
  modelAnswers: target.modelAnswers ?? 0,
  at: commit.at,
})

/** Locks the accounts in the order of their IDs, so that transactions cannot block each other. */
async function coversOf(db: Db, commits: readonly TargetCommit[]): Promise<Map<string, Cover>> {
  const accounts = Map.groupBy(commits, ({ accountId }) => accountId)
  const covers = new Map<string, Cover>()
  for (const accountId of [...accounts.keys()].sort()) {
    if (accountId === null) continue
    const charges = accounts
      .get(accountId)!
      .flatMap((commit) => commit.finished.map((target) => chargeOf({ commit, target })))
      .filter((charge) => targetCost(charge) > 0)
    const free = { unlimited: true, limitedKeys: new Set<string>() }
    const cover = charges.length === 0 ? free : await coverOf(db, accountId, charges)
    if (cover) covers.set(accountId, cover)
  }
  return covers
}

/** Starts and ends targets; returns those that end and had not ended before. */
async function moveTargets(db: Db, commits: readonly TargetCommit[]): Promise<Ended[]> {
  const moves = commits.flatMap(({ runN, started, finished }) => {
    const ends = new Map(
      finished.map(({ seq, failed, fetchMethod = null }) => [
        seq,
        { n: runN, seq, state: failed ? "failed" : "done", method: fetchMethod },
      ]),
    )
    // Of two rows for a target, the statement would apply any one.
    const starts = started.filter((seq) => !ends.has(seq))
    return [
      ...starts.map((seq) => ({ n: runN, seq, state: "running", method: null })),
      ...ends.values(),
    ]
  })
  if (moves.length === 0) return []
  const { rows } = await sql<{ n: number; seq: number }>`
    UPDATE targets SET state = move.state, fetch_method =
      CASE move.state WHEN 'running' THEN targets.fetch_method ELSE move.method END
    FROM json_to_recordset((${JSON.stringify(moves)}::text)::json)
      AS move (n bigint, seq bigint, state text, method text)
    WHERE targets.run_n = move.n AND targets.seq = move.seq
      AND (targets.state = 'queued' OR (targets.state = 'running' AND move.state <> 'running'))
    RETURNING targets.run_n AS n, targets.seq`.execute(db)
  const moved = new Set(rows.map(({ n, seq }) => `${n} ${seq}`))
  return commits.flatMap((commit) =>
    commit.finished
      .filter(({ seq }) => moved.has(`${commit.runN} ${seq}`))
      .map((target) => ({ commit, target })),
  )
}

function creditsOf(
  ended: readonly Ended[],
  covers: ReadonlyMap<string, Cover>,
): Map<FinishedTarget, number> {
  return new Map(
    ended.flatMap((one) => {
      const cover = covers.get(one.commit.accountId ?? "")
      return cover ? [[one.target, coveredCost(cover, chargeOf(one))]] : []
    }),
  )
}

async function chargeAll(
  db: Db,
  ended: readonly Ended[],
  covers: ReadonlyMap<string, Cover>,
): Promise<void> {
  for (const [accountId, cover] of covers) {
    const ofAccount = ended.filter(({ commit }) => commit.accountId === accountId)
    if (ofAccount.length === 0) continue
    const { at } = ofAccount.at(-1)!.commit
    await chargeCovered(db, { accountId, at }, cover, ofAccount.map(chargeOf))
  }
}

/** Drops the notes of targets that failed, which start from the beginning when they are retried. */
async function dropNotesOf(db: Db, ended: readonly Ended[]): Promise<void> {
  const failed = ended.filter(({ target }) => target.failed)
  if (failed.length === 0) return
  const places = failed.map(({ commit, target }) => ({ n: commit.runN, seq: target.seq }))
  await sql`
    DELETE FROM run_notes USING json_to_recordset((${JSON.stringify(places)}::text)::json)
      AS place (n bigint, seq bigint)
    WHERE run_notes.run_n = place.n AND run_notes.seq = place.seq`.execute(db)
}

/** Adds once to each row of the usage, in the order of the rows' keys. */
async function addUsageOf(
  db: Db,
  ended: readonly Ended[],
  credits: ReadonlyMap<FinishedTarget, number>,
): Promise<void> {
  const rows = Map.groupBy(ended, ({ commit: { accountId, keyId, slug, at } }) =>
    JSON.stringify([accountId ?? "", at.slice(0, 10), slug, keyId ?? ""]),
  )
  for (const name of [...rows.keys()].sort()) {
    const ofRow = rows.get(name)!
    const { accountId, keyId, slug, at } = ofRow[0]!.commit
    const targets = ofRow.map(({ target }) => target)
    await addUsage(db, {
      accountId,
      keyId,
      slug,
      at,
      pages: sum(targets, ({ pages }) => pages),
      items: sum(targets, ({ items }) => items.filter(({ isError }) => !isError).length),
      credits: sum(targets, (target) => credits.get(target) ?? 0),
      bytes: sum(targets, ({ bytes }) => bytes),
    })
  }
}

function addition(
  commit: TargetCommit,
  ended: readonly Ended[],
  credits: ReadonlyMap<FinishedTarget, number>,
) {
  const { runN, attempt, finished, movesOn = false } = commit
  if (finished.length === 0) return undefined
  const targets = ended.filter((one) => one.commit === commit).map(({ target }) => target)
  const errors = sum(targets, ({ items }) => items.filter(({ isError }) => isError).length)
  return {
    runN,
    attempt,
    movesOn,
    item_count: sum(targets, ({ items }) => items.length) - errors,
    error_count: errors,
    page_count: sum(targets, ({ pages }) => pages),
    targets_done: targets.length,
    targets_failed: targets.filter(({ failed }) => failed).length,
    credits_charged: sum(targets, (target) => credits.get(target) ?? 0),
  }
}

function sum<T>(values: readonly T[], amount: (value: T) => number): number {
  return values.reduce((total, value) => total + amount(value), 0)
}
