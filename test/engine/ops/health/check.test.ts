import { afterAll, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Type } from "@sinclair/typebox"
import {
  type AnyScraper,
  defineScraper,
  field,
  inputObject,
  inputs,
  itemObject,
  type Probe,
  partFailed,
  record,
  required,
  staleKey,
  upstreamTable,
} from "../../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../../src/engine/fetch/environment.ts"
import { readCase } from "../../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../../src/engine/fetch/replay/environment.ts"
import { type CheckRequest, runCheck } from "../../../../src/engine/ops/health/check.ts"
import { dropUnfinished } from "../../../../src/engine/ops/health/drift-case.ts"
import { breakages } from "../../../broken.ts"

const driftFolder = join(mkdtempSync(join(tmpdir(), "trawl-check-")), "drift")
afterAll(() => rmSync(join(driftFolder, ".."), { recursive: true, force: true }))

const table = upstreamTable("shop", "2026-08", { queryId: "a1" })
const entry = record({
  title: required(field.text("title", "Title.")),
  price: field.number("price", "Price."),
})
const ids = inputObject({ ids: inputs.texts("Ids.", { max: 10 }) })
const item = itemObject({ id: Type.String(), ...entry.fields })

const scrapers: AnyScraper[] = [
  defineScraper({
    slug: "shop-scraper",
    name: "Shop",
    tagline: "Things of a shop.",
    category: "ecommerce",
    tier: "free",
    input: ids,
    item,
    example: { ids: ["1"] },
    probe: {
      input: { ids: ["1"] },
      expect: ["items.length equals 1", "items[0].price gte 1", '?items[0].title matches "lamp"'],
    },
    rateLimit: { "shop.test": {} },
    fetchMethods: ["http", "browser", "unlocker"],
    targets: (input) => input.ids,
    async *scrape(id, ctx) {
      ctx.secret("AMAZON_COOKIE")
      const visits = await ctx.memory.get<number>("visits")
      await ctx.memory.set("visits", (visits ?? 0) + 1)
      const response = await ctx.data(`https://shop.test/${id}`, { has: () => true, what: "thing" })
      const row = response.json<Record<string, unknown>>()
      if (row.error === "no such query") throw staleKey(table, "queryId", "The shop refuses.")
      if (visits) throw new Error("the memory is not the check's own")
      yield { id, ...entry.read(row) }
    },
  }),
  defineScraper({
    slug: "detail-scraper",
    name: "Detail",
    tagline: "A thing that a shop names.",
    category: "ecommerce",
    tier: "free",
    input: ids,
    item,
    example: { ids: ["1"] },
    probe: { input: { ids: ["@shop-scraper items[0].title"] }, expect: ["items.length equals 1"] },
    rateLimit: { "shop.test": {} },
    targets: (input) => input.ids,
    async *scrape(id) {
      yield { id, title: id, price: null }
    },
  }),
  defineScraper({
    slug: "parts-scraper",
    name: "Parts",
    tagline: "Continues if a part fails.",
    category: "ecommerce",
    tier: "free",
    input: ids,
    item,
    example: { ids: ["1"] },
    probe: { input: { ids: ["1"] }, expect: ["items.length equals 1"] },
    rateLimit: { "shop.test": {} },
    targets: (input) => input.ids,
    async *scrape(id, ctx) {
      try {
        yield { id, ...entry.read(await ctx.json(`https://shop.test/${id}`)) }
      } catch (error) {
        yield partFailed(ctx, error, { id })
      }
    },
  }),
  defineScraper({
    slug: "api-scraper",
    name: "Api",
    tagline: "A thing by a call that needs no page.",
    category: "ecommerce",
    tier: "free",
    input: ids,
    item,
    example: { ids: ["1"] },
    probe: { input: { ids: ["1"] }, expect: ["items.length equals 1"] },
    rateLimit: { "shop.test": {} },
    fetchMethods: ["http", "browser"],
    targets: (input) => input.ids,
    async *scrape(id, ctx) {
      const url = `https://shop.test/${id}`
      const row = await ctx.escalate(url, { http: (ctx) => ctx.json(url) })
      yield { id, ...entry.read(row as Record<string, unknown>) }
    },
  }),
]

/** The shop's response: a body, and a status if it is not a success. */
interface Answers {
  body: string
  status?: number
  headers?: Record<string, string | string[]>
}

const world = ({ body, status = 200, headers = {} }: Answers): Environment =>
  replayEnvironment({
    folder: "/nowhere",
    slug: "shop-scraper",
    case: "made",
    input: {},
    env: { AMAZON_COOKIE: "session-of-the-operator" },
    expect: [],
    exchanges: ["https://shop.test/1", "https://shop.test/lamp"].map((url) => ({
      method: "GET",
      url,
      status,
      headers: { "content-type": "application/json", ...headers },
      bytes: new TextEncoder().encode(body),
    })),
  })

const checked = (answers: Answers, request: Partial<CheckRequest> = {}, own?: Probe) =>
  runCheck(
    { slug: "shop-scraper", ...request },
    {
      environment: world(answers),
      scraper: (slug) => scrapers.find((one) => one.slug === slug),
      probe: (slug) => own ?? scrapers.find((one) => one.slug === slug)?.probe,
      driftFolder,
      signal: new AbortController().signal,
    },
  )
const found = async (...provided: Parameters<typeof checked>) =>
  (await checked(...provided)).finding

const good = JSON.stringify({ title: "lamp", price: 5 })

