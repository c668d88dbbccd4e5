/**
 * Measures a store that has grown: the service's start, responses of its lists, and the wait of
 * requests while expired rows are deleted: `bun run bench trust growth [runs] [items a run]`. A
 * list's cost is the service's processor time per request. Elapsed times are printed next to those
 * of /healthz, requested in between, which show the machine's load.
 */
import { Database } from "bun:sqlite"
import { mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freshKey } from "../../src/accounts/keys.ts"
import { dayMs } from "../../src/base/time.ts"
import { databasePath, openStore } from "../../src/store/store.ts"
import { trawlCommand } from "../../test/trawl.ts"
import { quantile, startService, type Watched } from "./service.ts"

const runs = Number(process.argv[2] ?? 1_000_000)
const itemsEach = Number(process.argv[3] ?? 10)
const sweepSeconds = Number(process.env.TRAWL_TRUST_SECONDS ?? 120)
const callsEach = 200
const most = { startMs: 2000, listMs: 20, waitMs: 50 }
const storedDays = 30
const dataDir = mkdtempSync(join(tmpdir(), "trawl-grown-"))
const path = databasePath(dataDir)

/**
 * One account with 6 of 10 runs, a hundred with 3, and anonymous ones; half of all have expired.
 */
async function seed(): Promise<string> {
  const store = openStore(dataDir)
  const createdAt = new Date().toISOString()
  for (let n = 0; n <= 100; n++) {
    const account = { id: `acc_${n}`, email: `a${n}@example.com`, passwordHash: null }
    await store.write("accounts.create", { ...account, unlimited: true, credits: 0, createdAt })
  }
  const { apiKey, row } = freshKey("bench", new Date(), undefined, {
    scopes: ["run", "read", "admin"],
  })
  await store.write("keys.create", { ...row, accountId: "acc_0" })
  await store.close()
  const sqlite = new Database(path)
  sqlite.run("PRAGMA synchronous = OFF")
  sqlite.run("UPDATE accounts SET role = 'owner' WHERE id = 'acc_0'")
  const newest = Date.now() / 1000
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${runs})`
  const account = `CASE WHEN i % 10 < 6 THEN 'acc_0' WHEN i % 10 < 9 THEN 'acc_' || (1 + i % 100) END`
  // Over sixty days, the oldest first.
  const at = `strftime('%Y-%m-%dT%H:%M:%fZ', ${newest} - 5184000.0 * (1.0 - i * 1.0 / ${runs}), 'unixepoch')`
  sqlite.run(
    `INSERT INTO runs (id, dataset_id, slug, status, input, account_id, origin, timeout_seconds, item_count,
       targets_done, targets_total, credits_charged, created_at, started_at, finished_at)
     ${numbers} SELECT 'run_' || i, 'ds_' || i, 'slug-' || (i % 50),
       CASE i % 7 WHEN 0 THEN 'failed' WHEN 1 THEN 'aborted' ELSE 'succeeded' END,
       '{"urls":["https://example.com/' || i || '"]}', ${account}, 'api', 60, ${itemsEach}, 2, 2, ${itemsEach},
       ${at}, ${at}, ${at} FROM n`,
  )
  for (let idx = 0; idx < itemsEach; idx += 5)
    sqlite.run(
      `INSERT INTO items (run_n, seq, idx, body)
       ${numbers} SELECT i, v.column1 % 2, ${idx} + v.column1, json_object('url', 'https://example.com/' || i, 'title',
         'The title of page ' || i, 'n', v.column1, 'text', 'A sentence that an item of a page of this length may hold.',
         'tags', json_array('a', 'b')) FROM n, (VALUES (0), (1), (2), (3), (4)) v`,
    )
  sqlite.run(
    `INSERT INTO targets (run_n, seq, key, target, state) ${numbers}
     SELECT i, v.column1, 'https://example.com/' || i || '/' || v.column1, '{"url":"https://example.com/' || i || '"}', 'done'
     FROM n, (VALUES (0), (1)) v`,
  )
  sqlite.run(
    `INSERT INTO run_log (run_n, at, level, message) ${numbers} SELECT i, ${at}, 'info', 'The run has ended.' FROM n`,
  )
  sqlite.run(
    `INSERT INTO ledger (account_id, at, amount, reason, run_id) ${numbers}
     SELECT coalesce(${account}, 'acc_1'), ${at}, -${itemsEach}, 'run', 'run_' || i FROM n`,
  )
  sqlite.run(
    `INSERT INTO usage_days (account_id, day, slug, key_id, pages, items, credits)
     ${numbers} SELECT 'acc_' || (i % 101), date(${newest}, 'unixepoch', '-' || ((i / 5050) % 60) || ' days'), 'slug-' || ((i / 101) % 50), '', 1, 1, 1
     FROM n WHERE i <= 303000`,
  )
  sqlite.run(
    `INSERT INTO webhooks (id, account_id, url, events, secret, created_at)
     VALUES ('wh_0', 'acc_0', 'https://example.com/', '["run.succeeded"]', 'x', '${createdAt}')`,
  )
  sqlite.run(
    `INSERT INTO deliveries (id, webhook_id, event, run_id, payload, state, tries, created_at, ended_at)
     ${numbers} SELECT 'dlv_' || printf('%08d', i), 'wh_0', 'run.succeeded', 'run_' || i, '{}', 'delivered', 1, ${at}, ${at} FROM n WHERE i % 10 = 0`,
  )
  sqlite.run(
    `INSERT INTO batches (id, account_id, size, created_at) ${numbers}
     SELECT 'bat_' || printf('%08d', i), 'acc_0', 1, ${at} FROM n WHERE i % 100 = 0`,
  )
  sqlite.run(
    `INSERT INTO batch_runs (batch_id, position, run_id) ${numbers}
     SELECT 'bat_' || printf('%08d', i), 0, 'run_' || i FROM n WHERE i % 100 = 0`,
  )
  sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)")
  sqlite.close()
  return apiKey
}

const issues: string[] = []
function held(what: string, found: number, allowed: number): void {
  if (found > allowed) issues.push(`${what}: ${found.toFixed(1)} over ${allowed}`)
}

async function requested(url: string, key: string): Promise<number> {
  const began = performance.now()
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
  await response.bytes()
  if (!response.ok) throw new Error(`${response.status} ${url}`)
  return performance.now() - began
}

const last = Math.floor(runs / 10) * 10
const lists = [
  "/api/v1/runs", "/api/v1/runs?status=failed", "/api/v1/runs?scraper=slug-1", `/api/v1/runs?cursor=${runs / 2}`,
  `/api/v1/runs?createdAfter=${new Date(Date.now() - 5 * dayMs).toISOString()}`, "/api/v1/runs?limit=100&offset=1000",
  `/api/v1/runs/run_${last}`, `/api/v1/runs/run_${last}/log`, `/api/v1/runs/run_${last}/targets`,
  "/api/v1/datasets", `/api/v1/datasets/ds_${last}`, `/api/v1/datasets/ds_${last}/items`,
  "/api/v1/batches", `/api/v1/batches/bat_${String(Math.floor(runs / 100) * 100).padStart(8, "0")}`,
  "/api/v1/webhooks/wh_0/deliveries", "/api/v1/me", "/api/v1/me/ledger", "/api/v1/usage", "/api/v1/usage?by=scraper",
  "/api/v1/schedules", "/api/v1/monitors", "/api/v1/keys", "/api/v1/recipes",
  "/api/admin/v1/accounts", "/api/admin/v1/accounts/acc_0", "/api/admin/v1/now", "/api/admin/v1/usage",
] // biome-ignore format: a list reads better dense

async function measureLists(serving: Watched, key: string): Promise<void> {
  for (const list of lists) {
    await requested(serving.root + list, key)
    const waits: number[] = []
    const health: number[] = []
    const taken: number[] = []
    for (let n = 0; n < callsEach; n++) {
      const before = serving.cpuMs()
      waits.push(await requested(serving.root + list, key))
      taken.push(serving.cpuMs() - before)
      health.push(await requested(`${serving.root}/healthz`, key))
    }
    held(`${list}: p99 of the processor's milliseconds`, quantile(taken, 0.99), most.listMs)
    const figures = [
      ...[taken, waits, health].flatMap((of) => [quantile(of, 0.5), quantile(of, 0.99)]),
    ].map((ms) => ms.toFixed(1).padStart(7))
    console.log(`${list.padEnd(60)} ${figures.join(" ")}`)
  }
}

