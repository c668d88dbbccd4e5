import { expect, test } from "bun:test"
import { SharedRuns } from "../../src/api/keyless/shared-runs.ts"
import type { RunRow } from "../../src/store/tables/schema.ts"

/** Starts runs with consecutive numbers; `statuses` contains their results. */
function runs(statuses: Record<string, RunRow["status"]> = {}) {
  const shared = new SharedRuns()
  const started: string[] = []
  const row = (id: string) => ({ id, status: statuses[id] ?? "running" }) as RunRow
  const ask = (key: string) =>
    shared.run(key, {
      async start() {
        started.push(key)
        return row(`run ${started.length}`)
      },
      read: async (id) => row(id),
    })
  return { ask, started, shared }
}

test("identical calls share one run", async () => {
  const { ask, started } = runs()
  const both = await Promise.all([ask("a"), ask("a")])
  expect(both.map(({ run, isShared }) => [run.id, isShared])).toEqual([
    ["run 1", false],
    ["run 1", true],
  ])
  expect((await ask("b")).run.id).toBe("run 2")
  expect(started).toEqual(["a", "b"])
})

test("a failed run is not shared", async () => {
  const { ask } = runs({ "run 1": "failed" })
  await ask("a")
  expect(await ask("a")).toMatchObject({ run: { id: "run 2" }, isShared: false })
})

test("a run that cannot start is reported to its caller, and the next call starts a new one", async () => {
  const { ask, shared } = runs()
  const start = () => Promise.reject(new Error("The disk is full."))
  const read = async () => undefined
  await expect(shared.run("a", { start, read })).rejects.toThrow("The disk is full.")
  expect(await ask("a")).toMatchObject({ run: { id: "run 1" }, isShared: false })
})

test("many different calls within the minute do not fill it", async () => {
  const { ask, started } = runs()
  for (let key = 0; key < 12_000; key++) await ask(String(key))
  expect((await ask("11999")).isShared).toBe(true)
  expect((await ask("0")).isShared).toBe(false)
  expect(started.length).toBe(12_001)
})
