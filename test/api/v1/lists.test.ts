import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
const wordsInput = { words: ["a"] }

beforeAll(async () => {
  app = await TestApp.open()
  key = (await app.account({ unlimited: true })).key
})
afterAll(() => app.close())

const get = async (path: string) => (await app.get(path, { key })).body
const post = async (path: string, body: unknown) => (await app.post(path, { key, body })).body

/** How to add one more entry to each list. */
const lists: [path: string, add: () => Promise<{ id: string }>][] = [
  ["/api/v1/runs", () => app.run(key, ["a"])],
  [
    "/api/v1/datasets",
    async () => {
      const { datasetId } = await app.run(key, ["a"])
      return { id: datasetId }
    },
  ],
  [
    "/api/v1/batches",
    () => post("/api/v1/batches", { scraper: "words-scraper", inputs: [wordsInput] }),
  ],
  [
    "/api/v1/schedules",
    () =>
      post("/api/v1/schedules", { scraper: "words-scraper", input: wordsInput, cron: "@yearly" }),
  ],
  ["/api/v1/webhooks", () => post("/api/v1/webhooks", { url: "https://example.com/hook" })],
  ["/api/v1/keys", () => post("/api/v1/keys", {})],
]

describe("a list by cursor", () => {
  for (const [path, add] of lists) {
    test(`${path} returns each entry once, whatever is added meanwhile`, async () => {
      const before = (await get(path)).items.map((one: { id: string }) => one.id)
      const made: string[] = []
      for (let count = 0; count < 5; count++) made.unshift((await add()).id)
      const seen: string[] = []
      let cursor = ""
      for (;;) {
        const page = await get(`${path}?limit=2${cursor}`)
        seen.push(...page.items.map((one: { id: string }) => one.id))
        if (page.nextCursor === null) break
        cursor = `&cursor=${page.nextCursor}`
        await add()
      }
      expect(seen).toEqual([...made, ...before])
    })

    test(`${path} refuses an invalid cursor`, async () => {
      const refused = await app.get(`${path}?cursor=nonsense!`, { key })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toBe(
        'The query is not valid: "cursor" must be the `nextCursor` of an earlier response, not "nonsense!".',
      )
    })
  }

  test("ends with the last entry, also if a page is full", async () => {
    const { total } = await get("/api/v1/keys")
    expect((await get(`/api/v1/keys?limit=${total}`)).nextCursor).toBeNull()
    expect((await get(`/api/v1/keys?limit=${total - 1}`)).nextCursor).toBeString()
    const { total: runs } = await get("/api/v1/runs")
    expect((await get(`/api/v1/runs?limit=${runs}`)).nextCursor).toBeNull()
  })

  test("the ledger and deliveries page alike", async () => {
    const payer = (await app.account({ credits: 100 })).key
    for (const word of ["a", "b", "c"]) await app.run(payer, [word])
    const first = await app.get("/api/v1/me/ledger?limit=2", { key: payer })
    const { nextCursor } = first.body
    const rest = await app.get(`/api/v1/me/ledger?cursor=${nextCursor}`, { key: payer })
    expect([...first.body.items, ...rest.body.items]).toEqual(
      (await app.get("/api/v1/me/ledger", { key: payer })).body.items,
    )
    expect(rest.body.nextCursor).toBeNull()
  })
})

/** Returns all entries of a list by name, read two at a time; `by` is the query before `limit`. */
async function paged(path: string, named: (entry: never) => unknown, by = "?"): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let cursor: string | null = ""; cursor !== null; ) {
    const after: string = cursor === "" ? "" : `&cursor=${cursor}`
    const page = await get(`${path}${by}limit=2${after}`)
    expect(page.items.length).toBeLessThanOrEqual(2)
    seen.push(...page.items.map(named))
    cursor = page.nextCursor
  }
  return seen
}