const rowsOf = (table: string) => {
  const sqlite = new Database(path, { readonly: true })
  const { n } = sqlite.query(`SELECT count(*) AS n FROM ${table}`).get() as { n: number }
  sqlite.close()
  return n
}

/** Measures for a number of seconds how long reads and writes wait. */
async function waits(serving: Watched, key: string, seconds: number) {
  const found: Record<string, number[]> = { "/healthz": [], "/api/v1/runs": [], write: [] }
  const until = Date.now() + seconds * 1000
  while (Date.now() < until) {
    found["/healthz"]!.push(await requested(`${serving.root}/healthz`, key))
    found["/api/v1/runs"]!.push(await requested(`${serving.root}/api/v1/runs`, key))
    const began = performance.now()
    const made = await fetch(`${serving.root}/api/v1/keys`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "sweep" }),
    })
    const { id } = (await made.json()) as { id: string }
    found.write!.push(performance.now() - began)
    await fetch(`${serving.root}/api/v1/keys/${id}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${key}` },
    })
    await Bun.sleep(20)
  }
  return found
}

function report(name: string, found: Record<string, number[]>): void {
  for (const [call, list] of Object.entries(found)) {
    const [p50, p99, longest] = [0.5, 0.99, 1].map((part) => quantile(list, part).toFixed(1))
    console.log(
      `${name}: ${call}: ${list.length} calls, p50 ${p50}, p99 ${p99}, longest ${longest} ms`,
    )
  }
}

