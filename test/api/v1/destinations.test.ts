import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parquetReadObjects } from "hyparquet"
import { Webhook } from "standardwebhooks"
import { rowShapeOf } from "../../../src/api/delivery/row-shape.ts"
import { Deliverer } from "../../../src/engine/ops/destinations/deliverer.ts"
import { openPostgres } from "../../../src/store/db/postgres/client.ts"
import { operatingFigures } from "../../../src/store/upkeep/figures.ts"
import { startS3 } from "../../engine/ops/backups/s3-server.ts"
import { freshDatabase, hasPostgres } from "../../postgres.ts"
import { type TestAccount, TestApp } from "../app.ts"

let app: TestApp
let account: TestAccount
let key: string
let deliverer: Deliverer
const folder = mkdtempSync(join(tmpdir(), "trawl-destinations-"))
const s3 = startS3()
const errors: string[] = []

beforeAll(async () => {
  app = await TestApp.open({ destinationAllow: ["127.0.0.1"], destinationFolder: folder })
  account = await app.account({ credits: 100_000 })
  key = account.key
  deliverer = new Deliverer({
    store: app.store,
    transport: app.service.destinations,
    shapeOf: (run) => rowShapeOf(app.service, run),
    onError: (message) => errors.push(message),
  })
})
afterAll(async () => {
  await deliverer.stop()
  await app.close()
  s3.stop()
  rmSync(folder, { recursive: true, force: true })
  expect(errors).toEqual([])
})

let names = 0
async function destination(body: Record<string, unknown>, expected = 201) {
  const name = `dest-${++names}`
  const response = await app.post("/api/v1/destinations", { key, body: { name, ...body } })
  expect(response.status, response.text).toBe(expected)
  return response.body
}

const s3Body = () => ({
  kind: "s3",
  url: s3.env.AWS_ENDPOINT_URL,
  bucket: "saved",
  accessKeyId: "key",
  secretAccessKey: "secret",
})

/** Starts a run and waits for its end. */
async function run(words: string[], query = "", times = 1) {
  const { status, body, text } = await app.post(
    `/api/v1/scrapers/words-scraper/runs?waitForFinish=300${query}`,
    { key, body: { words, times } },
  )
  expect(status, text).toBe(201)
  return body
}

async function deliveries(id: string) {
  const { body } = await app.get(`/api/v1/destinations/${id}/deliveries`, { key })
  return body.items
}

/** Lets failed deliveries be retried at once. */
async function withoutPause(): Promise<void> {
  await app.direct(async (db) => {
    const now = new Date().toISOString()
    await db.updateTable("destinations").set({ retry_at: null }).execute()
    await db
      .updateTable("run_deliveries")
      .set({ next_at: now })
      .where("state", "=", "waiting")
      .execute()
  })
  await deliverer.deliverDue()
}

/** A receiver of webhooks; `answer` decides by the number of the request. */
function receiver(answer: (request: number) => number = () => 200) {
  const received: { id: string; body: string; headers: Headers }[] = []
  let requests = 0
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const body = await request.text()
      received.push({ id: request.headers.get("webhook-id")!, body, headers: request.headers })
      return new Response(null, { status: answer(++requests) })
    },
  })
  return {
    received,
    url: `http://127.0.0.1:${server.port}/hook?k=hidden`,
    stop: () => server.stop(true),
  }
}

