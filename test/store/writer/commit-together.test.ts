import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { freshKey } from "../../../src/accounts/keys.ts"
import { DatabaseCheckpoints } from "../../../src/engine/runtime/run/database-checkpoints.ts"
import { openPostgres } from "../../../src/store/db/postgres/client.ts"
import type { TargetCommit } from "../../../src/store/runs/targets.ts"
import { type OwnStore, openStoreAt } from "../../../src/store/store.ts"
import type { RunRow } from "../../../src/store/tables/schema.ts"
import { emptyDatabase, freshDatabase, hasPostgres } from "../../postgres.ts"
import { at, bad, commitOf, finished, freshStore, good, runningRun } from "../harness.ts"

/** Returns pseudo-random numbers below 1, the same for each seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

describe.skipIf(!hasPostgres)("commits of several runs in one transaction", () => {
  const dataDir = mkdtempSync(join(tmpdir(), "trawl-together-"))
  let databaseUrl: string
  let postgres: OwnStore
  /** The store that the functions below write to. */
  let store: OwnStore
  beforeAll(async () => {
    databaseUrl = await freshDatabase()
    postgres = await openStoreAt({ dataDir, databaseUrl })
  })
  beforeEach(async () => {
    store = postgres
    await emptyDatabase(databaseUrl)
  })
  afterAll(async () => {
    await postgres.close()
    rmSync(dataDir, { recursive: true })
  })

  const account = (id: string, credits: number, unlimited = false) =>
    store.write("accounts.create", {
      ...{ id, email: `${id}@example.com`, passwordHash: null, unlimited, credits },
      createdAt: at,
    })

  async function key(id: string, accountId: string, creditLimit: number | null) {
    const { row } = freshKey(id, new Date())
    await store.write("keys.create", { ...row, id, accountId, creditLimit } as never)
  }

  /** Returns all data that the commits have changed. */
  async function state() {
    const { db } = store
    const rows = async (text: string) => (await sql.raw<object>(text).execute(db)).rows
    return {
      runs: await rows(`SELECT id, status, status_message, item_count, error_count, page_count, targets_done,
        targets_failed, targets_total, credits_charged FROM runs ORDER BY id`),
      targets:
        await rows(`SELECT id, seq, key, state, fetch_method FROM targets JOIN runs ON n = run_n
        ORDER BY id, seq`),
      items: await rows(
        "SELECT id, seq, idx, is_error, body FROM items JOIN runs ON n = run_n ORDER BY id, seq, idx",
      ),
      notes: await rows(
        "SELECT runs.id, seq FROM run_notes JOIN runs ON n = run_n ORDER BY runs.id, seq",
      ),
      accounts: await rows("SELECT id, balance FROM accounts ORDER BY id"),
      ledger: await rows(
        "SELECT account_id, run_id, amount FROM ledger ORDER BY 1, coalesce(run_id, ''), 3",
      ),
      keys: await rows("SELECT id, credits_used FROM keys ORDER BY id"),
      usage: await rows("SELECT * FROM usage_days ORDER BY account_id, day, slug, key_id"),
      memory: await rows("SELECT owner, slug, key, value FROM memory ORDER BY 1, 2, 3"),
    }
  }

  /** Returns two rounds of commits of thirty runs, with everything that a commit may contain. */
  async function commitAll(seed: number, isTogether: boolean, credits = 10_000) {
    await account("acc_rich", 10_000)
    await account("acc_poor", credits)
    await account("acc_free", 0, true)
    await key("key_all", "acc_rich", null)
    await key("key_some", "acc_rich", credits)
    const random = numbers(seed)
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!
    const runs: RunRow[] = []
    for (let n = 0; n < 30; n++) {
      const accountId = pick(["acc_rich", "acc_rich", "acc_poor", "acc_free", null])
      const keyId = accountId === "acc_rich" ? pick(["key_all", "key_some", null]) : null
      const id = `run_${String(n).padStart(2, "0")}`
      runs.push(await runningRun(store, id, ["a", "b", "c"], { accountId, keyId }))
    }
    const commitsOf = (round: number): TargetCommit[] =>
      runs.map((run) => {
        // The second target of the first round is repeated in the second.
        const seqs = round === 0 ? [0, 1] : [1, 2]
        const ended = seqs
          .filter(() => random() < 0.8)
          .map((seq) => {
            const failed = random() < 0.2
            const items = failed ? [bad("not_found")] : [good(`${run.id} ${seq}`), good(1)]
            return finished(seq, {
              failed,
              items,
              pages: failed ? 0 : pick([1, 2]),
              bytes: 10,
              fetchMethod: pick(["http", "browser"]),
              ...(random() < 0.1 && {
                followed: [[`more ${round}`, '"more"']] as [string, string][],
              }),
              ...(random() < 0.1 && { remembered: { seen: String(seq) } }),
            })
          })
        const begun = round === 0 ? [1, 2] : []
        const note = { seq: 0, pages: 1, unlockerPages: 0, body: "{}" }
        return commitOf(run, {
          started: begun,
          finished: ended,
          ...(random() < 0.1 && { notes: [note] }),
          ...(random() < 0.1 && { maxCredits: 3 }),
          ...(random() < 0.3 && { movesOn: true }),
        })
      })
    const counts: object[] = []
    for (const round of [0, 1]) {
      const commits = commitsOf(round)
      if (isTogether) {
        const writes = commits.map((commit) => store.write("targets.commit", commit))
        counts.push(...(await Promise.all(writes)))
      } else {
        for (const commit of commits) counts.push(await store.write("targets.commit", commit))
      }
    }
    return { counts, ...(await state()) }
  }

  test("store the same as separate commits in SQLite", async () => {
    for (const seed of [1, 2]) {
      await emptyDatabase(databaseUrl)
      store = postgres
      const together = await commitAll(seed, true)
      const sqlite = freshStore()
      store = sqlite.store
      const alone = await commitAll(seed, false)
      await sqlite.close()
      expect(together).toEqual(alone)
      expect(together.ledger.length).toBeGreaterThan(10)
      expect(together.items.length).toBeGreaterThan(30)
    }
  }, 120_000)

  test("charge no more than an account or a key has, and store nothing that was not paid", async () => {
    type Row = Record<string, number | string>
    const sum = (rows: object[], column: string, of: (row: Row) => boolean = () => true) =>
      (rows as Row[]).filter(of).reduce((total, row) => total + Number(row[column]), 0)
    for (const seed of [5, 6]) {
      await emptyDatabase(databaseUrl)
      const { accounts, ledger, keys, runs, items, targets } = await commitAll(seed, true, 9)
      const poor = (row: Row) => row.account_id === "acc_poor" && row.run_id !== null
      expect(sum(accounts, "balance", ({ id }) => id === "acc_poor")).toBe(0)
      expect(sum(ledger, "amount", poor)).toBe(-9)
      expect(sum(keys, "credits_used", ({ id }) => id === "key_some")).toBeLessThanOrEqual(9)
      const ofRuns = sum(ledger, "amount", ({ run_id }) => run_id !== null)
      expect(sum(runs, "credits_charged")).toBe(-ofRuns)
      const done = (targets as Row[]).filter(({ state }) => state === "done" || state === "failed")
      expect(sum(runs, "targets_done")).toBe(done.length)
      const places = new Set((items as Row[]).map(({ id, seq }) => `${id} ${seq}`))
      expect(places).toEqual(new Set(done.map(({ id, seq }) => `${id} ${seq}`)))
    }
  }, 60_000)

  /** Returns the transactions that stored the items. */
  async function transactions() {
    const { rows } = await sql<{ n: number }>`
      SELECT count(DISTINCT xmin::text) AS n FROM items`.execute(store.db)
    return rows[0]!.n
  }

  test("are one transaction, whatever their number", async () => {
    await account("acc_rich", 1000)
    const runs = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        runningRun(store, `run_${n}`, ["a", "b"], { accountId: "acc_rich" }),
      ),
    )
    const marked = async () => {
      const { rows } = await sql<{ n: number }>`SELECT sum(n) AS n FROM commits`.execute(store.db)
      return rows[0]!.n
    }
    const before = await marked()
    const counts = await Promise.all(
      runs.flatMap((run) =>
        [0, 1].map((seq) => {
          const commit = commitOf(run, { finished: [finished(seq, { items: [good(run.id)] })] })
          return store.write("targets.commit", commit)
        }),
      ),
    )
    expect(await transactions()).toBe(1)
    // The statement is the short one, which leaves no mark.
    expect(await marked()).toBe(before)
    expect(counts.map(({ targetsDone, itemCount }) => [targetsDone, itemCount])).toEqual(
      counts.map(() => [2, 2]),
    )
    const { accounts, usage, items } = await state()
    expect(accounts).toMatchObject([{ balance: 1000 - 32 }])
    expect(usage).toMatchObject([{ pages: 32, items: 32, credits: 32 }])
    expect(items).toHaveLength(32)
  })

  test("are not stored in part if a statement fails", async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, (_, n) => runningRun(store, `run_${n}`, ["a"])),
    )
    await sql`ALTER TABLE items ADD CONSTRAINT refused CHECK (body NOT LIKE '%refused%')`.execute(
      store.db,
    )
    const results = await Promise.allSettled(
      runs.map((run, index) => {
        const items = [good(index === 2 ? "refused" : run.id)]
        return store.write("targets.commit", commitOf(run, { finished: [finished(0, { items })] }))
      }),
    )
    await sql`ALTER TABLE items DROP CONSTRAINT refused`.execute(store.db)
    expect(results.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true])
    const { runs: stored, targets, items } = await state()
    expect(items).toHaveLength(3)
    const done = [1, 1, 0, 1]
    expect(stored.map((run) => (run as RunRow).targets_done)).toEqual(done)
    expect(targets.map((target) => (target as { state: string }).state)).toEqual(
      done.map((count) => (count ? "done" : "queued")),
    )
  })

  test("of two processes spend the last credit of a key or an account once", async () => {
    const other = await openStoreAt({ dataDir, databaseUrl })
    for (let n = 0; n < 10; n++) {
      const [accountId, keyId] = [`acc_${n}`, `key_${n}`]
      await account(accountId, n % 2 ? 1 : 100)
      await key(keyId, accountId, n % 2 ? 100 : 1)
      const commits = await Promise.all(
        ["a", "b"].map(async (name) => {
          const run = await runningRun(store, `run_${n}_${name}`, ["a"], { accountId, keyId })
          return commitOf(run, { finished: [finished(0, { items: [good(run.id)] })] })
        }),
      )
      const results = await Promise.all(
        commits.map((commit, index) => [postgres, other][index]!.write("targets.commit", commit)),
      )
      expect(results.filter(({ outOfCredit }) => outOfCredit)).toHaveLength(1)
      expect(results.reduce((sum, { itemCount }) => sum + itemCount, 0)).toBe(1)
    }
    await other.close()
    const { keys } = await state()
    expect(keys.map((one) => (one as { credits_used: number }).credits_used)).toEqual(
      keys.map(() => 1),
    )
  })

  test("do not include an attempt that was abandoned", async () => {
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, n) => runningRun(store, `run_${n}`, ["a"])),
    )
    const results = await Promise.allSettled(
      runs.map((run, index) => {
        const commit = commitOf(run, { finished: [finished(0, { items: [good(run.id)] })] })
        return store.write("targets.commit", { ...commit, attempt: index === 3 ? 7 : 1 })
      }),
    )
    expect(results.map(({ status }) => status === "fulfilled")).toEqual(
      runs.map((_, index) => index !== 3),
    )
    expect((await state()).items).toHaveLength(7)
  })

  test("starts of targets are marked by one statement, only for queued targets of the current attempt", async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, (_, n) => runningRun(store, `run_${n}`, ["a", "b"])),
    )
    const [ended, given, requeued, plain] = runs as [RunRow, RunRow, RunRow, RunRow]
    await store.write(
      "targets.commit",
      commitOf(ended, { finished: [finished(0, { items: [good(1)] })] }),
    )
    await store.write("runs.requeue", { id: requeued.id, attempt: 1, cause: "stop", at })
    const begin = (run: RunRow, attempt = 1) =>
      store.write("targets.begin", { runN: run.n, attempt, seqs: [0] })
    await Promise.all([begin(ended), begin(given, 7), begin(requeued), begin(plain), begin(plain)])
    const states = (await state()).targets as { id: string; seq: number; state: string }[]
    expect(states.filter(({ seq }) => seq === 0).map(({ id, state }) => [id, state])).toEqual([
      [ended.id, "done"],
      [given.id, "queued"],
      [requeued.id, "queued"],
      [plain.id, "running"],
    ])
  })

  test("a start that waits for its run to be requeued marks nothing", async () => {
    const run = await runningRun(store, "run_0", ["a"])
    const client = openPostgres(databaseUrl, 1)
    let begun: Promise<unknown> = Promise.resolve()
    await client.begin(async (transaction) => {
      await transaction`SELECT n FROM runs WHERE n = ${run.n} FOR NO KEY UPDATE`
      begun = store.write("targets.begin", { runN: run.n, attempt: 1, seqs: [0] })
      // Wait until the start waits for the lock.
      for (let waits = 0; waits === 0; ) {
        const [{ n }] = await transaction`
          SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND pid <> pg_backend_pid()`
        waits = n
      }
      await transaction`UPDATE runs SET status = 'queued' WHERE n = ${run.n}`
    })
    await begun
    await client.close()
    expect((await state()).targets).toMatchObject([{ seq: 0, state: "queued" }])
  })

  test("a result does not wait for the start of another target of its run", async () => {
    const run = await runningRun(store, "run_0", ["a", "b"])
    const log: string[] = []
    const slow = Promise.withResolvers<null>()
    const write = ((command: string, args: never) => {
      log.push(command)
      return command === "targets.begin" ? slow.promise : store.write(command as never, args)
    }) as OwnStore["write"]
    const checkpoints = new DatabaseCheckpoints({
      store: { db: store.db, isShared: true, write } as never,
      run,
      tier: "free",
      concurrency: 2,
    })
    checkpoints.begin(0)
    checkpoints.begin(1)
    const result = { failed: false, items: [{ a: 1 }], followed: [], pages: 1, unlockerPages: 0 }
    const progress = await checkpoints.finish(0, {
      ...result,
      bytes: 1,
      remembered: {},
      tables: [],
    } as never)
    expect(progress.targetsDone).toBe(1)
    expect(log).toEqual(["targets.begin", "targets.commit"])
    // The second one is marked after the first mark, unless it has ended meanwhile.
    await checkpoints.finish(1, { ...result, bytes: 1, remembered: {}, tables: [] } as never)
    slow.resolve(null)
    await checkpoints.settle()
    expect(log.filter((command) => command === "targets.begin")).toHaveLength(1)
  })
})
