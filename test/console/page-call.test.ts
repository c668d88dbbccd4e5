import { afterAll, beforeAll, expect, test } from "bun:test"

const own = Object.getOwnPropertyDescriptor(globalThis, "document")
const loaded = () => import("../../src/console/data/page/page-call.ts")
beforeAll(() => {
  Object.assign(globalThis, {
    document: { documentElement: { dataset: { root: "http://127.0.0.1" } } },
  })
})
afterAll(() => {
  if (own) Object.defineProperty(globalThis, "document", own)
  else Reflect.deleteProperty(globalThis, "document")
})

const call = {
  mode: "fields" as const,
  url: "https://shop.example/chairs",
  fields: ["name: h3", "link: a @href"],
  rows: ".card",
  listing: {
    nextPage: "a.next",
    detailLink: "link",
    detailFields: "sku: .sku\nprice: .price @number",
    renderScripts: true,
  },
}

test("a list with further pages and detail pages is one input", async () => {
  const { pageCall, recipeInput } = await loaded()
  expect(recipeInput(call)).toEqual({
    fields: call.fields,
    rows: ".card",
    nextPage: "a.next",
    detail: { link: "link", fields: ["sku: .sku", "price: .price @number"] },
    renderScripts: true,
  })
  expect(pageCall(call).tool?.input.urls).toEqual([call.url])
})

test("the URL of the home page restores the further pages", async () => {
  const { urlOf: addressOf, listingIn } = await loaded()
  const { searchParams } = new URL(addressOf(call), "https://trawl.example")
  expect(listingIn(searchParams)).toEqual(call.listing)
})

test("plain fields of one page keep the short call", async () => {
  const { pageCall } = await loaded()
  const listing = { nextPage: "", detailLink: "", detailFields: "", renderScripts: false }
  expect(pageCall({ ...call, rows: "", listing }).path).toStartWith("/api/scrape?url=")
})