test("lists a destination without its credentials, and refuses what is not permitted", async () => {
  const made = await destination({ ...s3Body(), path: "exports/shop", format: "csv" })
  expect(made).toMatchObject({
    kind: "s3",
    target: `${s3.env.AWS_ENDPOINT_URL}/saved/exports/shop`,
    deliver: "at_end",
    enabled: true,
    deliveries: { waiting: 0, delivered: 0, failed: 0 },
    lastError: null,
  })
  const all = await app.get("/api/v1/destinations", { key })
  expect(all.text).not.toContain("secret")
  const stored = await app.direct((db) => db.selectFrom("destinations").selectAll().execute())
  expect(JSON.stringify(stored)).not.toContain('"secretAccessKey"')
  for (const [body, status, message] of [
    [
      { kind: "postgres", url: "postgres://a:b@10.0.0.1/x", table: "t" },
      400,
      "TRAWL_DESTINATION_ALLOW",
    ],
    [{ kind: "postgres", url: "postgres://a:b@db.example.com/x", table: "a;b" }, 400, "table"],
    [{ kind: "postgres", url: "postgres://a:b@db.example.com/x" }, 400, 'requires "table"'],
    [{ kind: "webhook", url: "http://169.254.169.254/latest" }, 400, "TRAWL_DESTINATION_ALLOW"],
    [{ kind: "webhook", url: "file:///etc/passwd" }, 400, "https://"],
    [{ kind: "webhook", url: "https://x.example.com", table: "t" }, 400, 'has no "table"'],
    [{ ...s3Body(), url: "http://localhost:9000" }, 400, "this machine"],
    [{ ...s3Body(), path: "../up" }, 400, "path"],
    [{ kind: "folder", path: "a" }, 403, "administrators"],
    [{ kind: "webhook", url: "https://x.example.com", scraper: "not-there" }, 400, "not-there"],
  ] as const) {
    const refused = await destination(body, status)
    expect(refused.error.message, JSON.stringify(body)).toContain(message)
  }
  const again = await destination({ ...s3Body(), name: made.name }, 409)
  expect(again.error.message).toContain("choose another name")
  const other = await app.account()
  const foreign = await app.get(`/api/v1/destinations/${made.id}`, { key: other.key })
  expect(foreign.status).toBe(404)
  const unknown = await app.post("/api/v1/scrapers/words-scraper/runs?destination=nowhere", {
    key,
    body: { words: ["a"] },
  })
  expect(unknown.body.error.message).toContain('There is no destination "nowhere"')
})

test("stores a run as one object under its date, as JSON Lines, CSV and Parquet", async () => {
  for (const format of ["jsonl", "csv", "parquet"]) {
    const { id, name } = await destination({ ...s3Body(), path: `as-${format}`, format })
    const { id: runId, createdAt } = await run(["oak", "missing", "elm"], `&destination=${name}`, 2)
    await deliverer.deliverDue()
    const day = createdAt.slice(0, 10)
    const bytes = s3.objects.get(`as-${format}/words-scraper/dt=${day}/${runId}.${format}`)!
    const rows =
      format === "parquet"
        ? await parquetReadObjects({ file: new Uint8Array(bytes).buffer, columns: ["word"] })
        : new TextDecoder().decode(bytes).trim().split(/\r?\n/)
    if (format === "jsonl") {
      expect(rows.map((line) => JSON.parse(line as string).word)).toEqual([
        ...["oak", "oak", "elm", "elm"],
      ])
    }
    if (format === "csv")
      expect(rows[0]).toBe("word,place,detail.length,detail.letters.0,detail.letters.1")
    if (format === "parquet")
      expect(rows.map((row) => (row as { word: string }).word)).toEqual([
        "oak",
        "oak",
        "elm",
        "elm",
      ])
    expect(await deliveries(id)).toMatchObject([
      { runId, state: "delivered", itemCount: 4, partCount: 1, error: null },
    ])
  }
  expect(s3.unsigned).toEqual([])
})

test("delivers retried targets as an object of their own, and no item twice", async () => {
  const { name } = await destination({ ...s3Body(), path: "retried" })
  const { id: runId } = await run(["oak", "missing-1", "elm"], `&destination=${name}`)
  await deliverer.deliverDue()
  await app.post(`/api/v1/runs/${runId}/retry`, { key })
  await app.service.runs.wait(runId, 60_000)
  await deliverer.deliverDue()
  const objects = [...s3.objects].filter(([path]) => path.startsWith("retried/"))
  expect(objects.length).toBe(1)
  const rows = await deliveries(name)
  expect(
    rows.map(({ pass, state, itemCount }: Record<string, unknown>) => [pass, state, itemCount]),
  ).toEqual([
    [1, "delivered", 0],
    [0, "delivered", 2],
  ])
})

