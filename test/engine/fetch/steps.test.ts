import { describe, expect, test } from "bun:test"
// Sites tell the signs of their own walls.
import "../../../src/catalogue/index.ts"
import {
  type Context,
  type DataOptions,
  Forbidden,
  NotFound,
  type Outcome,
} from "../../../src/catalogue/kit/index.ts"
import { type Answered, page, walls } from "../http/wall-pages.ts"
import { hostOf, minuteMs, site, wanted } from "./good-pages.ts"
import { scraped, type Upstream, worldOf } from "./world.ts"

describe("data", () => {
  const refused: Answered = walls.find(([, what]) => what === "JSON")![2]
  const rows = (options: DataOptions) =>
    async function* (_: string, ctx: Context) {
      const answer = await ctx.data(`${site}/rows`, options)
      answer.json()
      yield { via: answer.via }
    }

  test("goes by the ways that carry a request: never by Chrome", async () => {
    const upstream: Upstream = (_url, via) => (via === "http" ? refused : { html: '{"rows":[]}' })
    const { asked, unlockerPages } = await scraped(worldOf(upstream), rows({}))
    expect([asked, unlockerPages]).toEqual([["http /rows", "unlocker /rows"], 1])
  })

  test("a wall in its place is one, and an answer without its data is asked for elsewhere", async () => {
    const wall: Upstream = (_url, via) => (via === "http" ? walls[0]![2] : { html: '{"rows":[]}' })
    expect((await scraped(worldOf(wall), rows({}))).via).toEqual(["unlocker"])
    const poor: Upstream = (_url, via) => ({ html: via === "http" ? "{}" : '{"rows":[]}' })
    const has = (answer: { json(): unknown }) => "rows" in (answer.json() as object)
    const sign = () => true
    expect((await scraped(worldOf(poor), rows({ has, refusal: { sign } }))).via).toEqual([
      "unlocker",
    ])
  })

  test("a challenge that Chrome clears for the host stands before no call after it", async () => {
    const access = ["http", "chrome-net", "browser"] as const
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
    const { via, asked } = await scraped(world, both, { access })
    expect(via).toEqual(["http", "http"])
    expect(asked).toEqual(
      ["http", "chrome-net", "browser", "http", "http"].map((way) => `${way} /rows`),
    )
  })

  test("a challenge that Chrome does not clear is met by Chrome once a run", async () => {
    const access = ["http", "chrome-net", "browser"] as const
    const world = worldOf(() => refused, { chromeNet: true, pageWaitMs: 1000 })
    const { errors, asked } = await scraped(world, rows({}), { access, targets: ["a", "b"] })
    expect(errors.map(({ code }) => code)).toEqual(["blocked", "blocked"])
    expect(asked.filter((one) => one.startsWith("browser"))).toHaveLength(1)
  })

  test("what is neither data nor a challenge has changed", async () => {
    const html = page("Docs", `<p>${"About our API. ".repeat(30)}</p>`)
    const { errors, asked } = await scraped(
      worldOf(() => ({ html })),
      rows({}),
    )
    expect([errors[0]?.code, asked]).toEqual(["layout_changed", ["http /rows"]])
  })
})

describe("steps of each way", () => {
  const api = (ctx: Context) => ctx.get(`${site}/api`).then(({ via }) => ({ via }))
  const shown = (ctx: Context) => ctx.page(`${site}/page`, wanted).then(({ via }) => ({ via }))
  const either = async function* (_: string, ctx: Context) {
    yield await ctx.escalate(site, { http: api, browser: shown })
  }

  test("another page in Chrome, and then http's by the unlocker", async () => {
    const refusedApi = { status: 403, headers: { "x-px-blocked": "1" } }
    const world = worldOf(hostOf({ "http /api": refusedApi }))
    expect((await scraped(world, either)).asked).toEqual(["http /api", "browser /page"])
    expect((await scraped(world, either)).asked).toEqual(["browser /page"])
    const walled = worldOf(hostOf({ "http /api": refusedApi, "browser /page": walls[0]![2] }))
    const { via, asked, pages: counted } = await scraped(walled, either)
    expect(asked).toEqual(["http /api", "browser /page", "unlocker /api"])
    expect([via, counted]).toEqual([["unlocker"], 1])
  })

  test("a context of one way goes no other", async () => {
    const world = worldOf(hostOf({ "http /page": walls[0]![2] }))
    const pinned = async function* (_: string, ctx: Context) {
      yield await ctx.escalate(site, { http: shown, browser: shown })
    }
    expect((await scraped(world, pinned)).asked).toEqual(["http /page", "browser /page"])
  })

  test("all requests of the way that got through are counted, and none of the others", async () => {
    const world = worldOf(hostOf({ "http /2": walls[0]![2] }))
    const session = async function* (_: string, ctx: Context) {
      yield await ctx.escalate(site, async (ctx) => {
        await ctx.page(`${site}/1`, wanted)
        const { via } = await ctx.page(`${site}/2`, wanted)
        return { via }
      })
    }
    const { asked, pages: counted } = await scraped(world, session)
    expect(asked).toEqual(["http /1", "http /2", "browser /1", "browser /2"])
    expect(counted).toBe(2)
  })
})

