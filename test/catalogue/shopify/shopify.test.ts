import { expect, test } from "bun:test"
import type { Exchange } from "../../../src/engine/replay/case.ts"
import { replay } from "../../corpus-run.ts"

const pageSize = 250
const rows = Array.from({ length: pageSize }, (_, at) => ({
  id: at + 1,
  handle: `row-${at + 1}`,
  title: `Row ${at + 1}`,
}))

const answer = (path: string, body: object): Exchange => ({
  method: "GET",
  url: `https://tea.example/${path}`,
  status: 200,
  headers: { "content-type": "application/json" },
  bytes: new TextEncoder().encode(JSON.stringify(body)),
})

test("a store that gives its first page for every page is read once", async () => {
  const pages = [1, 2].flatMap((page) => [
    answer(`products.json?limit=${pageSize}&page=${page}`, { products: rows }),
    answer(`collections.json?limit=${pageSize}&page=${page}`, { collections: rows }),
  ])
  const { items, error } = await replay({
    folder: "",
    slug: "shopify-products-scraper",
    case: "same-page",
    input: { storeUrls: ["tea.example"], maxProducts: 1000, includeCollections: true },
    env: {},
    exchanges: [...pages, answer("meta.json", { name: "Tea", currency: "EUR" })],
    expect: [],
  })
  expect(error).toBeNull()
  expect(items.filter((item) => "error" in item)).toEqual([])
  expect(items.filter((item) => item.type === "product")).toHaveLength(pageSize)
  expect(items.filter((item) => item.type === "collection")).toHaveLength(pageSize)
})