test("delivers what a resumed run adds, and each item once", async () => {
  app.gate.reset()
  try {
    const { id, name } = await destination({ ...s3Body(), path: "resumed" })
    const { body: started } = await app.post(
      `/api/v1/scrapers/words-scraper/runs?destination=${name}`,
      { key, body: { words: ["oak", "slow", "elm"] } },
    )
    const path = `/api/v1/runs/${started.id}`
    while ((await app.get(path, { key })).body.itemCount < 2) await Bun.sleep(20)
    await app.post(`${path}/abort`, { key })
    await app.service.runs.wait(started.id, 60_000)
    await deliverer.deliverDue()
    expect((await deliveries(id))[0]).toMatchObject({ state: "delivered", itemCount: 2 })
    const figures = await operatingFigures(app.store.db, new Date())
    expect(figures.destinationDeliveries.waiting).toBe(0)
    app.gate.release()
    await app.post(`${path}/resume`, { key })
    await app.service.runs.wait(started.id, 60_000)
    await deliverer.deliverDue()
    const objects = [...s3.objects].filter(([object]) => object.startsWith("resumed/"))
    const words = objects.map(([, bytes]) => {
      const lines = new TextDecoder().decode(bytes).trim().split("\n")
      return lines.map((line) => JSON.parse(line).word)
    })
    expect(words).toEqual([["oak", "elm"], ["slow"]])
    expect(objects.map(([object]) => object.replace(/.*run_[0-9a-f]+/, ""))).toEqual([
      ".jsonl",
      "-retry1.jsonl",
    ])
  } finally {
    app.gate.release()
  }
})

test("sends signed batches once each, with the same ID after a failure", async () => {
  const hook = receiver((request) => (request === 2 ? 503 : 200))
  try {
    const made = await destination({ kind: "webhook", url: hook.url, batchSize: 40 })
    expect(made.target).not.toContain("hidden")
    const { signingSecret, name, id } = made
    await run(["oak", "elm"], `&destination=${name}`, 50)
    await deliverer.deliverDue()
    let [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: "waiting", itemCount: 40, attempts: 1 })
    expect(delivery.error).toContain("503")
    await withoutPause()
    ;[delivery] = await deliveries(id)
    expect(delivery).toMatchObject({
      state: "delivered",
      itemCount: 100,
      partCount: 3,
      attempts: 0,
    })
    expect(hook.received.map(({ id }) => id.replace(delivery.id, ""))).toEqual([
      ".0",
      ".1",
      ".1",
      ".2",
    ])
    const [, failed, repeated] = hook.received
    const itemsIn = ({ body }: { body: string }) => JSON.parse(body).data.items
    expect(itemsIn(failed!)).toEqual(itemsIn(repeated!))
    const accepted = [0, 2, 3].flatMap((index) => itemsIn(hook.received[index]!))
    expect(new Set(accepted.map((item) => `${item.word} ${item.place}`)).size).toBe(100)
    for (const { body, headers } of hook.received) {
      new Webhook(signingSecret).verify(body, Object.fromEntries(headers))
    }
    const tested = await app.post(`/api/v1/destinations/${id}/test`, { key })
    expect(tested.body).toMatchObject({ ok: true, error: null })
    expect(JSON.parse(hook.received.at(-1)!.body)).toMatchObject({ type: "test" })
  } finally {
    hook.stop()
  }
})

