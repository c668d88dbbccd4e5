import { Database } from "bun:sqlite"
import { afterEach, describe, expect, test } from "bun:test"
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { webhookById } from "../../../src/store/automation/webhooks.ts"
import { DataRefused } from "../../../src/store/db/refused.ts"
import { openStore, openThreadedStore } from "../../../src/store/store.ts"
import { databasePath, keyPath } from "../../../src/store/upkeep/data-folder.ts"
import { KeyLost } from "../../../src/store/upkeep/secret-box.ts"
import { requireOk } from "../../../src/store/upkeep/soundness.ts"
import { ownEnvironment, trawlCommand } from "../../trawl.ts"
import { newRun } from "../harness.ts"

const folders: string[] = []
function fresh(): string {
  const made = mkdtempSync(join(tmpdir(), "trawl-folder-"))
  folders.push(made)
  return join(made, "data")
}
afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true })
})

const modeOf = (path: string) => statSync(path).mode & 0o777

describe("permissions of other users", () => {
  test("do not exist on a new data folder", async () => {
    const before = process.umask(0o022)
    try {
      const dataDir = fresh()
      const store = openStore(dataDir)
      await store.write("runs.create", newRun("run_1", ["a"]))
      expect(modeOf(dataDir)).toBe(0o700)
      const files = readdirSync(dataDir)
      expect(files).toEqual(expect.arrayContaining(["trawl.db", "trawl.db-wal", "trawl.key"]))
      for (const file of files) expect([file, modeOf(join(dataDir, file))]).toEqual([file, 0o600])
      expect(store.warnings).toEqual([])
      await store.close()
    } finally {
      process.umask(before)
    }
  })

  test("are reported of an older one, each with its mode", async () => {
    const dataDir = fresh()
    await openStore(dataDir).close()
    chmodSync(dataDir, 0o755)
    chmodSync(databasePath(dataDir), 0o644)
    const store = openStore(dataDir)
    expect(store.warnings.length).toBe(1)
    expect(store.warnings[0]).toContain(`${dataDir} (755), ${databasePath(dataDir)} (644)`)
    await store.close()
    chmodSync(dataDir, 0o700)
    const closed = openStore(dataDir)
    expect(closed.warnings.join()).not.toContain("(755)")
    await closed.close()
  })
})

/** A folder with some runs in it, closed. */
async function filled(runs = 300): Promise<string> {
  const dataDir = fresh()
  const store = openStore(dataDir)
  const keys = Array.from({ length: 20 }, (_, n) => `https://example.com/${"page/".repeat(10)}${n}`)
  await Promise.all(
    Array.from({ length: runs }, (_, n) => store.write("runs.create", newRun(`run_${n}`, keys))),
  )
  await store.close()
  return dataDir
}

/** Writes random bytes over the middle of the database. */
function damage(dataDir: string): void {
  const path = databasePath(dataDir)
  const file = openSync(path, "r+")
  const noise = crypto.getRandomValues(new Uint8Array(20 * 4096))
  writeSync(file, noise, 0, noise.length, Math.floor(statSync(path).size / 8192) * 4096)
  closeSync(file)
}

/** Returns the folder as a killed process leaves it. */
async function killed(dataDir: string): Promise<string> {
  const copy = fresh()
  const store = openStore(dataDir)
  await store.write("runs.create", newRun("run_last", ["a"]))
  cpSync(dataDir, copy, { recursive: true })
  await store.close()
  return copy
}

const refusal = (dataDir: string): unknown => {
  try {
    openThreadedStore(dataDir)
  } catch (error) {
    return error
  }
}

describe("a damaged database is refused in one sentence", () => {
  const cases: [string, string, (path: string) => void][] = [
    ["empty", "it is empty", (path) => truncateSync(path, 0)],
    ["cut off", "bytes of", (path) => truncateSync(path, statSync(path).size - 4096)],
    ["cut off within its header", "does not start", (path) => truncateSync(path, 50)],
    ["of another kind", "does not start", (path) => writeFileSync(path, "notes\n".repeat(1000))],
  ]
  for (const [name, words, spoil] of cases) {
    test(name, async () => {
      const dataDir = await filled(3)
      const path = databasePath(dataDir)
      spoil(path)
      const bytes = readFileSync(path)
      const error = refusal(dataDir)
      expect(error).toBeInstanceOf(DataRefused)
      const { message } = error as Error
      expect(message).toContain(`${path} is damaged (`)
      expect(message).toContain(words)
      expect(message).toContain("restore a backup")
      expect(message).not.toContain("\n")
      expect(readFileSync(path).equals(bytes)).toBe(true)
    })
  }

  test("damaged in its middle, when the process before was killed", async () => {
    const copy = await killed(await filled())
    damage(copy)
    const error = refusal(copy)
    expect(error).toBeInstanceOf(DataRefused)
    expect((error as Error).message).toContain("is damaged (")
  })

  test("and an intact one is opened, also when the process before was killed", async () => {
    const copy = await killed(await filled())
    const store = openThreadedStore(copy)
    await store.write("runs.create", newRun("run_new", ["a"]))
    await store.close()
    const sqlite = new Database(databasePath(copy), { readonly: true })
    requireOk(sqlite)
    sqlite.close()
    damage(copy)
    const damaged = new Database(databasePath(copy), { readonly: true })
    expect(() => requireOk(damaged)).toThrow(DataRefused)
    damaged.close()
  })
})

