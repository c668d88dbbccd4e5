import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Installation, type Serving } from "./process.ts"

/** Whether the run's webhook was sent. */
const hooked = Promise.withResolvers<void>()
const site = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch({ url }) {
    if (url.endsWith("/good")) {
      return new Response("<title>A page</title><main><p>Words of a page.</p></main>", {
        headers: { "content-type": "text/html" },
      })
    }
    if (!url.endsWith("/hook")) return new Response("", { status: 404 })
    hooked.resolve()
    return new Response(null, { status: 204 })
  },
})
/** The span of the client that starts the run. */
const caller = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" }
// biome-ignore lint/suspicious/noExplicitAny: a test reads any exported data
const sent: any[] = []
const collector = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url)
    if (pathname === "/v1/traces") sent.push(await request.json())
    return Response.json({})
  },
})
const token = "a-token-of-sixteen"
const free = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() })
const address = `127.0.0.1:${free.port}`
const backups = mkdtempSync(join(tmpdir(), "trawl-backups-"))
const installation = new Installation({
  TRAWL_EGRESS_ALLOW: `127.0.0.1:${site.port}`,
  TRAWL_METRICS_TOKEN: token,
  TRAWL_BACKUP_TO: backups,
  TRAWL_METRICS_ADDRESS: address,
  TRAWL_OTLP_ENDPOINT: `http://127.0.0.1:${collector.port}/`,
})
let serving: Serving
let headers: Record<string, string>
/** The values by name and labels, after a run with a good target and a bad one. */
let values: Map<string, number>
beforeAll(async () => {
  await free.stop(true)
  serving = await installation.serve()
  // Before the first request.
  expect((await fetch(`http://${address}/metrics`)).status).toBe(200)
  const [, key] = (await installation.run("account", "create", "op@example.com")).stdout.split("\n")
  const urls = ["good", "bad"].map((name) => `http://127.0.0.1:${site.port}/${name}`)
  headers = { authorization: `Bearer ${key!.trim()}`, "content-type": "application/json" }
  const made = await fetch(`${serving.root}/api/v1/webhooks`, {
    method: "POST",
    headers,
    body: JSON.stringify({ url: `${site.url}hook`, events: ["run.succeeded"] }),
  })
  expect(made.status).toBe(201)
  const path = "/api/v1/scrapers/url-to-markdown-scraper/runs?waitForFinish=300"
  const run = await fetch(serving.root + path, {
    method: "POST",
    headers: {
      ...headers,
      traceparent: `00-${caller.traceId}-${caller.spanId}-01`,
    },
    body: JSON.stringify({ urls }),
  })
  expect(((await run.json()) as { status: string }).status).toBe("succeeded")
  await hooked.promise
  await fetch(`${serving.root}/nothing/of/this/name`)
  // Values from the store are cached for a second.
  await Bun.sleep(1100)
  const response = await fetch(`${serving.root}/metrics`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.headers.get("content-type")).toStartWith("text/plain")
  values = valuesOf(await response.text())
}, 120_000)
afterAll(async () => {
  await site.stop(true)
  await collector.stop(true)
  await installation.remove()
  rmSync(backups, { recursive: true, force: true })
}, 120_000)

function valuesOf(text: string): Map<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"))
  return new Map(lines.map((line) => [line.replace(/ \S+$/, ""), Number(line.split(" ").at(-1))]))
}

