import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { queuedRuns } from "../../../src/store/runs/runs.ts"
import { root, TestApp } from "../app.ts"

let app: TestApp
let key: string
let accountId: string
beforeAll(async () => {
  app = await TestApp.open()
  const account = await app.account()
  key = account.key
  accountId = account.id
})
afterAll(() => app.close())

async function finished(id: string) {
  for (let look = 0; look < 200; look++) {
    const { body } = await app.get(`/api/v1/batches/${id}`, { key })
    if (body.status === "finished") return body
    await Bun.sleep(10)
  }
  throw new Error("The batch does not end.")
}

describe("batches", () => {
  test("many inputs of one scraper, one ID to watch", async () => {
    const inputs = ["a", "missing", "c"].map((word) => ({ words: [word] }))
    const { status, body } = await app.post("/api/v1/batches", {
      key,
      body: { name: "Three", scraper: "words-scraper", inputs },
    })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: "Three", size: 3 })
    expect(body.statusUrl).toBe(`${root}/api/v1/batches/${body.id}`)
    const end = await finished(body.id)
    expect(end).toMatchObject({
      byStatus: { succeeded: 2, failed: 1 },
      itemCount: 2,
      errorCount: 1,
      creditsCharged: 2,
    })
    const runs = await app.get(`/api/v1/batches/${body.id}/runs?view=full`, { key })
    expect(runs.body.total).toBe(3)
    expect(runs.body.items.map((run: { input: unknown }) => run.input)).toMatchObject(inputs)
    const middle = await app.get(`/api/v1/batches/${body.id}/runs?limit=1&offset=1`, { key })
    expect(middle.body.items[0].status).toBe("failed")
  })

  test("the input row of a value comes next to its items, in every format", async () => {
    const rows = [
      { word: "a", "made by": "Ada, Inc." },
      { word: "missing", "made by": "Lin" },
      { word: " c ", "made by": "Mae" },
    ]
    const inputs = [{ words: ["a", "missing"], times: 2 }, { words: ["c"] }]
    const sources = { field: "words", column: "word", rows }
    const { status, body } = await app.post("/api/v1/batches", {
      key,
      body: { scraper: "words-scraper", inputs, sources },
    })
    expect(status).toBe(201)
    await finished(body.id)
    const path = `/api/v1/batches/${body.id}/items`
    const items = (await app.get(`${path}?sources=true`, { key })).body.items
    const makers = items.map((item: { source: { "made by": string } }) => item.source["made by"])
    expect(makers).toEqual(["Ada, Inc.", "Ada, Inc.", "Lin", "Mae"])
    const csv = await app.get(`${path}?sources=true&clean=true&format=csv&fields=source,word`, {
      key,
    })
    expect(csv.text.replace("\ufeff", "").split("\r\n")).toEqual([
      "source.word,source.made by,word",
      'a,"Ada, Inc.",a',
      'a,"Ada, Inc.",a',
      '" c ",Mae,c',
      "",
    ])
    const chosen = `${path}?sources=true&filter=source.made+by~Mae&sort=-word`
    expect((await app.get(chosen, { key })).body.items).toMatchObject([{ source: rows[2] }])
    expect((await app.get(path, { key })).body.items[0]).not.toHaveProperty("source")
    const stored = () => app.store.db.selectFrom("run_sources").selectAll().execute()
    expect(await stored()).toHaveLength(3)
    const { items: started } = (await app.get(`/api/v1/batches/${body.id}/runs`, { key })).body
    for (const { id } of started) await app.call("DELETE", `/api/v1/runs/${id}`, { key })
    await app.purge()
    expect(await stored()).toEqual([])
    const wrong = async (sources: unknown) => {
      const body = { scraper: "words-scraper", inputs: [{ words: ["a"] }], sources }
      const response = await app.post("/api/v1/batches", { key, body })
      return [response.status, response.body.error.details[0].field]
    }
    expect(await wrong({ field: "wrods", column: "word", rows })).toEqual([400, "sources.field"])
    expect(await wrong({ field: "words", column: "name", rows })).toEqual([400, "sources.rows[0]"])
  })

  test("the items of all runs are one list, in every format", async () => {
    const inputs = ["a", "missing", "c"].map((word) => ({ words: [word], times: 2 }))
    const { body } = await app.post("/api/v1/batches", {
      key,
      body: { scraper: "words-scraper", inputs },
    })
    await finished(body.id)
    const items = async (query: string) =>
      app.get(`/api/v1/batches/${body.id}/items${query}`, { key })
    const seen = (list: { word?: string }[]) => list.map((item) => item.word ?? "!")
    const all = await items("")
    expect(seen(all.body.items)).toEqual(["a", "a", "!", "c", "c"])
    expect(all.body.total).toBe(5)
    expect(seen((await items("?limit=2&offset=2")).body.items)).toEqual(["!", "c"])
    expect(seen((await items("?clean=true&offset=1")).body.items)).toEqual(["a", "c", "c"])
    const csv = await items("?format=csv&fields=word")
    expect(csv.text.split("\r\n")[0]).toContain("word")
    expect(csv.text.trimEnd().split("\r\n")).toHaveLength(6)
    expect(csv.headers.get("content-disposition")).toContain("batch-")
    const other = (await app.account()).key
    expect((await app.get(`/api/v1/batches/${body.id}/items`, { key: other })).status).toBe(404)
  })

  test("several scrapers", async () => {
    const { body } = await app.post("/api/v1/batches", {
      key,
      body: {
        runs: [
          { scraper: "words-scraper", input: { words: ["a"] } },
          { scraper: "news-scraper", input: {} },
        ],
      },
    })
    await finished(body.id)
    const runs = await app.get(`/api/v1/batches/${body.id}/runs`, { key })
    expect(runs.body.items.map((run: { scraper: string }) => run.scraper)).toEqual([
      "words-scraper",
      "news-scraper",
    ])
  })

  test("nothing starts if one input is invalid", async () => {
    const before = (await app.get("/api/v1/runs", { key })).body.total
    const { status } = await app.post("/api/v1/batches", {
      key,
      body: { scraper: "words-scraper", inputs: [{ words: ["a"] }, { words: 7 }] },
    })
    expect(status).toBe(400)
    expect((await app.get("/api/v1/runs", { key })).body.total).toBe(before)
  })

  test("aborting ends all unfinished runs", async () => {
    const { body } = await app.post("/api/v1/batches", {
      key,
      body: { scraper: "words-scraper", inputs: [{ words: ["slow"] }, { words: ["slow"] }] },
    })
    expect((await app.post(`/api/v1/batches/${body.id}/abort`, { key })).status).toBe(202)
    expect((await finished(body.id)).byStatus).toEqual({ aborted: 2 })
  })

  test("402 without credits", async () => {
    const poor = await app.account({ credits: 0 })
    const response = await app.post("/api/v1/batches", {
      key: poor.key,
      body: { scraper: "words-scraper", inputs: [{ words: ["a"] }] },
    })
    expect(response.status).toBe(402)
  })

  test("its runs are queued with it: a process that starts later claims them", async () => {
    const { queued } = await app.store.write("batches.create", {
      id: "bat_crashed",
      accountId,
      keyId: null,
      name: null,
      createdAt: new Date().toISOString(),
      runs: ["run_first", "run_second"].map((runId) => ({
        runId,
        slug: "words-scraper",
        recipe: null,
        input: '{"words":["late"]}',
      })),
    })
    const waiting = await app.get("/api/v1/batches/bat_crashed", { key })
    expect(waiting.body).toMatchObject({ status: "running", byStatus: { queued: 2 } })
    expect(queued.map(({ id }) => id)).toEqual(["run_first", "run_second"])
    app.runs.queued(await queuedRuns(app.store.db))
    expect(await finished("bat_crashed")).toMatchObject({ byStatus: { succeeded: 2 } })
    const runs = await app.get("/api/v1/batches/bat_crashed/runs", { key })
    expect(runs.body.items.map((run: { id: string }) => run.id)).toEqual([
      "run_first",
      "run_second",
    ])
  })
})

