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

/** How one more entry comes into a list. */
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
    test(`${path} shows each entry once, whatever comes meanwhile`, async () => {
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

    test(`${path} refuses a cursor that is none`, async () => {
      const refused = await app.get(`${path}?cursor=nonsense!`, { key })
      expect(refused.status).toBe(400)
      expect(refused.body.error.message).toBe(
        'The query is not valid: "cursor" must be the `nextCursor` of an earlier answer, not "nonsense!".',
      )
    })
  }

  test("ends with the last entry, also when a part is full", async () => {
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

describe("inputs", () => {
  test("stay out of lists and events until they are asked for", async () => {
    const run = await app.run(key, ["large"])
    expect(run.input).toMatchObject({ words: ["large"] })
    const batch = await post("/api/v1/batches", { scraper: "words-scraper", inputs: [wordsInput] })
    const places = ["/api/v1/runs", `/api/v1/batches/${batch.id}/runs`, "/api/v1/schedules"]
    for (const place of places) {
      const [lean] = (await get(`${place}?limit=1`)).items
      expect(lean, place).not.toHaveProperty("input")
      const [full] = (await get(`${place}?limit=1&view=full`)).items
      expect(full.input.words, place).toBeArray()
      const { input: _, ...rest } = full
      expect({ ...rest, ...standing(lean) }, place).toEqual(lean)
    }
    const { text } = await app.get(`/api/v1/runs/${run.id}/events`, { key })
    expect(text).toContain('"status":"succeeded"')
    expect(text).not.toContain('"input"')
  })
})

/** What a run that goes on changes between two looks. */
function standing(one: Record<string, unknown>) {
  const names = ["status", "startedAt", "finishedAt", "itemCount", "pageCount", "targetsDone"]
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
  })
})
