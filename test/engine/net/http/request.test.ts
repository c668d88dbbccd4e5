import { expect, test } from "bun:test"
import { BadInput } from "../../../../src/catalogue/kit/index.ts"
import {
  bodyType,
  requestBody,
  requestUrl,
  urlOfRequest,
} from "../../../../src/engine/net/http/request.ts"

test("a page keeps its fragment, a request has none", () => {
  const query = { page: 2, tag: ["a", "b"], none: undefined }
  expect(urlOfRequest("https://a.test/list?x=1#top", query).href).toBe(
    "https://a.test/list?x=1&page=2&tag=a&tag=b#top",
  )
  expect(requestUrl("https://a.test/list?x=1#top", query)).toBe(
    "https://a.test/list?x=1&page=2&tag=a&tag=b",
  )
})

test.each(["nowhere", "file:///etc/passwd", "data:text/html,x"])("%s is refused", (address) => {
  expect(() => urlOfRequest(address, undefined)).toThrow(BadInput)
  expect(() => requestUrl(address, undefined)).toThrow(BadInput)
})

test.each([
  [{ json: { a: 1 } }, '{"a":1}', "application/json"],
  [{ json: null }, "null", "application/json"],
  [{ form: { a: "1 2" } }, "a=1+2", "application/x-www-form-urlencoded"],
  [{ body: "<a/>" }, "<a/>", undefined],
  [{}, undefined, undefined],
])("the body of %j and its type", (options, body, type) => {
  expect(requestBody(options)).toBe(body)
  expect(bodyType(options)).toBe(type)
})
