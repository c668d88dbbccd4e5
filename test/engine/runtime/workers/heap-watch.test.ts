import { expect, test } from "bun:test"
import { watchMainHeap } from "../../../../src/engine/runtime/workers/heap-watch.ts"

test("the main heap is collected after it has grown, measured from the last collection", async () => {
  /** What the heap holds at each look, and after the collections. */
  const looks = [100, 104, 90, 95, 101]
  const left = [97]
  const collections: number[] = []
  const { promise: seen, resolve } = Promise.withResolvers<void>()
  let now = 0
  const loop = watchMainHeap({
    ms: 1,
    growthBytes: 10,
    bytes() {
      const isAfter = collections.at(-1) === now && left.length > 0
      if (isAfter) return left.shift()!
      now = looks.shift() ?? 106
      if (looks.length === 0) resolve()
      return now
    },
    collect: () => void collections.push(now),
  })
  await seen
  await Bun.sleep(20)
  await loop.stop()
  // 104 is within 10 of 100; 101 is not of 90; 106 is within 10 of the 97 that were left.
  expect(collections).toEqual([101])
})
