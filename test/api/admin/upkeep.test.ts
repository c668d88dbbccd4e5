import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { unzipSync } from "fflate"
import { sql } from "kysely"
import { LogTail } from "../../../src/api/log/log-tail.ts"
import type { Db } from "../../../src/store/db/database.ts"
import { daysUntilFull } from "../../../src/store/upkeep/disk-use.ts"
import { isOnPostgres, TestApp } from "../app.ts"

const operator = { key: "trawl_fortheoperatoralone" }
const base = "/api/admin/v1"
let app: TestApp
let account: { id: string; key: string }
beforeAll(async () => {
  app = await TestApp.open({}, undefined, operator.key)
  account = await app.account()
  for (const [scraper, texts] of [
    ["words-scraper", "a b c"],
    ["words-scraper", "d"],
  ]) {
    const started = await app.post(`/api/v1/scrapers/${scraper}/runs?waitForFinish=300`, {
      key: account.key,
      body: { words: texts!.split(" ") },
    })
    expect([started.status, started.body.status]).toEqual([201, "succeeded"])
  }
})
afterAll(() => app.close())

const ask = (method: string, path: string, body?: unknown) =>
  app.call(method, base + path, { ...operator, ...(body !== undefined && { body }) })

test("the end of the log is read by level and words in pages, by administrators only", async () => {
  app.service.log.info({ path: "/first" }, "a line")
  app.service.log.error({ path: "/second" }, "a fault")
  app.service.log.info({ path: "/third" }, "a line")
  const lines = async (requested: string) => (await ask("GET", `/log?${requested}`)).body.items
  const [issue, ...others] = await lines("level=error&text=SECOND")
  expect([issue.message, issue.level, issue.details, others]).toEqual([
    "a fault",
    "error",
    { path: "/second" },
    [],
  ])
  expect(issue.at).toMatch(/^\d{4}-/)
  const newer = await lines(`after=${issue.id}&text=a+line`)
  expect(newer.map((line: { details: unknown }) => line.details)).toEqual([{ path: "/third" }])
  expect(await lines("text=admin/v1/log")).toEqual([])
  await app.get("/api/admin/v1/logbook")
  expect(await lines("text=admin/v1/log")).toHaveLength(1)
  expect((await lines("limit=1&text=a+line"))[0].details).toEqual({ path: "/third" })
  const odd = await ask("GET", "/log?level=loud")
  expect([odd.status, odd.body.error.details[0].field]).toEqual([400, "level"])
  expect((await app.get(`${base}/log`, { key: account.key })).status).toBe(403)
})

test("the recorded response of a broken probe is listed and downloadable, by administrators only", async () => {
  const { dataDir } = app.service.config
  expect((await ask("GET", "/drift")).body.items).toEqual([])
  const name = "2031-03-07T10-00-00.000Z"
  const folder = join(dataDir, "drift/words-scraper", name)
  mkdirSync(folder, { recursive: true })
  const page = "<p>changed</p>".repeat(50_000)
  writeFileSync(join(folder, "case.json"), '{"slug":"words-scraper"}')
  writeFileSync(join(folder, "body.html"), page)
  const { body } = await ask("GET", "/drift")
  expect(body.items).toEqual([
    {
      scraper: "words-scraper",
      name,
      storedAt: expect.any(String),
      bytes: page.length + 24,
      url: expect.stringContaining(`${base}/drift/words-scraper/${name}`),
    },
  ])
  const archive = await app.raw("GET", `${base}/drift/words-scraper/${name}`, operator)
  expect(archive.headers.get("content-type")).toBe("application/zip")
  const files = unzipSync(await archive.bytes())
  expect(Object.keys(files)).toEqual(["body.html", "case.json"])
  expect(new TextDecoder().decode(files["body.html"])).toBe(page)
  expect((await ask("GET", "/drift/words-scraper/2031-03-07T10-00-00.001Z")).status).toBe(404)
  expect((await ask("GET", "/drift/words-scraper/..%2F..%2Fkeys")).status).toBe(404)
  // Files of the data folder and its parent are not cases.
  mkdirSync(join(dataDir, "aside", name), { recursive: true })
  writeFileSync(join(dataDir, "aside", name, "secret"), "secret")
  for (const [scraper, called] of [
    ["..", "."],
    [".", "words-scraper"],
    ["..%2Faside", name],
    [".", `words-scraper%2F${name}`],
    ["words-scraper", `.%2F${name}`],
    ["x".repeat(5000), name],
  ]) {
    const { status } = await ask("GET", `/drift/${scraper}/${called}`)
    expect([scraper, called, status]).toEqual([scraper!, called!, 404])
  }
  const refused = await app.get(`${base}/drift/words-scraper/${name}`, { key: account.key })
  expect(refused.status).toBe(403)
})

test("the log keeps as much as fits its limit", () => {
  const tail = new LogTail()
  const line = (msg: string) => `${JSON.stringify({ level: "info", time: "t", msg })}\n`
  const read = (text = "") => tail.read({ level: "debug", text, after: 0, limit: 10_000 })
  for (let count = 1; count <= 20_000; count++) tail.keep(line(`line ${count}`))
  expect(read().length).toBeWithin(4_000, 5_001)
  expect(read().at(-1)).toMatchObject({ id: 20_000, message: "line 20000" })
  tail.keep(line("\u0000".repeat(1_000_000)))
  expect(read("a line of")).toHaveLength(1)
  for (let count = 0; count < 1_000; count++) tail.keep(line("x".repeat(7_000)))
  expect(read().length).toBeLessThan(300)
})

