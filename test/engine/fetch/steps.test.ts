import { describe, expect, test } from "bun:test"
// Loads the challenges of single sites.
import "../../../src/catalogue/index.ts"
import {
  type Context,
  type DataOptions,
  Forbidden,
  NotFound,
  type ScrapeError,
} from "../../../src/catalogue/kit/index.ts"
import { type Answered, challenges, page } from "../net/http/challenge-pages.ts"
import { hostOf, minuteMs, site, wanted } from "./good-pages.ts"
import { scraped, type Upstream, worldOf } from "./world.ts"

describe("data", () => {
  const refused: Answered = challenges.find(([, what]) => what === "JSON")![2]
  const rows = (options: DataOptions) =>
    async function* (_: string, ctx: Context) {
      const response = await ctx.data(`${site}/rows`, options)
      response.json()
      yield { via: response.via }
    }

  test("uses the fetch methods that send requests: never Chrome pages", async () => {
    const upstream: Upstream = (_url, via) => (via === "http" ? refused : { html: '{"rows":[]}' })
    const { requested, unlockerPages } = await scraped(worldOf(upstream), rows({}))
    expect([requested, unlockerPages]).toEqual([["http /rows", "unlocker /rows"], 1])
  })

  test("a challenge is an error, and a response without its data is requested by another method", async () => {
    const challenge: Upstream = (_url, via) =>
      via === "http" ? challenges[0]![2] : { html: '{"rows":[]}' }
    expect((await scraped(worldOf(challenge), rows({}))).via).toEqual(["unlocker"])
    const poor: Upstream = (_url, via) => ({ html: via === "http" ? "{}" : '{"rows":[]}' })
    const has = (response: { json(): unknown }) => "rows" in (response.json() as object)
    const sign = () => true
    expect((await scraped(worldOf(poor), rows({ has, refusal: { sign } }))).via).toEqual([
      "unlocker",
    ])
  })

  test("a challenge that Chrome clears for the host delays no later call", async () => {
    const fetchMethods = ["http", "browser-http", "browser"] as const
    let isCleared = false
    const upstream: Upstream = (_url, via) => {
      if (via === "browser") isCleared = true
      return isCleared ? { html: '{"rows":[]}' } : refused
    }
    const both = async function* (_: string, ctx: Context) {
      for (const call of ["get", "data"] as const) {
        yield { via: (await ctx[call](`${site}/rows`)).via }
      }
    }
    const world = worldOf(upstream, { chromeNet: true, pageWaitMs: 1000 })
    const { via, requested } = await scraped(world, both, { fetchMethods })
    expect(via).toEqual(["http", "http"])
    expect(requested).toEqual(
      ["http", "browser-http", "browser", "http", "http"].map(
        (fetchMethod) => `${fetchMethod} /rows`,
      ),
    )
  })

  test("a challenge that Chrome does not clear is tried in Chrome once a run", async () => {
    const fetchMethods = ["http", "browser-http", "browser"] as const
    const world = worldOf(() => refused, { chromeNet: true, pageWaitMs: 1000 })
    const { errors, requested } = await scraped(world, rows({}), {
      fetchMethods,
      targets: ["a", "b"],
    })
    expect(errors.map(({ code }) => code)).toEqual(["blocked", "blocked"])
    expect(requested.filter((one) => one.startsWith("browser "))).toHaveLength(1)
  })

  test("a response that is neither data nor a challenge is a changed layout", async () => {
    const html = page("Docs", `<p>${"About our API. ".repeat(30)}</p>`)
    const { errors, requested } = await scraped(
      worldOf(() => ({ html })),
      rows({}),
    )
    expect([errors[0]?.code, requested]).toEqual(["layout_changed", ["http /rows"]])
  })
})

