import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { callerSchema } from "../../../src/api/http/json-schema.ts"
import { inputObject } from "../../../src/catalogue/kit/core/fields.ts"
import { type CallerInput, inputs, provided } from "../../../src/catalogue/kit/core/inputs.ts"
import { checkInput } from "../../../src/catalogue/kit/input.ts"

const schema = inputObject({
  queries: inputs.texts("Queries.", { max: 3 }),
  sort: inputs.choice(["new", "old"], "Order.", "new"),
  limit: inputs.count("Most.", { max: 10, or: 5 }),
  deep: inputs.flag("Deep."),
  currency: provided(Type.String({ pattern: "^[a-z]+$", description: "Currency." }), "usd"),
  note: Type.Optional(inputs.text("Note.")),
})

test("a value with a default exists in a checked input", () => {
  expect(checkInput(schema, { queries: ["a"] })).toEqual({
    ok: true,
    input: { queries: ["a"], sort: "new", limit: 5, deep: false, currency: "usd" },
  })
})

test("nothing with a default is required of a caller", () => {
  const asCaller: CallerInput<typeof schema> = { queries: ["a"], limit: 3 }
  expect(checkInput(schema, asCaller).ok).toBe(true)
  expect(callerSchema(schema).required).toEqual(["queries"])
  const allProvided = inputObject({ limit: inputs.count("Most.", { max: 10, or: 5 }) })
  expect(callerSchema(allProvided)).not.toHaveProperty("required")
})

const wrong: [unknown, string][] = [
  [{ queries: [] }, "queries"],
  [{ queries: [""] }, "queries[0]"],
  [{ queries: ["a", "b", "c", "d"] }, "queries"],
  [{ queries: ["a"], sort: "best" }, "sort"],
  [{ queries: ["a"], limit: 0 }, "limit"],
  [{ queries: ["a"], limit: 11 }, "limit"],
  [{ queries: ["a"], deep: "maybe" }, "deep"],
  [{ queries: ["a"], currency: "USD1" }, "currency"],
  [{ queries: ["a"], note: "" }, "note"],
]
test.each(wrong)("%j is refused", (input, fieldName) => {
  const checked = checkInput(schema, input)
  expect(checked.ok ? [] : checked.issues.map((issue) => issue.field)).toEqual([fieldName])
})