test("disk use is reported by account, scraper and age", async () => {
  const { status, body } = await ask("GET", "/disk")
  if (isOnPostgres) {
    expect([status, body.error.message]).toEqual([409, expect.stringContaining("PostgreSQL")])
    return
  }
  expect(body.databaseBytes).toBeGreaterThan(100_000)
  expect(body.freeBytes).toBeGreaterThan(0)
  expect(body.bytesPerDay).toBeGreaterThan(0)
  const whole = { runs: 2, items: 4 }
  expect(body.accounts).toMatchObject([{ name: account.id, ...whole }])
  expect(body.scrapers).toMatchObject([{ name: "words-scraper", ...whole }])
  expect(body.ages).toMatchObject([{ name: "last day", ...whole }])
  expect(body.ages[0].bytes).toBeGreaterThan(20)
  expect(body.fileBytes).toBe(0)
  // A run's file counts with the run, wherever it is stored.
  const add = (id: string, storage: string) => (db: Db) =>
    sql`INSERT INTO files SELECT ${sql.lit(id)}, account_id, n, 0, ${sql.lit(id)}, 'image/png', 70000, '', ${sql.lit(storage)},
      created_at, NULL, NULL FROM runs LIMIT 1`.execute(db)
  await app.direct(add("file_1", "folder"))
  await app.direct(add("file_2", "s3"))
  const { body: after } = await ask("GET", "/disk")
  expect(after.fileBytes).toBe(70_000)
  expect(after.accounts[0].bytes - body.accounts[0].bytes).toBe(140_000)
  expect(after.bytesPerDay - body.bytesPerDay).toBeGreaterThanOrEqual(10_000)
})

test("administrators see what runs now, and what it waits for", async () => {
  expect((await ask("GET", "/now")).body.runs).toEqual([])
  const set = (status: string, message: string | null) =>
    app.direct((db) =>
      sql`UPDATE runs SET status = ${status}, status_message = ${message} WHERE n = 1`.execute(db),
    )
  await set("queued", "Waits for slow.example.")
  const { body } = await ask("GET", "/now")
  await set("succeeded", null)
  expect(body.runs).toMatchObject([
    { scraper: "words-scraper", status: "queued", statusMessage: "Waits for slow.example." },
  ])
  expect((await app.get(`${base}/now`, { key: account.key })).status).toBe(403)
})

test("days until the disk is full", () => {
  const use = {
    databaseBytes: 60,
    reusableBytes: 0,
    fileBytes: 40,
    freeBytes: 900,
    bytesPerDay: 10,
  }
  const parts = { accounts: [], scrapers: [], ages: [] }
  expect(daysUntilFull({ ...use, ...parts }, 0)).toBe(90)
  expect(daysUntilFull({ ...use, ...parts }, 200)).toBe(90)
  // Expired data makes room: 30 days hold 300.
  expect(daysUntilFull({ ...use, ...parts }, 30)).toBeNull()
  expect(daysUntilFull({ ...use, ...parts, bytesPerDay: 0 }, 0)).toBeNull()
})

describe("pruning", () => {
  test("counts first, keeps newer data and data of others, and is for administrators", async () => {
    const counted = await ask("POST", "/prune", { days: 0, dryRun: true })
    expect(counted.body).toEqual({ runs: 2, items: 4 })
    for (const which of [{ days: 1 }, { days: 0, account: "keyless" }, { days: 0, scraper: "x" }]) {
      expect((await ask("POST", "/prune", which)).body).toEqual({ runs: 0, items: 0 })
    }
    const others = await app.post(`${base}/prune`, { key: account.key, body: { days: 0 } })
    expect(others.status).toBe(403)
    expect((await ask("POST", "/prune", { days: -1 })).status).toBe(400)
    expect((await ask("GET", "/disk")).body.accounts[0].runs).toBe(2)
  })

  test("deletes runs with their items", async () => {
    const pruned = await ask("POST", "/prune", { days: 0, account: account.id })
    expect(pruned.body).toEqual({ runs: 2, items: 4 })
    expect((await ask("GET", "/disk")).body).toMatchObject({ accounts: [], ages: [] })
    expect((await app.get("/api/v1/runs", { key: account.key })).body.items).toEqual([])
  })
})

test("a backup is made if a destination is set", async () => {
  const refused = await ask("POST", "/backups")
  expect([refused.status, refused.body.error.message]).toEqual([
    409,
    expect.stringContaining("TRAWL_BACKUP_TO"),
  ])
  expect((await ask("GET", "/backups")).body).toEqual({ items: [] })
  const to = join(app.service.config.dataDir, "kept")
  const settings = (value: string) => ask("PUT", "/settings/TRAWL_BACKUP_TO", { value })
  expect((await settings("here")).status).toBe(400)
  expect((await settings(to)).status).toBe(200)
  const made = await ask("POST", "/backups")
  expect(made.body).toMatchObject({ name: expect.stringMatching(/^trawl-\d{8}T\d{6}Z\.db$/) })
  expect((await ask("GET", "/backups")).body).toEqual({ items: [made.body] })

  // An unavailable storage is named, instead of "the service failed".
  rmSync(to, { recursive: true })
  writeFileSync(to, "a file, not a folder")
  const failed = await ask("POST", "/backups")
  expect([failed.status, failed.body.error.message]).toEqual([
    502,
    expect.stringMatching(/^The backup failed: .*it is a file.*TRAWL_BACKUP_TO/is),
  ])
})
