import { afterEach, beforeEach, expect, test } from "bun:test"
import { maxStarts } from "../../../src/store/runs/requeue.ts"
import { operatingFigures } from "../../../src/store/upkeep/figures.ts"
import { newRun, type OpenStore, onEachStore, runningRun } from "../harness.ts"

const now = new Date("2026-05-01T12:00:00.000Z")
const secondsAgo = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()

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
      createdAt: secondsAgo(3600),
    })
  })
  afterEach(() => open.close())

  test("the queue is counted in the database, by kind and age", async () => {
    const { store } = open
    const queued = (id: string, seconds: number, more: object) =>
      store.write("runs.create", newRun(id, ["a"], { createdAt: secondsAgo(seconds), ...more }))
    await queued("run_a", 50, { accountId: "acc_a", priority: "background" })
    await queued("run_b", 10, { accountId: "acc_a", priority: "background" })
    await queued("run_c", 5, { priority: "interactive" })
    await queued("run_d", 70, { accountId: "acc_a" })
    await store.write("runs.defer", { id: "run_d", reason: "it broke" })
    await runningRun(store, "run_e", ["a"])
    const figures = await operatingFigures(store.db, now)
    const some = figures.queue.filter(({ count }) => count > 0)
    expect(some).toEqual([
      { state: "ready", tenant: "account", priority: "background", count: 2, ageSeconds: 50 },
      { state: "ready", tenant: "anonymous", priority: "interactive", count: 1, ageSeconds: 5 },
      { state: "deferred", tenant: "account", priority: "api", count: 1, ageSeconds: 70 },
    ])
    expect(figures.queue).toHaveLength(12)
    expect([figures.runningRuns, figures.abortingRuns]).toEqual([1, 0])
    expect(figures.databaseBytes === undefined).toBe(!store.isShared)
  })

  test("abandoned runs and late or refused schedules are counted", async () => {
    const { store } = open
    await store.write("runs.create", newRun("run_a", ["a"], { accountId: "acc_a" }))
    for (let start = 0; start < maxStarts; start++) {
      await store.write("runs.defer", { id: "run_a", reason: "it broke" })
    }
    await store.write("schedules.create", {
      id: "sch_a",
      account_id: "acc_a",
      name: null,
      slug: "any",
      input: "{}",
      cron: "* * * * *",
      time_zone: "UTC",
      misfire_policy: "skip",
      enabled: 1,
      next_at: secondsAgo(90),
      created_at: secondsAgo(600),
      conditions: null,
      input_error: "It does not fit.",
    })
    const { deadLetters, schedulesRefused, scheduleLagSeconds } = await operatingFigures(
      store.db,
      now,
    )
    expect({ deadLetters, schedulesRefused, scheduleLagSeconds }).toEqual({
      deadLetters: 1,
      schedulesRefused: 1,
      scheduleLagSeconds: 90,
    })
  })
})
