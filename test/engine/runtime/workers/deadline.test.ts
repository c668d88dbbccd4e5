import { expect, test } from "bun:test"
import { onceAMinute } from "../../../../src/api/http/troubles.ts"
import { Deadline } from "../../../../src/engine/runtime/workers/deadline.ts"
import { WriterWatch } from "../../../../src/store/writer/watch.ts"

test("a deadline does not count time that the process was stopped, and counts other time", async () => {
  const end = Promise.withResolvers<void>()
  let isOver = false
  const deadline = new Deadline(
    300,
    () => {
      isOver = true
      end.resolve()
    },
    20,
  )
  deadline.spare(Bun.sleep(1))
  const long = Promise.all([Bun.sleep(900), Bun.sleep(1000)])
  deadline.spare(long)
  deadline.spare(Promise.reject(new Error("given up")))
  await long
  expect(isOver).toBe(false)
  // Of the 1,000 and more that have passed.
  expect(deadline.spentMs).toBeLessThan(300)
  await end.promise
  deadline.clear()
})

test("a cleared deadline does not fire, also after the awaited work has finished", async () => {
  let isOver = false
  const deadline = new Deadline(50, () => (isOver = true), 1)
  const long = Bun.sleep(100)
  deadline.spare(long)
  await Bun.sleep(20)
  deadline.clear()
  await long
  await Bun.sleep(200)
  expect(isOver).toBe(false)
})

test("the same problem is logged once a minute, with its count", () => {
  const reported: string[] = []
  let now = 0
  const tell = onceAMinute(
    (message) => reported.push(message),
    () => now,
  )
  for (let call = 0; call < 60; call++) {
    now = call * 1000
    tell("the disk is full")
    if (call === 30) tell("another")
  }
  now = 61_000
  tell("the disk is full")
  expect(reported).toEqual([
    "the disk is full",
    "another",
    "the disk is full (and 59 times more before)",
  ])
})

test("the writer's watch logs a failure once, and its end when a later probe succeeds", async () => {
  const reported: string[] = []
  let isWell = false
  const watch = new WriterWatch(
    {
      probe: async () => {
        if (!isWell) watch.failed("full")
        if (!isWell) throw new Error("full")
      },
      report: (level, message) => reported.push(`${level}: ${message}`),
    },
    10,
  )
  for (let time = 0; time < 5; time++) watch.failed("full")
  await Bun.sleep(100)
  expect(watch.issue).toBe("full")
  expect(reported.length).toBe(1)
  isWell = true
  while (watch.issue) await Bun.sleep(10)
  expect(reported[0]).toContain("error: The database cannot be written: the disk is full.")
  expect(reported.slice(1).join()).toMatch(
    /^info: The database can be written again, after \d+ s\.$/,
  )
})
