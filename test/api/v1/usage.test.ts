import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import { sql } from "kysely"
import { TestApp } from "../app.ts"

const operator = { key: "trawl_fortheoperatoralone" }
let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({}, undefined, operator.key)
})
afterAll(() => app.close())

const today = () => new Date().toISOString().slice(0, 10)

test("usage is counted by day, key and scraper, and belongs to the account", async () => {
  const { id, key } = await app.account()
  const second = (await app.post("/api/v1/keys", { key, body: {} })).body
  await app.run(key, ["a", "b", "bad"])
  await app.run(second.apiKey, ["c"])
  const other = await app.account()
  await app.run(other.key, ["d"])
  const { body } = await app.get("/api/v1/usage?by=day|key|scraper", { key })
  expect(body).toMatchObject({ to: today(), truncated: false })
  expect(body.items).toHaveLength(2)
  const of = body.items.find((row: { key: string }) => row.key === second.id)
  expect(of).toMatchObject({
    day: today(),
    scraper: "words-scraper",
    pages: 1,
    items: 1,
    credits: 1,
  })
  expect(body.total.pages).toBe(body.items[0].pages + body.items[1].pages)
  const one = await app.get(`/api/v1/usage?key=${second.id}&by=scraper`, { key })
  expect(one.body.items).toMatchObject([{ scraper: "words-scraper", pages: 1 }])
  expect(Object.keys(one.body.items[0])).not.toContain("day")
  expect((await app.get("/api/v1/usage?scraper=none-scraper", { key })).body.items).toEqual([])

  await app.get("/api/scrape/words-scraper?words=free")
  const all = await app.get("/api/admin/v1/usage?by=account", operator)
  const accounts = all.body.items.map((row: { account: string | null }) => row.account)
  expect(accounts).toEqual(expect.arrayContaining([id, other.id, null]))
  const keyless = await app.get("/api/admin/v1/usage?account=keyless", operator)
  expect(keyless.body.total).toMatchObject({ items: 1, credits: 0 })
  const named = await app.get(`/api/admin/v1/usage?account=${other.id}`, operator)
  expect(named.body.total).toMatchObject({ pages: 1, items: 1, credits: 1 })
})

test("counts from before keys were counted are kept", async () => {
  const { id, key } = await app.account()
  await app.direct((db) =>
    sql`INSERT INTO usage_days (account_id, day, slug, key_id, pages)
      VALUES (${id}, '2026-01-31', 'a', '', 5)`.execute(db),
  )
  const { body } = await app.get("/api/v1/usage?from=2026-01-01&to=2026-01-31&by=day|key", { key })
  expect(body.items).toEqual([
    { day: "2026-01-31", key: null, pages: 5, items: 0, credits: 0, bytes: 0 },
  ])
})

const bad: [query: string, field: string][] = [
  ["from=yesterday", "from"],
  ["from=2026-13-01", "from"],
  ["from=2026-02-02&to=2026-02-01", "from"],
  ["by=week", "by[0]"],
  ["by=account", "by[0]"],
  ["days=3", "days"],
]
for (const [query, field] of bad) {
  test(`refused: ${query}`, async () => {
    const { key } = await app.account()
    const response = await app.get(`/api/v1/usage?${query}`, { key })
    expect([response.status, response.body.error.details[0].field]).toEqual([400, field])
  })
}

test("sums over many rows are computed in the list thread, not where calls are answered", async () => {
  const { key } = await app.account()
  const sent = spyOn(app.service.lists, "send")
  await app.get("/api/v1/usage", { key })
  await app.get("/api/admin/v1/usage", operator)
  expect(sent.mock.calls.map(([, , requested]) => requested.name)).toEqual(["usage", "usage"])
  sent.mockRestore()
})
