import { describe, expect, test } from "bun:test"
import { Timeout } from "../../../../src/catalogue/kit/index.ts"
import {
  connectRateLimit,
  type RateLimitBroker,
  serveRateLimit,
} from "../../../../src/engine/net/rate-limits/channel.ts"
import { limitsOf, withDelay, withSecrets } from "../../../../src/engine/net/rate-limits/limits.ts"
import { withinRateLimit } from "../../../../src/engine/net/rate-limits/rate-limited-transport.ts"
import { type Permit, RateLimiter } from "../../../../src/engine/net/rate-limits/rate-limiter.ts"

/** Returns whether a promise is settled after all due work has been done. */
async function settled(promise: Promise<unknown>): Promise<boolean> {
  let done = false
  const note = () => {
    done = true
  }
  promise.then(note, note)
  await Bun.sleep(0)
  return done
}

const request = (owner: string, limits = {}) => ({ host: "a.test", owner, limits })

describe("RateLimiter", () => {
  test("concurrency is shared by all accounts, and served in turn", async () => {
    const rateLimiter = new RateLimiter({ now: () => 0 })
    const first = await rateLimiter.acquire(request("one", { concurrency: 2 }))
    await rateLimiter.acquire(request("two", { concurrency: 2 }))
    const third = rateLimiter.acquire(request("three", { concurrency: 2 }))
    const fourth = rateLimiter.acquire(request("four", { concurrency: 2 }))
    expect(await settled(third)).toBe(false)
    first.release("ok")
    expect(await settled(third)).toBe(true)
    expect(await settled(fourth)).toBe(false)
  })

  test("a quota is not exceeded, is reported, and resets", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    const limits = { quota: { requests: 2, hours: 1, without: "GITHUB_TOKEN" as const } }
    for (const owner of ["one", "two"])
      (await rateLimiter.acquire(request(owner, limits))).release("ok")
    now = 600_000
    expect(rateLimiter.overview(10).quotas).toEqual([
      {
        host: request("one").host,
        requests: 2,
        left: 0,
        endsAt: "1970-01-01T01:00:00.000Z",
        without: "GITHUB_TOKEN",
      },
    ])
    const refused = await rateLimiter.acquire(request("three", limits)).catch((error) => error)
    expect(refused).toMatchObject({ code: "rate_limited", retryAfter: 3000 })
    expect(refused.message).toContain("2 requests in an hour without GITHUB_TOKEN")
    for (let host = 0; host < 12_000; host++) {
      const permit = await rateLimiter.acquire({ ...request("one"), host: `${host}.test` })
      permit.release("ok")
    }
    await expect(rateLimiter.acquire(request("three", limits))).rejects.toThrow("used up")
    now = 3_600_000
    await rateLimiter.acquire(request("three", limits))
  })

  test("a request with the operator's secret does not use the anonymous quota", () => {
    const quota = { requests: 60, hours: 1, without: "GITHUB_TOKEN" as const }
    const rateLimit = { "a.test": { perSecond: 1, quota } }
    expect(withSecrets(rateLimit, { GITHUB_TOKEN: "x" })).toEqual({ "a.test": { perSecond: 1 } })
    expect(withSecrets(rateLimit, { GITHUB_TOKEN: "" })).toEqual(rateLimit)
    expect(withDelay(rateLimit["a.test"], 5)).toMatchObject({ quota, perSecond: 0.2 })
  })

  test("a host in use is not forgotten for thousands of others", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    const first = await rateLimiter.acquire(request("one", { concurrency: 1 }))
    const second = rateLimiter.acquire(request("two", { concurrency: 1 }))
    for (let host = 0; host < 12_000; host++) {
      now++
      const permit = await rateLimiter.acquire({ ...request("one"), host: `${host}.test` })
      permit.release("ok")
    }
    expect(rateLimiter.state("a.test")).toMatchObject({ inFlight: 1, waiting: 1 })
    first.release("ok")
    expect(await settled(second)).toBe(true)
  })

  test("requests start at the interval, and report why they wait", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    const reported: string[] = []
    const slow = { perSecond: 0.5 }
    await rateLimiter.acquire(request("one", slow))
    const second = rateLimiter.acquire({
      ...request("one", slow),
      onWait: (reason, milliseconds) => reported.push(`${reason} ${milliseconds}`),
    })
    expect(await settled(second)).toBe(false)
    expect(reported).toEqual(["rateLimit 2000"])
    now = 2000
    const other = rateLimiter.acquire({ ...request("one", slow), host: "b.test" })
    expect(await settled(other)).toBe(true)
  })

  test("a 429 stretches the interval, successes shrink it again", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    const limits = { perSecond: 1 }
    /** Returns the wait of a request that follows another one directly. */
    const nextWait = async (report: "ok" | "slow-down" | "failing", tookMs = 0) => {
      now += 1_000_000
      const permit = await rateLimiter.acquire(request("one", limits))
      now += tookMs
      permit.release(report)
      now += 1_000_000
      await rateLimiter.acquire(request("two", limits))
      const control = new AbortController()
      const waits: number[] = []
      rateLimiter
        .acquire(
          { ...request("one", limits), onWait: (_, wait) => waits.push(wait) },
          control.signal,
        )
        .catch(() => {})
      control.abort()
      return waits[0]
    }
    expect(await nextWait("ok")).toBe(1000)
    expect(await nextWait("slow-down")).toBe(2000)
    expect(await nextWait("slow-down")).toBe(4000)
    expect(await nextWait("ok")).toBe(3600)
    expect(await nextWait("failing")).toBe(7200)
    // Also if its responses are slow, until it stops refusing.
    for (let answers = 0; answers < 40; answers++) await nextWait("ok", 5000)
    expect(await nextWait("ok", 5000)).toBeCloseTo(5000, 0)
    for (let answers = 0; answers < 40; answers++) await nextWait("ok", 300)
    expect(await nextWait("ok", 300)).toBe(1000)
  })

  test("a host that refuses repeatedly is suspended, and one that does it once is not", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    ;(await rateLimiter.acquire(request("one"))).release("refused")
    ;(await rateLimiter.acquire(request("two"))).release("ok")
    for (let times = 0; times < 4; times++)
      (await rateLimiter.acquire(request("one"))).release("refused")
    const refused = await rateLimiter.acquire(request("two")).catch((error) => error)
    expect(refused.code).toBe("blocked")
    expect(refused.message).toContain("turned away 4 requests in a row")
    now = 170_000
    const soon = rateLimiter.acquire(request("two"))
    expect(await settled(soon)).toBe(false)
    now = 180_001
    expect(await settled(rateLimiter.acquire(request("two")))).toBe(true)
  })

  test("waiting requests learn of a suspension at once, and each one is longer than the last", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    const strike = async () => (await rateLimiter.acquire(request("one"))).release("refused")
    for (let times = 0; times < 3; times++) await strike()
    const last = await rateLimiter.acquire(request("one", { concurrency: 1 }))
    const waiting = rateLimiter
      .acquire(request("two", { concurrency: 1 }))
      .catch((error) => error.code)
    last.release("refused")
    expect(await waiting).toBe("blocked")
    expect(rateLimiter.state("a.test").suspendedUntil).toBe(180_000)
    now = 180_000
    await strike()
    expect(rateLimiter.state("a.test").suspendedUntil).toBe(180_000 + 360_000)
    // A day later, earlier refusals are forgotten.
    now += 86_400_000
    for (let times = 0; times < 3; times++) await strike()
    expect(await settled(rateLimiter.acquire(request("two")))).toBe(true)
  })

  test("a host that only returns 429 is slowed down for long before it is suspended", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    for (let times = 0; times < 15; times++) {
      ;(await rateLimiter.acquire(request("one"))).release("slow-down")
    }
    ;(await rateLimiter.acquire(request("one"))).release("slow-down")
    const refused = await rateLimiter.acquire(request("two")).catch((error) => error)
    expect([refused.code, refused.retryAfter]).toEqual(["rate_limited", 60])
    now = 60_000
    expect(await settled(rateLimiter.acquire(request("two")))).toBe(true)
  })

  test("Retry-After applies to all, and a failed request to none", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    ;(await rateLimiter.acquire(request("one"))).release("slow-down", 5000)
    const reported: string[] = []
    const waiting = rateLimiter.acquire({
      ...request("two"),
      onWait: (reason, milliseconds) => reported.push(`${reason} ${milliseconds}`),
    })
    expect(await settled(waiting)).toBe(false)
    expect(reported).toEqual(["rateLimit 5000"])
    now = 1_000_000
    for (let times = 0; times < 3; times++) {
      ;(await rateLimiter.acquire({ ...request("one"), host: "b.test" })).release("refused")
      ;(await rateLimiter.acquire({ ...request("one"), host: "b.test" })).release("failed")
    }
    ;(await rateLimiter.acquire({ ...request("one"), host: "b.test" })).release("refused")
    expect(rateLimiter.state("b.test").suspendedUntil).toBe(1_180_000)
  })

  test("a long wait for others reports the reason", async () => {
    let now = 0
    const rateLimiter = new RateLimiter({ now: () => now })
    const limits = { concurrency: 1 }
    const first = await rateLimiter.acquire(request("one", limits))
    const reported: string[] = []
    const onWait = (reason: string) => reported.push(reason)
    void rateLimiter.acquire({ ...request("two", limits), onWait })
    void rateLimiter.acquire({ ...request("three", limits), onWait })
    now = 3000
    first.release("ok")
    expect(reported).toEqual(["concurrency"])
  })

  test("slots and waits of a lost worker are released", async () => {
    const rateLimiter = new RateLimiter({ now: () => 0 })
    const limits = { concurrency: 1 }
    await rateLimiter.acquire(request("lost", limits))
    void rateLimiter.acquire(request("lost", limits))
    const next = rateLimiter.acquire(request("alive", limits))
    expect(await settled(next)).toBe(false)
    rateLimiter.drop("lost")
    expect(await settled(next)).toBe(true)
    expect(rateLimiter.state("a.test")).toMatchObject({ inFlight: 1, waiting: 0 })
  })

  test("an aborted request leaves the queue", async () => {
    const rateLimiter = new RateLimiter({ now: () => 0 })
    const limits = { concurrency: 1 }
    await rateLimiter.acquire(request("one", limits))
    const control = new AbortController()
    const waiting = rateLimiter
      .acquire(request("one", limits), control.signal)
      .catch((error) => error)
    control.abort(new Error("stopped"))
    expect((await waiting).message).toBe("stopped")
    expect(rateLimiter.state("a.test").waiting).toBe(0)
  })
})

