import { afterAll, beforeAll, describe, expect, setSystemTime, test } from "bun:test"
import { cpSync, mkdtempSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { ScheduleClock } from "../../src/engine/runtime/schedules/clock.ts"
import { itemBodies } from "../../src/store/runs/items.ts"
import { runById } from "../../src/store/runs/runs.ts"
import type { RunRow } from "../../src/store/tables/schema.ts"
import { freshDatabase, hasPostgres } from "../postgres.ts"
import { type TestAccount, TestApp } from "./app.ts"

/** Waits some seconds for a value. */
async function until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
  for (const end = Date.now() + 60_000; ; await Bun.sleep(50)) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error("The value did not appear in time.")
  }
}

describe.skipIf(!hasPostgres)("two processes on one database", () => {
  let one: TestApp
  let other: TestApp
  let account: TestAccount
  const folders = ["one", "other"].map((name) =>
    mkdtempSync(join(tmpdir(), `trawl-shared-${name}-`)),
  ) as [string, string]

  const opened = (dataDir: string, databaseUrl: string, gate = false) =>
    TestApp.open({
      dataDir,
      databaseUrl,
      runsPerAccount: 3,
      freeDaily: 5,
      keylessWait: 0,
      signup: "unowned",
    }).then((app) => {
      if (gate) app.gate.release()
      return app
    })
  beforeAll(async () => {
    const databaseUrl = await freshDatabase()
    one = await opened(folders[0], databaseUrl)
    cpSync(join(folders[0], "trawl.key"), join(folders[1], "trawl.key"))
    // The other's runs continue while those of the first wait.
    other = await opened(folders[1], databaseUrl, true)
    account = await one.account()
  })
  afterAll(() => Promise.all([one, other].map((app) => app?.close())))

  const stored = (id: string) => runById(other.store.db, id) as Promise<RunRow>
  const start = async (words: string[]) => {
    const { body } = await one.post("/api/v1/scrapers/words-scraper/runs", {
      key: account.key,
      body: { words },
    })
    return body as { id: string; datasetId: string }
  }
  const folderOfOne = () => readFileSync(join(folders[0], "process.id"), "utf8")
  /** Starts a run in the first process, which usually claims it. */
  const startAtOne = async (words: string[]) => {
    for (;;) {
      const run = await start(words)
      const { process_id } = await until(async () => {
        const row = await stored(run.id)
        return row.status !== "queued" && row
      })
      const own = await other.store.db
        .selectFrom("processes")
        .select("id")
        .where("folder", "=", folderOfOne())
        .execute()
      if (own.some(({ id }) => id === process_id)) return run
    }
  }

  test("share accounts, runs and items", async () => {
    const run = await one.run(account.key, ["a", "b", "missing"])
    const { key } = account
    const { body } = await other.get(`/api/v1/runs/${run.id}`, { key })
    expect(body).toMatchObject({ status: "succeeded", itemCount: 2, errorCount: 1 })
    const items = await other.get(`/api/v1/datasets/${run.datasetId}/items?format=csv`, { key })
    expect(items.text).toContain("word,place,detail.length")
    expect((await other.get("/api/v1/me", { key })).body.credits.balance).toBe(998)
  })

  test("abort each other's runs, and send their events as they happen", async () => {
    const { key } = account
    const run = await startAtOne(["a", "slow"])
    await until(async () => (await stored(run.id)).item_count === 1)
    const events = await other.raw("GET", `/api/v1/runs/${run.id}/events`, { key })
    const waited = other.get(`/api/v1/runs/${run.id}?waitForFinish=30`, { key })
    const { body } = await other.post(`/api/v1/runs/${run.id}/abort`, { key })
    expect(["aborting", "aborted"]).toContain(body.status)
    expect((await waited).body).toMatchObject({ status: "aborted", itemCount: 1 })
    expect(await events.text()).toContain('"status":"aborted"')
  })

  test("share a keyless quota, and the results that it paid for", async () => {
    const call = (app: TestApp, word: string) => app.get(`/api/scrape/words-scraper?words=${word}`)
    const first = await call(one, "slow")
    expect(first.body).toMatchObject({ status: "RUNNING", free: { remaining: 4 } })
    const path = new URL(first.body.resultUrl).pathname
    expect((await other.get(path)).body.status).toBe("RUNNING")
    one.gate.release()
    const done = await until(async () => {
      const { body } = await other.get(path)
      return body.status !== "RUNNING" && body
    })
    expect(done).toMatchObject({ status: "SUCCEEDED", items: [{ word: "slow" }] })
    one.gate.reset()
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => call(n % 2 ? one : other, `w${n}`)),
    )
    const spent = answers.filter(({ body }) => body.status === "PAYMENT_REQUIRED")
    expect(spent).toHaveLength(4)
  })

  test("run no more of an account's runs at once than one process would", async () => {
    const runs = await Promise.all(Array.from({ length: 8 }, () => start(["slow"])))
    let most = 0
    await until(async () => {
      const states = await Promise.all(runs.map(({ id }) => stored(id)))
      const running = states.filter(({ status }) => status === "running").length
      most = Math.max(most, running)
      one.gate.release()
      return states.every(({ status }) => status === "succeeded")
    })
    expect(most).toBeLessThanOrEqual(3)
    one.gate.reset()
  })

  test("run a schedule once", async () => {
    const { key } = account
    const { body } = await one.post("/api/v1/schedules", {
      key,
      body: { scraper: "words-scraper", input: { words: ["often"] }, cron: "* * * * *" },
    })
    const now = () => new Date(Date.parse(body.nextFireTimes[0]) + 1)
    const clocks = [one, other].map(({ service, store, runs }) => {
      const scraper = (slug: string) => service.scraper(slug)
      const onError = (message: string) => expect(message).toBeUndefined()
      return new ScheduleClock({ store, runs, scraper, now, onError })
    })
    await Promise.all(clocks.map((clock) => clock.poll()))
    const runs = await one.store.db
      .selectFrom("runs")
      .select("id")
      .where("origin", "=", "schedule")
      .execute()
    expect(runs).toHaveLength(1)
  })

  for (const seconds of [-7_200, -30, 30, 7_200]) {
    test(`run a scheduled run once, also if one clock is ${seconds} s off`, async () => {
      const { key } = account
      const body = { scraper: "words-scraper", input: { words: ["often"] }, cron: "* * * * *" }
      const { id } = (await one.post("/api/v1/schedules", { key, body })).body
      const due = new Date(Math.floor(Date.now() / 60_000) * 60_000).toISOString()
      const set = { next_at: due }
      await one.store.write("schedules.change", { id, accountId: account.id, set })
      const clockOf = ({ service, store, runs }: TestApp) =>
        new ScheduleClock({
          store,
          runs,
          scraper: (slug) => service.scraper(slug),
          onError: (message) => expect(message).toBeUndefined(),
        })
      const scheduledRuns = () =>
        one.store.db
          .selectFrom("scheduled_runs")
          .select(["due_at", "run_id"])
          .where("schedule_id", "=", id)
          .execute()
      await clockOf(one).poll()
      const fired = await scheduledRuns()
      setSystemTime(new Date(Date.now() + seconds * 1000))
      try {
        // The first poll of a process that was just started.
        const late = clockOf(other)
        for (let look = 0; look < 3; look++) await late.poll()
      } finally {
        setSystemTime()
      }
      // A new minute may have started meanwhile.
      const since = (await scheduledRuns()).filter(
        ({ due_at }) => Date.parse(due_at) <= Date.parse(due),
      )
      expect(since).toEqual(fired)
      expect(fired).toHaveLength(1)
      const { rows } = await sql<{ next: string }>`
        SELECT next_at AS next FROM schedules WHERE id = ${id}`.execute(one.store.db)
      expect(Date.parse(rows[0]!.next) - Date.parse(due)).toBeLessThanOrEqual(120_000)
      await one.call("DELETE", `/api/v1/schedules/${id}`, { key })
    })
  }

  test("take over from a process that was frozen, whose writes are refused when it is back", async () => {
    const run = await startAtOne(["a", "slow", "b"])
    await until(async () => (await stored(run.id)).targets_done === 2)
    const { process_id } = await stored(run.id)
    const { db } = other.store
    // The process has not sent a heartbeat for long. If it is between two steps, wait once more.
    // The run of a lost process continues under the other's name, which must not be removed.
    await until(async () => {
      await db
        .updateTable("processes")
        .set({ alive_until: 0 })
        .where("id", "=", process_id)
        .execute()
      await other.store.write("processes.removeDead", { at: new Date().toISOString() })
      const left = await db
        .selectFrom("processes")
        .select("id")
        .where("id", "=", process_id)
        .execute()
      return left.length === 0
    })
    one.gate.release()
    await until(async () => (await stored(run.id)).status === "succeeded")
    const { n, ...ended } = await stored(run.id)
    expect(ended).toMatchObject({ attempt: 2, targets_done: 3, item_count: 3 })
    const words = await Array.fromAsync(itemBodies(other.store.db, n))
    expect(words.map((item) => JSON.parse(item).word).sort()).toEqual([...["a", "b", "slow"]])
    // It continues under another name.
    await until(async () => {
      const { length } = await other.store.db.selectFrom("processes").select("id").execute()
      return length === 2
    })
    one.gate.reset()
  })

  test("allow no new administrator once one of them has one", async () => {
    const join = (email: string) =>
      other.post("/api/account", { body: { email, password: "correct horse" } })
    expect((await join("first@example.com")).status).toBe(201)
    await one.store.write("accounts.change", { id: account.id, role: "owner" })
    expect((await join("late@example.com")).status).toBe(403)
  })

  test("leave their runs to the others when they stop", async () => {
    const run = await startAtOne(["a", "slow"])
    await one.runs.stop(0)
    await until(async () => (await stored(run.id)).status === "succeeded")
    expect(await stored(run.id)).toMatchObject({ item_count: 2, process_id: null, suspicion: 0 })
  })
})