describe("/metrics", () => {
  test("needs the token, and can have its own listening address", async () => {
    for (const authorization of ["", "Bearer wrong"]) {
      const headers = { authorization }
      expect((await fetch(`${serving.root}/metrics`, { headers })).status).toBe(401)
    }
    const own = await fetch(`http://${address}/metrics`)
    expect([own.status, (await own.text()).includes("trawl_runs")]).toEqual([200, true])
    expect((await fetch(`http://${address}/api/v1/me`)).status).toBe(404)
  })

  const scraper = 'scraper="url-to-markdown-scraper"'
  const counted: [name: string, value: number][] = [
    [`trawl_targets_total{${scraper},code="ok",fetch_method="http"}`, 1],
    [`trawl_targets_total{${scraper},code="not_found",fetch_method="http"}`, 1],
    [`trawl_pages_total{${scraper}}`, 1],
    [`trawl_runs_ended_total{${scraper},status="succeeded",code=""}`, 1],
    ['trawl_runs{state="running"}', 0],
    ['trawl_runs{state="queued"}', 0],
    ['trawl_queue_runs{state="ready",tenant="account",priority="interactive"}', 0],
    ['trawl_queue_age_seconds{state="ready",tenant="account",priority="background"}', 0],
    ['trawl_run_wait_seconds_count{tenant="account",priority="interactive"}', 1],
    ['trawl_requeues_total{cause="worker"}', 0],
    ["trawl_dead_letters", 0],
    ["trawl_schedules_refused", 0],
    ["trawl_schedule_lag_seconds", 0],
    ["trawl_database_damaged", 0],
    ['trawl_usage_today{what="items"}', 1],
    ["trawl_hosts_suspended", 0],
    ["trawl_deliveries_pending", 0],
    ["trawl_accounts", 1],
    ["trawl_writer_failing", 0],
    [
      'trawl_http_request_duration_seconds_count{method="POST",route="/api/v1/scrapers/:slug/runs",status="201"}',
      1,
    ],
    ['trawl_http_request_duration_seconds_count{method="GET",route="other",status="404"}', 1],
  ]
  for (const [name, value] of counted) {
    test(name, () => {
      expect(values.get(name)).toBe(value)
    })
  }

  test("has the age of backups before the first one if they are configured", () => {
    expect(values.get("trawl_backup_timestamp_seconds")).toBeGreaterThanOrEqual(0)
  })

  const some = [
    `trawl_page_bytes_total{${scraper}}`,
    'trawl_memory_bytes{part="rss"}',
    'trawl_database_bytes{file="database"}',
    "trawl_disk_free_bytes",
    'trawl_usage_today{what="bytes"}',
    "trawl_workers",
    'trawl_upstream_table_age_days{site="youtube"}',
  ]
  for (const name of some) test(name, () => expect(values.get(name)).toBeGreaterThan(0))

  test("has what the dashboard and the alerts query", () => {
    const names = new Set([...values.keys()].map((name) => name.replace(/\{.*/, "")))
    // It lists suspended hosts, of which there are none here.
    names.add("trawl_host_suspended_seconds")
    for (const file of ["grafana/trawl.json", "prometheus/alerts.yml"]) {
      const text = readFileSync(join(import.meta.dir, "../../deploy", file), "utf8")
      for (const [name] of text.matchAll(/\btrawl_\w+/g)) expect(names, file).toContain(name)
    }
  })
})

test("/version returns the running version", async () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dir, "../../package.json"), "utf8"))
  expect(await (await fetch(`${serving.root}/version`)).json()).toMatchObject({ version })
})

