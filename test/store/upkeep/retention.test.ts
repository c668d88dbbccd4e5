import { afterEach, beforeEach, expect, test } from "bun:test"
import { Retention } from "../../../src/engine/background/retention.ts"
import { logLines } from "../../../src/store/runs/run-log.ts"
import { runById } from "../../../src/store/runs/runs.ts"
import {
  commitOf,
  finished,
  freshStore,
  good,
  newRun,
  type OpenStore,
  runningRun,
} from "../harness.ts"

let open: OpenStore
beforeEach(() => {
  open = freshStore()
})
afterEach(() => open.close())

const dayMs = 86_400_000
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString()

async function endedRun(id: string, days: number, items: number): Promise<void> {
  const { store } = open
  const run = await runningRun(store, id, ["a"])
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
  while (await store.write("runs.prune", { before: daysAgo(30) })) parts++
  expect(parts).toBeGreaterThan(2)
  expect(await runById(store.db, "run_old")).toBeUndefined()
  for (const id of ["run_new", "run_waiting"]) expect(await runById(store.db, id)).toBeDefined()
  for (const table of ["items", "targets", "run_log"] as const) {
    const rows = await store.db.selectFrom(table).select("run_n").groupBy("run_n").execute()
    expect(rows).not.toContainEqual({ run_n: 1 })
    expect(rows.length).toBeGreaterThan(0)
  }
})

test("many small runs go together, the oldest first", async () => {
  const { store } = open
  const runs = Array.from({ length: 500 }, (_, n) => n)
  await Promise.all(runs.map((n) => endedRun(`run_${n}`, 31 + n, 2)))
  expect(await store.write("runs.prune", { before: daysAgo(30) })).toBe(true)
  const left = await store.db.selectFrom("runs").select("finished_at").execute()
  expect(left.length).toBeLessThanOrEqual(300)
  expect(left.every((run) => run.finished_at! > daysAgo(431))).toBe(true)
  let parts = 1
  while (await store.write("runs.prune", { before: daysAgo(30) })) parts++
  expect(parts).toBeLessThan(5)
})

test("the first sweep comes soon after the start", async () => {
  const { store } = open
  await endedRun("run_old", 31, 1)
  const days = { retentionDays: 30, logRetentionDays: 0 }
  const retention = new Retention(store, days, () => {}, { firstMs: 1 })
  while (await runById(store.db, "run_old")) await Bun.sleep(5)
  retention.stop()
})

test("what was deleted and what expired is removed in small parts", async () => {
  const { store } = open
  const results = Array.from({ length: 12_000 }, (_, n) => n)
  await Promise.all(
    results.map((n) =>
      store.write("keyless.save", {
        tokenHash: `${n}`,
        runId: "run_x",
        request: "{}",
        expiresAt: daysAgo(1),
      }),
    ),
  )
  const times = { now: daysAgo(0), dayAgo: daysAgo(1), monthAgo: daysAgo(30) }
  let parts = 1
  while (await store.write("trash.sweep", times)) parts++
  expect(parts).toBe(3)
  const { left } = await store.db
    .selectFrom("keyless_results")
    .select((eb) => eb.fn.countAll<number>().as("left"))
    .executeTakeFirstOrThrow()
  expect(left).toBe(0)
})

test("a sweep keeps to the operator's days, and 0 keeps everything", async () => {
  const { store } = open
  await endedRun("run_old", 31, 1)
  await endedRun("run_new", 2, 1)
  const sweep = async (retentionDays: number, logRetentionDays: number) => {
    const trouble: string[] = []
    const retention = new Retention(store, { retentionDays, logRetentionDays }, (message) =>
      trouble.push(message),
    )
    await retention.sweep()
    retention.stop()
    expect(trouble).toEqual([])
  }
  await sweep(0, 0)
  expect((await logLines(store.db, 1)).length).toBe(2)
  await sweep(0, 7)
  expect((await logLines(store.db, 1)).map(({ message }) => message)).toEqual(["5 days ago"])
  await sweep(30, 7)
  expect(await runById(store.db, "run_old")).toBeUndefined()
  expect(await runById(store.db, "run_new")).toMatchObject({ finished_at: expect.any(String) })
})