describe("a check", () => {
  test("works, by the fetch method that was needed", async () => {
    expect(await found({ body: good })).toMatchObject({ verdict: "works", fetchMethod: "http" })
  })

  test("is broken by the name of a missing field, and of a wrong one", async () => {
    const renamed = await found({ body: good.replace("title", "name") })
    expect(renamed).toMatchObject({ verdict: "broken", fields: ["title"] })
    expect(renamed.reason).toContain("no title")
    const lost = await found({ body: good.replace("price", "cost") })
    expect(lost).toMatchObject({ verdict: "broken", fields: ["price"] })
  })

  test("is degraded by the name of a field of an optional expectation", async () => {
    expect(await found({ body: good.replace("lamp", "chair") })).toMatchObject({
      verdict: "degraded",
      fields: ["title"],
    })
  })

  test("is blocked by a challenge, with its vendor and what could be set up", async () => {
    const headers = { "content-type": "text/html" }
    expect(await found({ body: breakages.challenge(), headers })).toMatchObject({
      verdict: "blocked",
      vendor: "Cloudflare",
      needs: ["unlocker"],
    })
    // Each fetch method is checked separately.
    expect(await found({ body: good }, { fetchMethod: "http" })).toMatchObject({
      fetchMethod: "http",
    })
    expect((await found({ body: good }, { fetchMethod: "unlocker" })).verdict).toBe("needs")
    expect(
      (await found({ body: good }, { slug: "detail-scraper", fetchMethod: "browser" })).reason,
    ).toBe("Its fetch methods are http, browser-http.")
  })

  test("is blocked by the challenge in an error item of the scraper", async () => {
    const parts = { slug: "parts-scraper" }
    const headers = { "content-type": "text/html" }
    expect(await found({ body: breakages.challenge(), headers }, parts)).toMatchObject({
      verdict: "blocked",
      vendor: "Cloudflare",
    })
  })

  test("does not report a fetch method that was not needed", async () => {
    const api = { slug: "api-scraper" }
    expect((await found({ body: good }, api)).verdict).toBe("works")
    expect(await found({ body: good }, { ...api, fetchMethod: "browser" })).toMatchObject({
      verdict: "unknown",
      fetchMethod: "browser",
      reason: "The fetch method was not needed: http returned all fields.",
    })
  })

  test("names an outdated site constant", async () => {
    const { verdict, reason } = await found({ body: `{"error":"no such query"}` })
    expect(verdict).toBe("broken")
    expect(reason).toContain(
      'outdated_site_constant: The shop refuses. "queryId" of the table "shop"',
    )
  })

  test("reports nothing if the target is gone, or nothing answers", async () => {
    expect((await found({ body: "{}", status: 404 })).verdict).toBe("target_gone")
    expect((await found({ body: "{}", status: 500 })).verdict).toBe("unknown")
  })

  test("reads its target from another probe's items", async () => {
    const detail = { slug: "detail-scraper" }
    expect((await found({ body: good }, detail)).verdict).toBe("works")
    expect(await found({ body: "{}", status: 404 }, detail)).toMatchObject({
      verdict: "unknown",
      reason: expect.stringContaining("Its input comes from shop-scraper, which returned none"),
    })
  })
})

describe("the responses of a broken probe", () => {
  const broken = {
    body: `{"name": "lamp", "seen": "0123456789abcdef0123", "by": "session-of-the-operator"}`,
    headers: { "set-cookie": ["sid=0123456789abcdef0123; Path=/", "a=1"] },
  }

  test("are a case that can be replayed, without secrets and cookies", async () => {
    const { stored } = await checked(broken)
    const recorded = readCase(stored!)
    expect(recorded).toMatchObject({ slug: "shop-scraper", input: { ids: ["1"] } })
    expect(recorded.expect).toEqual([
      { path: "items.length", equals: 1 },
      { path: "items[0].price", gte: 1 },
    ])
    const all = readdirSync(stored!).map((name) => readFileSync(join(stored!, name), "utf8"))
    expect(all.join("\n")).not.toContain("0123456789abcdef0123")
    expect(all.join("\n")).not.toContain("session-of-the-operator")
    const again = await runCheck(
      { slug: "shop-scraper" },
      {
        environment: replayEnvironment(recorded),
        scraper: () => scrapers[0],
        probe: () => scrapers[0]!.probe,
        signal: new AbortController().signal,
      },
    )
    expect(again).toMatchObject({ finding: { verdict: "broken", fields: ["title"] }, stored: null })
  })

  test("asserts the error items of a probe that works", async () => {
    const own = { input: { ids: ["1", "2"] }, expect: ["items.length gte 1"] }
    const { stored } = await runCheck(
      { slug: "shop-scraper" },
      {
        environment: world({ body: good }),
        scraper: () => scrapers[0],
        probe: () => own,
        driftFolder: join(driftFolder, "../all"),
        keepsAll: true,
        signal: new AbortController().signal,
      },
    )
    const { expect: asserted } = readCase(stored!)
    expect(asserted[0]).toEqual({ path: "items.length", equals: 2 })
    expect(asserted.at(-1)).toEqual({ path: "items[1].error.code", equals: "connection" })
  })

  test("are stored for broken ones only, the newest of each scraper", async () => {
    const folder = join(driftFolder, "shop-scraper")
    for (let count = 0; count < 7; count++) await checked(broken)
    const stored = readdirSync(folder)
    expect(stored).toHaveLength(5)
    await checked({ body: good })
    await checked({ body: breakages.challenge(), headers: { "content-type": "text/html" } })
    expect(readdirSync(folder)).toEqual(stored)
    expect(readdirSync(driftFolder)).toEqual(["shop-scraper"])
  })

  test("are removed if the check was not finished", () => {
    const left = join(driftFolder, ".shop-scraper-1")
    mkdirSync(left)
    dropUnfinished(driftFolder)
    expect(existsSync(left)).toBe(false)
  })
})