describe("what is asked beside the ways", () => {
  const by = (path: string) => (ctx: Context) =>
    ctx.get(`${site}/${path}`).then(({ via }) => ({ via }))
  const keyed = Object.assign(by("keyed"), { needs: ["REDDIT_CLIENT_ID"] as const })
  const steps = { http: by("api"), browser: by("shown"), feed: by("feed"), keys: keyed }
  const scrape = async function* (_: string, ctx: Context) {
    yield await ctx.escalate(site, steps)
  }
  const wall = { status: 403, headers: { "x-px-blocked": "1" } }
  const closed = { "http /api": wall, "http /shown": wall, "unlocker /api": wall }
  const env = { REDDIT_CLIENT_ID: "app" }
  const askedOf = async (pages: Parameters<typeof hostOf>[0], parts: object = {}) => {
    const world = worldOf(hostOf(pages), { env, ...parts })
    return { world, ...(await scraped(world, scrape)) }
  }

  test("the feed comes behind all ways, and the keys behind it; what worked is remembered", async () => {
    const first = await askedOf({ ...closed, "http /feed": wall })
    expect(first.asked).toEqual([
      "http /api",
      "http /shown",
      "unlocker /api",
      "http /feed",
      "http /keyed",
    ])
    expect(first.log.join()).toContain("Trying again by the operator's keys.")
    expect((await scraped(first.world, scrape)).asked).toEqual(["http /keyed"])
    await first.world.clock.sleep(31 * minuteMs, new AbortController().signal)
    expect((await scraped(first.world, scrape)).asked[0]).toBe("http /api")
    expect((await askedOf(closed)).asked.at(-1)).toBe("http /feed")
  })

  test("without keys, and where one way alone is checked, none are asked for", async () => {
    const walled = { ...closed, "http /feed": wall, "http /keyed": wall }
    const { asked, errors } = await askedOf(walled, { env: {} })
    expect([asked.at(-1), errors[0]?.code]).toEqual(["http /feed", "blocked"])
    expect((await askedOf(walled, { onlyWay: "http" })).asked).toEqual(["http /api"])
  })

  test("a limit of strangers leads to the keys at once, and a login does; what is not there, does not", async () => {
    for (const status of [500, 429]) {
      const { asked, via } = await askedOf({ "http /api": { status } })
      expect([asked.at(-1), asked.includes("http /feed"), via]).toEqual([
        "http /keyed",
        false,
        ["http"],
      ])
    }
    const refused = (outcome: Outcome) => () => Promise.reject(outcome)
    const answered = (outcome: Outcome) =>
      scraped(worldOf(hostOf({}), { env }), async function* (_, ctx) {
        yield await ctx.escalate(site, { ...steps, http: refused(outcome) })
      })
    const members = new Forbidden("Members only.", { code: "login_required" })
    expect((await answered(members)).asked).toEqual(["http /keyed"])
    expect((await answered(new NotFound("Gone."))).asked).toEqual([])
  })

  test("the first wall is what is told where the keys are refused, too", async () => {
    const { errors } = await askedOf({
      ...closed,
      "http /feed": wall,
      "http /keyed": { status: 401 },
    })
    expect(errors[0]?.code).toBe("blocked")
  })
})
