import { expect, test } from "bun:test"
import { SlotTimer } from "../../../../src/engine/runtime/workers/slot-timer.ts"

test("an earlier check replaces a later one", async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  let looks = 0
  const timer = new SlotTimer(() => {
    looks++
    if (looks === 2) resolve()
    else {
      timer.within(3_600_000)
      timer.within(1)
      timer.within(3_600_000)
    }
  })
  timer.within(3_600_000)
  await promise
  expect(looks).toBe(2)
  timer.stop()
})
