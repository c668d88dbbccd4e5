import { afterEach, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openSqlite } from "../../../src/store/db/database.ts"
import { persist } from "../../../src/store/db/disk/persist.ts"
import { migrate } from "../../../src/store/db/migrate.ts"
import { runById } from "../../../src/store/runs/runs.ts"
import {
  connectStore,
  databasePath,
  openStore,
  openThreadedStore,
  type Store,
} from "../../../src/store/store.ts"
import { PortWriter } from "../../../src/store/writer/writer-port.ts"
import { newRun } from "../harness.ts"

const folders: string[] = []
function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "trawl-writer-"))
  folders.push(made)
  return made
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

const count = async (store: Store) =>
  (
    await store.db
      .selectFrom("runs")
      .select((eb) => eb.fn.countAll<number>().as("runs"))
      .executeTakeFirstOrThrow()
  ).runs

for (const open of [openStore, openThreadedStore]) {
  test(`${open.name}: a change that fails leaves the others of its group`, async () => {
    const store = open(folder())
    await store.write("runs.create", newRun("run_1", ["a"]))
    const ids = ["run_2", "run_1", "run_3", "run_3", "run_4"]
    const results = await Promise.allSettled(
      ids.map((id) => store.write("runs.create", newRun(id, ["a", "b"]))),
    )
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ])
    const refused = results[1] as PromiseRejectedResult
    expect(refused.reason.code).toBe("SQLITE_CONSTRAINT_UNIQUE")
    expect(await count(store)).toBe(4)
    await store.close()
  })

  test(`${open.name}: acknowledged changes are visible to every reader, and after closing`, async () => {
    const dataDir = folder()
    const store = open(dataDir)
    await Promise.all(
      Array.from({ length: 1500 }, async (_, n) => {
        await store.write("runs.create", newRun(`run_${n}`, ["a"]))
        expect(await runById(store.db, `run_${n}`)).toBeDefined()
      }),
    )
    await store.close()
    expect(store.write("runs.create", newRun("run_late", []))).rejects.toThrow()
    const again = openStore(dataDir)
    expect(await count(again)).toBe(1500)
    await again.close()
  })
}

test("another thread's changes go to the same writer over its own port", async () => {
  const dataDir = folder()
  const store = openThreadedStore(dataDir)
  const other = connectStore(databasePath(dataDir), new PortWriter(store.connect()))
  await Promise.all([
    store.write("runs.create", newRun("run_a", [])),
    other.write("runs.create", newRun("run_b", [])),
  ])
  expect([await count(store), await count(other)]).toEqual([2, 2])
  await other.close()
  await store.close()
})

test("a database of a newer version is not opened", () => {
  const sqlite = openSqlite(join(folder(), "any.db"), "write")
  migrate(sqlite)
  migrate(sqlite)
  sqlite.run("INSERT INTO migrations (id, applied_at) VALUES ('999-later', '2030')")
  expect(() => migrate(sqlite)).toThrow("newer version")
  sqlite.close()
})

test("a change waits while the disk is full, and fails for any other reason", async () => {
  let tries = 0
  const change = async () => {
    if (++tries < 3) throw Object.assign(new Error("disk full"), { code: "SQLITE_FULL" })
    return "done"
  }
  expect(await persist(change)).toBe("done")
  expect(tries).toBe(3)
  const other = async () => {
    throw Object.assign(new Error("no"), { code: "SQLITE_CONSTRAINT" })
  }
  expect(persist(other)).rejects.toThrow("no")
})