describe("a run's output by cursor", () => {
  const words = ["a", "missing", "c", "d", "e"]

  test("items come once each, with and without errors, and after a cursor in every format", async () => {
    const { datasetId } = await app.run(key, words)
    const path = `/api/v1/datasets/${datasetId}/items`
    const named = ({ word, error }: { word?: string; error?: { code: string } }) =>
      word ?? error?.code
    const whole = (await get(path)).items.map(named)
    expect(whole).toHaveLength(5)
    expect(await paged(path, named)).toEqual(whole)
    const { items, nextCursor } = await get(`${path}?limit=3`)
    expect(items.map(named)).toEqual(whole.slice(0, 3))
    const { text } = await app.get(`${path}?format=jsonl&cursor=${nextCursor}`, { key })
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => named(JSON.parse(line))),
    ).toEqual(whole.slice(3))
    expect((await get(`${path}?limit=5`)).nextCursor).toBeNull()
    expect((await get(`${path}?clean=true&limit=5`)).nextCursor).toBeNull()
  })

  test("those of a batch continue over its runs", async () => {
    const inputs = [{ words: ["a", "b"] }, { words: ["c"] }, { words: ["d", "e", "f"] }]
    const { id } = await post("/api/v1/batches", { scraper: "words-scraper", inputs })
    const runs = (await get(`/api/v1/batches/${id}/runs`)).items
    for (const run of runs) await get(`/api/v1/runs/${run.id}?waitForFinish=300`)
    const path = `/api/v1/batches/${id}`
    const word = (item: { word: string }) => item.word
    expect(await paged(`${path}/items`, word)).toEqual(["a", "b", "c", "d", "e", "f"])
    const runIds = (run: { id: string }) => run.id
    expect(await paged(`${path}/runs`, runIds)).toEqual(runs.map(runIds))
  })

  test("the log", async () => {
    const run = await app.run(key, ["chatty"])
    const path = `/api/v1/runs/${run.id}/log`
    const { items } = await get(path)
    expect(items.length).toBeGreaterThanOrEqual(20)
    const id = (line: { id: number }) => line.id
    expect(await paged(path, id)).toEqual(items.map(id))
  })

  test("scrapers, and no cursor of another list", async () => {
    const slug = (scraper: { slug: string }) => scraper.slug
    const all = (await get("/api/v1/scrapers")).items.map(slug)
    expect(await paged("/api/v1/scrapers", slug)).toEqual(all)
    const refused = await app.get("/api/v1/scrapers?cursor=not-in-this-list", { key })
    expect([refused.status, refused.body.error.details[0].field]).toEqual([400, "cursor"])
  })
})

describe("inputs", () => {
  test("are left out of lists and events unless requested", async () => {
    const run = await app.run(key, ["large"])
    expect(run.input).toMatchObject({ words: ["large"] })
    const batch = await post("/api/v1/batches", { scraper: "words-scraper", inputs: [wordsInput] })
    const listPaths = ["/api/v1/runs", `/api/v1/batches/${batch.id}/runs`, "/api/v1/schedules"]
    for (const listPath of listPaths) {
      const [lean] = (await get(`${listPath}?limit=1`)).items
      expect(lean, listPath).not.toHaveProperty("input")
      const [full] = (await get(`${listPath}?limit=1&view=full`)).items
      expect(full.input.words, listPath).toBeArray()
      const { input: _, ...rest } = full
      expect({ ...rest, ...standing(lean) }, listPath).toEqual(lean)
    }
    const { text } = await app.get(`/api/v1/runs/${run.id}/events`, { key })
    expect(text).toContain('"status":"succeeded"')
    expect(text).not.toContain('"input"')
  })
})

/** Fields that a running run changes between two reads. */
function standing(one: Record<string, unknown>) {
  const names = [
    "status",
    "title",
    "startedAt",
    "finishedAt",
    "itemCount",
    "pageCount",
    "targetsDone",
    "targetsTotal",
  ]
  return Object.fromEntries(
    [...names, "creditsCharged", "attempt", "statusMessage"]
      .filter((name) => name in one)
      .map((name) => [name, one[name]]),
  )
}

describe("fields of items", () => {
  test("that no item has are refused with the nearest", async () => {
    const { datasetId } = await app.run(key, ["a"])
    const items = `/api/v1/datasets/${datasetId}/items`
    for (const format of ["json", "jsonl", "csv"]) {
      const refused = await app.get(`${items}?format=${format}&fields=place,wrod`, { key })
      expect([refused.status, refused.body.error.message]).toEqual([
        400,
        'The query is not valid: There is no field "wrod" in these items. Did you mean "word"?',
      ])
      expect(refused.body.error.details[0].field).toBe("fields")
    }
    expect((await get(`${items}?fields=word,error`)).items).toEqual([{ word: "a" }])
    const parts = await app.get(`${items}?fields=word,error.code`, { key })
    expect([parts.status, parts.body.error.message]).toEqual([
      400,
      'The query is not valid: "fields" takes top-level fields: use "error", and read parts of it with "transform".',
    ])
  })
})
