import { expect, test } from "bun:test"
import type { Exchange } from "../../../src/engine/fetch/replay/case.ts"
import { replay } from "../../corpus-run.ts"

const pageSize = 250
const rows = Array.from({ length: pageSize }, (_, at) => ({
  id: at + 1,
  handle: `row-${at + 1}`,
  title: `Row ${at + 1}`,
}))

const response = (path: string, body: object): Exchange => ({
  method: "GET",
  url: `https://tea.example/${path}`,
  status: 200,
  headers: { "content-type": "application/json" },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
})

test("a store that returns its first page for every page is read once", async () => {
  const pages = [1, 2].flatMap((page) => [
    response(`products.json?limit=${pageSize}&page=${page}`, { products: rows }),
    response(`collections.json?limit=${pageSize}&page=${page}`, { collections: rows }),
  ])
  const { items, error } = await replay({
    folder: "",
    slug: "shopify-products-scraper",
    case: "same-page",
    input: { storeUrls: ["tea.example"], maxProducts: 1000, includeCollections: true },
    env: {},
    exchanges: [...pages, response("meta.json", { name: "Tea", currency: "EUR" })],
    expect: [],
  })
  expect(error).toBeNull()
  expect(items.filter((item) => "error" in item)).toEqual([])
  expect(items.filter((item) => item.type === "product")).toHaveLength(pageSize)
  expect(items.filter((item) => item.type === "collection")).toHaveLength(pageSize)
})

test("a challenged product list is read after Chrome has passed the challenge once", async () => {
  const html = (via: Exchange["via"], text: string, status = 200): Partial<Exchange> => ({
    ...(via ? { via } : {}),
    status,
    headers: { "content-type": "text/html", server: "cloudflare" },
    bytes: new TextEncoder().encode(text),
  })
  const challenge = "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"
  const page = (number: number) => `products.json?limit=${pageSize}&page=${number}`
  const later = (first: number, count: number) =>
    rows.slice(0, count).map((row) => ({ ...row, id: row.id + first }))
  const { items, error } = await replay({
    folder: "",
    slug: "shopify-products-scraper",
    case: "challenged-page",
    input: { storeUrls: ["tea.example"], maxProducts: 1000 },
    env: {},
    exchanges: [
      response(page(1), { products: rows }),
      { ...response(page(2), {}), ...html(undefined, challenge, 403) },
      response(page(2), { products: later(250, 250) }),
      response(page(3), { products: later(500, 1) }),
      { ...response("", {}), ...html("browser", "<h1>Tea</h1>") },
      { ...response("", {}), ...html("browser", challenge, 403) },
      response("meta.json", { name: "Tea", currency: "EUR" }),
    ],
    expect: [],
  })
  expect(error).toBeNull()
  expect(items.filter((item) => "error" in item)).toEqual([])
  expect(items).toHaveLength(2 * pageSize + 1)
})
