import { expect, test } from "bun:test"
import { batches } from "../../src/base/batches.ts"

const most = { texts: 3, characters: 5 }

test("available values come together, up to a number and a size", async () => {
  const all = await Array.fromAsync(batches(["a", "b", "c", "d", "long text", "e"], most))
  expect(all).toEqual([["a", "b", "c"], ["d", "long text"], ["e"]])
  expect(await Array.fromAsync(batches([], most))).toEqual([])
})

test("available values are returned before waiting for the next, and the source is closed", async () => {
  const gate = Promise.withResolvers<void>()
  let isLeft = false
  async function* source() {
    try {
      yield "a"
      await gate.promise
      yield "b"
      yield "c"
    } finally {
      isLeft = true
    }
  }
  const provided = batches(source(), most)
  expect((await provided.next()).value).toEqual(["a"])
  gate.resolve()
  expect((await provided.next()).value).toEqual(["b", "c"])
  await provided.return(undefined)
  expect(isLeft).toBe(true)
})