async function waitUntilEnded(path: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${serving.root}/api/v1/${path}`, { headers })
    const body = (await response.json()) as { status?: string; items?: { status: string }[] }
    const runs = body.items ?? [body]
    if (runs.every(({ status }) => status === "succeeded")) return
    await Bun.sleep(50)
  }
}

test("a collector gets one trace from the caller to the call, the run, its targets and their requests", async () => {
  const traceId = "0af7651916cd43dd8448eb211c80319c"
  const traceparent = `00-${traceId}-b7ad6b7169203331-01`
  await fetch(`${serving.root}/version`, { headers: { traceparent } })
  const planned = "1af7651916cd43dd8448eb211c80319c"
  const post = async (path: string, body: object) => {
    const response = await fetch(`${serving.root}/api/v1/${path}`, {
      method: "POST",
      headers: { ...headers, traceparent: `00-${planned}-b7ad6b7169203331-01` },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(201)
    return (await response.json()) as { id: string }
  }
  const work = { scraper: "url-to-markdown-scraper", input: { urls: [`${site.url}good`] } }
  const batch = await post("batches", { scraper: work.scraper, inputs: [work.input] })
  const schedule = await post("schedules", { ...work, cron: "0 0 1 1 *" })
  const now = await post(`schedules/${schedule.id}/run`, {})
  for (const path of [`batches/${batch.id}/runs`, `runs/${now.id}?waitForFinish=60`]) {
    await waitUntilEnded(path)
  }
  // Spans that have not been sent are sent at shutdown.
  expect(await serving.end()).toBe(0)
  const spans = sent.flatMap(({ resourceSpans }) => resourceSpans[0].scopeSpans[0].spans)
  const ofPlanned = spans.filter((span) => span.traceId === planned)
  const starts = ["POST /api/v1/batches", "POST /api/v1/schedules/:scheduleId/run"].map(
    (name) => ofPlanned.find((span) => span.name === name).spanId,
  )
  const plannedRuns = ofPlanned.filter((span) => span.name === "run url-to-markdown-scraper")
  expect(plannedRuns.map((span) => span.parentSpanId).sort()).toEqual(starts.sort())
  const named = (name: string) => spans.find((span) => span.name === name)
  const call = spans.find((span) => span.traceId === traceId)
  expect(call).toMatchObject({ name: "GET /version", parentSpanId: "b7ad6b7169203331", kind: 2 })
  const valuesIn = (span: { attributes: { key: string; value: object }[] }) =>
    Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
  expect(valuesIn(call)).toMatchObject({
    "http.route": "/version",
    "http.response.status_code": "200",
  })
  const run = named("run url-to-markdown-scraper")
  expect(valuesIn(run)).toMatchObject({ "trawl.status": "succeeded", "trawl.pages": "1" })
  expect(Number(run.endTimeUnixNano)).toBeGreaterThanOrEqual(Number(run.startTimeUnixNano))
  const start = named("POST /api/v1/scrapers/:slug/runs")
  expect([start.traceId, start.parentSpanId]).toEqual([caller.traceId, caller.spanId])
  expect([run.traceId, run.parentSpanId]).toEqual([start.traceId, start.spanId])
  expect(valuesIn(start)["trawl.run"]).toBe(valuesIn(run)["trawl.run"])

  const childrenOf = (parent: { spanId: string; traceId: string }) =>
    spans.filter((span) => span.parentSpanId === parent.spanId && span.traceId === parent.traceId)
  expect(childrenOf(start).map(({ name }) => name)).toContain("db runs.start")
  const targets = childrenOf(run).filter(({ name }) => name === "target")
  const [good, bad] = ["good", "bad"].map(
    (path) => targets.find((span) => valuesIn(span)["trawl.target"] === `${site.url}${path}`)!,
  )
  expect([good.status.code, bad.status.code]).toEqual([1, 2])
  const requests = childrenOf(bad).filter(({ name }) => name === "GET")
  expect(requests.map(valuesIn)).toContainEqual(
    expect.objectContaining({
      "http.request.method": "GET",
      "server.address": `127.0.0.1:${site.port}`,
      "url.path": "/bad",
      "trawl.fetchMethod": "http",
      "http.response.status_code": "404",
    }),
  )
  expect(childrenOf(good).map(({ name }) => name)).toContain("db targets.commit")
  const webhook = childrenOf(run).find(({ name }) => name === "webhook")
  expect(valuesIn(webhook)).toMatchObject({
    "trawl.event": "run.succeeded",
    "http.response.status_code": "204",
  })
  // Each is sent once.
  const ids = spans.map(({ spanId }) => spanId)
  expect(new Set(ids).size).toBe(ids.length)
}, 120_000)