test("stops a delivery after ten attempts or 410, notifies, and can deliver it again", async () => {
  let status = 500
  const hook = receiver(() => status)
  try {
    const { id, name } = await destination({ kind: "webhook", url: hook.url })
    await app.post("/api/v1/notifications", {
      key,
      body: { kind: "webhook", url: "https://example.com/x", events: ["destination.failed"] },
    })
    await run(["oak"], `&destination=${name}`)
    for (let attempt = 0; attempt < 10; attempt++) await withoutPause()
    let [delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: "failed", attempts: 10, itemCount: 0 })
    const { body: seen } = await app.get(`/api/v1/destinations/${name}`, { key })
    expect(seen).toMatchObject({
      deliveries: { failed: 1 },
      lastError: "The receiver responded with 500.",
    })
    const queued = await app.direct((db) => db.selectFrom("deliveries").selectAll().execute())
    expect(queued.filter(({ event }) => event === "destination.failed").length).toBe(1)
    status = 200
    const again = await app.post(`/api/v1/destinations/${id}/deliveries/${delivery.id}/retry`, {
      key,
    })
    expect(again.body).toMatchObject({ state: "waiting", attempts: 0 })
    await deliverer.deliverDue()
    ;[delivery] = await deliveries(id)
    expect(delivery).toMatchObject({ state: "delivered", itemCount: 1 })
    const twice = await app.post(`/api/v1/destinations/${id}/deliveries/${delivery.id}/retry`, {
      key,
    })
    expect(twice.status).toBe(409)
    status = 410
    await run(["elm"], `&destination=${name}`)
    await deliverer.deliverDue()
    expect((await deliveries(id))[0]).toMatchObject({ state: "failed", attempts: 1 })
    status = 200
    const all = await app.post(`/api/v1/destinations/${id}/retry`, { key })
    expect(all.body).toEqual({ queued: 1 })
  } finally {
    hook.stop()
  }
})

test("receives the runs of a scraper, a schedule and a batch, and an earlier run", async () => {
  const hook = receiver()
  try {
    const { id: scheduleId } = (
      await app.post("/api/v1/schedules", {
        key,
        body: { scraper: "news-scraper", input: {}, cron: "0 7 * * *", enabled: false },
      })
    ).body
    const byScraper = await destination({
      kind: "webhook",
      url: hook.url,
      scraper: "premium-words-scraper",
    })
    const bySchedule = await destination({ kind: "webhook", url: hook.url, schedule: scheduleId })
    const chosen = await destination({ kind: "webhook", url: hook.url })
    const { body: premium } = await app.post(
      "/api/v1/scrapers/premium-words-scraper/runs?waitForFinish=60",
      { key, body: { words: ["oak"] } },
    )
    const { body: scheduled } = await app.post(`/api/v1/schedules/${scheduleId}/run`, { key })
    const { body: batch } = await app.post("/api/v1/batches", {
      key,
      body: {
        scraper: "words-scraper",
        inputs: [{ words: ["a"] }, { words: ["b"] }],
        destination: chosen.name,
      },
    })
    const batched = await app.get(`/api/v1/batches/${batch.id}/runs`, { key })
    const runIds: string[] = batched.body.items.map((row: { id: string }) => row.id)
    for (const runId of [scheduled.id, ...runIds]) await app.service.runs.wait(runId, 60_000)
    await deliverer.deliverDue()
    const runsOf = async ({ id }: { id: string }) =>
      (await deliveries(id)).map((row: { runId: string }) => row.runId).sort()
    expect(await runsOf(byScraper)).toEqual([premium.id])
    expect(await runsOf(bySchedule)).toEqual([scheduled.id])
    expect(await runsOf(chosen)).toEqual([...runIds].sort())
    const earlier = { key, body: { runId: premium.id } }
    const path = `/api/v1/destinations/${chosen.name}/deliveries`
    expect((await app.post(path, earlier)).status).toBe(201)
    expect((await app.post(path, earlier)).status).toBe(409)
    expect((await app.post(path, { key, body: { runId: "run_x" } })).status).toBe(404)
    await deliverer.deliverDue()
    expect(hook.received.length).toBe(5)
  } finally {
    hook.stop()
  }
})

