import { describe, expect, test } from "bun:test"
// Loads the block pages of single sites.
import "../../../src/catalogue/index.ts"
import {
  type Context,
  type FetchMethod,
  Forbidden,
  NotFound,
  type ScrapeError,
  Timeout,
  Unreachable,
  UpstreamError,
} from "../../../src/catalogue/kit/index.ts"
import { BrokenEncoding } from "../../../src/engine/net/http/inflate.ts"
import { type Answered, challenges, page } from "../net/http/challenge-pages.ts"
import { good, hostOf, minuteMs, pages, site, wanted } from "./good-pages.ts"
import { scraped, worldOf } from "./world.ts"

const shell: Answered = {
  html: page("App", '<div id="root"></div><script src="/main.js"></script>'),
}

describe("a challenge on the second page sends that page to Chrome, and no other", () => {
  test.each(challenges)("%s: %s", async (_vendor, _what, challenge) => {
    let isChallenged = true
    const world = worldOf((url, via) => {
      const isElsewhere = url.host !== "site.test"
      if (isElsewhere) return challenge
      if (!isChallenged || via !== "http" || url.pathname !== "/2") return good
      const elsewhere = challenge.url && new URL(challenge.url).host
      const isOwnHost = elsewhere && /perfdrive|queue-it/.test(elsewhere)
      return isOwnHost ? { status: 302, headers: { location: challenge.url! } } : challenge
    })
    const first = await scraped(world, pages(3))
    expect(first.errors).toEqual([])
    expect(first.via).toEqual(["http", "browser", "browser"])
    const there = first.requested.filter((line) => /\/[123]$/.test(line))
    expect(there).toEqual(["http /1", "http /2", "browser /2", "browser /3"])
    expect(first.pages).toBe(3)

    isChallenged = false
    await world.clock.sleep(31 * minuteMs)
    expect((await scraped(world, pages(2))).requested).toEqual(["http /1", "http /2"])
  })
})

describe("a Chrome that cannot start", () => {
  const none = new Forbidden("This page needs Chrome.", { code: "browser_unavailable" })
  const failure = async (first: Answered) => {
    const world = worldOf(
      hostOf({ http: first, unlocker: first, "browser-http": none, browser: none }),
    )
    return (await scraped(world, pages(1))).errors.map(({ code }) => code)
  }

  test("keeps the challenge as the error", async () => {
    expect(await failure(challenges[0]![2])).toEqual(["blocked"])
  })

  test("a challenge names the methods that it stopped, and the next step", async () => {
    const blocked = { ...good, ...challenges[0]![2] }
    const ways = { http: blocked, "browser-http": blocked, browser: blocked }
    const world = worldOf(hostOf({ ...ways, unlocker: blocked, feed: blocked, keys: blocked }))
    const [error] = (await scraped(world, pages(1))).errors
    expect(error!.message).toMatch(
      / Tried http, .*\. Try again later, or ask the operator for (?:another proxy|a proxy or an unlocker)\.$/,
    )
  })

  test.each([
    [{ http: shell }, /Tried http\. Call web-scraper with `renderScripts`/],
    [
      { http: shell, browser: shell },
      /Tried http, browser\. Its scripts did not fill it in time\. Try/,
    ],
    [{ http: { ...good, status: 403 } }, /\(status 403\)\. Tried http\. If your browser shows/],
    [{ http: { ...good, status: 500 } }, /\(status 500\)\. Try again in a few minutes/],
  ])("%j names the next step", async (hosts, message) => {
    const fetchMethods = Object.keys(hosts) as FetchMethod[]
    const [error] = (await scraped(worldOf(hostOf(hosts)), pages(1), { fetchMethods })).errors
    expect(error!.message).toMatch(message)
  })

  test("is named as what an app shell needs", async () => {
    expect(await failure(shell)).toEqual(["browser_unavailable"])
  })
})

