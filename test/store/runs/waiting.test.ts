import { expect, test } from "bun:test"
import { runById } from "../../../src/store/runs/runs.ts"
import { at, commitOf, finished, onEachStore, runningRun } from "../harness.ts"

const line = { at, level: "info" as const, message: "Waiting 3.0 s for example.com: its pace." }

onEachStore((freshStore) => {
  test("a run reports what it waits for, until its next target is done or it ends", async () => {
    const { store, close } = await freshStore()
    const run = await runningRun(store, "run_waits", ["a", "b"])
    const message = async () => (await runById(store.db, run.id))!.status_message
    const waits = () =>
      store.write("log.append", { runN: run.n, lines: [line], waits: line.message })
    await store.write("log.append", { runN: run.n, lines: [line] })
    expect(await message()).toBeNull()
    await waits()
    expect(await message()).toBe(line.message)
    const target = finished(0)
    await store.write("targets.commit", commitOf(run, { finished: [target], movesOn: true }))
    expect(await message()).toBeNull()
    await waits()
    const end = { id: run.id, attempt: run.attempt, error: null, capped: null, at }
    await store.write("runs.finish", { ...end, status: "succeeded" })
    expect(await message()).toBeNull()
    await waits()
    expect(await message()).toBeNull()
    await close()
  })
})
