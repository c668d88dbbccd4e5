import { expect, test } from "bun:test"
import { Value } from "@sinclair/typebox/value"
import ebay from "../../../src/catalogue/ebay/ebay-search-scraper.ts"
import { itemObject, noLongerTold, textField } from "../../../src/catalogue/kit/index.ts"

const description = "Deprecated: no longer told by the upstream."

test("a field that an upstream has given up stays in the schema, and says so", () => {
  const item = itemObject({ fax: noLongerTold(textField("Fax.")) })
  expect(JSON.parse(JSON.stringify(item.properties.fax))).toMatchObject({
    deprecated: true,
    description,
  })
  expect(item.required).toEqual(["fax"])
  for (const fax of [null, "1"]) expect(Value.Check(item, { fax })).toBe(true)
  expect(Value.Check(item, { fax: 1 })).toBe(false)
  expect(ebay.item.properties.isSponsored).toMatchObject({ deprecated: true, description })
})
