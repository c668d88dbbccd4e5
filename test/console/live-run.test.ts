import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Line, Run } from "../../src/console/data/runs.ts"

/** A stream of events as in a tab, sent by the test. */
class Source extends EventTarget {
  static last: Source
  isClosed = false
  constructor() {
    super()
    Source.last = this
  }
  send(type: string, data: unknown): void {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
  }
  close(): void {
    this.isClosed = true
  }
}

const frames: (() => void)[] = []
const tab: Record<string, unknown> = {
  document: { documentElement: { dataset: {} } },
  location: { origin: "http://127.0.0.1" },
  EventSource: Source,
  requestAnimationFrame: (draw: () => void) => frames.push(draw),
  cancelAnimationFrame: () => {},
}
const own = Object.getOwnPropertyDescriptors(globalThis)
beforeAll(() => void Object.assign(globalThis, tab))
// Other tests share the process, and run in no tab.
afterAll(() => {
  for (const name of Object.keys(tab)) {
    const before = own[name as keyof typeof own]
    if (before) Object.defineProperty(globalThis, name, before)
    else Reflect.deleteProperty(globalThis, name)
  }
})

test("ten thousand events are one rendering with the last lines; the stream is closed at its end", async () => {
  const { follow } = await import("../../src/console/data/runs.ts")
  const reported: [Run | undefined, Line[]][] = []
  follow("run_1", (run, lines) => reported.push([run, lines]))
  const source = Source.last
  const run = { status: "succeeded", targetsDone: 0 }
  source.send("status", run)
  for (let n = 0; n < 10_000; n++) source.send("log", { message: `line ${n}` })
  source.send("progress", { ...run, targetsDone: 10_000 })
  // A finished run still sends its log.
  expect(source.isClosed).toBe(false)
  source.dispatchEvent(new Event("error"))
  expect(source.isClosed).toBe(true)
  expect(frames).toHaveLength(1)
  frames[0]!()
  const [[news, lines]] = reported as [[Run, Line[]]]
  expect(news.targetsDone).toBe(10_000)
  expect([lines.length, lines.at(-1)?.message]).toEqual([200, "line 9999"])
})

test("a lost service is reported, and so is its return; a finished run loses none", async () => {
  const { follow } = await import("../../src/console/data/runs.ts")
  const reported: boolean[] = []
  follow(
    "run_1",
    () => {},
    (isThere) => reported.push(isThere),
  )
  const source = Source.last
  source.send("status", { status: "running" })
  for (const event of ["open", "error", "open"]) source.dispatchEvent(new Event(event))
  expect([reported, source.isClosed]).toEqual([[true, false, true], false])
  source.send("status", { status: "succeeded" })
  source.dispatchEvent(new Event("error"))
  expect([reported.length, source.isClosed]).toEqual([3, true])
})

test("a rate is that of the last period, and empty until there are enough samples", async () => {
  const { rateOf, sights } = await import("../../src/console/data/runs.ts")
  let seen = sights([], { at: 0, done: 0 })
  expect(rateOf(seen)).toBe(0)
  for (let second = 1; second <= 20; second++) {
    seen = sights(seen, { at: second * 1000, done: second * 5 })
  }
  expect(rateOf(seen)).toBe(5)
  // It waits for a minute: its earlier rate no longer applies.
  seen = sights(seen, { at: 80_000, done: 100 })
  seen = sights(seen, { at: 90_000, done: 110 })
  expect(rateOf(seen)).toBe(1)
})
