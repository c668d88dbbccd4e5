import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import {
  defineScraper,
  field,
  inputObject,
  inputs,
  itemObject,
  items,
  record,
} from "../../../src/catalogue/kit/index.ts"

const input = { urls: inputs.texts("URLs.", { max: 5 }) }
const item = { url: items.requiredText("URL."), title: items.text("Title.") }
const parts = {
  slug: "shop-scraper",
  name: "Shop",
  tagline: "Products of a shop.",
  category: "ecommerce" as const,
  tier: "free" as const,
  example: { urls: ["https://shop.example/1"] },
  targets: ({ urls }: { urls: string[] }) => urls,
}

test("an input and an item that are written as their fields allow no others", () => {
  const scraper = defineScraper({
    ...parts,
    input,
    item,
    async *scrape(url) {
      yield { url, title: null }
    },
  })
  expect(scraper.input).toEqual(inputObject(input))
  expect(scraper.item).toEqual(itemObject(item))
})

test("an item may be written as the record that reads it", async () => {
  const product = record({ url: items.requiredText("URL."), title: field.text("name", "Title.") })
  const scraper = defineScraper({
    ...parts,
    input: inputObject(input),
    item: product,
    async *scrape(url) {
      yield product.read({ url, name: "Lamp" })
    },
  })
  expect(scraper.item).toEqual(itemObject(item))
  const read = await Array.fromAsync(scraper.scrape("https://shop.example/1", undefined as never))
  expect(read).toEqual([{ url: "https://shop.example/1", title: "Lamp" }])
})

test("a schema of several kinds of items remains as it is, and fields may have any names", () => {
  const kinds = Type.Union([itemObject(item), itemObject({ read: items.text("Whether read.") })])
  const scrape = async function* () {}
  expect(defineScraper({ ...parts, input, item: kinds, scrape }).item).toBe(kinds)
  const named = { fields: items.texts("Fields."), read: items.text("Reader.") }
  expect(defineScraper({ ...parts, input, item: named, scrape }).item).toEqual(itemObject(named))
})