describe("steps per fetch method", () => {
  const api = (ctx: Context) => ctx.get(`${site}/api`).then(({ via }) => ({ via }))
  const visible = (ctx: Context) => ctx.page(`${site}/page`, wanted).then(({ via }) => ({ via }))
  const either = async function* (_: string, ctx: Context) {
    yield await ctx.escalate(site, { http: api, browser: visible })
  }

  test("another page in Chrome, and then http's by the unlocker", async () => {
    const refusedApi = { status: 403, headers: { "x-px-blocked": "1" } }
    const world = worldOf(hostOf({ "http /api": refusedApi }))
    expect((await scraped(world, either)).requested).toEqual(["http /api", "browser /page"])
    expect((await scraped(world, either)).requested).toEqual(["browser /page"])
    const challenged = worldOf(
      hostOf({ "http /api": refusedApi, "browser /page": challenges[0]![2] }),
    )
    const { via, requested, pages: counted } = await scraped(challenged, either)
    expect(requested).toEqual(["http /api", "browser /page", "unlocker /api"])
    expect([via, counted]).toEqual([["unlocker"], 1])
  })

  test("the context of one method uses no other", async () => {
    const world = worldOf(hostOf({ "http /page": challenges[0]![2] }))
    const pinned = async function* (_: string, ctx: Context) {
      yield await ctx.escalate(site, { http: visible, browser: visible })
    }
    expect((await scraped(world, pinned)).requested).toEqual(["http /page", "browser /page"])
  })

  test("all requests of the successful method are counted, and none of the others", async () => {
    const world = worldOf(hostOf({ "http /2": challenges[0]![2] }))
    const session = async function* (_: string, ctx: Context) {
      yield await ctx.escalate(site, async (ctx) => {
        await ctx.page(`${site}/1`, wanted)
        const { via } = await ctx.page(`${site}/2`, wanted)
        return { via }
      })
    }
    const { requested, pages: counted } = await scraped(world, session)
    expect(requested).toEqual(["http /1", "http /2", "browser /1", "browser /2"])
    expect(counted).toBe(2)
  })
})

describe("feeds and API keys", () => {
  const by = (path: string) => (ctx: Context) =>
    ctx.get(`${site}/${path}`).then(({ via }) => ({ via }))
  const keyed = Object.assign(by("keyed"), { needs: ["REDDIT_CLIENT_ID"] as const })
  const steps = { http: by("api"), browser: by("shown"), feed: by("feed"), keys: keyed }
  const scrape = async function* (_: string, ctx: Context) {
    yield await ctx.escalate(site, steps)
  }
  const challenge = { status: 403, headers: { "x-px-blocked": "1" } }
  const closed = { "http /api": challenge, "http /shown": challenge, "unlocker /api": challenge }
  const env = { REDDIT_CLIENT_ID: "app" }
  const requestedOf = async (pages: Parameters<typeof hostOf>[0], parts: object = {}) => {
    const world = worldOf(hostOf(pages), { env, ...parts })
    return { world, ...(await scraped(world, scrape)) }
  }

  test("the feed comes after all methods, and the keys after it; the successful one is remembered", async () => {
    const first = await requestedOf({ ...closed, "http /feed": challenge })
    expect(first.requested).toEqual([
      "http /api",
      "http /shown",
      "unlocker /api",
      "http /feed",
      "http /keyed",
    ])
    expect(first.log.join()).toContain("Retrying with the operator's keys.")
    expect((await scraped(first.world, scrape)).requested).toEqual(["http /keyed"])
    await first.world.clock.sleep(31 * minuteMs, new AbortController().signal)
    expect((await scraped(first.world, scrape)).requested[0]).toBe("http /api")
    expect((await requestedOf(closed)).requested.at(-1)).toBe("http /feed")
  })

  test("without keys, and if one method is checked, none are used", async () => {
    const challenged = { ...closed, "http /feed": challenge, "http /keyed": challenge }
    const { requested, errors } = await requestedOf(challenged, { env: {} })
    expect([requested.at(-1), errors[0]?.code]).toEqual(["http /feed", "blocked"])
    expect((await requestedOf(challenged, { onlyMethod: "http" })).requested).toEqual(["http /api"])
  })

  test("an anonymous rate limit and a login lead to the keys at once; a missing page does not", async () => {
    for (const status of [500, 429]) {
      const { requested, via } = await requestedOf({ "http /api": { status } })
      expect([requested.at(-1), requested.includes("http /feed"), via]).toEqual([
        "http /keyed",
        false,
        ["http"],
      ])
    }
    const refused = (scrapeError: ScrapeError) => () => Promise.reject(scrapeError)
    const answered = (scrapeError: ScrapeError) =>
      scraped(worldOf(hostOf({}), { env }), async function* (_, ctx) {
        yield await ctx.escalate(site, { ...steps, http: refused(scrapeError) })
      })
    const members = new Forbidden("Members only.", { code: "login_required" })
    expect((await answered(members)).requested).toEqual(["http /keyed"])
    expect((await answered(new NotFound("Gone."))).requested).toEqual([])
  })

  test("the first challenge is reported if the keys are refused, too", async () => {
    const { errors } = await requestedOf({
      ...closed,
      "http /feed": challenge,
      "http /keyed": { status: 401 },
    })
    expect(errors[0]?.code).toBe("blocked")
  })
})
