import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { replayClock } from "../../../../src/base/clock.ts"
import {
  Blocked,
  defineScraper,
  type FetchMethod,
  inputObject,
  itemObject,
  UpstreamError,
} from "../../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../../src/engine/fetch/environment.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"

/** The number of items that each attempt at the target returns before it fails. */
type Attempts = { items: number; error: Error | null }[]

async function run(
  attempts: Attempts,
  fetchMethods: FetchMethod[] = ["http"],
  signal = new AbortController(),
) {
  const left = [...attempts]
  const scraper = defineScraper({
    slug: "broken-off-scraper",
    name: "Broken off",
    tagline: "Gives some items and fails",
    category: "web",
    tier: "free",
    fetchMethods,
    input: inputObject({ urls: Type.Array(Type.String()) }),
    item: itemObject({ place: Type.Integer() }),
    example: { urls: ["a"] },
    targets: (input) => input.urls,
    async *scrape() {
      const { items, error } = left.shift()!
      for (let position = 1; position <= items; position++) yield { place: position }
      if (error === stop) signal.abort(stop)
      if (error) throw error
    },
  })
  const checkpoint = new MemoryCheckpoints(["a"])
  const environment = { clock: replayClock(0), env: {}, browser: {}, unlocker: {} }
  const end = await executeRun({
    scraper,
    input: { urls: ["a"] },
    checkpoint,
    environment: environment as unknown as Environment,
    signal: signal.signal,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  const places = items.flatMap((item) => (item.place === undefined ? [] : [item.place]))
  const errors = items.filter((item) => item.error)
  return { end, places, errors, itemCount: checkpoint.progress().itemCount }
}

const failure = new UpstreamError("The second page failed.")
const challenge = new Blocked("A challenge.")
const stop = new Error("stopped")
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

test("items of a target before it failed are kept, with its error after them", async () => {
  const { end, places, errors, itemCount } = await run([{ items: 2, error: failure }])
  expect(end.status).toBe("succeeded")
  expect(places).toEqual([1, 2])
  expect(errors).toMatchObject([
    {
      input: "a",
      error: {
        code: "upstream_error",
        message: expect.stringMatching(/^The second page failed\. Try again/),
      },
    },
  ])
  expect(itemCount).toBe(2)
})

test("so are items that were stored on the way", async () => {
  const { places, errors } = await run([{ items: 1_234, error: failure }])
  expect(places).toEqual(upTo(1_234))
  expect(errors.length).toBe(1)
})

test("an exception in the scraper loses none either", async () => {
  const { places, errors } = await run([{ items: 2, error: new TypeError("x is undefined") }])
  expect(places).toEqual([1, 2])
  expect(errors[0]).toMatchObject({ error: { code: "layout_changed" } })
})

test("a challenge after some items loses none of them, and the target does not start again", async () => {
  const attempts = [
    { items: 3, error: challenge },
    { items: 5, error: null },
  ]
  const { places, errors } = await run(attempts, ["http", "browser"])
  expect(places).toEqual(upTo(3))
  expect(errors).toMatchObject([{ input: "a", error: { code: "blocked" } }])
})

test("a target that the run's end cuts off stores nothing, as it is not done", async () => {
  const { places, errors } = await run([{ items: 2, error: stop }])
  expect([places, errors]).toEqual([[], []])
})
