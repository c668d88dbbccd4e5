import { afterEach, expect, spyOn, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "../../../src/store/db/database.ts"
import { openStore } from "../../../src/store/store.ts"
import { databasePath } from "../../../src/store/upkeep/data-folder.ts"
import { GroupWriter } from "../../../src/store/writer/group-writer.ts"
import { newRun } from "../harness.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-soft-"))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test("a commit waits for the disk unless all of its changes are soft, and then one follows", async () => {
  await openStore(folder).close()
  const sqlite = openSqlite(databasePath(folder), "write")
  const writer = new GroupWriter(sqlite)
  /**
   * Records for each commit whether it waited for the disk: `synchronous` is 2 (FULL), or 1
   * (NORMAL).
   */
  const waited: boolean[] = []
  const run = sqlite.run.bind(sqlite)
  spyOn(sqlite, "run").mockImplementation((statement: string) => {
    if (statement === "COMMIT") {
      const { synchronous } = sqlite.query("PRAGMA synchronous").get() as { synchronous: number }
      waited.push(synchronous === 2)
    }
    return run(statement)
  })
  const create = (id: string, soft: boolean) =>
    writer.write("runs.create", { ...newRun(id, ["a"]), soft })

  await create("run_1", false)
  expect(waited.splice(0)).toEqual([true])
  await Promise.all([create("run_2", true), create("run_3", true)])
  expect(waited.splice(0)).toEqual([false])
  // One durable change makes its whole group durable, so no further commit is needed.
  await Promise.all([create("run_4", true), create("run_5", false)])
  expect(waited.splice(0)).toEqual([true])
  await Bun.sleep(250)
  expect(waited).toEqual([])

  await create("run_6", true)
  for (let tries = 0; tries < 500 && waited.length < 2; tries++) await Bun.sleep(10)
  expect(waited).toEqual([false, true])
  await writer.close()

  const store = openStore(folder)
  const { runs } = await store.db
    .selectFrom("runs")
    .select((eb) => eb.fn.countAll<number>().as("runs"))
    .executeTakeFirstOrThrow()
  expect(runs).toBe(6)
  await store.close()
})
