/**
 * Kills the whole service while it has work of every kind, and counts lost and duplicate work:
 * `TRAWL_BINARY=dist/trawl bun run bench trust crash [rounds] [seed]`.
 *
 * Each round requests runs, runs that append to an earlier dataset, batches, keyless runs, retries
 * and exports, each POST with an Idempotency-Key with which it is repeated after the kill; a
 * schedule runs, a webhook is delivered. Half of the kills happen at a given state of the database,
 * half at any time.
 */
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { Installation, type Serving } from "../../test/api/process.ts"
import { random } from "../../test/trust/mutate.ts"

const rounds = Number(process.argv[2] ?? 100)
const next = random(Number(process.argv[3] ?? 1))
const maxSeconds = Number(process.env.TRAWL_TRUST_SECONDS ?? 600)
const slug = "url-to-markdown-scraper"
const startCredits = 10_000_000

/** Finished runs that were delivered to the receiver, which fails the first attempt of some. */
const reported = new Set<string>()
const refused = new Set<string>()
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === "/hook") {
      const { data } = (await request.json()) as { data: { runId: string } }
      if (next() < 0.1 && !refused.has(data.runId)) {
        refused.add(data.runId)
        return new Response("", { status: 500 })
      }
      reported.add(data.runId)
      return new Response("")
    }
    await Bun.sleep(next() * 30)
    if (pathname.includes("missing")) return new Response("no", { status: 404 })
    return new Response(`<title>${pathname}</title><h1>Page</h1><p>The page ${pathname}.</p>`, {
      headers: { "content-type": "text/html" },
    })
  },
})

const service = new Installation({
  TRAWL_EGRESS_ALLOW: "127.0.0.1",
  TRAWL_RATE_LIMIT: "0",
  TRAWL_FREE_DAILY: "1000000",
  TRAWL_KEYLESS_WAIT: "0",
  TRAWL_RUNS_PER_ACCOUNT: "50",
  TRAWL_WORKERS: "2",
  TRAWL_SIGNUP_CREDITS: String(startCredits),
})
const made = await service.run("account", "create", "a@example.com")
const key = made.stdout.trim().split("\n")[1]
if (!key) throw new Error(made.stdout + made.stderr)

interface Requested {
  path: string
  body: unknown
  idempotencyKey: string
  /** IDs of what was started, from each response. */
  ids: Set<string>
}

const requested: Requested[] = []
const retryRefusals = new Set<string>()
/** Started runs that others can append to. */
const datasets: string[] = []
const count = { acknowledged: 0, appended: 0, keyless: 0, exports: 0, retries: 0 }

async function send(root: string, one: Requested): Promise<void> {
  const response = await fetch(root + one.path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "idempotency-key": one.idempotencyKey,
    },
    body: JSON.stringify(one.body),
  })
  const body = (await response.json()) as { id?: string; datasetId?: string }
  if (response.status !== 201 || !body.id)
    throw new Error(`${response.status} ${JSON.stringify(body)}`)
  one.ids.add(body.id)
  if (body.datasetId) datasets.push(body.datasetId)
  if (one.path.includes("appendTo")) count.appended++
  count.acknowledged++
}

function wanted(round: number, n: number): Requested {
  const urls = Array.from(
    { length: 5 },
    (_, page) => `${site.url}r${round}-${n}/${page === 3 ? "missing" : "page"}-${page}`,
  )
  const isBatch = n % 3 === 2
  const into = n === 3 && datasets.length > 0 ? `?appendTo=${datasets[0]}` : ""
  return {
    path: isBatch ? "/api/v1/batches" : `/api/v1/scrapers/${slug}/runs${into}`,
    body: isBatch
      ? { scraper: slug, inputs: [{ urls: urls.slice(0, 2) }, { urls: urls.slice(2) }] }
      : { urls },
    idempotencyKey: `k${round}-${n}`,
    ids: new Set(),
  }
}

const get = (root: string, path: string) =>
  fetch(root + path, { headers: { authorization: `Bearer ${key}` } })

