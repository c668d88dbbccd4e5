import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { purge } from "../../src/engine/ops/background/purge.ts"
import { openSqlite } from "../../src/store/db/database.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import { itemBodies } from "../../src/store/runs/items.ts"
import { logLines } from "../../src/store/runs/run-log.ts"
import { runById } from "../../src/store/runs/runs.ts"
import { type OwnStore, openStoreAt } from "../../src/store/store.ts"
import { databasePath } from "../../src/store/upkeep/data-folder.ts"
import { moveToPostgres, moveToSqlite } from "../../src/store/upkeep/move.ts"
import { rotatePartitions } from "../../src/store/upkeep/partitions.ts"
import { migratePostgres } from "../../src/store/upkeep/postgres-migrate.ts"
import { preparePostgres } from "../../src/store/upkeep/postgres-prepare.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { at, commitOf, finished, good, newRun, runningRun } from "./harness.ts"

const dayMs = 86_400_000
const stopped = new AbortController().signal

describe.skipIf(!hasPostgres)("rows of a run in PostgreSQL", () => {
  let databaseUrl: string
  let dataDir: string
  let store: OwnStore
  beforeEach(async () => {
    databaseUrl = await freshDatabase()
    dataDir = mkdtempSync(join(tmpdir(), "trawl-parts-"))
    store = await openStoreAt({ dataDir, databaseUrl })
  })
  afterEach(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const morning = (Math.floor(Date.now() / dayMs) + 0.25) * dayMs
  /**
   * Returns a time the given number of days after this morning. Partitions start with a day, so
   * half a day more is the same one.
   */
  const day = (days: number) => new Date(morning + days * dayMs)
  const config = { dataDir: "", env: {}, retentionDays: 8, logRetentionDays: 0 }
  const sweepOn = (days: number) => purge(store, config, stopped, day(days))

  async function runOn(days: number, more: { ends?: boolean; items?: number } = {}) {
    const { ends = true, items = 3 } = more
    const id = `run_${days}_${crypto.randomUUID()}`
    const run = await runningRun(store, id, ["a"], { accountId: "acc_a" })
    const target = finished(0, { items: Array.from({ length: items }, (_, n) => good(n)) })
    await store.write(
      "targets.commit",
      commitOf({ ...run, account_id: null }, { finished: [target] }),
    )
    const end = { attempt: 1, status: "succeeded", error: null, capped: null } as const
    const line = { at: day(days).toISOString(), level: "info", message: "A line." } as const
    await store.write("log.append", { runN: run.n, lines: [line] })
    if (ends) await store.write("runs.finish", { id, ...end, at: day(days).toISOString() })
    return run
  }
  type Table = "items" | "targets" | "run_log"
  /** Returns the rows of each partition that has some. */
  const parts = async (table: Table = "items") => {
    const { rows } = await sql<{ rows: number }>`
      SELECT tableoid, count(*) AS rows FROM ${sql.table(table)} GROUP BY 1
      ORDER BY min(run_n)`.execute(store.db)
    return rows.map(({ rows }) => rows)
  }
  const tables = async (table: Table = "items") => {
    const { rows } =
      await sql`SELECT inhrelid FROM pg_inherits WHERE inhparent = ${table}::regclass`.execute(
        store.db,
      )
    return rows.length
  }
  /** Makes each delete of a row of these tables fail from now on. */
  async function refuseDeletions(...names: Table[]) {
    const client = openPostgres(databaseUrl, 1)
    await client.unsafe(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'row by row'; END $$",
    )
    for (const name of names) {
      await client.unsafe(
        `CREATE TRIGGER refuse BEFORE DELETE ON ${name} FOR EACH ROW EXECUTE FUNCTION refuse()`,
      )
    }
    await client.close()
  }

  test("are in a partition per period, which is dropped when all of it is past its retention", async () => {
    const first = await runOn(0)
    for (const days of [0, 1, 2]) {
      await sweepOn(days)
      await runOn(days)
      await runOn(days)
    }
    // The partition of earlier rows, and one for each day.
    expect(await parts()).toEqual([3, 6, 6, 6])
    // Each has expired, except for the partition of this day.
    await sweepOn(8.5)
    expect(await parts()).toEqual([6, 6, 6])
    expect(await store.db.selectFrom("runs").select("n").execute()).toHaveLength(6)
    expect(await runById(store.db, first.id)).toBeUndefined()
    await refuseDeletions("items", "targets", "run_log")
    await sweepOn(9.5)
    expect(await parts()).toEqual([6, 6])
    expect(await parts("targets")).toEqual([2, 2])
    expect(await parts("run_log")).toEqual([2, 2])
    expect(await store.db.selectFrom("runs").select("n").execute()).toHaveLength(4)
    await sweepOn(20)
    expect(await parts()).toEqual([])
    expect(await store.db.selectFrom("targets").select("seq").execute()).toEqual([])
    await sweepOn(20)
    // The partition of earlier rows, and the open one.
    for (const table of ["items", "targets", "run_log"] as const) {
      expect([table, await tables(table)]).toEqual([table, 2])
    }
  })

  test("lose their log lines first if these have a retention of their own", async () => {
    const logs = { ...config, logRetentionDays: 2 }
    const on = (days: number) => purge(store, logs, stopped, day(days))
    await runOn(0)
    await on(0)
    await runOn(0)
    const open = await runOn(0, { ends: false })
    await on(1)
    await runOn(1)
    await refuseDeletions("items", "targets")
    await on(4)
    // Lines from before all partitions are deleted one by one. The running run keeps its partition,
    // and the last one was open until now.
    expect(await parts("run_log")).toEqual([2, 1])
    expect((await logLines(store.db, open.n)).length).toBe(1)
    const end = { attempt: 1, status: "succeeded", error: null, capped: null } as const
    await store.write("runs.finish", { id: open.id, ...end, at: day(4).toISOString() })
    await on(4.5)
    expect(await parts("run_log")).toEqual([])
    expect(await parts("items")).toEqual([3, 6, 3])
  })

  test("keep log lines that were written long after the start of their run", async () => {
    const logs = { ...config, logRetentionDays: 2 }
    await purge(store, logs, stopped, day(0))
    const run = await runOn(0)
    const line = { at: day(3).toISOString(), level: "info", message: "Later." } as const
    await store.write("log.append", { runN: run.n, lines: [line] })
    await purge(store, logs, stopped, day(4))
    expect(await parts("run_log")).toEqual([2])
    await purge(store, logs, stopped, day(6))
    expect(await parts("run_log")).toEqual([])
  })

  test("are deleted row by row if their partition has a running run, or their account asks", async () => {
    await sweepOn(0)
    const old = await runOn(0)
    const open = await runOn(0, { ends: false })
    const owned = await runOn(0)
    await store.db.updateTable("runs").set({ deleted_at: at }).where("n", "=", owned.n).execute()
    await sweepOn(1)
    expect(await parts()).toEqual([6])
    await sweepOn(30)
    expect(await runById(store.db, old.id)).toBeUndefined()
    expect(await parts()).toEqual([3])
    expect(await Array.fromAsync(itemBodies(store.db, open.n))).toHaveLength(3)
  })

  test("are kept while a reader uses the table for long; the next sweep drops them", async () => {
    await sweepOn(0)
    await runOn(0)
    await sweepOn(1)
    const reader = openPostgres(databaseUrl, 1)
    await reader.begin(async (transaction) => {
      await transaction`SELECT count(*) FROM items`
      const turning = { now: day(20).toISOString(), runDays: 8, logDays: 0 }
      await rotatePartitions(store.db, databaseUrl, turning)
      expect(await tables()).toBe(4)
      expect(await parts()).toEqual([3])
    })
    await reader.close()
    await sweepOn(20)
    expect(await parts()).toEqual([])
    await sweepOn(20)
    expect(await tables()).toBe(2)
  })

  test("are partitioned by one of several processes, without effect on runs that start meanwhile", async () => {
    const other = await openStoreAt({ dataDir, databaseUrl })
    const turning = { now: day(3).toISOString(), runDays: 8, logDays: 0 }
    const runs = Array.from({ length: 20 }, () => runOn(0))
    const turns = [store, other, store, other].map(({ db }) =>
      rotatePartitions(db, databaseUrl, turning),
    )
    const made = await Promise.all(runs)
    await Promise.all(turns)
    await rotatePartitions(store.db, databaseUrl, turning)
    for (const { n } of made) expect(await Array.fromAsync(itemBodies(other.db, n))).toHaveLength(3)
    expect(await tables()).toBe(2)
    const { n } = await runOn(3)
    expect(n).toBeGreaterThan(2 ** 32)
    await other.close()
  })

  test("move to SQLite and back, whatever the numbers of their runs", async () => {
    await sweepOn(0)
    await runOn(0)
    await sweepOn(5)
    const { n } = await runOn(5)
    const path = mkdtempSync(join(tmpdir(), "trawl-parts-"))
    await (await openStoreAt({ dataDir: path })).close()
    const sqlite = openSqlite(databasePath(path), "write")
    const client = openPostgres(databaseUrl, 1)
    expect(await moveToSqlite(client, sqlite)).toContainEqual({ table: "items", rows: 6 })
    await client.close()
    const url = await freshDatabase()
    await preparePostgres(dataDir, url)
    const there = openPostgres(url, 1)
    expect(await moveToPostgres(sqlite, there)).toContainEqual({ table: "items", rows: 6 })
    await there.close()
    sqlite.close()
    const back = await openStoreAt({ dataDir, databaseUrl: url })
    expect(await Array.fromAsync(itemBodies(back.db, n))).toEqual(["0", "1", "2"])
    expect((await back.write("runs.create", newRun("run_next", ["a"]))).n).toBe(n + 1)
    await back.close()
    rmSync(path, { recursive: true })
  })
})

test.skipIf(!hasPostgres)(
  "rows of a run have a partition for a month if the version before opens one for items only",
  async () => {
    const url = await freshDatabase()
    const dump = join(import.meta.dir, "../fixtures/databases/schema-008.postgres.sql")
    const dumped = openPostgres(url, 1)
    await dumped.unsafe(await Bun.file(dump).text())
    await dumped.close()
    const client = openPostgres(url, 1)
    await client.unsafe(`
    INSERT INTO targets (run_n, seq, key, target)
      SELECT (SELECT min(n) FROM runs), n, 'key ' || n, '"x"' FROM generate_series(100, 20000) AS n;
    INSERT INTO run_log (run_n, at, level, message)
      SELECT (SELECT min(n) FROM runs), '${at}', 'info', 'Line ' || n FROM generate_series(1, 20000) AS n`)
    const rows = async () => {
      const [row] = await client.unsafe(
        "SELECT (SELECT count(*) FROM targets) AS targets, (SELECT count(*) FROM run_log) AS lines",
      )
      return row
    }
    const before = await rows()
    const [{ last }] = await client.unsafe("SELECT max(id) AS last FROM run_log")
    await migratePostgres(client)
    expect(await rows()).toEqual(before)
    // The previous version opens it this way on a later day.
    const days = Math.floor(Date.now() / dayMs) + 25
    await client.unsafe(`
    CREATE TABLE items_later (LIKE items INCLUDING ALL);
    ALTER TABLE items ATTACH PARTITION items_later
      FOR VALUES FROM (${days * 2 ** 32}) TO (${(days + 3) * 2 ** 32});
    SELECT setval(pg_get_serial_sequence('runs', 'n'), ${days * 2 ** 32}, false);
    INSERT INTO targets (run_n, seq, key, target) VALUES (${days * 2 ** 32}, 0, 'a', '"a"')
      ON CONFLICT (run_n, key) DO NOTHING`)
    const [line] = await client.unsafe(`
    INSERT INTO run_log (run_n, at, level, message) VALUES (${days * 2 ** 32}, '${at}', 'info', 'A line.')
    RETURNING id`)
    expect(Number(line.id)).toBe(Number(last) + 1)
    await client.close()
  },
  60_000,
)
