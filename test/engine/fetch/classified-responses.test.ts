import { describe, expect, test } from "bun:test"
// Loads the block pages of single sites.
import "../../../src/catalogue/index.ts"
import {
  Blocked,
  type Context,
  isPlain,
  type PageOptions,
  type ScrapeError,
  Timeout,
  Unreachable,
} from "../../../src/catalogue/kit/index.ts"
import { keylessWorld } from "../../../src/engine/fetch/environment.ts"
import { type Answered, challenges, page } from "../net/http/challenge-pages.ts"
import { good, hostOf, pages, site, wanted } from "./good-pages.ts"
import { scraped, worldOf } from "./world.ts"

const shell: Answered = {
  html: page("App", '<div id="root"></div><script src="/main.js"></script>'),
}

describe("a response without a challenge is returned", () => {
  const one = (answered: Answered | ScrapeError, options: PageOptions = wanted) =>
    scraped(worldOf(hostOf({ http: answered })), pages(1, options))

  test("for a status with a clear meaning", async () => {
    const { errors, requested } = await one({ status: 404, html: page("Gone", "<p>Gone.</p>") })
    expect([errors[0]?.code, requested]).toEqual(["not_found", ["http /1"]])
  })

  test("without the data, for its scraper to explain", async () => {
    const { via } = await one({ html: page("Other", `<p>${"Another page. ".repeat(30)}</p>`) })
    expect(via).toEqual(["http"])
  })

  test("with the data, whatever else it contains", async () => {
    const html = page("Verify", '<ul id="things"></ul><div class="g-recaptcha"></div>')
    expect((await one({ html })).via).toEqual(["http"])
    expect((await one({ html }, { has: "#others" })).via).toEqual(["browser"])
  })

  test("as a document of another type", async () => {
    const pdf = { headers: { "content-type": "application/pdf" }, html: "%PDF-1.7" }
    expect((await one(pdf)).errors).toMatchObject([{ code: "unsupported_content" }])
  })
})

describe("challenges are detected before content types", () => {
  const answers: [string, Answered][] = [
    ["accepted, and nothing else", { status: 202 }],
    ["an empty body with another type", { status: 202, headers: { "content-type": "text/plain" } }],
    [
      "JSON",
      {
        headers: { "content-type": "application/json" },
        html: '{"appId":"PXu6b0qd2S","jsClientSrc":"/init.js"}',
      },
    ],
  ]
  test.each(answers)("%s", async (_what, answered) => {
    expect((await scraped(worldOf(hostOf({ http: answered })), pages(1))).via).toEqual(["browser"])
  })
})

describe("a site's own refusal", () => {
  const plain = page("Sorry", `<p>${"We are sorry. ".repeat(40)}</p>`)
  const refusals: [
    what: string,
    answered: Answered | ScrapeError,
    refusal: PageOptions["refusal"],
  ][] = [
    ["a status", { status: 403, html: plain }, { statuses: [403] }],
    ["words", { html: plain }, { sign: /We are sorry/ }],
    ["a test", { html: plain }, { sign: ({ document }) => document.title === "Sorry" }],
    ["silence", new Timeout("Nothing came."), { stalls: true }],
    [
      "an address that answers",
      { status: 302, headers: { location: "/blocked" }, html: "" },
      { address: /\/blocked$/ },
    ],
    [
      "an address that does not",
      new Unreachable("No.", "connection", { url: `${site}/blocked` }),
      { address: /\/blocked$/ },
    ],
  ]
  test.each(refusals)("%s", async (_what, answered, refusal) => {
    const world = worldOf((url, via) => {
      if (url.pathname === "/blocked") return { html: plain }
      return via === "http" ? answered : good
    })
    const { via } = await scraped(world, pages(1, { ...wanted, refusal }))
    expect(via).toEqual(["browser"])
    const lost = await scraped(
      worldOf((url) => (url.pathname === "/blocked" ? { html: plain } : answered)),
      pages(1, { ...wanted, refusal: { ...refusal, vendor: "Us" } }),
    )
    expect(lost.errors).toMatchObject([{ code: "blocked" }])
  })

  test("is retried once, not three times", async () => {
    const world = worldOf(hostOf({ http: { status: 503, html: plain } }))
    const { requested } = await scraped(
      world,
      pages(1, { ...wanted, refusal: { statuses: [503] } }),
    )
    expect(requested).toEqual(["http /1", "http /1", "browser /1"])
  })
})