test("is listed and chosen by MCP tools", async () => {
  const hook = receiver()
  try {
    const { id, name } = await destination({ kind: "webhook", url: hook.url })
    const tool = async (tool: string, args: object, as: string | undefined = key) => {
      const { body } = await app.post("/api/mcp", {
        ...(as && { key: as }),
        headers: { accept: "application/json, text/event-stream" },
        body: {
          ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
          params: { name: tool, arguments: args },
        },
      })
      const { isError = false, content } = body.result
      return { isError, text: content[0].text as string }
    }
    const listed = await tool("list_destinations", {})
    expect(listed.text).toContain(`${name} (webhook) http://127.0.0.1`)
    expect(listed.text).not.toContain("hidden")
    const input = { words: ["oak"] }
    const wrong = { scraper: "words-scraper", input, destination: "nowhere" }
    expect(await tool("start_run", wrong)).toMatchObject({ isError: true })
    expect((await tool("start_run", wrong)).text).toContain('There is no destination "nowhere"')
    const started = await tool("start_run", { ...wrong, destination: name })
    const runId = /run_[0-9a-f]{32}/.exec(started.text)![0]
    await app.service.runs.wait(runId, 60_000)
    await deliverer.deliverDue()
    expect(await deliveries(id)).toMatchObject([{ runId, state: "delivered", itemCount: 1 }])
    const anonymous = await tool("list_destinations", {}, "")
    expect(anonymous.text).toContain("require an account")
  } finally {
    hook.stop()
  }
})

test("delivers items while a run continues, each once and in order", async () => {
  const hook = receiver()
  app.gate.reset()
  try {
    const { id, name } = await destination({ kind: "webhook", url: hook.url })
    const { body: started } = await app.post(
      `/api/v1/scrapers/words-scraper/runs?destination=${name}`,
      { key, body: { words: ["oak", "slow", "elm"] } },
    )
    while ((await app.get(`/api/v1/runs/${started.id}`, { key })).body.itemCount < 2)
      await Bun.sleep(20)
    await deliverer.deliverDue()
    expect((await deliveries(id))[0]).toMatchObject({ state: "waiting", itemCount: 1 })
    app.gate.release()
    await app.service.runs.wait(started.id, 60_000)
    await deliverer.deliverDue()
    expect((await deliveries(id))[0]).toMatchObject({ state: "delivered", itemCount: 3 })
    const words = hook.received.flatMap(({ body }) =>
      JSON.parse(body).data.items.map((item: { word: string }) => item.word),
    )
    expect(words).toEqual(["oak", "slow", "elm"])
  } finally {
    app.gate.release()
    hook.stop()
  }
})

test("writes whole files into the operator's folder, and follows no link out of it", async () => {
  await app.direct((db) =>
    db.updateTable("accounts").set({ role: "owner" }).where("id", "=", account.id).execute(),
  )
  const { id, name } = await destination({ kind: "folder", path: "shop/items" })
  const { id: runId, createdAt } = await run(["oak"], `&destination=${name}`)
  await deliverer.deliverDue()
  const day = join(folder, "shop/items/words-scraper", `dt=${createdAt.slice(0, 10)}`)
  expect(readdirSync(day)).toEqual([`${runId}.jsonl`])
  expect(JSON.parse(readFileSync(join(day, `${runId}.jsonl`), "utf8"))).toMatchObject({
    word: "oak",
  })
  expect((await app.post(`/api/v1/destinations/${id}/test`, { key })).body).toMatchObject({
    ok: true,
  })
  const outside = mkdtempSync(join(tmpdir(), "trawl-outside-"))
  symlinkSync(outside, join(folder, "way-out"))
  const bad = await destination({ kind: "folder", path: "way-out/deep" })
  const tested = await app.post(`/api/v1/destinations/${bad.id}/test`, { key })
  expect(tested.body).toMatchObject({ ok: false })
  expect(tested.body.error).toContain("leaves the folder through a symbolic link")
  expect(readdirSync(outside)).toEqual([])
  rmSync(outside, { recursive: true })
  await app.direct((db) =>
    db.updateTable("accounts").set({ role: "member" }).where("id", "=", account.id).execute(),
  )
  expect(
    (await app.raw("PATCH", `/api/v1/destinations/${id}`, { key, body: { path: "b" } })).status,
  ).toBe(403)
})

