import { expect, test } from "bun:test"
import { BadInput, type Context, Unreachable } from "../../src/catalogue/kit/index.ts"
import { mediawiki } from "../../src/catalogue/wikipedia/mediawiki.ts"

const noName = () => Promise.reject(new Unreachable("No such host.", "dns"))

const requested = (get: () => Promise<unknown>) => {
  const context = { json: noName, get, signal: new AbortController().signal }
  return mediawiki("xx", {}, context as unknown as Context).catch((error: unknown) => error)
}

test("an unresolvable name is the input's error only if the network works", async () => {
  expect(await requested(noName)).toBeInstanceOf(Unreachable)
  const wrong = await requested(async () => ({}))
  expect(wrong).toBeInstanceOf(BadInput)
  expect((wrong as Error).message).toStartWith("language: ")
})