describe("in Chrome", () => {
  test("a busy host is retried after Retry-After, as over HTTP", async () => {
    let left = 2
    const busy = {
      status: 503,
      headers: { "retry-after": "7" },
      html: page("Busy", "<p>Busy.</p>"),
    }
    const world = worldOf((_url, via) => (via === "browser" && left-- > 0 ? busy : good))
    const { via, log } = await scraped(world, pages(1), { fetchMethods: ["browser"] })
    expect(via).toEqual(["browser"])
    expect(world.clock.now()).toBe(14_000)
    expect(log.join()).toContain("Waiting 7.0 s before asking site.test again")
  })

  test("pages that need scripts are fetched there at once, and by the unlocker through Chrome", async () => {
    const world = worldOf(hostOf({}))
    const scripted = pages(1, { ...wanted, scripted: true })
    expect((await scraped(world, scripted)).requested).toEqual(["browser /1"])
    const leases: boolean[] = []
    const { browser } = world.environment
    world.environment.browser = {
      lease: (lease, steps) => {
        leases.push(lease.unlocker)
        if (!lease.unlocker) throw new Timeout("A challenge that waits.")
        return browser!.lease(lease, steps)
      },
    }
    await scraped(world, pages(1, { ...wanted, scripted: true, refusal: { stalls: true } }))
    expect(leases).toEqual([false, true])
  })

  test("without Chrome, a page that needs it is an error that names it", async () => {
    const world = worldOf(hostOf({}))
    delete world.environment.browser
    const { errors } = await scraped(world, pages(1, { scripted: true }), {
      fetchMethods: ["http", "browser"],
    })
    expect(errors[0]?.message).toContain("needs Chrome")
  })

  test("without Chrome, an app shell is an error that names it", async () => {
    const world = worldOf(() => shell)
    const { browser } = world.environment
    world.environment.browser = { ...browser!, available: () => false }
    const fetchMethods = ["http", "browser"] as const
    const { errors } = await scraped(world, pages(1), { fetchMethods })
    expect(errors[0]).toMatchObject({ code: "browser_unavailable" })
    expect(errors[0]?.message).toContain("app shell")
    expect(errors[0]?.message).toContain("It needs Chrome; no Chrome was found")
    const plain = await scraped(world, pages(1), { fetchMethods: ["http"] })
    expect(plain.errors[0]?.code).toBe("app_shell")
  })
})

test("work in a tab counts as a page of its fetch method", async () => {
  const inTab = async function* (_: string, ctx: Context) {
    const visit = (ctx: Context) => ctx.browse((tab) => tab.goto(`${site}/1`))
    yield { via: (await ctx.escalate(site, { browser: visit })).via }
    const blocked = (ctx: Context) => ctx.browse(() => Promise.reject(new Blocked("No.")))
    yield await ctx.escalate(site, { browser: blocked, unlocker: visit })
  }
  const { pages, unlockerPages } = await scraped(worldOf(hostOf({})), inTab)
  expect([pages, unlockerPages]).toEqual([2, 1])
})

test("a keyless run does not use the operator's unlocker", async () => {
  const world = worldOf(hostOf({ http: challenges[0]![2], browser: challenges[0]![2] }))
  world.environment = keylessWorld(world.environment)
  expect((await scraped(world, pages(1))).requested).toEqual(["http /1", "browser /1"])
})

test("a test of a page's content runs in the run's time slice, and ends with it", async () => {
  const endless = pages(1, {
    has: () => {
      for (;;);
    },
  })
  const { errors } = await scraped(worldOf(hostOf({})), endless, { sliceLimits: { sliceMs: 50 } })
  expect(errors).toMatchObject([{ code: "timeout" }])
  expect(errors[0]!.message).toContain("too much processor time")
})

test("a response of a method that is refused later does not start the page again", async () => {
  let requested = 0
  const scrape = async function* (_: string, ctx: Context) {
    await ctx.page(`${site}/1`, wanted)
    requested++
    yield { via: "x" }
    throw new Blocked("By hand.")
  }
  const { errors } = await scraped(worldOf(hostOf({})), scrape, { fetchMethods: ["http"] })
  expect([requested, errors.length]).toEqual([1, 1])
})

describe("a page without its data is explained by the rest of the page", () => {
  const trimmed = page("Shop", `<p>${"Words and more words. ".repeat(120)}</p>`)
  const links = ["a", "b", "c"].map((name) => `<a href="/${name}">${name}</a>`).join("")
  const furnished = page("Shop", `<nav>${links}</nav><p>${"Words. ".repeat(300)}</p>`)
  const canonical = page(
    "Shop",
    `<p>${"Words. ".repeat(300)}</p>`,
    '<link rel="canonical" href="https://site.test/1">',
  )
  test.each([
    ["nothing of its site: a refusal", trimmed, ["browser"]],
    ["its site's navigation: it has changed", furnished, ["http"]],
    ["its own address: it has changed", canonical, ["http"]],
  ] as [string, string, string[]][])("%s", async (_, html, expected) => {
    const world = worldOf(hostOf({ http: { html } }))
    const { via } = await scraped(world, pages(1, { ...wanted, refusal: { sign: isPlain } }))
    expect(via).toEqual(expected as never)
  })
})