test("a batch counts its targets, and its failed ones can run again", async () => {
  const key = (await app.account()).key
  const body = { scraper: "words-scraper", inputs: [{ words: ["a", "missing"] }, { words: ["b"] }] }
  const { body: made } = await app.post("/api/v1/batches", {
    key,
    body: { ...body, name: "shops.csv" },
  })
  const look = async () => (await app.get(`/api/v1/batches/${made.id}`, { key })).body
  const ended = async () => {
    for (let now = await look(); ; now = await look()) {
      if (now.status === "finished") return now
      await Bun.sleep(20)
    }
  }
  expect(await ended()).toMatchObject({ targetsDone: 3, targetsTotal: 3, targetsFailed: 1 })
  const again = await app.post(`/api/v1/batches/${made.id}/retry`, { key })
  expect(again.status).toBe(202)
  expect(await ended()).toMatchObject({ targetsDone: 3, targetsFailed: 1, itemCount: 2 })
  const { body: runs } = await app.get(`/api/v1/batches/${made.id}/runs`, { key })
  expect(runs.items.map(({ title }: { title: string }) => title)).toEqual([
    "shops.csv, 1 of 2",
    "shops.csv, 2 of 2",
  ])
  const whole = { scraper: "words-scraper", inputs: [{ words: ["a"] }] }
  const { body: good } = await app.post("/api/v1/batches", { key, body: whole })
  while ((await app.get(`/api/v1/batches/${good.id}`, { key })).body.status === "running") {
    await Bun.sleep(20)
  }
  expect((await app.post(`/api/v1/batches/${good.id}/retry`, { key })).status).toBe(409)
})
