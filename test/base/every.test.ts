import { expect, test } from "bun:test"
import { every, inParts } from "../../src/base/every.ts"

/** Timers of a loop must not keep a process alive, or a test. */
async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await Bun.sleep(1)
}

test("work repeats, one at a time, also after a failure, and not after a stop", async () => {
  const errors: unknown[] = []
  let count = 0
  let running = 0
  let most = 0
  const loop = every(
    1,
    async () => {
      count++
      most = Math.max(most, ++running)
      await Bun.sleep(3)
      running--
      if (count === 2) throw new Error("once")
    },
    { firstMs: 0, onError: (error) => errors.push(error) },
  )
  await until(() => count >= 4)
  await loop.stop()
  expect(running).toBe(0)
  const atEnd = count
  await Bun.sleep(20)
  expect(count).toBe(atEnd)
  expect(most).toBe(1)
  expect(errors).toEqual([new Error("once")])
})

test("a stop ends the wait at once, aborts the work, and waits for its end", async () => {
  const idle = every(3_600_000, async () => {}, { onError() {} })
  await idle.stop()
  let wasReported = false
  let isWorking = false
  const busy = every(
    1,
    async (stopped) => {
      isWorking = true
      await until(() => stopped.aborted)
      wasReported = true
    },
    { onError() {} },
  )
  await until(() => isWorking)
  await busy.stop()
  expect(wasReported).toBe(true)
})

test("work returns when it wants to run next", async () => {
  let times = 0
  const loop = every(3_600_000, async () => (++times < 3 ? 0 : undefined), {
    firstMs: 0,
    onError() {},
  })
  await until(() => times === 3)
  await loop.stop()
})

test("parts are done until none is left or the work is stopped", async () => {
  let left = 3
  await inParts(async () => --left > 0, new AbortController().signal)
  expect(left).toBe(0)
  const stopped = new AbortController()
  let parts = 0
  await inParts(async () => {
    if (++parts === 2) stopped.abort()
    return true
  }, stopped.signal)
  expect(parts).toBe(2)
})
