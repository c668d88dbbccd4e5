import { afterEach, beforeEach, expect, test } from "bun:test"
import { purge } from "../../../src/engine/ops/background/purge.ts"
import { logLines } from "../../../src/store/runs/run-log.ts"
import { runById } from "../../../src/store/runs/runs.ts"
import {
  commitOf,
  finished,
  good,
  newRun,
  type OpenStore,
  onEachStore,
  runningRun,
} from "../harness.ts"

onEachStore((freshStore) => {
  let open: OpenStore
  beforeEach(async () => {
    open = await freshStore()
    await open.store.write("accounts.create", {
      id: "acc_a",
      email: "a@example.com",
      passwordHash: null,
      unlimited: true,
      credits: 0,
      createdAt: daysAgo(100),
    })
  })
  afterEach(() => open.close())

  const dayMs = 86_400_000
  const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

  const keep = { now: daysAgo(0), runDays: 30, logDays: 0 }
  const stopped = new AbortController().signal
  const config = { dataDir: "", env: {} }

  /** Runs of an account; a keyless run is deleted after a day. */
  async function endedRun(
    id: string,
    days: number,
    items: number,
    accountId: string | null = "acc_a",
  ): Promise<void> {
    const { store } = open
    const run = await runningRun(store, id, ["a"], { accountId })
    await store.write(
      "targets.commit",
      commitOf(run, {
        finished: [finished(0, { items: Array.from({ length: items }, (_, n) => good(n)) })],
      }),
    )
    const end = { attempt: 1, status: "succeeded", error: null, capped: null } as const
    await store.write("runs.finish", { id, ...end, at: daysAgo(days) })
    const lines = [30, 5].map((age) => ({
      at: daysAgo(age),
      level: "info" as const,
      message: `${age} days ago`,
    }))
    await store.write("log.append", { runN: run.n, lines })
  }

  test("runs that ended long ago are deleted with all that belongs to them, in small parts", async () => {
    const { store } = open
    await endedRun("run_old", 31, 12_000)
    await endedRun("run_new", 29, 3)
    await store.write("runs.create", newRun("run_waiting", ["a"], { createdAt: daysAgo(99) }))
    let parts = 0
    while (await store.write("store.purge", keep)) parts++
    expect(parts).toBeGreaterThan(2)
    expect(await runById(store.db, "run_old")).toBeUndefined()
    for (const id of ["run_new", "run_waiting"]) expect(await runById(store.db, id)).toBeDefined()
    for (const table of ["items", "targets", "run_log"] as const) {
      const rows = await store.db.selectFrom(table).select("run_n").groupBy("run_n").execute()
      expect(rows).not.toContainEqual({ run_n: 1 })
      expect(rows.length).toBeGreaterThan(0)
    }
  })

  test("memory is deleted when its run has succeeded, because nothing continues from it", async () => {
    const { store } = open
    for (const status of ["succeeded", "failed"] as const) {
      const run = await runningRun(store, `run_${status}`, ["a"])
      const notes = [{ seq: 0, pages: 1, unlockerPages: 0, body: "1" }]
      await store.write("targets.commit", commitOf(run, { started: [0], notes }))
      const end = { attempt: 1, status, error: null, capped: null }
      await store.write("runs.finish", { id: run.id, ...end, at: daysAgo(0) })
    }
    const ofRuns = () => store.db.selectFrom("run_notes").select("run_n").execute()
    expect(await ofRuns()).toHaveLength(2)
    while (await store.write("store.purge", keep));
    expect(await ofRuns()).toEqual([{ run_n: 2 }])
  })

  test("many small runs are deleted together, the oldest first", async () => {
    const { store } = open
    const runs = Array.from({ length: 200 }, (_, n) => n)
    await Promise.all(runs.map((n) => endedRun(`run_${n}`, 31 + n, 2)))
    expect(await store.write("store.purge", keep)).toBe(true)
    const left = await store.db.selectFrom("runs").select("finished_at").execute()
    // Enough per step to finish, and few enough that other writers do not wait for long.
    expect(left.length).toBeLessThanOrEqual(150)
    expect(left.length).toBeGreaterThanOrEqual(100)
    expect(left.every((run) => run.finished_at! > daysAgo(31 + left.length))).toBe(true)
    let parts = 1
    while (await store.write("store.purge", keep)) parts++
    expect(parts).toBeLessThan(5)
  })

  test("deleted and expired rows are removed in small parts", async () => {
    const { store } = open
    await endedRun("run_x", 0, 1)
    const writing = open.writing()
    for (let from = 0; from < 12_000; from += 1000) {
      const result = { run_id: "run_x", request: "{}", expires_at: daysAgo(1) }
      const rows = Array.from({ length: 1000 }, (_, n) => ({
        ...result,
        token_hash: `${from + n}`,
      }))
      await writing.insertInto("keyless_results").values(rows).execute()
    }
    await writing.destroy()
    let parts = 1
    while (await store.write("store.purge", keep)) parts++
    expect(parts).toBe(9)
    const { left } = await store.db
      .selectFrom("keyless_results")
      .select((eb) => eb.fn.countAll<number>().as("left"))
      .executeTakeFirstOrThrow()
    expect(left).toBe(0)
  })

  test("a purge keeps to the operator's days, and 0 keeps everything", async () => {
    const { store } = open
    await endedRun("run_old", 31, 1)
    await endedRun("run_new", 2, 1)
    const stored = (retentionDays: number, logRetentionDays: number) =>
      purge(store, { ...config, retentionDays, logRetentionDays }, stopped)
    await stored(0, 0)
    expect((await logLines(store.db, 1)).length).toBe(2)
    await stored(0, 7)
    expect((await logLines(store.db, 1)).map(({ message }) => message)).toEqual(["5 days ago"])
    await stored(30, 7)
    expect(await runById(store.db, "run_old")).toBeUndefined()
    expect(await runById(store.db, "run_new")).toMatchObject({ finished_at: expect.any(String) })
  })

  test("a keyless run is deleted after a day, whatever the operator keeps of others", async () => {
    const { store } = open
    await endedRun("run_keyless", 2, 1, null)
    await endedRun("run_fresh", 0.5, 1, null)
    await endedRun("run_account", 99, 1)
    await purge(store, { ...config, retentionDays: 0, logRetentionDays: 0 }, stopped)
    expect(await runById(store.db, "run_keyless")).toBeUndefined()
    for (const id of ["run_fresh", "run_account"]) {
      expect(await runById(store.db, id)).toMatchObject({ finished_at: expect.any(String) })
    }
  })
})
