/**
 * Processes that share a PostgreSQL, one of which is killed with SIGKILL and started again every
 * two seconds. Checks that every run succeeds and each item is stored exactly once, and counts how
 * often each page was requested.
 *
 *     bun bench/cluster/main.ts [--runs 10000] [--processes 2] [--kill 2] [--targets 2]
 *
 * `TRAWL_BINARY` names an executable to use instead of the sources, `TRAWL_TEST_POSTGRES` a server
 * to use instead of a new one. `--kill 0` kills none, `--json` prints only the costs of a run.
 * `--crash-database 20` kills all processes of PostgreSQL every twenty seconds, and starts it
 * again; it then has its default durability.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { sql } from "kysely"
import { openStoreAt } from "../../src/store/store.ts"
import { freshDatabase, PostgresServer } from "../../test/postgres.ts"
import { unlimitedKey } from "./account.ts"
import { databaseSeconds, databaseWork, postmasterOf } from "./database-time.ts"
import { TrawlProcess } from "./process.ts"
import { countingSite } from "./site.ts"

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    processes: { type: "string", default: "2" },
    kill: { type: "string", default: "2" },
    targets: { type: "string", default: "2" },
    json: { type: "boolean", default: false },
    "crash-database": { type: "string", default: "0" },
  },
})
const runs = Number(values.runs)
/** Targets of each run. */
const targets = Number(values.targets)
const callers = 32

const folder = mkdtempSync(join(tmpdir(), "trawl-cluster-"))
const crashSeconds = Number(values["crash-database"])
const server = crashSeconds > 0 ? await PostgresServer.start() : undefined
const databaseUrl = await freshDatabase(server?.url)
const site = countingSite()
const first = join(folder, "1")
const store = await openStoreAt({ dataDir: first, databaseUrl })
const key = await unlimitedKey(first, databaseUrl)

const env = {
  TRAWL_DATABASE_URL: databaseUrl,
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  TRAWL_RUNS_PER_ACCOUNT: "1000",
  TRAWL_LOG_LEVEL: "info",
}
const processes = Array.from(
  { length: Number(values.processes) },
  (_, n) => new TrawlProcess(join(folder, String(n + 1)), env, join(first, "trawl.key")),
)
await Promise.all(processes.map((one) => one.start()))

const postmaster = await postmasterOf(databaseUrl)
const before = databaseSeconds(postmaster)
const workBefore = await databaseWork(databaseUrl)
const began = performance.now()
/** Times at which a process was killed. */
const killed: number[] = []
let next = 0
let finished = false

const killing = (async () => {
  if (values.kill === "0") return
  for (let n = 0; !finished; n++) {
    await Bun.sleep(Number(values.kill) * 1000)
    if (finished) return
    const one = processes[n % processes.length]!
    killed.push(performance.now())
    await one.end("SIGKILL")
    await one.start()
  }
})()

/** Times until runs were accepted again. */
const backAfter: number[] = []
let crashes = 0
let lastAccepted = 0
const crashing = (async () => {
  while (server && !finished) {
    await Bun.sleep(crashSeconds * 1000)
    if (finished) return
    const at = performance.now()
    await server.crash()
    await server.startAgain()
    while (lastAccepted < at && !finished && next < runs) await Bun.sleep(20)
    if (lastAccepted > at) backAfter.push(Math.round(lastAccepted - at) / 1000)
    crashes++
  }
})()

/** Sends a run to any live process until it is acknowledged. */
async function begin(n: number): Promise<string> {
  const urls = Array.from({ length: targets }, (_, page) => `${site.root}/${n}/${page}`)
  for (;;) {
    const { root } = processes[Math.floor(Math.random() * processes.length)]!
    const response = await fetch(`${root}/api/v1/scrapers/web-scraper/runs`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": `run-${n}`,
      },
      body: JSON.stringify({ urls, fields: ["title: h1"] }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined)
    const body = await response?.json().catch(() => undefined)
    if (body?.id) {
      lastAccepted = performance.now()
      return body.id
    }
    await Bun.sleep(50)
  }
}

/**
 * Requests that were repeated after each kill, and how long before the kill they had been sent: the
 * time from the request to the commit, in which a page is not stored.
 */
