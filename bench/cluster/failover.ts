/**
 * Kills the primary PostgreSQL server with SIGKILL, again and again, while clients start runs of
 * several scrapers at processes that share it, with and without an API key. Checks that each
 * acknowledged run is stored exactly once, and measures each time how long it takes until requests
 * are accepted again.
 *
 *     bun bench/cluster/failover.ts [--kills 5] [--every 20] [--processes 2] [--callers 16] [--pooler]
 *
 * Uses three servers under Patroni and etcd behind HAProxy (replicated-postgres.ts). `--pooler`
 * adds PgBouncer with transaction pooling before them. `TRAWL_BINARY` names an executable to use
 * instead of the sources.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { freshKey } from "../../src/accounts/keys.ts"
import { openPostgres } from "../../src/store/db/postgres/client.ts"
import { openStoreAt } from "../../src/store/store.ts"
import { freshDatabase } from "../../test/postgres.ts"
import { MixedLoad, mixedSite } from "./mixed-load.ts"
import { TrawlProcess } from "./process.ts"
import { type KeylessResult, readBack } from "./read-back.ts"
import { ReplicatedPostgres } from "./replicated-postgres.ts"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "5" },
    every: { type: "string", default: "20" },
    processes: { type: "string", default: "2" },
    callers: { type: "string", default: "16" },
    pooler: { type: "boolean", default: false },
  },
})
const kills = Number(values.kills)
/** Maximum time until requests are accepted again. */
const backWithinSeconds = 15

const folder = mkdtempSync(join(tmpdir(), "trawl-failover-"))
const servers = await ReplicatedPostgres.start({ pooler: values.pooler })
const site = mixedSite()
const directUrl = await freshDatabase(servers.directUrl)
const databaseUrl = Object.assign(new URL(servers.url), {
  pathname: new URL(directUrl).pathname,
}).href
const first = join(folder, "1")
const key = await keyOfAccount()

async function keyOfAccount(): Promise<string> {
  const store = await openStoreAt({ dataDir: first, databaseUrl: directUrl })
  const account = { id: "acc_bench", email: null, passwordHash: null, unlimited: false }
  const createdAt = new Date().toISOString()
  await store.write("accounts.create", { ...account, credits: 10_000_000, createdAt })
  const { apiKey, row } = freshKey("bench", new Date())
  await store.write("keys.create", { ...row, accountId: account.id })
  await store.close()
  return apiKey
}

const env = {
  TRAWL_DATABASE_URL: databaseUrl,
  TRAWL_DATABASE_DIRECT_URL: directUrl,
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  TRAWL_FREE_DAILY: "100000",
  TRAWL_KEYLESS_WAIT: "3",
  // Durations of runs are not checked here: a busy machine is slow.
  TRAWL_KEYLESS_TIMEOUT_SECONDS: "600",
  TRAWL_HOST_RATE_LIMITS: "127.0.0.1=200",
  TRAWL_LOG_LEVEL: "info",
}
const processes = Array.from(
  { length: Number(values.processes) },
  (_, n) => new TrawlProcess(join(folder, String(n + 1)), env, join(first, "trawl.key")),
)
await Promise.all(processes.map((one) => one.start()))
const load = new MixedLoad({ siteRoot: site.root, key, processes, callers: Number(values.callers) })
await Bun.sleep(5_000)

/** Seconds until requests were accepted again, and until the database itself accepted a write. */
const backAfter: number[] = []
const databaseAfter: number[] = []

async function databaseBack(since: number): Promise<void> {
  for (;;) {
    const client = openPostgres(directUrl, 1)
    const took = client`UPDATE duties SET name = name`.then(
      () => true,
      () => false,
    )
    const isBack = await Promise.race([took, Bun.sleep(5_000)])
    void client.close({ timeout: 0 }).catch(() => {})
    if (isBack === true) break
    await Bun.sleep(100)
  }
  databaseAfter.push(secondsSince(since))
}

const secondsSince = (moment: number, now = performance.now()) => Math.round(now - moment) / 1000
for (let kill = 0; kill < kills; kill++) {
  const killedAt = performance.now()
  const name = await servers.killPrimary()
  const database = databaseBack(killedAt)
  while (!load.acceptedSince(killedAt) && secondsSince(killedAt) < 120) await Bun.sleep(20)
  const seconds = secondsSince(killedAt, load.acceptedSince(killedAt))
  backAfter.push(seconds)
  await database
  console.error(`killed ${name}, back after ${seconds} s; ${load.calls} calls so far`)
  // Kill the next primary only when another server has all of its data.
  await servers.inStep()
  await Bun.sleep(Math.max(0, Number(values.every) * 1000 - (performance.now() - killedAt)))
}
const counted = await load.end()

const database = openPostgres(directUrl, 1)
const openRuns = async () => {
  const [row] = await database`
    SELECT count(*)::int AS runs FROM runs WHERE status IN ('queued', 'running', 'aborting')`
  return row.runs as number
}
for (const end = Date.now() + 120_000; (await openRuns()) > 0 && Date.now() < end; ) {
  await Bun.sleep(500)
}
const resultOf = async (resultUrl: string) => {
  const { pathname } = new URL(resultUrl)
  const response = await fetch(processes[0]!.root + pathname)
  return (await response.json()) as KeylessResult
}
const back = await readBack(database, counted, resultOf)
await database.close()
await Promise.all(processes.map((one) => one.end("SIGTERM")))

const { acknowledged, answered, wrong, refused } = counted
const { credits } = back
const isWhole =
  back.lost.length + back.missing + back.tooMany + back.twice + wrong.length === 0 &&
  credits.charged === credits.ledger &&
  credits.charged === credits.used &&
  credits.balance === 0 &&
  back.refusedThoughMade.every((response) => !response.includes("Nothing was changed"))
console.log({
  ...{ kills, backAfter, databaseAfter, calls: load.calls },
  ...{ acknowledged: acknowledged.length, answered, wrong, refused: refused.length },
  ...{ ...back, refusedThoughMade: back.refusedThoughMade.slice(0, 5) },
})
await servers.stop()
await site.stop()
if (isWhole) rmSync(folder, { recursive: true, force: true })
else console.log(`Logs: ${folder}`)
console.log(isWhole ? "Nothing was lost, and nothing is there twice." : "IT IS NOT WHOLE.")
process.exit(isWhole && backAfter.every((seconds) => seconds <= backWithinSeconds) ? 0 : 1)
