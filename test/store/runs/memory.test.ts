import { afterEach, beforeEach, expect, test } from "bun:test"
import { dropOldest, remember, remembered, seriesOf } from "../../../src/store/runs/memory.ts"
import { at, type OpenStore, onEachStore } from "../harness.ts"

onEachStore((freshStore) => {
  let open: OpenStore
  beforeEach(async () => {
    open = await freshStore()
  })
  afterEach(() => open.close())

  test("of too many values, the oldest are dropped", async () => {
    const db = open.writing()
    const place = { owner: "acc_1", slug: "crawler" }
    const write = (keys: string[], day: number, slug = place.slug) =>
      remember(db, {
        ...place,
        slug,
        values: Object.fromEntries(keys.map((key) => [key, "1"])),
        at: `2026-01-0${day}T00:00:00.000Z`,
      })
    await write(["a", "b"], 1)
    await write(["c"], 2)
    await write(["d", "a"], 3)
    await write(["other"], 1, "monitor")
    await dropOldest(db, place, 3)
    const stored = (key: string, slug = place.slug) => remembered(db, { ...place, slug, key })
    expect(await Promise.all(["a", "b", "c", "d"].map((key) => stored(key)))).toEqual([
      ...[1, undefined],
      ...[1, 1],
    ])
    expect(await stored("other", "monitor")).toBe(1)
    await dropOldest(db, place, 3)
    expect(await stored("c")).toBe(1)
    await db.destroy()
  })

  test("a run's series is its schedule, else its recipe", async () => {
    const db = open.writing()
    await open.store.write("accounts.create", {
      ...{ id: "acc_1", email: "a@example.com", passwordHash: null },
      ...{ unlimited: true, credits: 0, createdAt: at },
    })
    await open.store.write("schedules.create", {
      ...{ id: "sch_1", account_id: "acc_1", name: null, slug: "any", input: "{}" },
      ...{ cron: "* * * * *", time_zone: "UTC", misfire_policy: "skip", enabled: 1 },
      ...{ next_at: null, created_at: at, conditions: null },
    })
    await db
      .insertInto("scheduled_runs")
      .values({
        ...{ schedule_id: "sch_1", due_at: at, fired_at: at },
        ...{ outcome: "started", missed: 0, run_id: "run_1" },
      })
      .execute()
    const series = (id: string, origin: string, recipe: string | null) =>
      seriesOf(db, { id, origin, recipe })
    expect(await series("run_1", "schedule", "rec_1")).toBe("sch_1")
    expect(await series("run_2", "schedule", "rec_1")).toBe("rec_1")
    expect(await series("run_3", "api", "rec_1")).toBe("rec_1")
    expect(await series("run_4", "api", null)).toBe("")
    await db.destroy()
  })
})