describe("the fetch method that worked for a host", () => {
  const challenged = hostOf({ "http /1": challenges[0]![2] })

  test("is remembered for half an hour from its first success, however often it is used", async () => {
    const world = worldOf(challenged)
    expect((await scraped(world, pages(1))).requested).toEqual(["http /1", "browser /1"])
    for (let minute = 10; minute < 30; minute += 10) {
      await world.clock.sleep(10 * minuteMs)
      expect((await scraped(world, pages(1))).requested).toEqual(["browser /1"])
    }
    await world.clock.sleep(11 * minuteMs)
    expect((await scraped(world, pages(1))).requested).toEqual(["http /1", "browser /1"])
  })

  test("is remembered as long for a scraper's own step", async () => {
    const world = worldOf(challenged)
    const steps = async function* (_: string, ctx: Context) {
      const response = await ctx.escalate(site, (ctx) => ctx.page(`${site}/1`, wanted))
      yield { via: response.via }
    }
    for (let minute = 0; minute < 30; minute += 10) {
      await scraped(world, steps)
      await world.clock.sleep(10 * minuteMs)
    }
    await world.clock.sleep(1 * minuteMs)
    expect((await scraped(world, steps)).requested).toEqual(["http /1", "browser /1"])
  })

  test("is remembered by host", async () => {
    const world = worldOf((_url, via) => (via === "http" ? challenges[0]![2] : good))
    const both = async function* (_: string, ctx: Context) {
      for (const host of ["a.test", "a.test", "b.test"]) {
        yield { via: (await ctx.page(`https://${host}/`, wanted)).via }
      }
    }
    const { requested } = await scraped(world, both)
    expect(requested).toEqual(["http /", "browser /", "browser /", "http /", "browser /"])
  })

  test("is replaced by a cheaper one that works meanwhile", async () => {
    const slow = Promise.withResolvers<Answered>()
    const world = worldOf((url, via) => {
      if (via !== "http" || url.pathname === "/3") return good
      return url.pathname === "/2" ? slow.promise : challenges[0]![2]
    })
    const together = async function* (_: string, ctx: Context) {
      const second = ctx.page(`${site}/2`, wanted)
      yield { via: (await ctx.page(`${site}/1`, wanted)).via }
      slow.resolve(good)
      yield { via: (await second).via }
      yield { via: (await ctx.page(`${site}/3`, wanted)).via }
    }
    expect((await scraped(world, together)).via).toEqual(["browser", "http", "http"])
  })

  test("is forgotten when it fails", async () => {
    let isBusy = false
    const world = worldOf((url, via) => {
      if (via === "http") return url.pathname === "/1" ? challenges[0]![2] : good
      return isBusy ? new Timeout("Chrome is slow.") : good
    })
    await scraped(world, pages(1))
    isBusy = true
    const failed = await scraped(world, pages(1), { fetchMethods: ["http", "browser"] })
    expect(failed.errors).toMatchObject([{ code: "timeout" }])
    expect(
      (await scraped(world, pages(1), { fetchMethods: ["http", "browser"] })).requested[0],
    ).toBe("http /1")
  })
})

describe("the error of a page that no fetch method reaches", () => {
  const cloudflare = challenges[0]![2]
  const cases: [
    what: string,
    instead: Record<string, Answered | ScrapeError>,
    code: string,
    stated: RegExp,
  ][] = [
    [
      "each method is refused",
      { http: cloudflare, browser: shell, unlocker: shell },
      "blocked",
      /Cloudflare/,
    ],
    [
      "Chrome is kept waiting",
      { http: cloudflare, browser: new Timeout("Late."), unlocker: cloudflare },
      "blocked",
      /Cloudflare/,
    ],
    [
      "Chrome is gone",
      {
        http: cloudflare,
        browser: new Unreachable("Gone.", "connection"),
        unlocker: new UpstreamError("Broken."),
      },
      "blocked",
      /Cloudflare/,
    ],
    [
      "Chrome's error has more details",
      { http: cloudflare, browser: new NotFound("No such thing.") },
      "not_found",
      /No such thing/,
    ],
    [
      "a shell that Chrome cannot fill",
      { http: shell, browser: new Timeout("Late in Chrome."), unlocker: shell },
      "timeout",
      /Late in Chrome/,
    ],
    [
      "a shell with a challenge after it",
      { http: shell, browser: cloudflare, unlocker: shell },
      "blocked",
      /Cloudflare/,
    ],
  ]
  test.each(cases)("%s", async (_what, instead, code, stated) => {
    const { errors, pages: counted } = await scraped(worldOf(hostOf(instead)), pages(1))
    expect(errors).toMatchObject([{ code }])
    expect(errors[0]!.message).toMatch(stated)
    expect(counted).toBe(0)
  })

  test("after Chrome has failed for its own reasons the unlocker is still tried", async () => {
    const world = worldOf(hostOf({ http: cloudflare, browser: new Timeout("Late.") }))
    const { via, pages: counted, unlockerPages } = await scraped(world, pages(1))
    expect([via, counted, unlockerPages]).toEqual([["unlocker"], 1, 1])
  })

  test("items returned before are kept, and nothing is repeated", async () => {
    const instead = { "http /2": cloudflare, "browser /2": cloudflare, "unlocker /2": cloudflare }
    const {
      via,
      errors,
      requested,
      pages: counted,
    } = await scraped(worldOf(hostOf(instead)), pages(3))
    expect([via, counted]).toEqual([["http"], 1])
    expect(errors).toMatchObject([{ code: "blocked" }])
    expect(requested).toEqual(["http /1", "http /2", "browser /2", "unlocker /2"])
  })
})