/** All requests of a round. Requests that the kill interrupts may fail. */
function load(root: string, round: number): Promise<unknown>[] {
  const fresh = Array.from({ length: 4 }, (_, n) => wanted(round, n))
  requested.push(...fresh)
  const posts = fresh.map((one) => send(root, one))
  const ids = requested.flatMap((one) => [...one.ids]).filter((one) => one.startsWith("run_"))
  const id = ids[Math.floor(next() * ids.length)]
  const more: Promise<unknown>[] = [
    fetch(`${root}/api/scrape?url=${site.url}keyless-${round}`).then(async (response) => {
      if ((await response.json()).resultUrl) count.keyless++
    }),
  ]
  if (id) {
    more.push(
      get(root, `/api/v1/runs/${id}`).then(async (response) => {
        const { datasetId } = (await response.json()) as { datasetId: string }
        const csv = await get(root, `/api/v1/datasets/${datasetId}/items?format=csv`)
        await csv.text()
        count.exports++
        const again = await fetch(`${root}/api/v1/runs/${id}/retry`, {
          method: "POST",
          headers: { authorization: `Bearer ${key}` },
        })
        if (again.ok) count.retries++
        else retryRefusals.add(`${again.status} ${await again.text()}`)
      }),
    )
  }
  return [...posts, ...more].map((one) => one.catch(() => {}))
}

async function settle(serving: Serving): Promise<void> {
  // A POST whose response was lost is repeated, and must not start anything twice.
  for (const one of requested) if (one.ids.size === 0) await send(serving.root, one)
  for (const one of requested.slice(-8)) await send(serving.root, one)
  const database = new Database(join(service.folder, "data/trawl.db"), { readonly: true })
  const open = `SELECT (SELECT count(*) FROM runs WHERE status IN ('queued','running','aborting'))
    + (SELECT count(*) FROM planned_runs) + (SELECT count(*) FROM deliveries WHERE state = 'pending') AS n`
  const until = Date.now() + 120_000
  while ((database.query(open).get() as { n: number }).n > 0 && Date.now() < until)
    await Bun.sleep(200)
  database.close()
}

const started = Date.now()
let serving = await service.serve()
const post = (path: string, body: unknown) =>
  fetch(serving.root + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  })
await post("/api/v1/webhooks", { url: `${site.url}hook` })
await post("/api/v1/schedules", {
  scraper: slug,
  cron: "* * * * *",
  input: { urls: [`${site.url}scheduled`] },
})

/** Kills the service as soon as one of these exists. */
const states: Record<string, string> = {
  "a target is running": "SELECT count(*) FROM targets WHERE state = 'running'",
  "targets are done": "SELECT count(*) FROM runs WHERE status = 'running' AND targets_done > 1",
  "a run has just ended": "SELECT count(*) FROM deliveries WHERE state = 'pending' AND tries = 0",
  "a delivery failed once": "SELECT count(*) FROM deliveries WHERE state = 'pending' AND tries > 0",
  "runs of a batch are promised": "SELECT count(*) FROM planned_runs",
}
const met: Record<string, number> = Object.fromEntries(
  Object.keys(states).map((state) => [state, 0]),
)
const maxStateMs = 4000

async function reached(state: string): Promise<void> {
  const database = new Database(join(service.folder, "data/trawl.db"), { readonly: true })
  const query = database.query(states[state]!)
  const until = Date.now() + maxStateMs
  for (; Date.now() < until; await Bun.sleep(5)) {
    if (Number(Object.values(query.get() as object)[0]) === 0) continue
    met[state]!++
    break
  }
  database.close()
}

let done = 0
const noise: string[] = []
for (; done < rounds && Date.now() - started < maxSeconds * 1000; done++) {
  const loading = load(serving.root, done)
  // Before the first response nothing can be lost; every fifth kill happens as early as that.
  if (done % 5 < 4) await Promise.race([Promise.any(loading), Bun.sleep(20_000)])
  // Some requests must get a response, too.
  if (done % 3 === 1) await Promise.race([Promise.all(loading), Bun.sleep(4000)])
  if (done % 2) await reached(Object.keys(states)[((done - 1) / 2) % Object.keys(states).length]!)
  else await Bun.sleep(next() * (done % 3 === 2 ? 1500 : 500))
  await serving.end("SIGKILL")
  await Promise.all(loading)
  noise.push(...serving.noise)
  serving = await service.serve()
}
await settle(serving)
const stopped = await serving.end()

