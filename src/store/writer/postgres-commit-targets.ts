import type { ReservedSQL } from "bun"
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
import type { Soft } from "../commands/commands.ts"
import { type Db, hotQuery } from "../db/database.ts"
import { pipelined } from "../db/postgres/pipelined.ts"
import { type Addition, addCountsOfRuns, holdAttempts, type RunCounts } from "../db/run-counts.ts"
import { itemRows } from "../runs/items.ts"
import type { Beginning, FinishedTarget, TargetCommit } from "../runs/targets.ts"

/** `soft`: whether the commit does not wait for the disk. */
type QuietCommit = TargetCommit & Soft

/** A target of one of several commits. */
interface Ended {
  commit: TargetCommit
  target: FinishedTarget
}

/**
 * Stores the commits of several runs in one transaction of two round trips, because a page is fetched again if its
 * process is lost before: one statement for each table, which do not wait for each other's responses. Returns
 * undefined for commits with more than states, items and costs, which are not stored. May be repeated.
 * @throws AttemptGivenUp, or if an account cannot pay for everything; the transaction may still be open then
 */
export async function commitQuietly(
  db: Db,
  commits: readonly QuietCommit[],
  client: ReservedSQL,
): Promise<(RunCounts | undefined)[]> {
  const plain = plainCommits(commits)
  if (plain.size === 0) return commits.map(() => undefined)
  const counts = await commitPlain(db, [...plain], client)
  return commits.map((commit) => (plain.has(commit) ? counts.get(commit.runN) : undefined))
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

/** Returns the commits that the statements below can store, without those that follow another one of their run. */
function plainCommits(commits: readonly QuietCommit[]): Set<QuietCommit> {
  const others = new Set<number>()
  const places = new Set<string>()
  return new Set(
    commits.filter((commit) => {
      const own = commit.finished.map(({ seq }) => `${commit.runN} ${seq}`)
      const isFirst = !others.has(commit.runN) && own.every((place) => !places.has(place))
      if (!isFirst || !isPlain(commit)) {
        others.add(commit.runN)
        return false
      }
      for (const place of own) places.add(place)
      return true
    }),
  )
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

/** Returns the new counters by run. */
async function commitPlain(
  db: Db,
  commits: readonly QuietCommit[],
  client: ReservedSQL,
): Promise<Map<number, RunCounts>> {
  const isSoft = commits.every(({ soft }) => soft)
  const [, counts, covers, , ended] = await pipelined([
    // Sent at once: without `execute`, it would be sent when it is awaited, after the others.
    client`BEGIN`.execute(),
    holdAttempts(db, commits),
    coversOf(db, commits),
    setTransaction(db, isSoft),
    // After the locks.
    sent().then(() => moveTargets(db, commits)),
  ])
  const credits = creditsOf(ended, covers)
  const items = ended.flatMap(({ commit, target }) =>
    itemRows(commit.runN, target.seq, 0, target.items),
  )
  await chargeAll(db, ended, covers)
  const additions = additionsOf(commits, ended, credits)
  const [, added] = await pipelined([
    // First, because it is the only one that can fail before it is sent.
    items.length > 0 ? insertTogether(db, JSON.stringify(items)) : [],
    additions.length > 0 ? addCountsOfRuns(db, additions) : new Map<number, RunCounts>(),
    dropNotesOf(db, ended),
    addUsageOf(db, ended, credits),
    // If another one fails, the server rolls all of them back.
    sent().then(() => client`COMMIT`),
  ])
  for (const [runN, row] of added) counts.set(runN, row)
  return counts
}

/** Resolves when the statements of this turn have been sent, so that the next one follows them. */
const sent = () => new Promise((resolve) => setImmediate(resolve))

/** The settings of every writing transaction (`postgres-tenant.ts`), as a statement that others do not wait for. */
const setTransaction = hotQuery<unknown, [isSoft: boolean]>(
  () => sql`SELECT set_config('idle_in_transaction_session_timeout', '10000', true),
    set_config('lock_timeout', '15000', true), set_config('synchronous_commit',
      CASE WHEN ${true}::boolean THEN 'off' ELSE current_setting('synchronous_commit') END, true)`,
)

/** Inserts items by a statement that is the same for any number, because a new one takes two round trips. */
const insertTogether = hotQuery<unknown, [rows: string]>(
  () => sql`
    INSERT INTO items (run_n, seq, idx, is_error, body)
    SELECT run_n, seq, idx, is_error, body FROM json_to_recordset((${""}::text)::json)
      AS item (run_n bigint, seq bigint, idx bigint, is_error bigint, body text)`,
)

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

/**
 * Locks the accounts in the order of their IDs, so that transactions cannot block each other.
 * @throws if an account cannot pay for everything
 */
async function coversOf(db: Db, commits: readonly TargetCommit[]): Promise<Map<string, Cover>> {
  const accounts = Map.groupBy(commits, ({ accountId }) => accountId)
  accounts.delete(null)
  const covers = [...accounts].sort().map(async ([accountId, ofAccount]) => {
    const charges = ofAccount
      .flatMap((commit) => commit.finished.map((target) => chargeOf({ commit, target })))
      .filter((charge) => targetCost(charge) > 0)
    const free = { unlimited: true, limitedKeys: new Set<string>() }
    const cover = charges.length === 0 ? free : await coverOf(db, accountId!, charges)
    if (!cover) throw new Error("An account cannot pay for everything.")
    return [accountId!, cover] as const
  })
  return new Map(await pipelined(covers))
}

const move = hotQuery<{ n: number; seq: number }, [moves: string]>(
  () => sql`
    UPDATE targets SET state = move.state, fetch_method =
      CASE move.state WHEN 'running' THEN targets.fetch_method ELSE move.method END
    FROM json_to_recordset((${""}::text)::json)
      AS move (n bigint, seq bigint, state text, method text)
    WHERE targets.run_n = move.n AND targets.seq = move.seq
      AND (targets.state = 'queued' OR (targets.state = 'running' AND move.state <> 'running'))
    RETURNING targets.run_n AS n, targets.seq`,
)

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
  const rows = await move(db, JSON.stringify(moves))
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
  await pipelined(
    [...rows.keys()].sort().map((name) => {
      const ofRow = rows.get(name)!
      const { accountId, keyId, slug, at } = ofRow[0]!.commit
      const targets = ofRow.map(({ target }) => target)
      return addUsage(db, {
        accountId,
        keyId,
        slug,
        at,
        pages: sum(targets, ({ pages }) => pages),
        items: sum(targets, ({ items }) => items.filter(({ isError }) => !isError).length),
        credits: sum(targets, (target) => credits.get(target) ?? 0),
        bytes: sum(targets, ({ bytes }) => bytes),
      })
    }),
  )
}

function additionsOf(
  commits: readonly TargetCommit[],
  ended: readonly Ended[],
  credits: ReadonlyMap<FinishedTarget, number>,
): Addition[] {
  const ending = commits.filter(({ finished }) => finished.length > 0)
  return [...Map.groupBy(ending, ({ runN }) => runN)].map(([runN, ofRun]) => {
    const targets = ended.filter(({ commit }) => commit.runN === runN).map(({ target }) => target)
    const errors = sum(targets, ({ items }) => items.filter(({ isError }) => isError).length)
    return {
      runN,
      attempt: ofRun[0]!.attempt,
      movesOn: ofRun.some(({ movesOn }) => movesOn),
      item_count: sum(targets, ({ items }) => items.length) - errors,
      error_count: errors,
      page_count: sum(targets, ({ pages }) => pages),
      targets_done: targets.length,
      targets_failed: targets.filter(({ failed }) => failed).length,
      credits_charged: sum(targets, (target) => credits.get(target) ?? 0),
    }
  })
}

function sum<T>(values: readonly T[], amount: (value: T) => number): number {
  return values.reduce((total, value) => total + amount(value), 0)
}
