import { describe, expect, test } from "bun:test"
import type { Clock } from "../../../../src/base/clock.ts"
import { readRemoteAddress } from "../../../../src/engine/net/browser/lease/remote-addresses.ts"
import { Endpoints } from "../../../../src/engine/net/browser/pool/endpoints.ts"

/** A clock that stops until the test moves it. */
class HandClock implements Clock {
  private time = 0
  private readonly sleepers = new Set<{ at: number; wake: () => void }>()
  now = () => this.time

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const sleeper = { at: this.time + ms, wake: resolve }
    this.sleepers.add(sleeper)
    const stop = () => {
      this.sleepers.delete(sleeper)
      reject(signal?.reason)
    }
    if (signal?.aborted) stop()
    signal?.addEventListener("abort", stop, { once: true })
    return promise
  }

  async pass(ms: number): Promise<void> {
    await settled()
    this.time += ms
    for (const sleeper of [...this.sleepers]) {
      if (sleeper.at > this.time || !this.sleepers.delete(sleeper)) continue
      sleeper.wake()
    }
    await settled()
  }
}

/** Runs everything that waits only for its turn in the event loop. */
const settled = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}

function browser(name: string, weight = 1) {
  const made = {
    name,
    weight,
    isUp: true,
    hangs: false,
    tries: 0,
    drops: 0,
    remote: {
      async ready() {
        made.tries++
        if (!made.isUp) throw new Error("does not respond.")
      },
      ping: () => (made.hangs ? new Promise<void>(() => {}) : Promise.resolve()),
      async drop() {
        made.drops++
        made.hangs = false
        made.isUp = false
      },
    },
  }
  return made
}

function several(...browsers: ReturnType<typeof browser>[]) {
  const clock = new HandClock()
  const endpoints = new Endpoints(browsers, clock)
  const leases = () =>
    Object.fromEntries(endpoints.states().map(({ name, leases }) => [name, leases]))
  return { clock, endpoints, leases }
}

describe("the next lease", () => {
  test("goes to the browser with the least load for its weight", async () => {
    const { endpoints, leases } = several(browser("a", 3), browser("b"))
    const held: Awaited<ReturnType<typeof endpoints.take>>[] = []
    for (let lease = 0; lease < 8; lease++) held.push(await endpoints.take())
    expect(leases()).toEqual({ a: 6, b: 2 })
    for (const { endpoint, release: giveBack } of held) if (endpoint.name === "a") giveBack()
    held[0]!.release()
    expect(leases()).toEqual({ a: 0, b: 2 })
    expect((await endpoints.take()).endpoint.name).toBe("a")
  })

  test("goes to another if one does not answer, which is retried at growing intervals", async () => {
    const a = browser("a", 100)
    const { clock, endpoints, leases } = several(a, browser("b"))
    a.isUp = false
    for (let lease = 0; lease < 5; lease++) {
      expect((await endpoints.take()).endpoint.name).toBe("b")
    }
    expect(leases()).toEqual({ a: 0, b: 5 })
    expect(a.tries).toBe(1)
    const pauses: number[] = []
    for (let second = 1, last = 0; second <= 300; second++) {
      const before = a.tries
      await clock.pass(1000)
      if (a.tries === before) continue
      pauses.push(second - last)
      last = second
    }
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    a.isUp = true
    await clock.pass(60_000)
    expect((await endpoints.take()).endpoint.name).toBe("a")
  })

  test("waits while none answers, for a minute in all", async () => {
    const [a, b] = [browser("a"), browser("b")]
    const { clock, endpoints } = several(a, b)
    a.isUp = b.isUp = false
    const waited = endpoints.take()
    await clock.pass(500)
    b.isUp = true
    await clock.pass(1000)
    expect((await waited).endpoint.name).toBe("b")

    b.isUp = false
    const failing = endpoints.take().catch((error) => error)
    for (let second = 0; second < 61; second++) await clock.pass(1000)
    const failure = await failing
    expect(failure).toMatchObject({ kind: "Unreachable", code: "browser_unavailable" })
    expect(failure.message).toStartWith("None of the 2 browsers at TRAWL_CHROME_WS responds")
    // The minute has passed for later callers, too.
    expect(await endpoints.take().catch((error) => error.code)).toBe("browser_unavailable")
  })

  test("ends when its run has finished", async () => {
    const a = browser("a")
    const { clock, endpoints, leases } = several(a)
    a.isUp = false
    const control = new AbortController()
    const waiting = endpoints.take(control.signal).catch((error) => error)
    await clock.pass(100)
    control.abort("over")
    expect(await waiting).toBe("over")
    expect(leases()).toEqual({ a: 0 })
  })
})

test("a hanging one is closed, and not used", async () => {
  const [a, b] = [browser("a"), browser("b")]
  const { clock, endpoints } = several(a, b)
  await endpoints.take()
  a.hangs = true
  const watching = endpoints.watch()
  await clock.pass(9000)
  expect(a.drops).toBe(0)
  await clock.pass(1000)
  await watching
  expect([a.drops, b.drops]).toEqual([1, 0])
  expect(endpoints.states().map(({ isAway }) => isAway)).toEqual([true, false])
  expect((await endpoints.take()).endpoint.name).toBe("b")
})

describe("an entry of TRAWL_CHROME_WS", () => {
  test("has a weight, and a token that stays out of its URL and its name", () => {
    expect(readRemoteAddress("wss://b.test/x/trawl?token=t0ken&a=b#weight=7")).toEqual({
      name: "b.test",
      url: "wss://b.test/x/trawl?a=b",
      weight: 7,
      token: "t0ken",
    })
    expect(readRemoteAddress("ws://b.test:9222/devtools?token=t")).toEqual({
      name: "b.test:9222",
      url: "ws://b.test:9222/devtools?token=t",
      weight: 1,
    })
  })

  for (const [entry, why] of [
    ["browser", "is not a valid URL"],
    ["http://b.test", "scheme http://"],
    ["ws://b.test/trawl", "no token"],
    ["ws://b.test/?token=secret#weight=0", "#weight=1 to #weight=100"],
    ["ws://b.test/?token=secret#weight=101", "#weight=1 to #weight=100"],
    ["ws://b.test/?token=secret#heavy", "#weight=1 to #weight=100"],
  ] as const) {
    test(`${entry} is refused`, () => {
      const refused = () => readRemoteAddress(entry)
      expect(refused).toThrow(why)
      expect(refused).not.toThrow("secret")
    })
  }
})
