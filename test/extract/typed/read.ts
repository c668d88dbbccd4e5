import { parseDocument } from "../../../src/extract/core/index.ts"
import { readSchema, readTyped } from "../../../src/extract/typed/index.ts"

export const text = { type: "string" }
export const number = { type: "number" }
export const integer = { type: "integer" }
export const uri = { type: "string", format: "uri" }
export const date = { type: "string", format: "date" }
export const time = { type: "string", format: "date-time" }
export const flag = { type: "boolean" }
export const texts = { type: "array", items: text }
export const object = (properties: object, more: object = {}) => ({
  type: "object",
  properties,
  ...more,
})
export const list = (properties: object) => ({ type: "array", items: object(properties) })

export const read = (html: string, properties: object, more: object = {}) =>
  readTyped(parseDocument(html), "https://site.test/x", readSchema(object(properties, more)))
