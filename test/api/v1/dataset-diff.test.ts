import { afterAll, beforeAll, expect, test } from "bun:test"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

const prices: Record<string, string> = { a: "10,00 €", b: "20,00 €", c: "30,00 €" }
let app: TestApp
let key: string
beforeAll(async () => {
  app = await TestApp.open(
    {},
    catalogue.filter(({ slug }) => slug === "web-scraper"),
    undefined,
    {
      send: async ({ url }) => {
        const price = prices[new URL(url).pathname.slice(1)]
        return {
          status: price ? 200 : 404,
          headers: new Headers({ "content-type": "text/html" }),
          bytes: new TextEncoder().encode(
            `<h1>Lamp ${url.at(-1)}</h1><p class=price>${price}</p><p>${"Words of a page. ".repeat(20)}</p>`,
          ),
          via: "http",
          firstByte: null,
        }
      },
    },
  )
  ;({ key } = await app.account({ unlimited: true }))
})
afterAll(() => app.close())

const run = async (names: string[], more = {}) => {
  const urls = names.map((name) => `https://shop.test/${name}`)
  const fields = ["title: h1", "price: .price @number"]
  const body = { urls, fields, ...more }
  const path = "/api/v1/scrapers/web-scraper/runs?waitForFinish=30"
  return (await app.post(path, { key, body })).body.datasetId as string
}
const diff = (id: string, query = "") => app.get(`/api/v1/datasets/${id}/diff?${query}`, { key })

test("added, changed and removed items, with old and new values", async () => {
  const first = await run(["a", "b", "c"])
  expect((await diff(first)).status).toBe(409)
  prices.b = "18,50 €"
  delete prices.c
  prices.d = "5 €"
  const again = await run(["a", "b", "c"])
  const { body } = await diff(again)
  expect(body).toMatchObject({ total: 2, limit: 100, offset: 0, nextCursor: null })
  const url = (name: string) => `https://shop.test/${name}`
  expect(body.items).toEqual([
    {
      change: "changed",
      key: url("b"),
      name: "Lamp b",
      url: url("b"),
      field: "price",
      before: 20,
      after: 18.5,
    },
    {
      change: "removed",
      key: url("c"),
      name: "Lamp c",
      url: url("c"),
      field: null,
      before: null,
      after: null,
    },
  ])
  const other = await run(["b", "d"])
  const named = (await diff(other, `since=${first}`)).body.items
  expect(
    named.map(({ change, key }: { change: string; key: string }) => [change, key.at(-1)]),
  ).toEqual([
    ["changed", "b"],
    ["added", "d"],
    ["removed", "a"],
    ["removed", "c"],
  ])
  const { text } = await diff(again, "format=csv&fields=price")
  expect(text.replace("\ufeff", "").split("\r\n").slice(0, 2)).toEqual([
    "change,key,name,url,field,before,after",
    `changed,${url("b")},Lamp b,${url("b")},price,20,18.5`,
  ])
  expect(
    (await diff(again, "fields=title")).body.items.map(({ change }: { change: string }) => change),
  ).toEqual(["removed"])
  const part = await diff(other, `since=${first}&limit=1&offset=1`)
  expect([part.body.items[0].change, part.body.total]).toEqual(["added", 4])
})

test("incomparable datasets are refused", async () => {
  const id = await run(["a"], { fields: ["title: h1"] })
  expect((await diff(id, "since=ds_00000000000000000000000000000000")).status).toBe(404)
  const wrong = await diff(id, `since=${id}&by=titel`)
  expect([wrong.status, wrong.body.error.message]).toEqual([
    400,
    expect.stringContaining('Did you mean "title"?'),
  ])
  const anonymousCaller = (await app.account()).key
  const theirs = await app.get(`/api/v1/datasets/${id}/diff?since=${id}`, { key: anonymousCaller })
  expect(theirs.status).toBe(404)
  expect((await diff(id, `since=${id}`)).body.items).toEqual([])
})
