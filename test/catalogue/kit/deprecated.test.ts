import { expect, test } from "bun:test"
import { type TSchema, Type } from "@sinclair/typebox"
import { TypeCompiler } from "@sinclair/typebox/compiler"
import {
  type Context,
  defineScraper,
  inputObject,
  itemObject,
  nullable,
  textField,
  within,
} from "../../../src/catalogue/kit/index.ts"

const address = itemObject({ street: Type.String(), postalCode: textField("Postal code.") })
const shop = itemObject({
  type: Type.Literal("shop"),
  postalCode: textField("Postal code."),
  homes: nullable(Type.Array(itemObject({ address: nullable(address) }))),
})
const street = itemObject({ type: Type.Literal("street"), name: Type.String() })
const ctx = {} as Context<Record<never, never>>
const items = [
  {
    type: "shop" as const,
    postalCode: "94103",
    homes: [{ address: { street: "1 Main St", postalCode: null } }, { address: null }],
  },
  { type: "shop" as const, postalCode: null, homes: null },
  { type: "street" as const, name: "Main St" },
]

const scraper = defineScraper({
  slug: "places",
  name: "Places",
  tagline: "Shops and streets.",
  category: "business",
  tier: "free",
  input: inputObject({}),
  item: Type.Union([shop, street]),
  deprecated: {
    zip: "postalCode",
    plz: "postalCode",
    ...within("homes.address", { zip: "postalCode" }),
  },
  example: {},
  targets: () => ["all"],
  async *scrape() {
    yield* items
  },
})

test("an item has a renamed field under both names, the old one behind the new", async () => {
  const given = await Array.fromAsync(scraper.scrape("all", ctx))
  expect(JSON.stringify(given)).toBe(
    JSON.stringify([
      {
        type: "shop",
        postalCode: "94103",
        zip: "94103",
        plz: "94103",
        homes: [
          { address: { street: "1 Main St", postalCode: null, zip: null } },
          { address: null },
        ],
      },
      { type: "shop", postalCode: null, zip: null, plz: null, homes: null },
      { type: "street", name: "Main St" },
    ]),
  )
  const schema = TypeCompiler.Compile(scraper.item)
  for (const item of given) expect([...schema.Errors(item)]).toEqual([])
  const { zip: _, ...without } = given[0] as Record<string, unknown>
  expect(schema.Check(without), "the old name is as sure as the new one").toBe(false)
})

test("the schema states a renamed field once, and its old name as deprecated", () => {
  const [one, other] = scraper.item.anyOf as TSchema[]
  expect(one!.properties.zip).toEqual({
    ...one!.properties.postalCode,
    deprecated: true,
    description: "Deprecated: same as `postalCode`.",
  })
  expect(Object.keys(one!.properties)).toEqual(["type", "postalCode", "zip", "plz", "homes"])
  expect(one!.required).toEqual(["type", "postalCode", "zip", "plz", "homes"])
  expect(Object.keys(other!.properties)).toEqual(["type", "name"])
})

test("a consumer who stops early stops the scraper", async () => {
  let ended = false
  const endless = defineScraper({
    ...scraper,
    item: shop,
    deprecated: { zip: "postalCode" },
    async *scrape() {
      try {
        for (;;) yield items[0] as never
      } finally {
        ended = true
      }
    },
  })
  for await (const _ of endless.scrape("all", ctx)) break
  expect(ended).toBe(true)
})
