import { Database } from "bun:sqlite"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { sql } from "kysely"
import { FetchMethodMemory } from "../../src/engine/fetch/method-memory.ts"
import type { Transport, WireResponse } from "../../src/engine/net/http/exchange.ts"
import { Robots } from "../../src/engine/net/http/robots.ts"
import { RateLimiter } from "../../src/engine/net/rate-limits/rate-limiter.ts"
import { StoreRateLimit } from "../../src/engine/net/rate-limits/shared-limits.ts"
import { type HostMemory, hostMemoryOf } from "../../src/engine/runtime/shared/host-memory.ts"
import { accountById } from "../../src/store/accounts/accounts.ts"
import { openSqlite } from "../../src/store/db/database.ts"
import { migrate } from "../../src/store/db/migrate.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import { itemBodies } from "../../src/store/runs/items.ts"
import { storedCookies } from "../../src/store/runs/reused-cookies.ts"
import { runById } from "../../src/store/runs/runs.ts"
import { forgetEnded, rememberedOfHost } from "../../src/store/shared/host-memory.ts"
import { type OwnStore, openStoreAt } from "../../src/store/store.ts"
import { databasePath } from "../../src/store/upkeep/data-folder.ts"
import { moveToPostgres, moveToSqlite } from "../../src/store/upkeep/move.ts"
import { preparePostgres } from "../../src/store/upkeep/postgres-prepare.ts"
import { emptyDatabase, freshDatabase, hasPostgres } from "../postgres.ts"
import { at, commitOf, finished, good, newRun, runningRun } from "./harness.ts"

const folder = () => mkdtempSync(join(tmpdir(), "trawl-shared-"))