const database = new Database(join(service.folder, "data/trawl.db"), { readonly: true })
const value = (sql: string) => Object.values(database.query(sql).get() as object)[0]
interface Row {
  n: number
  id: string
  status: string
  item_count: number
  error_count: number
  error_code: string | null
  attempt: number
  input: string
  account_id: string | null
}
const runs = database.query("SELECT * FROM runs").all() as Row[]
const byId = new Map(runs.map((run) => [run.id, run]))
const batchRuns = (id: string) =>
  (
    database.query("SELECT run_id FROM batch_runs WHERE batch_id = ?").all(id) as {
      run_id: string
    }[]
  ).map(({ run_id }) => run_id)
const issues = { lost: 0, twice: 0, unended: 0, itemsLost: 0, itemsDoubled: 0, untold: 0 }
for (const one of requested) {
  if (one.ids.size !== 1) issues.twice++
  for (const id of one.ids) {
    const ids = id.startsWith("run_") ? [id] : batchRuns(id)
    if (ids.length === 0) issues.lost++
    for (const run of ids) if (!byId.has(run)) issues.lost++
  }
}
const ended = new Set(["succeeded", "failed"])
const losses: string[] = []
let providedUp = 0
for (const run of runs) {
  if (!ended.has(run.status)) issues.unended++
  const items = (
    database.query("SELECT body FROM items WHERE run_n = ?").all(run.n) as { body: string }[]
  ).map(({ body }) => JSON.parse(body) as { url?: string; input?: string; error?: unknown })
  const keys = items.map((item) => String(item.url ?? item.input))
  issues.itemsDoubled += keys.length - new Set(keys).size
  const { urls } = JSON.parse(run.input) as { urls: string[] }
  const lost = urls.filter((url) => !keys.includes(url)).length
  const isMiscounted = run.item_count + run.error_count !== items.length
  // A target that was running at fifteen kills in a row is not tried again; its error item contains the reason.
  if (run.error_code === "crashed" && run.attempt >= 15 && !isMiscounted) {
    providedUp++
    continue
  }
  issues.itemsLost += lost + (isMiscounted ? 1 : 0)
  if (lost > 0 || isMiscounted) losses.push(JSON.stringify({ ...run, items: keys }))
  if (run.account_id !== null && !reported.has(run.id)) issues.untold++
}
const charged = Number(value("SELECT coalesce(sum(credits_charged), 0) FROM runs"))
const balance = Number(value("SELECT balance FROM accounts LIMIT 1"))
const wrong = {
  ...issues,
  // A scheduled run is identified by its time: each time must have exactly one run.
  scheduledRuns: Number(
    value(`SELECT abs((SELECT count(*) FROM runs WHERE origin = 'schedule')
      - (SELECT count(DISTINCT run_id) FROM scheduled_runs WHERE run_id IS NOT NULL))`),
  ),
  credits: startCredits - charged - balance,
  damage: value("PRAGMA integrity_check") === "ok" ? 0 : 1,
  stop: stopped,
}
const scheduledRuns = Number(value("SELECT count(*) FROM scheduled_runs"))
const tookUpAgain = Number(value("SELECT count(*) FROM runs WHERE attempt > 1"))
database.close()
site.stop(true)
for (const loss of losses.slice(0, 10)) console.log(`items are not as they must be: ${loss}`)
await service.remove()
console.log(
  `${done} kills, ${requested.length} POSTs, ${count.acknowledged} answers, ${runs.length} runs`,
)
console.log(JSON.stringify({ ...count, scheduledRuns, tookUpAgain, providedUp }))
console.log(`killed when ${JSON.stringify(met)}`)
console.log(JSON.stringify(wrong))
for (const line of [...retryRefusals].slice(0, 3)) console.log(`no retry: ${line.slice(0, 200)}`)
for (const line of [...new Set(noise)].slice(0, 5)) console.log(line)
process.exit(Object.values(wrong).some((n) => n !== 0) ? 1 : 0)
