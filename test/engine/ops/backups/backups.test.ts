import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Backups } from "../../../../src/engine/ops/backups/backups.ts"
import { positionOf } from "../../../../src/engine/ops/backups/storage-of.ts"
import { migrations as knownMigrations } from "../../../../src/store/db/migrate.ts"
import { openStore } from "../../../../src/store/store.ts"
import { startS3 } from "./s3-server.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-backups-"))
const dataDir = join(folder, "data")
const s3 = startS3()
beforeAll(() => openStore(dataDir).close())
afterAll(() => {
  s3.stop()
  rmSync(folder, { recursive: true, force: true })
})

const places = {
  "a folder": { backupTo: join(folder, "kept"), env: {} },
  "a storage that speaks S3": { backupTo: "s3://saved/of/trawl", env: s3.env },
}
const day = (number: number) => new Date(Date.UTC(2026, 0, number, 3))
const migrations = (file: string) => {
  const sqlite = new Database(file, { readonly: true })
  const rows = sqlite.query("SELECT id FROM migrations").all()
  sqlite.close()
  return rows.length
}

describe.each(Object.entries(places))("backups in %s", (_, where) => {
  test("are made on schedule, complete, and replace the oldest", async () => {
    const settings = { ...where, backupHours: 24, backupKeep: 3, dataDir }
    let backups = new Backups(settings)
    for (const number of [1, 2, 3, 4]) {
      const made = await backups.poll(day(number))
      expect(made).toMatchObject({ madeAt: day(number).toISOString() })
      expect(await backups.poll(new Date(day(number).getTime() + 23 * 3_600_000))).toBeUndefined()
      expect(backups.lastMadeAt).toBe(day(number).getTime())
      // Backups of an earlier process count, too.
      backups = new Backups(settings)
      expect(await backups.poll(new Date(day(number).getTime() + 60_000))).toBeUndefined()
    }
    const names = (await backups.list()).map(({ name }) => name)
    expect(names).toEqual(["04", "03", "02"].map((number) => `trawl-202601${number}T030000Z.db`))
    const fetched = await positionOf(where).fetch(names[0]!, folder)
    expect(migrations(fetched)).toBe(knownMigrations.length)
    expect(readdirSync(dataDir).filter((name) => name.includes("backup"))).toEqual([])
  })

  test("leave other files", async () => {
    const [foreign, other] = ["trawl-of-mine.db", "notes.txt"]
    if (where.backupTo.startsWith("s3:")) {
      for (const name of [foreign, other]) s3.objects.set(`of/trawl/${name}`, new Uint8Array(1))
    } else for (const name of [foreign, other]) writeFileSync(join(where.backupTo, name), "")
    const backups = new Backups({ ...where, backupHours: 1, backupKeep: 1, dataDir })
    await backups.make(day(9))
    expect((await backups.list()).map(({ name }) => name)).toEqual(["trawl-20260109T030000Z.db"])
    const left = where.backupTo.startsWith("s3:")
      ? [...s3.objects.keys()].map((key) => key.slice("of/trawl/".length))
      : readdirSync(where.backupTo)
    expect(left.sort()).toEqual([other, foreign, "trawl-20260109T030000Z.db"].sort())
  })
})

test("a large database is uploaded in parts", async () => {
  const large = join(folder, "large")
  await openStore(large).close()
  const sqlite = new Database(join(large, "trawl.db"))
  sqlite.run("INSERT INTO memory VALUES ('', 's', 'k', hex(randomblob(6000000)), '')")
  sqlite.close()
  const backups = new Backups({
    backupTo: "s3://saved/large",
    env: s3.env,
    backupHours: 1,
    backupKeep: 0,
    dataDir: large,
  })
  const { bytes, name } = await backups.make(day(1))
  expect(bytes).toBeGreaterThan(12_000_000)
  expect(s3.uploads()).toBeGreaterThan(0)
  const fetched = await positionOf({ backupTo: "s3://saved/large", env: s3.env }).fetch(
    name,
    folder,
  )
  expect(migrations(fetched)).toBe(knownMigrations.length)
})

describe("a failed backup", () => {
  const failing = async (settings: object) => {
    const backups = new Backups({ backupHours: 24, backupKeep: 3, dataDir, env: {}, ...settings })
    const error = await backups.poll(day(1)).catch((thrown) => thrown)
    // Not again before it is due.
    expect(await backups.poll(day(1))).toBeUndefined()
    return String(error)
  }

  test("is reported, and retried later", async () => {
    const wrong = { ...s3.env, AWS_ACCESS_KEY_ID: "unknown" }
    expect(await failing({ backupTo: "s3://saved/x", env: wrong })).toContain("AccessDenied")
    expect(s3.unsigned.length).toBeGreaterThan(0)
    expect(await failing({ backupTo: "s3://nowhere/x", env: s3.env })).toContain("NoSuchBucket")
  })

  test("leaves nothing behind", async () => {
    const file = join(folder, "file")
    writeFileSync(file, "")
    expect(await failing({ backupTo: join(file, "in") })).toContain("a part of the path is a file")
    const empty = join(folder, "empty")
    mkdirSync(empty)
    const to = join(folder, "none")
    expect(await failing({ backupTo: to, dataDir: empty })).toContain(
      "could not be written: unable to open database file",
    )
    expect(existsSync(to) ? readdirSync(to) : []).toEqual([])
  })

  test.each([
    ["backups", "absolute path"],
    ["s3:/bucket", "s3://bucket/path"],
    ["s3://bucket", "AWS_ACCESS_KEY_ID"],
  ])("is reported before: %s", (backupTo, reported) => {
    expect(() => positionOf({ backupTo, env: {} })).toThrow(reported)
  })
})
