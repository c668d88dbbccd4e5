import { afterAll, beforeAll, expect, spyOn, test } from "bun:test"
import { RunStatus } from "../../../src/api/v1/run-status.ts"
import { TestApp } from "../app.ts"

let app: TestApp
let key: string
let id: string
beforeAll(async () => {
  app = await TestApp.open()
  ;({ key } = await app.account())
  id = await started(["one"])
})
afterAll(() => app.close())

async function started(words: string[], wait = 300): Promise<string> {
  const path = `/api/v1/scrapers/words-scraper/runs?waitForFinish=${wait}`
  return (await app.post(path, { key, body: { words } })).body.id
}

/** Requests the status of a run. Also returns whether the response came without the route. */
async function read(path: string, options: Parameters<TestApp["raw"]>[2] = {}) {
  // The route reads the key, which stays cached for a second.
  await app.raw("GET", "/api/v1/me", { key })
  const spy = spyOn(RunStatus.prototype, "response")
  try {
    const response = await app.raw("GET", path, { key, ...options })
    const headers = Object.fromEntries(response.headers)
    for (const name of ["x-request-id", "ratelimit-remaining", "ratelimit-reset"]) {
      delete headers[name]
    }
    const isDirect = spy.mock.results[0]!.value !== undefined
    return { isDirect, status: response.status, headers, text: await response.text() }
  } finally {
    spy.mockRestore()
  }
}

test("a known key's status request is answered without the route, with an equal response", async () => {
  const direct = await read(`/api/v1/runs/${id}`)
  // With a question mark, the route responds.
  const route = await read(`/api/v1/runs/${id}?`)
  expect([direct.isDirect, route.isDirect]).toEqual([true, false])
  expect({ ...direct, isDirect: false }).toEqual(route)
  expect(JSON.parse(direct.text)).toMatchObject({ id, status: "succeeded", itemCount: 1 })
})

test("a status is never older than the last change", async () => {
  for (const title of ["First", "Second", "Third"]) {
    await read(`/api/v1/runs/${id}`)
    await app.call("PATCH", `/api/v1/runs/${id}`, { key, body: { title } })
    const { isDirect, text } = await read(`/api/v1/runs/${id}`)
    expect([isDirect, JSON.parse(text).title]).toEqual([true, title])
  }
  const slow = await started(["slow"], 0)
  expect(JSON.parse((await read(`/api/v1/runs/${slow}`)).text).finishedAt).toBeNull()
  await app.post(`/api/v1/runs/${slow}/abort`, { key })
  await app.get(`/api/v1/runs/${slow}?waitForFinish=60`, { key })
  expect(JSON.parse((await read(`/api/v1/runs/${slow}`)).text).status).toBe("aborted")
  await app.call("DELETE", `/api/v1/runs/${slow}`, { key })
  expect((await read(`/api/v1/runs/${slow}`)).status).toBe(404)
})

test("other requests go to the route, whatever is cached", async () => {
  await read(`/api/v1/runs/${id}`)
  const other = await app.account()
  await app.get("/api/v1/runs", { key: other.key })
  const large = await started([`${"x".repeat(1200)}`])
  const requests: [path: string, options: Parameters<TestApp["raw"]>[2], status: number][] = [
    [`/api/v1/runs/${id}`, { key: other.key }, 404],
    [`/api/v1/runs/${id}`, { key: `${key}x` }, 401],
    [`/api/v1/runs/${id}`, { headers: { "sec-fetch-site": "cross-site" } }, 200],
    [`/api/v1/runs/${id}`, { headers: { "x-forwarded-proto": "https" } }, 200],
    [`/api/v1/runs/${id}x`, {}, 404],
    [`/api/v1/runs/${id}/`, {}, 200],
    [`/api/v1/runs/${large}`, { headers: { "accept-encoding": "gzip" } }, 200],
  ]
  for (const [path, options, status] of requests) {
    const response = await read(path, options)
    expect([path, response.isDirect, response.status]).toEqual([path, false, status])
  }
})

test("a rate limit holds for both", async () => {
  const limited = await TestApp.open({ rateLimit: 6 })
  const account = await limited.account()
  const start = "/api/v1/scrapers/words-scraper/runs?waitForFinish=60"
  const { body } = await limited.post(start, { key: account.key, body: { words: ["one"] } })
  const seen: number[] = []
  for (let call = 0; call < 7; call++) {
    const { status, headers } = await limited.get(`/api/v1/runs/${body.id}`, { key: account.key })
    seen.push(status)
    expect(headers.get("ratelimit-limit")).toBe("6")
  }
  expect(seen).toEqual([200, 200, 200, 200, 200, 429, 429])
  await limited.close()
})