describe("a refusal without a vendor", () => {
  const net = ["http", "browser-http", "browser", "unlocker"] as const
  const refusals: [string, Answered | ScrapeError][] = [
    ["a cut", new Unreachable("Cut.", "connection")],
    ["silence", new Timeout("Nothing came.")],
    ...[401, 403, 405, 406, 418, 429, 503].map((status): [string, Answered] => [
      `status ${status}`,
      { status, html: page("No", "<p>No.</p>") },
    ]),
  ]
  const requested = (world: ReturnType<typeof worldOf>) =>
    scraped(world, pages(1), { fetchMethods: net }).then((run) => ({
      ...run,
      requested: [...new Set(run.requested)],
    }))

  test.each(refusals)(
    "%s is retried over Chrome's network stack, and is remembered",
    async (_, refused) => {
      const world = worldOf(hostOf({ http: refused }), { chromeNet: true })
      expect((await requested(world)).requested).toEqual(["http /1", "browser-http /1"])
      expect((await requested(world)).requested).toEqual(["browser-http /1"])
    },
  )

  test.each(refusals)("%s is not retried, and remains the cause", async (_, refused) => {
    const world = worldOf(
      hostOf({ http: refused, "browser-http": new Timeout("Late in Chrome.") }),
      {
        chromeNet: true,
      },
    )
    const alone = await scraped(worldOf(hostOf({ http: refused })), pages(1), {
      fetchMethods: ["http"],
    })
    const run = await requested(world)
    expect(run.requested).toEqual(["http /1", "browser-http /1"])
    const causes = (errors: typeof run.errors) =>
      errors.map(({ code, message }) => [code, message.replace(/ Tried [^.]*\./, "")])
    expect(causes(run.errors)).toEqual(causes(alone.errors))
    const wantsMethods = refused instanceof Error ? "" : "Tried http, browser-http. "
    expect(run.errors[0]!.message).toContain(wantsMethods)
  })

  test("is retried in Chrome if its network stack meets a challenge", async () => {
    const world = worldOf(hostOf({ http: refusals[0]![1], "browser-http": challenges[0]![2] }), {
      chromeNet: true,
    })
    expect((await requested(world)).requested).toEqual(["http /1", "browser-http /1", "browser /1"])
  })

  test.each([
    ["a time to wait", { status: 429, headers: { "retry-after": "600" } }, "rate_limited"],
    ["a time to wait", { status: 503, headers: { "retry-after": "600" } }, "upstream_error"],
    ["a password", { status: 401, headers: { "www-authenticate": "Basic" } }, "login_required"],
    ["absence", { status: 404 }, "not_found"],
    [
      "a body that is cut off",
      new Unreachable("No.", "connection", { cause: new BrokenEncoding("It is cut off.") }),
      "connection",
    ],
    [
      "a refused connection",
      new Unreachable("No.", "connection", { cause: { code: "ECONNREFUSED" } }),
      "connection",
    ],
  ] as [string, Answered | ScrapeError, string][])(
    "%s is not a refusal: %j",
    async (_, answered, code) => {
      const world = worldOf(hostOf({ http: answered }), { chromeNet: true })
      const run = await requested(world)
      expect([run.requested, run.errors[0]?.code]).toEqual([["http /1"], code])
    },
  )

  const call = (ask: (ctx: Context) => Promise<{ via: string }>) =>
    async function* (_: string, ctx: Context) {
      yield { via: (await ask(ctx)).via }
    }
  test("is retried for calls, too, but a POST without a response is not repeated", async () => {
    const cut = worldOf(hostOf({ http: refusals[0]![1] }), { chromeNet: true })
    const limited = worldOf(hostOf({ http: { status: 429 } }), { chromeNet: true })
    const options = { fetchMethods: net, retries: 0 }
    const got = await scraped(
      cut,
      call((ctx) => ctx.get(`${site}/a`)),
      options,
    )
    expect(got.via).toEqual(["browser-http"])
    const second = worldOf(hostOf({ http: refusals[0]![1] }), { chromeNet: true })
    const posted = await scraped(
      second,
      call((ctx) => ctx.post(`${site}/a`)),
      options,
    )
    expect([posted.requested, posted.errors[0]?.code]).toEqual([["http /a"], "connection"])
    const refused = await scraped(
      limited,
      call((ctx) => ctx.post(`${site}/a`)),
      options,
    )
    expect(refused.via).toEqual(["browser-http"])
  })

  test("of a call with the operator's key is the upstream's own error", async () => {
    const world = worldOf(hostOf({ http: { status: 403 } }), {
      chromeNet: true,
      env: { GITHUB_TOKEN: "key" },
    })
    const withKey = call((ctx) => {
      ctx.secret("GITHUB_TOKEN")
      return ctx.get(`${site}/a`)
    })
    const run = await scraped(world, withKey, { fetchMethods: net })
    expect([run.requested, run.errors[0]?.code]).toEqual([["http /a"], "forbidden"])
  })
})

test("if Chrome's network stack comes first, plain HTTP is used only without a Chrome", async () => {
  const fetchMethods = ["browser-http", "http", "browser"] as const
  const challenge = hostOf({ "browser-http": challenges[0]![2] })
  const there = await scraped(worldOf(challenge, { chromeNet: true }), pages(1), { fetchMethods })
  expect(there.requested).toEqual(["browser-http /1", "browser /1"])
  expect((await scraped(worldOf(challenge), pages(1), { fetchMethods })).requested).toEqual([
    "http /1",
  ])
})
