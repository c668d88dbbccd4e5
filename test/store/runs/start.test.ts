import { expect, test } from "bun:test"
import { freeQuotaUsed } from "../../../src/store/accounts/free-quota.ts"
import { orphanedRuns } from "../../../src/store/runs/runs.ts"
import { at, newRun, onEachStore } from "../harness.ts"

const day = "2026-01-02"
const quota = { subjects: ["ip:x", "agent:y", "both:z"], day, limit: 7 }
const slot = { processId: null }

onEachStore((freshStore) => {
  test("parallel starts take exactly the calls that a quota has, and store no other run", async () => {
    const open = await freshStore()
    const { store } = open
    const starts = Array.from({ length: 40 }, (_, n) =>
      store.write("runs.start", { run: newRun(`run_${n}`, ["a"]), quota, slot, soft: true }),
    )
    const started = (await Promise.all(starts)).filter((run) => run !== null)
    expect(started).toHaveLength(7)
    const rows = await store.db.selectFrom("runs").select("id").execute()
    expect(rows.map(({ id }) => id).sort()).toEqual(started.map(({ id }) => id).sort())
    expect(await store.db.selectFrom("targets").select("seq").execute()).toHaveLength(7)
    expect(await freeQuotaUsed(store.db, quota)).toBe(7)
    await open.close()
  })

  test("a start that fails takes nothing from the quota", async () => {
    const open = await freshStore()
    const { store } = open
    const start = { run: newRun("run_a", ["a"]), quota, slot }
    await store.write("runs.start", start)
    expect(await store.write("runs.start", start).catch((error) => error)).toBeInstanceOf(Error)
    await store.write("runs.start", { ...start, run: newRun("run_b", ["a"]) })
    expect(await freeQuotaUsed(store.db, quota)).toBe(2)
    await open.close()
  })

  test("a run with a slot is stored as running, and queued again after its process was killed", async () => {
    const open = await freshStore()
    const { store } = open
    const run = newRun("run_a", ["a"])
    expect(await store.write("runs.start", { run, quota: null, slot })).toMatchObject({
      ...{ status: "running", attempt: 1, done_before: 0, started_at: at },
    })
    const waiting = { run: newRun("run_b", ["a"]), quota: null, slot: null }
    expect(await store.write("runs.start", waiting)).toMatchObject({ status: "queued", attempt: 0 })
    expect(await orphanedRuns(store.db)).toEqual([{ id: "run_a", attempt: 1 }])
    const lost = { id: "run_a", attempt: 1, cause: "process", at } as const
    expect(await store.write("runs.requeue", lost)).toMatchObject({
      ...{ status: "queued", suspicion: 0, process_id: null },
    })
    expect(await store.write("runs.claim", { id: "run_a", at })).toMatchObject({ attempt: 2 })
    await open.close()
  })
})