test("processes that create the same database at once lose nothing of each other", async () => {
  const dataDir = fresh()
  const made = await Promise.all(
    Array.from({ length: 4 }, async (_, n) => {
      const child = Bun.spawn([...trawlCommand, "account", "create", `a${n}@example.com`], {
        env: { ...ownEnvironment, TRAWL_DATA_DIR: dataDir },
        stdout: "pipe",
        stderr: "inherit",
      })
      return (await new Response(child.stdout).text()).split("\n")[0]!
    }),
  )
  const store = openStore(dataDir)
  const rows = await store.db.selectFrom("accounts").select("id").execute()
  expect(rows.map(({ id }) => id).sort()).toEqual(made.sort())
  expect(readdirSync(dataDir).filter((name) => name.endsWith(".new"))).toEqual([])
  await store.close()
}, 120_000)

const webhook = (id: string, secret: string, previous: string | null = null) => ({
  id,
  account_id: "acc_1",
  url: "https://example.com/hook",
  events: "[]",
  description: null,
  secret,
  previous_secret: previous,
  previous_until: null,
  disabled_at: null,
  disabled_reason: null,
  created_at: "2026-01-02T03:04:05.678Z",
})

/** Returns a folder whose webhooks have these secrets in plain text. */
async function withClearSecrets(): Promise<string> {
  const dataDir = fresh()
  const store = openStore(dataDir)
  await store.write("accounts.create", {
    id: "acc_1",
    email: null,
    passwordHash: null,
    unlimited: false,
    credits: 0,
    createdAt: "2026-01-02T03:04:05.678Z",
  })
  await store.write("webhooks.create", webhook("whk_1", "whsec_Y2xlYXIgb25l", "whsec_Y2xlYXIgb2xk"))
  await store.close()
  return dataDir
}

const bytesOf = (dataDir: string) =>
  readdirSync(dataDir)
    .filter((name) => name.startsWith("trawl.db"))
    .map((name) => readFileSync(join(dataDir, name)).toString("latin1"))
    .join()

describe("webhooks' secrets", () => {
  const read = async (dataDir: string) => {
    const store = openStore(dataDir)
    const row = (await webhookById(store.db, { id: "whk_1", accountId: "acc_1" }))!
    await store.close()
    return { store, row }
  }

  test("stored in plain text are encrypted, and leave no trace in the files", async () => {
    const dataDir = await withClearSecrets()
    expect(bytesOf(dataDir)).toContain("whsec_")
    const { store, row } = await read(dataDir)
    expect(store.secrets.open(row.secret, "whk_1")).toBe("whsec_Y2xlYXIgb25l")
    expect(store.secrets.open(row.previous_secret!, "whk_1")).toBe("whsec_Y2xlYXIgb2xk")
    expect(bytesOf(dataDir)).not.toContain("whsec_")
    expect(modeOf(keyPath(dataDir))).toBe(0o600)
  })

  test("can be decrypted for their purpose only, and not when they were changed", async () => {
    const { store, row } = await read(await withClearSecrets())
    expect(() => store.secrets.open(row.secret, "whk_2")).toThrow()
    const changed = row.secret.replace(/.{4}$/, "AAA=")
    expect(() => store.secrets.open(changed, "whk_1")).toThrow()
    expect(store.secrets.close("same", "a")).not.toBe(store.secrets.close("same", "a"))
  })

  test("whose key file is lost are reported, and readable again when its line is back", async () => {
    const dataDir = await withClearSecrets()
    await read(dataDir)
    const lost = `${keyPath(dataDir)}.lost`
    copyFileSync(keyPath(dataDir), lost)
    rmSync(keyPath(dataDir))
    const without = await read(dataDir)
    expect(without.store.warnings.join()).toContain(
      "secrets of 1 webhooks are encrypted with a key",
    )
    expect(() => without.store.secrets.open(without.row.secret, "whk_1")).toThrow(KeyLost)
    writeFileSync(keyPath(dataDir), readFileSync(keyPath(dataDir), "utf8") + readFileSync(lost))
    const again = await read(dataDir)
    expect(again.store.warnings).toEqual([])
    expect(again.store.secrets.open(again.row.secret, "whk_1")).toBe("whsec_Y2xlYXIgb25l")
    const fresh = again.store.secrets.close("new", "whk_2")
    expect(without.store.secrets.open(fresh, "whk_2")).toBe("new")
  })

  test("are not encrypted with an invalid key", async () => {
    const dataDir = fresh()
    mkdirSync(dataDir)
    writeFileSync(keyPath(dataDir), "not a key\n")
    expect(refusal(dataDir)).toBeInstanceOf(DataRefused)
    expect(existsSync(keyPath(dataDir))).toBe(true)
  })
})
