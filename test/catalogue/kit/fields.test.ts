import { expect, test } from "bun:test"
import { Value } from "@sinclair/typebox/value"
import { discontinued, itemObject, items } from "../../../src/catalogue/kit/index.ts"

const description = "Fax. The site no longer publishes it, so it is always empty."

test("a field that a site no longer publishes stays in the schema, and its description says so", () => {
  const item = itemObject({ fax: discontinued(items.text("Fax.")) })
  expect(JSON.parse(JSON.stringify(item.properties.fax))).toMatchObject({ description })
  expect(item.required).toEqual(["fax"])
  for (const fax of [null, "1"]) expect(Value.Check(item, { fax })).toBe(true)
  expect(Value.Check(item, { fax: 1 })).toBe(false)
})