test("workers reach one rate limiter over their ports, and release it when they end", async () => {
  const rateLimiter = new RateLimiter({ now: () => 0 })
  const workers = ["first", "second"].map((owner) => {
    const { port1, port2 } = new MessageChannel()
    const drop = serveRateLimit(rateLimiter, port1, owner)
    return {
      remote: connectRateLimit(port2),
      drop,
      close() {
        port1.close()
        port2.close()
      },
    }
  })
  const [first, second] = workers as [(typeof workers)[0], (typeof workers)[0]]
  const limits = { concurrency: 1 }
  const held = await first.remote.acquire(request("first", limits))
  let permit: Permit | undefined
  const waiting = second.remote.acquire(request("second", limits)).then((granted) => {
    permit = granted
  })
  await Bun.sleep(20)
  expect(permit).toBeUndefined()
  held.release("ok")
  await waiting
  expect(rateLimiter.state("a.test").inFlight).toBe(1)
  second.drop()
  expect(rateLimiter.state("a.test").inFlight).toBe(0)
  for (const worker of workers) worker.close()
})

test("an abandoned request leaves the queue, and a late permit is released", async () => {
  const rateLimiter = new RateLimiter({ now: () => 0 })
  const { port1, port2 } = new MessageChannel()
  serveRateLimit(rateLimiter, port1, "worker")
  const remote = connectRateLimit(port2)
  const limits = { concurrency: 1 }
  const late = new AbortController()
  const granted = remote.acquire(request("worker", limits), late.signal).catch((error) => error)
  while (rateLimiter.state("a.test").inFlight === 0)
    await new Promise((resolve) => setImmediate(resolve))
  // The permit is granted, and its message is on its way or has just arrived.
  late.abort(new Error("too late"))
  const first = await granted
  if ("release" in first) first.release("failed")
  else expect(first.message).toBe("too late")
  const held = await remote.acquire(request("worker", limits))
  const control = new AbortController()
  const waiting = remote.acquire(request("worker", limits), control.signal).catch((error) => error)
  while (rateLimiter.state("a.test").waiting === 0) await Bun.sleep(1)
  control.abort(new Error("given up"))
  expect((await waiting).message).toBe("given up")
  while (rateLimiter.state("a.test").waiting > 0) await Bun.sleep(1)
  held.release("ok")
  while (rateLimiter.state("a.test").inFlight > 0) await Bun.sleep(1)
  port1.close()
  port2.close()
})

