import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { root, TestApp } from "../app.ts"

let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account({ credits: 100_000 })).key
})
afterAll(() => app.close())

const runs = "/api/v1/scrapers/words-scraper/runs"

describe("scrapers", () => {
  const unheardOf = {
    state: "unknown",
    since: null,
    checkedAt: null,
    source: null,
    reason: null,
    fetchMethod: null,
    vendor: null,
    fields: [],
    needs: [],
  }

  test("the list, its filters and pages", async () => {
    const all = await app.get("/api/v1/scrapers", { key })
    expect(all.body).toMatchObject({
      total: app.service.catalogue.length,
      limit: 1000,
      offset: 0,
    })
    expect(all.body.items[1]).toEqual({
      slug: "premium-words-scraper",
      name: "Better words",
      tagline: "Says words",
      category: "data",
      tier: "premium",
      fetchMethods: ["http", "browser-http"],
      verification: {
        verified: false,
        lastVerifiedAt: null,
        unverifiedFetchMethods: [],
        unverifiedFields: [],
      },
      health: unheardOf,
      cost: { creditsPerPage: 2, creditsPerUnlockedPage: 5 },
      requiredParams: ["words"],
      recipeId: null,
      definitionUrl: `${root}/api/v1/scrapers/premium-words-scraper`,
      runsUrl: `${root}/api/v1/scrapers/premium-words-scraper/runs`,
    })
    const slugs = async (query: string) =>
      (await app.get(`/api/v1/scrapers?${query}`, { key })).body.items.map(
        (one: { slug: string }) => one.slug,
      )
    expect(await slugs("tier=premium")).toEqual(["premium-words-scraper"])
    expect(await slugs("category=news")).toEqual(["news-scraper"])
    expect((await slugs("search=premium+words"))[0]).toBe("premium-words-scraper")
    expect(await slugs("search=weather+tomorrow")).toEqual([])
    expect(await slugs("limit=1&offset=2")).toEqual(["news-scraper"])
    expect(await slugs("offset=1000")).toEqual([])
  })

  test("a definition: schemas as JSON Schema, and an example that the input accepts", async () => {
    const { body } = await app.get("/api/v1/scrapers/words-scraper", { key })
    expect(body.inputSchema).toMatchObject({
      type: "object",
      required: ["words"],
      properties: { words: { type: "array" }, mode: { enum: ["plain", "fancy"] } },
      additionalProperties: false,
    })
    expect(body.itemSchema.anyOf[0].properties.word).toEqual({ type: "string" })
    const run = await app.post(runs, { key, body: body.example })
    expect(run.status).toBe(201)
  })
})

