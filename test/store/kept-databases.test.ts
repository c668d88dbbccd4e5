import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { dump, fill, schemaOf } from "../../scripts/keep-database.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { accountByEmail } from "../../src/store/accounts/accounts.ts"
import { webhookById } from "../../src/store/automation/webhooks.ts"
import { migrate, migrations, pendingMigrations } from "../../src/store/migrate.ts"
import { DataRefused } from "../../src/store/refused.ts"
import { itemBodies } from "../../src/store/runs/items.ts"
import { runById } from "../../src/store/runs/runs.ts"
import { ownSecret } from "../../src/store/secrets.ts"
import { openStore } from "../../src/store/store.ts"
import { KeyLost } from "../../src/store/upkeep/seal.ts"
import { TestApp } from "../api/app.ts"
import { Installation } from "../api/process.ts"
import { kept } from "../fixtures/databases/kept.ts"

const fixtures = join(import.meta.dir, "../fixtures/databases")
const commits = [...new Bun.Glob("*.sql").scanSync(fixtures)].map((file) => file.slice(0, -4))
const [run] = kept.runs
/**
 * A start of the service costs a second: the oldest and the newest are served by it, the others of before
 * hashes by the same API in this process.
 */
const newest = commits
  .filter((name) => name.startsWith("schema-"))
  .sort()
  .at(-1)
const isServed = (name: string) => name === "f47ea52" || name === newest

const folders: string[] = []
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

/** A data folder as the commit left it. */
async function dataFolder(commit: string, dataDir = fresh()): Promise<string> {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = new Database(join(dataDir, "trawl.db"), { create: true })
  sqlite.run(await Bun.file(join(fixtures, `${commit}.sql`)).text())
  sqlite.close()
  return dataDir
}

function fresh(): string {
  const made = mkdtempSync(join(tmpdir(), "trawl-kept-"))
  folders.push(made)
  return made
}

/** What stood in the database is read by a key that stood in it, and what waited goes on. */
async function answers(by: (key?: string) => (path: string) => Promise<unknown>): Promise<void> {
  const get = by(kept.key)
  const { items } = (await get(`/api/v1/datasets/${run!.datasetId}/items`)) as { items: unknown[] }
  expect(items).toEqual(run!.items as unknown[])
  // A keyless call needs the salt that some lack.
  const keyless = await by()("/api/scrape/pypi-package-scraper")
  expect(keyless).toMatchObject({ status: "USAGE", free: { used: 0 } })
  const ended = await get(`/api/v1/runs/${kept.runs[1]!.id}?waitForFinish=300`)
  expect(ended).toMatchObject({ status: "failed" })
}