test("limits are the host's own, its parent's, or the default", () => {
  const rateLimit = {
    "api.a.test": { perSecond: 1 },
    "b.test": { perSecond: 2 },
    "*": { perSecond: 3 },
  }
  expect(limitsOf("api.a.test", rateLimit)).toEqual({
    host: "api.a.test",
    limits: { perSecond: 1 },
  })
  expect(limitsOf("www.b.test", rateLimit)).toEqual({
    host: "b.test",
    limits: { perSecond: 2 },
  })
  expect(limitsOf("c.test", rateLimit)).toEqual({
    host: "c.test",
    limits: { perSecond: 3 },
  })
  expect(limitsOf("c.test", undefined)).toMatchObject({ limits: { concurrency: 2 } })
  expect(limitsOf("127.0.0.1", rateLimit)).toBeNull()
  expect(withDelay({ perSecond: 5, concurrency: 3 }, 4)).toEqual({
    perSecond: 0.25,
    concurrency: 1,
  })
  expect(withDelay({ perSecond: 5 }, undefined)).toEqual({ perSecond: 5 })
})

describe("rate-limited requests", () => {
  const response = (status: number, headers = {}, body = "") => ({
    status,
    headers: new Headers(headers),
    bytes: new TextEncoder().encode(body),
  })

  test("report their results to the rate limiter", async () => {
    const reports: [string, string, number | undefined][] = []
    const broker: RateLimitBroker = {
      acquire: async ({ host }) => ({
        release: (report, holdMs) => reports.push([host, report, holdMs]),
      }),
    }
    const { signal } = new AbortController()
    const pacing = { broker, owner: "one", rateLimit: { "b.test": { perSecond: 1 } } }
    const ask = (url: string, ...parts: Parameters<typeof response>) =>
      withinRateLimit(pacing, url, signal, async () => response(...parts))
    await ask("http://a.test/", 200)
    await ask("http://a.test/", 404)
    await ask("http://a.test/", 429, { "retry-after": "3" })
    await ask("http://a.test/", 429, { "retry-after": "3000" })
    await ask("http://a.test/", 403, {}, "<title>Just a moment...</title>")
    await ask("http://en.b.test/", 403, {}, "not for you")
    const challenge =
      '<title>Pardon Our Interruption</title><script src="/_Incapsula_Resource"></script>'
    await ask("http://a.test/", 200, { "content-type": "text/html" }, challenge)
    await ask("http://a.test/", 200, { "content-type": "text/html" }, "<p>Words.</p>")
    await withinRateLimit({ ...pacing, fetchMethod: "browser" }, "http://a.test/", signal, () =>
      Promise.reject(new Error("cut")),
    ).catch(() => {})
    await withinRateLimit(pacing, "http://127.0.0.1/", signal, async () => response(200))
    await ask("http://a.test/", 500)
    await ask("http://a.test/", 503)
    await withinRateLimit(pacing, "http://a.test/", signal, () =>
      Promise.reject(new Timeout("Nothing came.")),
    ).catch(() => {})
    await withinRateLimit({ ...pacing, fetchMethod: "feed" }, "http://a.test/", signal, async () =>
      response(200),
    )
    expect(reports).toEqual([
      ["a.test", "ok", 0],
      ["a.test", "ok", 0],
      ["a.test", "slow-down", 3000],
      ["a.test", "slow-down", 0],
      ["a.test", "refused", 0],
      ["b.test", "ok", 0],
      ["a.test", "refused", 0],
      ["a.test", "ok", 0],
      ["a.test (browser)", "failed", 0],
      ["a.test", "failing", 0],
      ["a.test", "failing", 0],
      ["a.test", "failing", 0],
      ["a.test (feed)", "ok", 0],
    ])
  })

  test("that are refused by one fetch method do not suspend the host for another", async () => {
    const { signal } = new AbortController()
    const pacing = {
      ...{ broker: new RateLimiter({ now: () => Date.now() }), owner: "one" },
      rateLimit: { "*": { perSecond: 1000 } },
    }
    const ask = (fetchMethod: "http" | "browser-http", ...parts: Parameters<typeof response>) =>
      withinRateLimit({ ...pacing, fetchMethod }, "http://a.test/", signal, async () =>
        response(...parts),
      ).then(
        ({ status }) => status,
        (error) => error.code,
      )
    const challenge = [403, {}, "<title>Just a moment...</title>"] as const
    for (let n = 0; n < 4; n++) expect(await ask("http", ...challenge)).toBe(403)
    expect(await ask("http", 200)).toBe("blocked")
    expect(await ask("browser-http", 200)).toBe(200)
  })

  test("report what they wait for", async () => {
    const lines: string[] = []
    const pacing = {
      broker: new RateLimiter({ now: () => 0 }),
      owner: "one",
      rateLimit: { "*": { perSecond: 0.1 } },
      delayOf: (url: string) => (url.includes("b.test") ? 10 : undefined),
      log: (line: string) => lines.push(line),
    }
    for (const host of ["a.test", "b.test"]) {
      const control = new AbortController()
      const ask = () =>
        withinRateLimit(pacing, `http://${host}/`, control.signal, async () => response(200)).catch(
          () => {},
        )
      await ask()
      const second = ask()
      control.abort(new Error("stopped"))
      await second
    }
    expect(lines).toEqual([
      "Waiting 10.0 s for a.test: its pace.",
      "Waiting 10.0 s for b.test: the Crawl-delay of its robots.txt.",
    ])
  })
})
