import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { parquetReadObjects } from "hyparquet"
import { catalogue } from "../../../src/catalogue/index.ts"
import { TestApp } from "../app.ts"

const price = (n: number) => `${(n * 10).toLocaleString("de-DE", { minimumFractionDigits: 2 })} €`
const page = (n: number) =>
  `<html lang=de><title>Lamp ${n}</title><h1>Lamp ${n}</h1><p class=price>${price(n)}</p><time datetime=2026-03-0${n}>x</time>
  <ul class=tags><li>new<li>steel</ul><a class=more href=/more/${n}>more</a><p>${"Words of a page that is whole. ".repeat(20)}</p>`

let app: TestApp
let key: string
let datasetId: string
let runId: string
beforeAll(async () => {
  app = await TestApp.open(
    {},
    catalogue.filter(({ slug }) => slug === "web-scraper"),
    undefined,
    {
      send: async ({ url }) => {
        const n = Number(/\/(\d+)$/.exec(url)?.[1] ?? 0)
        return {
          status: n > 0 ? 200 : 404,
          headers: new Headers({ "content-type": "text/html" }),
          bytes: new TextEncoder().encode(n > 0 ? page(n) : "gone"),
          via: "http",
          firstByte: null,
        }
      },
    },
  )
  ;({ key } = await app.account({ unlimited: true }))
  const recipe = {
    slug: "lamps",
    name: "Lamps",
    pattern: "shop.test/*",
    input: {
      fields: [
        "title: h1",
        "price: .price @number",
        "day: time @datetime @date",
        "[]tags: .tags li",
        "url: a.more @href",
        "nothing: .none",
      ],
    },
  }
  await app.post("/api/v1/recipes", { key, body: recipe })
  const urls = [3, 1, 2, 0].map((n) => `https://shop.test/${n}`)
  const { body } = await app.post("/api/v1/scrapers/lamps/runs?waitForFinish=60", {
    key,
    body: { urls },
  })
  ;({ datasetId, id: runId } = body)
})
afterAll(() => app.close())

const items = (query: string) => app.get(`/api/v1/datasets/${datasetId}/items?${query}`, { key })
const header = async (query: string) =>
  (await items(query)).text.replace("\ufeff", "").split("\r\n")[0]

test("the run has all of its pages", async () => {
  const { body } = await app.get(`/api/v1/runs/${runId}`, { key })
  expect([body.itemCount, body.errorCount]).toEqual([3, 1])
})

describe("fields that a call names are columns", () => {
  test("of CSV: the filled ones, in the order of the definition, after the URL", async () => {
    const { text } = await items("format=csv&clean=true&sort=price")
    expect(text.replace("\ufeff", "").trimEnd().split("\r\n")).toEqual([
      "url,title,price,day,tags.0,tags.1,data.url",
      "https://shop.test/1,Lamp 1,10,2026-03-01,new,steel,https://shop.test/more/1",
      "https://shop.test/2,Lamp 2,20,2026-03-02,new,steel,https://shop.test/more/2",
      "https://shop.test/3,Lamp 3,30,2026-03-03,new,steel,https://shop.test/more/3",
    ])
    expect(await header("format=csv")).toBe(
      "url,title,price,day,tags.0,tags.1,input,statusCode,error.code,error.message,data.url",
    )
  })

  test("others can be chosen, and all exist", async () => {
    expect(await header("format=csv&columns=price,url,tags.0&clean=true")).toBe("price,url,tags.0")
    const all = (await header("format=csv&columns=all"))!.split(",")
    expect(all).toEqual(
      expect.arrayContaining(["url", "title", "nothing", "finalUrl", "statusCode"]),
    )
    const { body } = await items("columns=price")
    expect(body.items.slice(0, 3)).toEqual([{ price: 30 }, { price: 10 }, { price: 20 }])
    const wrong = await items("format=csv&columns=prise")
    expect([wrong.status, wrong.body.error.message]).toEqual([
      400,
      expect.stringContaining('Did you mean "price"?'),
    ])
  })

  test("JSON is as stored", async () => {
    const { body } = await items("limit=1")
    expect(body.items[0]).toMatchObject({ statusCode: 200, data: { title: "Lamp 3", price: 30 } })
  })

  test("can be sorted and filtered, as numbers and by name", async () => {
    const titles = async (query: string) =>
      (await items(query)).body.items.map(({ data }: { data: { title: string } }) => data.title)
    expect(await titles("clean=true&sort=-price")).toEqual(["Lamp 3", "Lamp 2", "Lamp 1"])
    expect(await titles("clean=true&filter=price<25&filter=title~lamp")).toEqual([
      "Lamp 1",
      "Lamp 2",
    ])
    expect(await titles("clean=true&filter=data.price=20")).toEqual(["Lamp 2"])
    const wrong = await items("filter=price~x")
    expect(wrong.body.error.message).toContain('a number: "~" applies only to text')
  })

  test("Parquet has them with their types", async () => {
    const response = await app.raw(
      "GET",
      `/api/v1/datasets/${datasetId}/items?format=parquet&clean=true`,
      { key },
    )
    const rows = await parquetReadObjects({ file: await response.arrayBuffer() })
    expect(Object.keys(rows[0]!)).toEqual(["url", "title", "price", "day", "tags", "data", "_rest"])
    expect(rows[0]).toMatchObject({ title: "Lamp 3", price: 30, tags: ["new", "steel"] })
  })

  test("a dataset lists them", async () => {
    const { body } = await app.get(`/api/v1/datasets/${datasetId}`, { key })
    expect(body.ownFields).toEqual([
      { name: "title", type: "string" },
      { name: "price", type: "number" },
      { name: "day", type: "string" },
      { name: "tags", type: "array" },
      { name: "nothing", type: "string" },
    ])
  })
})

test("of rows, each is an item", async () => {
  const { body: run } = await app.post("/api/v1/scrapers/web-scraper/runs?waitForFinish=60", {
    key,
    body: { urls: ["https://shop.test/1"], rows: ".tags li", fields: ["tag: @text", "none: b"] },
  })
  expect([run.status, run.itemCount]).toEqual(["succeeded", 2])
  const { text } = await app.get(`/api/v1/datasets/${run.datasetId}/items?format=csv`, { key })
  expect(text.replace("\ufeff", "").trimEnd().split("\r\n")).toEqual([
    "url,tag",
    "https://shop.test/1,new",
    "https://shop.test/1,steel",
  ])
  const none = await app.post("/api/v1/scrapers/web-scraper/runs?waitForFinish=60", {
    key,
    body: { urls: ["https://shop.test/1"], rows: ".none", fields: ["tag: @text"] },
  })
  expect([none.body.status, none.body.errorCount]).toEqual(["failed", 1])
  const bad = await app.post("/api/v1/scrapers/web-scraper/runs", {
    key,
    body: { urls: ["https://shop.test/1"], rows: "li[", fields: ["tag: @text"] },
  })
  expect(bad.status).toBe(400)
})
