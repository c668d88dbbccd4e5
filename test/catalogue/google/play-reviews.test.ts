import { expect, test } from "bun:test"
import { reviewPage } from "../../../src/catalogue/google/play-reviews.ts"
import { replayEnvironment } from "../../../src/engine/fetch/replay/environment.ts"
import { contextIn } from "../../context.ts"

function read(body: string) {
  const exchange = {
    method: "POST",
    url: "https://play.google.com/_/PlayStoreUi/data/batchexecute",
    match: "path" as const,
    status: 200,
    headers: { "content-type": "application/json" },
    bytes: new TextEncoder().encode(body),
  }
  const recorded = { folder: "", slug: "", case: "", input: {}, env: {}, expect: [] }
  const environment = replayEnvironment({ ...recorded, exchanges: [exchange] })
  const ctx = contextIn(environment)
  const requested = { appId: "a.b", call: "x", sort: 1, count: 1, language: "en", country: "us" }
  return reviewPage({ ...requested, token: null }, ctx)
}

// Reading these lines again and again would take minutes, so the test's time limit would fail it.
test("a response of blank lines without a list is refused soon", async () => {
  const body = `)]}'\n${" \n".repeat(400_000)}x`
  await expect(read(body)).rejects.toThrow("the response to the call for reviews")
})

test("a list after blank lines and a byte count is read", async () => {
  const body = `)]}'\n\n12\n \n  [["wrb.fr","x","[[],null]"]]\n`
  expect(await read(body)).toEqual({ reviews: [], next: null })
})
