import { afterAll, beforeEach, expect, test } from "bun:test"
import { Trawl, type TrawlError } from "../../packages/client/src/index.ts"

/** A server that fails as often as a test wants. */
const replies: (() => Response)[] = []
const requests: {
  method: string
  path: string
  key: string | null
  authorization: string | null
}[] = []
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch(request) {
    const { pathname, search } = new URL(request.url)
    requests.push({
      method: request.method,
      path: pathname + search,
      key: request.headers.get("idempotency-key"),
      authorization: request.headers.get("authorization"),
    })
    return replies.shift()?.() ?? Response.json({ id: "run_1", status: "succeeded" })
  },
})
const baseUrl = `http://127.0.0.1:${server.port}`
const trawl = new Trawl({ baseUrl, apiKey: "secret" })
afterAll(() => server.stop(true))
beforeEach(() => {
  replies.length = 0
  requests.length = 0
})

const refuse =
  (status: number, code: string, headers: Record<string, string> = {}) =>
  () =>
    Response.json({ error: { code, message: `It is ${code}.`, status } }, { status, headers })
const errorOf = (call: Promise<unknown>): Promise<TrawlError & { retryAfter?: number }> =>
  call.then(
    () => expect.unreachable("The call succeeded."),
    (error) => error,
  )

test("busy responses are retried after Retry-After, with the same idempotency key", async () => {
  replies.push(refuse(429, "rate_limited", { "retry-after": "0" }))
  replies.push(refuse(503, "unavailable", { "retry-after": "1" }))
  const started = performance.now()
  await trawl.start("pypi-package-scraper", { packages: ["flask"] })
  expect(performance.now() - started).toBeGreaterThan(990)
  expect(requests.map(({ method }) => method)).toEqual(["POST", "POST", "POST"])
  expect(new Set(requests.map(({ key }) => key)).size).toBe(1)
})

test("a wait that is too long is an error with its seconds", async () => {
  replies.push(refuse(429, "rate_limited", { "retry-after": "3600" }))
  expect(await errorOf(trawl.me())).toMatchObject({
    name: "RateLimited",
    status: 429,
    retryAfter: 3600,
  })
  expect(requests).toBeArrayOfSize(1)
})

test("the number of retries is limited", async () => {
  for (let at = 0; at < 5; at++) replies.push(refuse(503, "unavailable", { "retry-after": "0" }))
  const client = new Trawl({ baseUrl, apiKey: "secret", maxRetries: 2 })
  expect(await errorOf(client.me())).toMatchObject({ name: "Unavailable", code: "unavailable" })
  expect(requests).toBeArrayOfSize(3)
})

test("other errors are not retried", async () => {
  for (const [status, code, name] of [
    [400, "invalid_input", "InvalidInput"],
    [402, "out_of_credit", "OutOfCredit"],
    [403, "forbidden", "Forbidden"],
    [404, "not_found", "NotFound"],
    [409, "conflict", "Conflict"],
    [413, "payload_too_large", "TooLarge"],
    [500, "internal_error", "ApiError"],
  ] as const) {
    replies.push(refuse(status, code))
    expect(await errorOf(trawl.me())).toMatchObject({ name, status, code })
  }
  expect(requests).toBeArrayOfSize(7)
})

test("a lost connection is retried only if nothing can happen twice", async () => {
  let attempts = 0
  const lost = new Trawl({
    baseUrl,
    apiKey: "secret",
    maxRetries: 1,
    fetch: () => {
      attempts++
      return Promise.reject(new TypeError("fetch failed", { cause: new Error("reset") }))
    },
  })
  expect(await errorOf(lost.abort("run_1"))).toMatchObject({
    name: "ConnectionFailed",
    message: expect.stringContaining("reset"),
  })
  expect(attempts).toBe(1)
  await errorOf(lost.me())
  expect(attempts).toBe(3)
})

test("a request without a response ends", async () => {
  const silent = new Trawl({
    baseUrl,
    maxRetries: 0,
    requestTimeoutMs: 20,
    fetch: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason))),
  })
  expect(await errorOf(silent.me())).toMatchObject({
    name: "ConnectionFailed",
    message: expect.stringContaining("no response within 20 ms"),
  })
})

test("an abort ends the wait for a retry, and leaves no listener", async () => {
  const abort = new AbortController()
  replies.push(refuse(503, "unavailable", { "retry-after": "30" }))
  setTimeout(() => abort.abort(new Error("Stop.")), 50)
  expect((await errorOf(trawl.wait("run_1", { signal: abort.signal }))).message).toBe("Stop.")
})

test("results that come later and in pages are read, at the client's own URL", async () => {
  const own = "https://public.example/trawl"
  const keyless = { agentId: "agt_1", free: {}, items: [], itemCount: 0, links: {} }
  replies.push(() =>
    Response.json({ ...keyless, status: "RUNNING", resultUrl: `${own}/api/results/abc` }),
  )
  replies.push(() => Response.json({ ...keyless, status: "RUNNING" }))
  replies.push(() =>
    Response.json({
      ...keyless,
      status: "SUCCEEDED",
      items: [{ name: "one" }],
      next: `${own}/api/results/abc?cursor=1`,
    }),
  )
  replies.push(() => Response.json({ ...keyless, status: "SUCCEEDED", items: [{ name: "two" }] }))
  const { items } = await trawl.runKeyless("pypi-package-scraper", { packages: ["one", "two"] })
  expect(items.map(({ name }) => name)).toEqual(["one", "two"])
  expect(requests.map(({ path }) => path.split("?maxTokens")[0])).toEqual([
    "/api/agent/scrape",
    "/api/results/abc",
    "/api/results/abc",
    "/api/results/abc?cursor=1",
  ])
})

test("a spent quota has the link to sign up", async () => {
  replies.push(() =>
    Response.json({
      ...{ status: "PAYMENT_REQUIRED", agentId: "agt_1", free: {}, items: [], links: {} },
      ...{ claimUrl: `${baseUrl}/signup?claim=1`, error: "The daily free quota is used up." },
    }),
  )
  expect(await errorOf(trawl.scrape("https://example.com"))).toMatchObject({
    name: "OutOfCredit",
    claimUrl: `${baseUrl}/signup?claim=1`,
    message: "The daily free quota is used up.",
  })
})

test("another server is recognised", async () => {
  replies.push(() => new Response("<h1>Router</h1>"))
  expect((await errorOf(trawl.me())).message).toContain("is this a Trawl server?")
  expect(() => new Trawl({ baseUrl: "127.0.0.1:8080" })).toThrow("must start with http://")
})
