import { expect, test } from "bun:test"
import { readBody } from "../../../src/engine/http/inflate.ts"

/** How a body of 1,000 bytes is read: as a stream, or at once. */
async function reading(headers: Record<string, string>, maxBytes: number) {
  const bytes = new Uint8Array(1000)
  const stream = new Response(bytes).body
  const response = new Response(bytes, { headers })
  let streams = 0
  Object.defineProperty(response, "body", {
    get() {
      streams++
      return stream
    },
  })
  const read = readBody(response, { maxBytes, url: "https://site.example/" })
  const found = await read.then(
    ({ length }) => length,
    ({ code }: { code: string }) => code,
  )
  return { found, isStream: streams > 0 }
}

test("a body that says how long it is, and is short enough, is read at once", async () => {
  const told = { "content-length": "1000" }
  expect(await reading(told, 1000)).toEqual({ found: 1000, isStream: false })
  expect(await reading(told, 999)).toEqual({ found: "too_large", isStream: true })
})

test("what a chunked body says of its length is not believed", async () => {
  const chunked = { "content-length": "10", "transfer-encoding": "chunked" }
  expect(await reading(chunked, 999)).toEqual({ found: "too_large", isStream: true })
  expect(await reading({}, 1000)).toEqual({ found: 1000, isStream: true })
  expect(await reading({ "content-length": "10, 10" }, 999)).toMatchObject({ isStream: true })
})