test("waits while it is disabled, and ends with the run or the destination", async () => {
  const { id, name } = await destination({ ...s3Body(), path: "off" })
  const off = await app.call("PATCH", `/api/v1/destinations/${id}`, {
    key,
    body: { enabled: false },
  })
  expect(off.body.enabled).toBe(false)
  const refused = await app.post(`/api/v1/scrapers/words-scraper/runs?destination=${name}`, {
    key,
    body: { words: ["a"] },
  })
  expect(refused.body.error.message).toContain("is disabled")
  await app.call("PATCH", `/api/v1/destinations/${id}`, { key, body: { enabled: true } })
  const { id: runId } = await run(["oak"], `&destination=${name}`)
  await app.call("PATCH", `/api/v1/destinations/${id}`, { key, body: { enabled: false } })
  await deliverer.deliverDue()
  expect((await deliveries(id))[0]).toMatchObject({ runId, state: "waiting" })
  await app.call("DELETE", `/api/v1/runs/${runId}`, { key })
  await app.call("PATCH", `/api/v1/destinations/${id}`, { key, body: { enabled: true } })
  await deliverer.deliverDue()
  const [delivery] = await deliveries(id)
  expect(delivery).toMatchObject({ state: "failed" })
  expect(delivery.error).toContain("were deleted")
  expect((await app.call("DELETE", `/api/v1/destinations/${id}`, { key })).status).toBe(204)
  expect((await app.get(`/api/v1/destinations/${id}`, { key })).status).toBe(404)
})

describe.if(hasPostgres)("to PostgreSQL", () => {
  test("stores each item once, also if the service forgets what it has delivered", async () => {
    const url = await freshDatabase()
    const client = openPostgres(url, 1)
    const body = {
      kind: "postgres",
      url: url.replace("trawl@", "trawl:pass%40word@"),
      table: "words",
    }
    const made = await destination({ ...body, uniqueBy: ["word", "place"] })
    const words = Array.from({ length: 60 }, (_, index) => `word-${index}`)
    await run(words, `&destination=${made.name}`, 30)
    await deliverer.deliverDue()
    const [delivery] = await deliveries(made.id)
    expect(delivery).toMatchObject({ state: "delivered", itemCount: 1800, error: null })
    const [{ rows }] = await client`SELECT count(*) AS rows FROM words`
    expect(Number(rows)).toBe(1800)
    // The state after a restore of an older backup, or a crash between the two databases.
    await app.direct((db) =>
      db
        .updateTable("run_deliveries")
        .set({ state: "waiting", seq: -1, idx: -1, items: 0, parts: 0, ended_at: null })
        .where("id", "=", delivery.id)
        .execute(),
    )
    await client`UPDATE words SET word = 'mine' WHERE place = 0`
    await withoutPause()
    expect((await deliveries(made.id))[0]).toMatchObject({ state: "delivered", itemCount: 1800 })
    const [{ mine }] = await client`SELECT count(*) AS mine FROM words WHERE word = 'mine'`
    expect(Number(mine)).toBe(60)
    await client.close()
    expect(app.logged.join()).not.toContain("pass")
    const tested = await app.post(`/api/v1/destinations/${made.id}/test`, { key })
    expect(tested.body).toMatchObject({ ok: true })
  })
})