describe("runs", () => {
  test("a start answers at once, with its URLs", async () => {
    const { status, body } = await app.post(runs, { key, body: { words: ["slow"] } })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      scraper: "words-scraper",
      status: "queued",
      input: { words: ["slow"], times: 1 },
      targetsTotal: 1,
      targetsDone: 0,
      startedAt: null,
      finishedAt: null,
      error: null,
      statusUrl: `${root}/api/v1/runs/${body.id}`,
      datasetItemsUrl: `${root}/api/v1/datasets/${body.datasetId}/items`,
    })
    expect(body.id).toMatch(/^run_[0-9a-f]{32}$/)
    expect(body.datasetId).toMatch(/^ds_[0-9a-f]{32}$/)
    app.gate.release()
    const end = await app.get(`/api/v1/runs/${body.id}?waitForFinish=300`, { key })
    expect(end.body).toMatchObject({ status: "succeeded", itemCount: 1, targetsDone: 1 })
    expect(Date.parse(end.body.finishedAt)).toBeGreaterThanOrEqual(Date.parse(end.body.startedAt))
    app.gate.reset()
  })

  test("waitForFinish that times out answers 201 with the run's current state", async () => {
    const { status, body } = await app.post(`${runs}?waitForFinish=1`, {
      key,
      body: { words: ["slow"] },
    })
    expect([status, body.status]).toEqual([201, "running"])
    const aborted = await app.post(`/api/v1/runs/${body.id}/abort`, { key })
    expect(aborted.status).toBe(202)
    expect(["aborting", "aborted"]).toContain(aborted.body.status)
    const end = await app.get(`/api/v1/runs/${body.id}?waitForFinish=300`, { key })
    expect(end.body.status).toBe("aborted")
    const again = await app.post(`/api/v1/runs/${body.id}/abort`, { key })
    expect([again.status, again.body.status]).toEqual([202, "aborted"])
  })

  test("a run whose targets all fail is failed, and its items have the reasons", async () => {
    const run = await app.run(key, ["missing-a", "missing-b"])
    expect(run).toMatchObject({
      status: "failed",
      itemCount: 0,
      errorCount: 2,
      creditsCharged: 0,
      error: { code: "not_found", message: 'There is no "missing-a".' },
    })
  })

  test("limits and deadline of the call", async () => {
    const capped = await app.post(`${runs}?waitForFinish=300&maxItems=1`, {
      key,
      body: { words: ["a", "b", "c"] },
    })
    expect(capped.body).toMatchObject({ status: "succeeded", itemCount: 1, capped: "items" })
    const late = await app.post(`${runs}?waitForFinish=300&timeoutSeconds=1`, {
      key,
      body: { words: ["slow", "quick"] },
    })
    expect(late.body).toMatchObject({ status: "timed_out", itemCount: 1 })
    app.gate.release()
    const resumed = await app.post(`/api/v1/runs/${late.body.id}/resume`, { key })
    expect(resumed.status).toBe(202)
    const end = await app.get(`/api/v1/runs/${late.body.id}?waitForFinish=300`, { key })
    expect(end.body).toMatchObject({ status: "succeeded", itemCount: 2, attempt: 2 })
    // The finished target was not fetched again.
    expect(end.body.creditsCharged).toBe(2)
    app.gate.reset()
  })

  test("lists by status, scraper and time, newest first", async () => {
    const own = (await app.account()).key
    const first = await app.run(own, ["a"])
    const second = await app.run(own, ["missing"])
    await app.post("/api/v1/scrapers/news-scraper/runs?waitForFinish=300", { key: own, body: {} })
    const list = async (query: string) =>
      (await app.get(`/api/v1/runs?${query}`, { key: own })).body
    const all = await list("")
    expect(all).toMatchObject({ total: 3, limit: 100, offset: 0 })
    expect(all.items.map((run: { scraper: string }) => run.scraper)).toEqual([
      "news-scraper",
      "words-scraper",
      "words-scraper",
    ])
    expect((await list("status=failed")).items.map((run: { id: string }) => run.id)).toEqual([
      second.id,
    ])
    expect((await list("scraper=words-scraper")).total).toBe(2)
    expect((await list("limit=1&offset=2")).items[0].id).toBe(first.id)
    expect((await list(`createdAfter=${encodeURIComponent(second.createdAt)}`)).total).toBe(2)
    expect((await list(`createdBefore=${encodeURIComponent(first.createdAt)}`)).total).toBe(1)
    expect((await list("createdBefore=2020-01-01")).total).toBe(0)
  })

  test("only a finished run can be deleted, with its items", async () => {
    const active = await app.post(runs, { key, body: { words: ["slow"] } })
    const refused = await app.call("DELETE", `/api/v1/runs/${active.body.id}`, { key })
    expect(refused.status).toBe(409)
    await app.post(`/api/v1/runs/${active.body.id}/abort`, { key })
    const run = await app.run(key, ["a", "b"])
    const before = (await app.get("/api/v1/runs", { key })).body.total
    expect((await app.call("DELETE", `/api/v1/runs/${run.id}`, { key })).status).toBe(204)
    for (const path of [`runs/${run.id}`, `datasets/${run.datasetId}`, `runs/${run.id}/log`]) {
      expect((await app.get(`/api/v1/${path}`, { key })).status).toBe(404)
    }
    expect((await app.get("/api/v1/runs", { key })).body.total).toBe(before - 1)
    await app.purge()
    const rows = await app.store.db
      .selectFrom("runs")
      .select("n")
      .where("id", "=", run.id)
      .executeTakeFirst()
    expect(rows).toBeUndefined()
  })
})

describe("log and events", () => {
  const events = (text: string) =>
    text
      .split("\n\n")
      .filter((block) => block.includes("event:"))
      .map((block) => ({
        id: /^id: (\d+)/m.exec(block)?.[1],
        type: /^event: (\w+)/m.exec(block)![1],
        data: JSON.parse(/^data: (.*)/m.exec(block)![1]!),
      }))

  test("the log in pages", async () => {
    const run = await app.run(key, ["chatty"])
    const { body } = await app.get(`/api/v1/runs/${run.id}/log?limit=3&offset=2`, { key })
    expect(body).toMatchObject({ total: 20, limit: 3, offset: 2 })
    expect(body.items.map((line: { message: string }) => line.message)).toEqual([
      "line 3",
      "line 4",
      "line 5",
    ])
    expect(body.items[0]).toMatchObject({ level: "info", at: expect.any(String) })
  })

  test("events of a finished run: its log and its end; then the stream ends", async () => {
    const run = await app.run(key, ["chatty"])
    const reply = await app.get(`/api/v1/runs/${run.id}/events`, { key })
    expect(reply.headers.get("content-type")).toStartWith("text/event-stream")
    const all = events(reply.text)
    expect(all.filter(({ type }) => type === "log")).toHaveLength(20)
    expect(all.at(-1)).toMatchObject({ type: "status", data: { id: run.id, status: "succeeded" } })
    const fifth = all[4]!.id!
    const rest = await app.get(`/api/v1/runs/${run.id}/events`, {
      key,
      headers: { "last-event-id": fifth },
    })
    const messages = events(rest.text).flatMap(({ type, data }) =>
      type === "log" ? [data.message] : [],
    )
    expect(messages).toHaveLength(15)
    expect(messages[0]).toBe("line 6")
  })

  test("events of a running run come as they happen", async () => {
    const { body: run } = await app.post(runs, { key, body: { words: ["chatty", "slow"] } })
    const response = await app.raw("GET", `/api/v1/runs/${run.id}/events`, { key })
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    const until = async (wanted: RegExp) => {
      while (!wanted.test(text)) {
        const { value, done } = await reader.read()
        if (done) return
        text += value
      }
    }
    await until(/"status":"running"/)
    await until(/line 20/)
    expect(text).not.toContain('"status":"succeeded"')
    app.gate.release()
    await until(/"status":"succeeded"/)
    const all = events(text)
    expect(all.at(-1)!.data).toMatchObject({ status: "succeeded", itemCount: 2 })
    expect((await reader.read()).done).toBe(true)
    app.gate.reset()
  })
})