describe("a database of an earlier commit", () => {
  test("is kept for each time that migrations were edited, and since", () => {
    expect(commits).toEqual(expect.arrayContaining(["44e2486", "after-005", "f47ea52", "f7eb727"]))
  })

  test("can be kept of this version, too", async () => {
    const dataDir = fresh()
    const store = openStore(dataDir)
    await fill(store)
    expect((await runById(store.db, run!.id))!).toMatchObject({ item_count: 1, error_count: 1 })
    await store.close()
    const text = dump(join(dataDir, "trawl.db"))
    expect(schemaOf(text)).toEqual(migrations.map(({ id }) => id))
  })

  for (const commit of commits) {
    test(`${commit} is opened with all that it holds`, async () => {
      const dataDir = await dataFolder(commit)
      const store = openStore(dataDir)
      expect((await accountByEmail(store.db, kept.email))?.id).toBe(kept.accountId)
      const row = (await runById(store.db, run!.id))!
      expect(row).toMatchObject({ status: "succeeded", item_count: 1, error_count: 1 })
      const items = await Array.fromAsync(itemBodies(store.db, row.n))
      expect(items.map((body) => JSON.parse(body))).toEqual(run!.items as unknown[])
      expect(await ownSecret(store.db, "callers")).toMatch(/^[0-9a-f]{40}$/)
      const { id, secret } = kept.webhook
      const hook = (await webhookById(store.db, { id, accountId: kept.accountId }))!
      const opens = () => store.seal.open(hook.secret, id)
      // A sealed one has lost its key file; the log says so.
      if (store.warnings.some((warning) => warning.includes("were sealed"))) {
        expect(opens).toThrow(KeyLost)
      } else expect(opens()).toBe(secret)
      await store.close()
      const sqlite = new Database(join(dataDir, "trawl.db"), { readonly: true })
      expect(pendingMigrations(sqlite)).toEqual([])
      const hashes = sqlite.query("SELECT id FROM migrations WHERE hash IS NULL").all()
      expect(hashes).toEqual([])
      sqlite.close()
    })

    if (!commit.startsWith("schema-") && !isServed(commit)) {
      test(`${commit} answers calls`, async () => {
        const app = await TestApp.open(
          { dataDir: await dataFolder(commit), retentionDays: 0 },
          catalogue,
        )
        const by = (key?: string) => async (path: string) => (await app.get(path, { key })).body
        await answers(by)
        await app.close()
      }, 120_000)
    }
    if (!isServed(commit)) continue
    test(`${commit} is told by doctor, and served`, async () => {
      const installation = new Installation({ TRAWL_RETENTION_DAYS: "0" })
      try {
        await dataFolder(commit, join(installation.folder, "data"))
        const { stdout } = await installation.run("doctor")
        expect(stdout).toMatch(/database +(?:up to date|sound; \d{3}-.* will be applied)/)
        const service = await installation.serve()
        await answers((key) => async (path) => {
          const headers: HeadersInit = key ? { authorization: `Bearer ${key}` } : {}
          return (await fetch(service.root + path, { headers })).json()
        })
        expect(await service.end()).toBe(0)
      } finally {
        installation.remove()
      }
    }, 120_000)
  }
})

describe("hashes of migrations", () => {
  async function opened(commit: string): Promise<Database> {
    return new Database(join(await dataFolder(commit), "trawl.db"))
  }
  const hashOf = (sqlite: Database, id: string) =>
    (sqlite.query("SELECT hash FROM migrations WHERE id = ?").get(id) as { hash: string }).hash

  test("tell which form of an edited migration was applied", async () => {
    const [early, between, late] = await Promise.all(["f47ea52", "44e2486", "f7eb727"].map(opened))
    const forms = [early!, between!, late!].map((sqlite) => {
      migrate(sqlite)
      return [hashOf(sqlite, "003-keyless"), hashOf(sqlite, "004-automation")]
    })
    expect(forms[0]![0]).toBe(forms[1]![0]!)
    expect(forms[0]![1]).not.toBe(forms[1]![1]!)
    expect(forms[1]![0]).not.toBe(forms[2]![0]!)
    expect(forms[1]![1]).toBe(forms[2]![1]!)
  })

  test("refuse a database whose migration was another one", async () => {
    const sqlite = await opened("f7eb727")
    migrate(sqlite)
    migrate(sqlite)
    sqlite.run("UPDATE migrations SET hash = ? WHERE id = '002-accounts'", ["0".repeat(64)])
    expect(() => pendingMigrations(sqlite)).toThrow(/another build of Trawl, whose 002-accounts/)
    expect(() => migrate(sqlite)).toThrow(DataRefused)
  })

  test("are not adopted by a database that lacks something; it stays as it was", async () => {
    const sqlite = await opened("f47ea52")
    sqlite.run("DROP INDEX runs_by_end")
    sqlite.run("ALTER TABLE targets DROP COLUMN suspicion")
    expect(() => migrate(sqlite)).toThrow(
      /lacks the (?:column targets.suspicion|index runs_by_end)/,
    )
    expect(sqlite.query("SELECT * FROM migrations LIMIT 1").get()).not.toHaveProperty("hash")
    expect(pendingMigrations(sqlite)).toContain("005-repair")
  })

  test("of a newer version are foreign, as are other programs' databases", async () => {
    const sqlite = await opened("f7eb727")
    sqlite.run("INSERT INTO migrations (id, applied_at) VALUES ('999-later', '2030')")
    expect(() => migrate(sqlite)).toThrow(/newer version of Trawl \(999-later\)/)
    const other = new Database(":memory:")
    other.run("CREATE TABLE notes (text TEXT)")
    expect(() => migrate(other)).toThrow(/database of another program/)
  })
})