let began = performance.now()
const key = await seed()
const megabytes = () => Math.round(statSync(path).size / 1e6)
console.log(
  `${runs} runs, ${runs * itemsEach} items, ${megabytes()} MB, made in ${Math.round((performance.now() - began) / 1000)} s`,
)

let serving = await startService(dataDir, {
  TRAWL_RETENTION_DAYS: "0",
  TRAWL_LOG_RETENTION_DAYS: "0",
})
const first = await requested(`${serving.root}/api/v1/runs?limit=1`, key)
console.log(
  `listens after ${Math.round(serving.startMs)} ms, ${Math.round(serving.cpuMs())} ms of the processor; its first list took ${Math.round(first)} ms`,
)
held("start, milliseconds elapsed", serving.startMs, most.startMs)
console.log(`\n${"list, ms a call".padEnd(60)}cpu p50     p99 time p50    p99 /healthz p50 p99`)
await measureLists(serving, key)
const quiet = await waits(serving, key, Math.min(20, sweepSeconds))
report("\nno sweep", quiet)
// With nothing to delete, the loop still runs each minute.
const before = serving.cpuMs()
await Bun.sleep(65_000)
console.log(
  `a minute without calls takes ${Math.round(serving.cpuMs() - before)} ms of the processor`,
)
await serving.end()

serving = await startService(dataDir, { TRAWL_RETENTION_DAYS: String(storedDays) })
const rows = { runs: rowsOf("runs"), items: rowsOf("items") }
const cpuBefore = serving.cpuMs()
const swept = await waits(serving, key, sweepSeconds)
report("sweep", swept)
const gone = { runs: rows.runs - rowsOf("runs"), items: rows.items - rowsOf("items") }
console.log(
  `deleted in ${sweepSeconds} s: ${gone.runs} runs, ${gone.items} items, by ${Math.round(serving.cpuMs() - cpuBefore)} ms of the processor (with the calls)`,
)
for (const [call, list] of Object.entries(swept))
  held(
    `sweep: ${call}, p99 beyond that without one`,
    quantile(list, 0.99) - quantile(quiet[call]!, 0.99),
    most.waitMs,
  )
if (gone.items === 0) issues.push("the sweep deleted nothing")
await serving.end()

began = performance.now()
const full = megabytes()
const pruned = Bun.spawnSync(
  [...trawlCommand, "prune", "--days", String(storedDays), "--compact"],
  {
    env: { PATH: process.env.PATH ?? "", HOME: dataDir, TRAWL_DATA_DIR: dataDir },
  },
)
console.log(
  `prune --days ${storedDays} --compact: ${pruned.stdout.toString().trim()} ${pruned.stderr.toString().trim()} (${full} MB, then ${megabytes()} MB; ${Math.round((performance.now() - began) / 1000)} s)`,
)
held("MB after half was deleted", megabytes(), full * 0.6)
rmSync(dataDir, { recursive: true, force: true })
console.log(issues.length === 0 ? "\nas it must be" : `\n${issues.join("\n")}`)
process.exit(issues.length > 0 ? 1 : 0)