describe.skipIf(!hasPostgres)("a PostgreSQL that two processes share", () => {
  const dataDir = folder()
  let databaseUrl: string
  let one: OwnStore
  let other: OwnStore
  beforeAll(async () => {
    databaseUrl = await freshDatabase()
    one = await openStoreAt({ dataDir, databaseUrl })
    other = await openStoreAt({ dataDir, databaseUrl })
  })
  beforeEach(() => emptyDatabase(databaseUrl))
  afterAll(async () => {
    await Promise.all([one, other].map((store) => store?.close()))
    rmSync(dataDir, { recursive: true })
  })

  const account = (id: string, credits: number) =>
    one.write("accounts.create", {
      ...{ id, email: `${id}@example.com`, passwordHash: null, unlimited: false },
      ...{ credits, createdAt: at },
    })

  test("has the tables of SQLite, column by column", async () => {
    const sqlite = new Database(":memory:")
    migrate(sqlite)
    const ofSqlite = sqlite
      .query(
        `SELECT s.name || '.' || c.name || CASE WHEN c."notnull" OR c.pk THEN ' not null' ELSE '' END AS part
         FROM sqlite_schema AS s, pragma_table_info(s.name) AS c
         WHERE s.type = 'table' AND s.name <> 'list_counts' ORDER BY 1`,
      )
      .values()
      .flat()
    const { rows } = await sql<{ part: string }>`
      SELECT table_name || '.' || column_name
        || CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END AS part
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name NOT IN ('commits', 'duties', 'host_rate_limits', 'host_users', 'host_memory')
        AND table_name NOT IN (SELECT relname FROM pg_class WHERE relispartition)`.execute(one.db)
    expect(rows.map(({ part }) => part).sort()).toEqual(ofSqlite.sort() as string[])
  })

  test("charges each target once, and no account below zero, however many write", async () => {
    await account("acc_a", 25)
    const runs = await Promise.all(
      [0, 1, 2, 3].map((n) => runningRun(one, `run_${n}`, ["a", "b", "c", "d", "e"])),
    )
    const commits = runs.flatMap((run, index) =>
      [0, 1, 2, 3, 4].map((seq) => {
        const commit = commitOf(
          { ...run, account_id: "acc_a" },
          { finished: [finished(seq, { items: [good(seq)], pages: 2 })] },
        )
        // Some are sent twice, as after a lost response.
        const stores = seq === 0 ? [one, other] : [index % 2 ? one : other]
        return Promise.all(stores.map((store) => store.write("targets.commit", commit)))
      }),
    )
    await Promise.all(commits)
    const { balance } = (await accountById(one.db, "acc_a"))!
    const { rows } = await sql<Record<string, number>>`
      SELECT (SELECT sum(amount) FROM ledger) AS ledger, (SELECT count(*) FROM items) AS items,
        (SELECT sum(credits) FROM usage_days) AS used,
        sum(credits_charged) AS charged, sum(item_count) AS counted FROM runs`.execute(one.db)
    // 12 targets for two credits each, one for the last.
    expect({ balance, ...rows[0] }).toEqual({
      ...{ balance: 0, ledger: 0, items: 13, used: 25, charged: 25, counted: 13 },
    })
  })

  test("gives no run to a process that was declared dead, until it has joined again", async () => {
    const leaseMs = 60_000
    const join = (id: string) => one.write("processes.join", { id, folder: id, leaseMs })
    const take = async (id: string) => {
      const taking = { id, max: 9, maxKeyless: 9, perAccount: 9, limits: {}, after: "", at }
      return (await one.write("runs.take", taking)).runs.map((run) => run.id)
    }
    await join("prc_gone")
    await other.write("processes.leave", { id: "prc_gone" })
    expect(await other.write("processes.removeDead", { at })).toBe(0)
    await one.write("runs.create", newRun("run_waiting", ["a"]))
    expect(await take("prc_gone")).toEqual([])
    await join("prc_back")
    expect(await take("prc_back")).toEqual(["run_waiting"])
  })

  test("shares the last credits among parallel charges", async () => {
    for (let n = 0; n < 10; n++) {
      const id = `acc_${n}`
      await account(id, 3)
      const charged = await Promise.all(
        [one, other].map(async (store, index) => {
          const run = await runningRun(store, `run_${n}_${index}`, ["a"])
          const target = finished(0, { items: [good(1)], pages: 2 })
          return store.write(
            "targets.commit",
            commitOf({ ...run, account_id: id }, { finished: [target] }),
          )
        }),
      )
      expect(charged.filter(({ outOfCredit }) => outOfCredit)).toHaveLength(1)
      expect(await accountById(one.db, id)).toMatchObject({ balance: 0 })
    }
  })

  test("counts a quota exactly", async () => {
    const caller = { subjects: ["ip:x", "agent:y"], day: "2026-01-02", limit: 10 }
    const taken = await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 ? one : other).write("freeQuota.spend", caller)),
    )
    expect(taken.filter((used) => used !== null).sort((a, b) => a - b)).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    ])
  })

  test("stores a run as queued whose process was declared dead", async () => {
    await one.write("processes.join", { id: "prc_a", folder: "a", leaseMs: 60_000 })
    const start = (id: string, processId: string) =>
      one.write("runs.start", { run: newRun(id, ["a"]), quota: null, slot: { processId } })
    const queued = { status: "queued", process_id: null, started_at: null, attempt: 0 }
    expect(await start("run_a", "prc_a")).toMatchObject({ status: "running", process_id: "prc_a" })
    expect(await start("run_b", "prc_gone")).toMatchObject(queued)
    await one.write("processes.leave", { id: "prc_a" })
  })

  test("keeps one administrator if several are demoted at the same time", async () => {
    await Promise.all([account("acc_a", 0), account("acc_b", 0)])
    for (const id of ["acc_a", "acc_b"]) await one.write("accounts.change", { id, role: "owner" })
    const changed = await Promise.all([
      one.write("accounts.change", { id: "acc_a", role: "member" }),
      other.write("accounts.change", { id: "acc_b", role: "member" }),
    ])
    expect(changed.filter((row) => row === "last_owner")).toHaveLength(1)
  })

  test("lets one process claim a run, and each attempt has its own number", async () => {
    await one.write("runs.create", newRun("run_a", ["a"]))
    const ids = Array.from({ length: 20 }, (_, n) => (n % 2 ? one : other))
    const takenUp = async () => {
      const taken = await Promise.all(
        ids.map((store) => store.write("runs.claim", { id: "run_a", at })),
      )
      return taken.filter((run) => run !== undefined)
    }
    for (const attempt of [1, 2, 3]) {
      expect(await takenUp()).toMatchObject([{ attempt }])
      await other.write("runs.requeue", { id: "run_a", attempt, cause: "process", at })
    }
  })

  test("lets an abandoned attempt write nothing, not even at the same moment", async () => {
    for (let n = 0; n < 20; n++) {
      const id = `run_${n}`
      const run = await runningRun(one, id, ["a"])
      const stage = { runN: run.n, attempt: 1, seq: 0, from: 0, items: [good("late")] }
      const commit = commitOf(run, { started: [0] })
      await Promise.allSettled([
        one.write("items.stage", stage),
        other.write("runs.requeue", { id, attempt: 1, cause: "worker", at }),
        one.write("targets.commit", commit),
      ])
      const { rows } = await sql<{ staged: number; state: string }>`
        SELECT state, (SELECT count(*) FROM staged_items WHERE run_n = ${run.n}) AS staged
        FROM targets WHERE run_n = ${run.n}`.execute(one.db)
      expect(rows).toEqual([{ state: "queued", staged: 0 }])
    }
  })

  describe("the rate limit of a host", () => {
    const wanting = (times: number) => ({ times, inFlight: 0, queued: times })
    const ask = (index: number) => new StoreRateLimit(index % 2 ? one : other)

    async function until(is: () => Promise<boolean>) {
      for (const end = Date.now() + 20_000; !(await is()); await Bun.sleep(5)) {
        if (Date.now() > end) throw new Error("The condition was not met in time.")
      }
    }
    const strikesOf = async (host: string) =>
      (
        await one.db
          .selectFrom("host_rate_limits")
          .select("strikes")
          .where("host", "=", host)
          .executeTakeFirst()
      )?.strikes

    test("holds over all processes: each time is used once", async () => {
      const processes = [0, 1, 2, 3].map(ask)
      const leases = await Promise.all(
        Array.from({ length: 40 }, (_, n) =>
          processes[n % 4]!.lease("a.test", {}, 250, wanting(5)),
        ),
      )
      const count = leases.reduce((sum, lease) => sum + lease.count, 0)
      expect(count).toBe(80)
      const began = Math.min(...leases.map(({ inMs }) => inMs))
      const ends = leases.map(({ inMs, count }) => inMs + count * 250)
      // From the last one to the first: no two times overlap, and none was skipped.
      expect(Math.max(...ends) - began).toBeGreaterThan(count * 250 - 5000)
      const times = leases.map(({ inMs }) => inMs).sort((one, other) => one - other)
      expect(new Set(times.map(Math.round)).size).toBe(40)
    })

    test("allows as many parallel requests as one process would, and never more", async () => {
      for (const limit of [6, 2]) {
        const host = `at-once-${limit}.test`
        const processes = [0, 1, 2, 3].map((index) => ({ rateLimit: ask(index), inFlight: 0 }))
        let most = 0
        let full = 0
        const fair = new Set<number>()
        // Each starts what it may, and ends one of its requests, until each has had its turn.
        for (const end = Date.now() + 50_000; fair.size < 4 || full < 10; ) {
          if (Date.now() > end) break
          for (const [index, process] of processes.entries()) {
            const load = { times: 1, inFlight: process.inFlight, queued: 5 }
            const { part, share } = await process.rateLimit.lease(
              host,
              { concurrency: limit },
              0,
              load,
            )
            process.inFlight = Math.max(process.inFlight, Math.min(part!, share))
            const sum = processes.reduce((sum, { inFlight }) => sum + inFlight, 0)
            most = Math.max(most, sum)
            if (sum === limit) full++
            if (process.inFlight > 0) fair.add(index)
          }
          for (const process of processes) process.inFlight = Math.max(0, process.inFlight - 1)
        }
        expect(most).toBe(limit)
        expect(full).toBeGreaterThanOrEqual(10)
        expect([...fair].sort()).toEqual([0, 1, 2, 3])
      }
    })

    test("is left to others by an idle process, also by a killed one", async () => {
      const host = "idle.test"
      const limits = { concurrency: 2 }
      const part = async (place: StoreRateLimit, queued: number, inFlight = 0) =>
        (await place.lease(host, limits, 0, { times: 1, inFlight, queued })).part
      const [mine, theirs] = [ask(0), ask(1)]
      expect(await part(mine, 9)).toBe(2)
      // It holds both until it releases them, or has sent no heartbeat for long.
      expect(await part(theirs, 9)).toBe(0)
      expect(await part(mine, 0, 2)).toBe(2)
      expect(await part(mine, 1, 1)).toBe(1)
      expect(await part(theirs, 9)).toBe(1)
      mine.leave(host)
      // No request waits for it: it uses a separate connection.
      while ((await part(theirs, 9)) !== 2) await Bun.sleep(10)
      await sql`UPDATE host_users SET seen_at = seen_at - 4000 WHERE host = ${host}`.execute(one.db)
      expect(await part(mine, 9)).toBe(2)
    })

    test("is learned together: suspensions and quotas", async () => {
      await one.write("rateLimits.suspend", { id: "c.test", forMs: 60_000, cause: "refused" })
      const lease = await ask(0).lease("c.test", {}, 100, wanting(1))
      expect(lease).toMatchObject({ suspendedFor: "refused" })
      expect(lease.suspendedMs).toBeGreaterThan(30_000)
      const rateLimiter = new RateLimiter({ now: () => Date.now() }, ask(0))
      const requested = { host: "c.test", limits: {}, owner: "me" }
      expect(await rateLimiter.acquire(requested).catch(String)).toContain("gets no requests until")
      const challenges = [0, 1].map(
        (index) => new RateLimiter({ now: () => Date.now() }, ask(index)),
      )
      const struck = { ...requested, host: "challenge.test" }
      for (let n = 0; n < 4; n++) {
        ;(await challenges[n % 2]!.acquire(struck)).release("refused")
        // Each learns of the other's refusals at its next request.
        await one.write("store.probe", null)
        await until(async () => (await strikesOf("challenge.test")) === n + 1)
      }
      for (const challenge of challenges) {
        expect(await challenge.acquire(struck).catch(String)).toContain("4 requests in a row")
      }
      const quota = { requests: 5, hours: 1, without: "GITHUB_TOKEN" as const }
      const limiters = [0, 1].map((index) => new RateLimiter({ now: () => Date.now() }, ask(index)))
      const granted = await Promise.allSettled(
        Array.from({ length: 12 }, (_, n) =>
          limiters[n % 2]!.acquire({ ...requested, host: "d.test", limits: { quota } }),
        ),
      )
      expect(granted.filter(({ status }) => status === "fulfilled")).toHaveLength(5)
    })
  })

  describe("shared knowledge of a host", () => {
    /** The caches of two processes, and how often each queried the database. */
    const memories = () =>
      [one, other].map((store) => {
        const memory = hostMemoryOf(store)!
        const requested: string[] = []
        const recall: HostMemory["recall"] = (name) => {
          requested.push(name)
          return memory.recall(name)
        }
        const keep = memory.keep.bind(memory)
        return { requested, recall, keep, forget: memory.forget.bind(memory) }
      }) as [HostMemory & { requested: string[] }, HostMemory & { requested: string[] }]
    /** Waits until the other process would find it. */
    async function reported(name: string, is = true) {
      for (const end = Date.now() + 20_000; Date.now() < end; await Bun.sleep(5)) {
        if (((await rememberedOfHost(other.db, name)) !== undefined) === is) return
      }
      throw new Error(`${name} was not stored.`)
    }

    test("is robots.txt, requested once by all, and read from the database once by each", async () => {
      const { signal } = new AbortController()
      const requested: string[] = []
      const transport: Transport = {
        async send({ url }) {
          requested.push(url)
          const isAway = url.includes("away.test")
          const text = "User-agent: *\nDisallow: /no\nCrawl-delay: 3\nSitemap: /map.xml"
          return {
            ...{ url, status: isAway ? 503 : 200, headers: new Headers() },
            bytes: new TextEncoder().encode(url.includes("none.test") ? "" : text),
          } as unknown as WireResponse
        },
      }
      let now = 0
      const clock = { now: () => now }
      const [first, second] = memories()
      const [ours, theirs] = [first, second].map(
        (hosts) => new Robots(transport, clock, undefined, hosts),
      ) as [Robots, Robots]
      for (const host of ["a.test", "none.test", "away.test"]) {
        await ours.rules(`https://${host}/x`, signal)
        await reported(`robots  https://${host}`)
      }
      for (let page = 0; page < 5; page++) {
        const rules = await theirs.rules(`https://a.test/${page}`, signal)
        expect([rules.allows("https://a.test/no"), rules.allows("https://a.test/yes")]).toEqual([
          false,
          true,
        ])
        expect(rules).toMatchObject({ crawlDelay: 3, sitemaps: ["https://a.test/map.xml"] })
        expect(theirs.knownDelay("https://a.test/")).toBe(3)
        expect(
          (await theirs.rules(`https://none.test/${page}`, signal)).allows("https://none.test/no"),
        ).toBe(true)
        expect((await theirs.rules("https://away.test/", signal)).unreachable).toBe("status 503")
      }
      expect(requested).toHaveLength(3)
      expect(second.requested).toHaveLength(3)
      // A failed file is requested again after five minutes, by the first process that needs it;
      // the others wait.
      now = 6 * 60_000
      await one.write("hosts.forget", { id: "robots  https://away.test" })
      await theirs.rules("https://away.test/", signal)
      await theirs.rules("https://a.test/", signal)
      expect(requested).toHaveLength(4)
    })

    test("is the fetch method that worked, for new runs, and for others within a minute", async () => {
      let now = 0
      const [first, second] = memories()
      const [ours, theirs] = [first, second].map(
        (hosts) => new FetchMethodMemory(() => now, hosts),
      ) as [FetchMethodMemory, FetchMethodMemory]
      const place = "any a.test"
      expect(await theirs.recall(place)).toBeUndefined()
      ours.keep(place, "browser")
      await reported(`method ${place}`)
      expect(await theirs.recall(place)).toBeUndefined()
      expect(second.requested).toHaveLength(1)
      now = 61_000
      const recalled = await Promise.all(Array.from({ length: 8 }, () => theirs.recall(place)))
      expect(recalled).toEqual(Array(8).fill("browser"))
      expect(second.requested).toHaveLength(2)
      expect(await new FetchMethodMemory(() => 0, first).recall(place)).toBe("browser")
      theirs.forget(place)
      expect(await theirs.recall(place)).toBeUndefined()
      await reported(`method ${place}`, false)
      expect(await ours.recall(place)).toBeUndefined()
      // It expires at the time that was set when it was learned.
      await one.write("hosts.remember", { id: "method any b.test", value: "browser", forMs: 1000 })
      expect(await theirs.recall("any b.test")).toBe("browser")
      now += 1001
      expect(theirs.known("any b.test")).toBeUndefined()
    })

    test("is bounded: long names and values are not stored, expired and excess ones are deleted", async () => {
      const remember = (id: string, value: string, forMs: number) =>
        one.write("hosts.remember", { id, value, forMs })
      await remember("x".repeat(401), "a", 60_000)
      await remember("long", "x".repeat(70_000), 60_000)
      for (let n = 0; n < 6; n++) await remember(`n${n}`, "a", n === 0 ? 0 : n * 60_000)
      const names = async () =>
        (await one.db.selectFrom("host_memory").select("name").orderBy("name").execute()).map(
          ({ name }) => name,
        )
      expect(await names()).toEqual(["n0", "n1", "n2", "n3", "n4", "n5"])
      expect(await forgetEnded(one.db, 100)).toBe(1)
      expect(await forgetEnded(one.db, 100, 3)).toBe(2)
      expect(await names()).toEqual(["n3", "n4", "n5"])
    })

    test("is its cookies: one process stores them, the other sends them, and drops them", async () => {
      const visit = { site: "a.test", agent: "Chrome", fetchMethod: "http" } as const
      const cookie = {
        ...{ host: "a.test", path: "/", name: "cf_clearance", value: "v", expiresAt: "2099-01-01" },
        ...{ hostOnly: true, secure: true, httpOnly: true },
      }
      await one.write("cookies.keep", { visits: [{ ...visit, cookies: [cookie] }], at })
      expect(await storedCookies(other.db, visit, at)).toEqual([cookie])
      await other.write("cookies.drop", { visits: [visit], at })
      expect(await storedCookies(one.db, visit, at)).toEqual([])
    })
  })

  test("rolls back a change that fails, and no other of its transaction", async () => {
    await one.write("runs.create", newRun("run_1", ["a"], { accountId: "acc_a" }))
    const results = await Promise.allSettled(
      ["run_2", "run_1", "run_3"].map((id) =>
        one.write("runs.create", newRun(id, ["a", "b"], { accountId: "acc_a" })),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"])
    expect((results[1] as PromiseRejectedResult).reason.code).toBe("POSTGRES_23505")
    expect(await runById(other.db, "run_3")).toBeDefined()
    const { rows } = await sql`SELECT 1 FROM targets`.execute(one.db)
    expect(rows).toHaveLength(5)
  })

  test("stores characters of pages that its texts cannot hold", async () => {
    const run = await runningRun(one, "run_a", ["a\0b"])
    const item = { text: "zero \0, half \ud800" }
    await one.write(
      "targets.commit",
      commitOf(run, {
        finished: [finished(0, { items: [good(item)], followed: [["c\0d", '"c"']] })],
      }),
    )
    const [body] = await Array.fromAsync(itemBodies(other.db, run.n))
    expect(JSON.parse(body!)).toEqual(item)
    const { rows } = await sql`SELECT key FROM targets ORDER BY seq`.execute(one.db)
    expect(rows).toEqual([{ key: "a\uFFFDb" }, { key: "c\uFFFDd" }])
  })

  test("imports a SQLite database, and exports it, row by row", async () => {
    const location = { dataDir: folder(), databaseUrl: await freshDatabase() }
    const before = await openStoreAt({ dataDir: location.dataDir })
    await before.write("accounts.create", {
      ...{ id: "acc_a", email: "a@example.com", passwordHash: null, unlimited: false },
      ...{ credits: 9, createdAt: at },
    })
    const run = await runningRun(before, "run_a", ["a", "b"], { accountId: "acc_a" })
    const texts = ["tab\t, line\n, back\\slash", "\\N", "\u{1F642} and \u2028"]
    await before.write(
      "targets.commit",
      commitOf(run, { finished: [finished(0, { items: texts.map(good), pages: 2 })] }),
    )
    await before.close()
    await preparePostgres(location.dataDir, location.databaseUrl)
    const client = openPostgres(location.databaseUrl, 1)
    const sqlite = openSqlite(databasePath(location.dataDir), "write")
    const moved = await moveToPostgres(sqlite, client)
    expect(moved).toContainEqual({ table: "items", rows: 3 })
    expect(moved).toContainEqual({ table: "ledger", rows: 2 })
    await expect(moveToPostgres(sqlite, client)).rejects.toThrow("already has accounts")

    const after = await openStoreAt(location)
    expect(await accountById(after.db, "acc_a")).toMatchObject({ balance: 7 })
    const bodies = await Array.fromAsync(itemBodies(after.db, run.n))
    expect(bodies.map((body) => JSON.parse(body))).toEqual(texts)
    // New rows there have separate numbers.
    await after.write("runs.create", newRun("run_b", ["c"], { accountId: "acc_a" }))
    await after.close()

    const back = new Database(":memory:")
    migrate(back)
    expect(await moveToSqlite(client, back)).toContainEqual({ table: "runs", rows: 2 })
    const secrets = "SELECT * FROM secrets ORDER BY name"
    expect(back.query(secrets).all()).toEqual(sqlite.query(secrets).all())
    const texted = "SELECT body FROM items ORDER BY idx"
    expect(back.query(texted).all()).toEqual(sqlite.query(texted).all())
    sqlite.close()
    await client.close()
    rmSync(location.dataDir, { recursive: true })
  })

  test("is refused to a process with another key, and accepted with the same", async () => {
    const elsewhere = folder()
    const opened = openStoreAt({ dataDir: elsewhere, databaseUrl })
    expect(opened).rejects.toThrow("Copy trawl.key from the data folder of the first")
    await opened.catch(() => {})
    await Bun.write(join(elsewhere, "trawl.key"), Bun.file(join(dataDir, "trawl.key")))
    await (await openStoreAt({ dataDir: elsewhere, databaseUrl })).close()
    rmSync(elsewhere, { recursive: true })
  })

  test("is refused if it is another program's, or a later version's", async () => {
    const foreign = await freshDatabase()
    const client = openPostgres(foreign, 1)
    await client`CREATE TABLE notes (text TEXT)`
    const location = { dataDir, databaseUrl: foreign }
    expect(await openStoreAt(location).catch(String)).toContain("another program's tables")
    await client`DROP TABLE notes`
    const elsewhere = folder()
    await (await openStoreAt({ ...location, dataDir: elsewhere })).close()
    rmSync(elsewhere, { recursive: true })
    await client`INSERT INTO migrations (id, applied_at) VALUES ('999-later', '2030')`
    expect(await openStoreAt(location).catch(String)).toContain(
      "newer version of Trawl (999-later)",
    )
    await client.close()
  })

  test("that was unavailable is used by a new connection; a missing one is named", async () => {
    const [{ pid }] = (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(one.db))
      .rows as [{ pid: number }]
    const ended = await sql<{ pid: number }>`
      SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> ${pid} AND pid <> pg_backend_pid()`.execute(
      one.db,
    )
    const pids = sql.join(ended.rows.map((row) => row.pid))
    const left = sql`SELECT 1 FROM pg_stat_activity WHERE pid IN (${pids})`
    while ((await left.execute(one.db)).rows.length > 0) await Bun.sleep(10)
    // The end of a connection arrives after its process has ended.
    await Bun.sleep(200)
    // A connection that was closed while it was idle is not noticed.
    await one.write("store.probe", null)
    expect(await runById(one.db, "run_none")).toBeUndefined()
    const nobody = { dataDir, databaseUrl: "postgres://trawl@127.0.0.1:1/trawl" }
    expect(await openStoreAt(nobody).catch(String)).toContain("TRAWL_DATABASE_URL cannot be used")
  })
})
