import { Database } from "bun:sqlite"
import { afterAll, expect, test } from "bun:test"
import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DataRefused } from "../../../src/store/db/refused.ts"
import { openStore } from "../../../src/store/store.ts"
import { backUp } from "../../../src/store/upkeep/backup.ts"
import { restore } from "../../../src/store/upkeep/restore.ts"

const root = mkdtempSync(join(tmpdir(), "trawl-restore-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const change = (file: string, statement: string) => {
  const sqlite = new Database(file)
  sqlite.run("PRAGMA journal_mode = WAL")
  sqlite.run(statement)
  return sqlite
}
const note = (value: string) =>
  `INSERT OR REPLACE INTO memory VALUES ('', 'test', 'note', '${value}', '')`
const noted = (dataDir: string) => {
  const sqlite = new Database(join(dataDir, "trawl.db"), { readonly: true })
  const row = sqlite.query("SELECT value FROM memory").get() as { value: string } | null
  sqlite.close()
  return row?.value
}

/** A data folder, and a backup from before its note was changed. */
async function folder(name: string): Promise<{ dataDir: string; backup: string }> {
  const dataDir = join(root, name)
  await openStore(dataDir).close()
  change(join(dataDir, "trawl.db"), note("then")).close()
  const backup = join(root, `${name}.db`)
  backUp(dataDir, backup)
  return { dataDir, backup }
}

test("the backed-up state is restored, and nothing later", async () => {
  const { dataDir, backup } = await folder("whole")
  const path = join(dataDir, "trawl.db")
  // The state after a killed process: its change is in the log only.
  const open = change(path, note("now"))
  const log = await Bun.file(`${path}-wal`).bytes()
  const database = await Bun.file(path).bytes()
  open.close()
  writeFileSync(path, database)
  writeFileSync(`${path}-wal`, log)
  expect(noted(dataDir)).toBe("now")

  const { before, warnings } = restore(dataDir, backup)
  expect([noted(dataDir), warnings]).toEqual(["then", []])
  const old = new Database(before!, { readonly: true })
  expect(old.query("SELECT value FROM memory").get()).toEqual({ value: "now" })
  old.close()
  await openStore(dataDir).close()
  expect(noted(dataDir)).toBe("then")
  expect(existsSync(`${path}.restore`)).toBe(false)
})

test("a damaged database is replaced, and kept", async () => {
  const { dataDir, backup } = await folder("damaged")
  const path = join(dataDir, "trawl.db")
  writeFileSync(path, "no database")
  writeFileSync(`${path}-wal`, "no log")
  const { before } = restore(dataDir, backup)
  expect(noted(dataDir)).toBe("then")
  expect(await Bun.file(before!).text()).toBe("no database")
  expect(await Bun.file(`${before}-wal`).text()).toBe("no log")
})

test("an empty folder is filled", async () => {
  const { backup } = await folder("sealed")
  const dataDir = join(root, "another")
  expect(restore(dataDir, backup)).toEqual({ warnings: [] })
  expect(noted(dataDir)).toBe("then")
})

test.each([
  ["cut off", (file: string) => truncateSync(file, 40_000), "not a valid backup"],
  ["something else", (file: string) => writeFileSync(file, "text"), "not a valid backup"],
  [
    "of a newer version",
    (file: string) =>
      change(file, "INSERT INTO migrations (id, applied_at) VALUES ('999-later', '')").close(),
    "newer version of Trawl (999-later)",
  ],
])("a backup that is %s is refused, and nothing changes", async (name, spoil, reported) => {
  const { dataDir, backup } = await folder(`refused ${name}`)
  spoil(backup)
  const files = readdirSync(dataDir)
  expect(() => restore(dataDir, backup)).toThrow(DataRefused)
  expect(() => restore(dataDir, backup)).toThrow(reported)
  expect(readdirSync(dataDir)).toEqual(files)
  expect(noted(dataDir)).toBe("then")
})