function repeats() {
  const ages = [...site.times().values()].flatMap((times) =>
    times.slice(0, -1).flatMap((sent) => {
      const kill = killed.find((at) => at > sent)
      return kill === undefined ? [] : [kill - sent]
    }),
  )
  ages.sort((one, other) => one - other)
  const at = (share: number) => Math.round(ages[Math.floor(ages.length * share)] ?? 0)
  return {
    repeatedEachKill: ages.length / Math.max(1, killed.length),
    msBeforeTheKill: { p50: at(0.5), p90: at(0.9), p99: at(0.99) },
  }
}

const acknowledged = new Set<string>()
await Promise.all(
  Array.from({ length: callers }, async () => {
    while (next < runs) acknowledged.add(await begin(next++))
  }),
)
const startedMs = performance.now() - began

async function states(): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; runs: number }>`
    SELECT status, count(*) AS runs FROM runs GROUP BY 1`.execute(store.db)
  return Object.fromEntries(rows.map((row) => [row.status, row.runs]))
}
const open = (counts: Record<string, number>) => (counts.queued ?? 0) + (counts.running ?? 0)
/** Counts as 1 while the database is down. */
const areOpen = async () => states().then(open, () => 1)
while ((await areOpen()) > 0) await Bun.sleep(500)
const seconds = (performance.now() - began) / 1000
finished = true
await Promise.all([killing, crashing])
const database = databaseSeconds(postmaster) - before
const work = await databaseWork(databaseUrl)
await Promise.all(processes.map((one) => one.end("SIGTERM")))

const { rows } = await sql<Record<string, number>>`
  SELECT (SELECT count(*) FROM runs) AS runs,
    (SELECT count(*) FROM items WHERE is_error = 0) AS items,
    (SELECT count(DISTINCT (run_n, seq)) FROM items WHERE is_error = 0) AS places,
    (SELECT count(*) FROM items WHERE is_error = 1) AS errors,
    (SELECT sum(item_count) FROM runs) AS counted,
    (SELECT sum(pages) FROM usage_days) AS pages,
    (SELECT max(attempt) FROM runs) AS attempts,
    (SELECT sum(attempt) FROM runs) AS taken`.execute(store.db)
const own = processes.reduce((sum, one) => sum + one.cpuSeconds, 0)
const each = (value: number) => `${((value / runs) * 1000).toFixed(1)} ms`
const costs = { trawlMs: (own / runs) * 1000, databaseMs: (database / runs) * 1000 }
if (values.json) console.log(JSON.stringify(costs))
else
  console.log({
    ...{ processes: processes.length, kills: killed.length, seconds: Math.round(seconds) },
    ...(server ? { databaseCrashes: crashes, backAfter } : {}),
    ...{ startsPerSecond: Math.round((runs * 1000) / startedMs) },
    // Runs that were queued, claimed and finished.
    queueOperationsPerSecond: Math.round((runs * 2 + rows[0]!.taken!) / seconds),
    ...{ acknowledged: acknowledged.size, ...rows[0], states: await states() },
    executionsPerTarget: site.requests() / (runs * targets),
    ...repeats(),
    ...{ cpuOfTrawlEachRun: each(own), cpuOfDatabaseEachRun: each(database) },
    // Processor time does not depend on other work of the machine, unlike elapsed time.
    commitsEachRun: (work.commits - workBefore.commits) / runs,
    statementsEachRun: each((work.activeMs - workBefore.activeMs) / 1000),
    waitingInTransactionEachRun: each((work.idleMs - workBefore.idleMs) / 1000),
    runsEachCoreSecond: Math.round(runs / (own + database)),
    runsEachDatabaseCoreSecond: Math.round(runs / database),
  })
const stored = rows[0]!
const isWhole =
  acknowledged.size === runs &&
  stored.runs === runs &&
  stored.items === runs * targets &&
  stored.places === stored.items &&
  stored.counted === stored.items &&
  (await states()).succeeded === runs
await store.close()
await site.stop()
rmSync(folder, { recursive: true, force: true })
console.log(isWhole ? "Nothing was lost, and nothing is there twice." : "IT IS NOT WHOLE.")
process.exit(isWhole ? 0 : 1)
