import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { catalogue } from "../../../src/catalogue/index.ts"
import {
  type AnyScraper,
  defineScraper,
  inputObject,
  itemObject,
} from "../../../src/catalogue/kit/index.ts"
import { root, TestApp } from "../app.ts"

let fetches = 0

/** Counts its runs, and how often its memory was read. */
const counting = {
  name: "Counting",
  tagline: "Counts",
  category: "data",
  tier: "free",
  input: inputObject({
    urls: Type.Array(Type.String(), { minItems: 1, maxItems: 5 }),
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
  item: itemObject({ fetch: Type.Integer(), checks: Type.Integer() }),
  example: { urls: ["https://example.com"] as string[] },
  targets: (input: { urls: string[] }) => input.urls,
} as const

const check = defineScraper({
  ...counting,
  slug: "counting-monitor",
  isCheck: true,
  async *scrape(target, ctx) {
    const checks = ((await ctx.memory.get<number>(target)) ?? 0) + 1
    yield { fetch: ++fetches, checks }
    await ctx.memory.set(target, checks)
  },
}) as AnyScraper

const page = defineScraper({
  ...counting,
  slug: "counting-scraper",
  async *scrape() {
    yield { fetch: ++fetches, checks: 0 }
  },
}) as AnyScraper

let app: TestApp
beforeAll(async () => {
  app = await TestApp.open({ freeDaily: 1000, trustProxy: ["127.0.0.1"], baseUrl: root }, [
    check,
    page,
  ])
})
afterAll(() => app.close())

const from = (address: string) => ({ headers: { "x-forwarded-for": address } })

async function ask(slug: string, query: string, address = "192.0.2.1") {
  const { body } = await app.get(`/api/scrape/${slug}?${query}`, from(address))
  expect(body.status).toBe("SUCCEEDED")
  return body
}

describe("a check of an anonymous caller", () => {
  test("compares with what the same agent saw, not with what others saw", async () => {
    const url = "urls=https://shop.test/a"
    const first = await ask(check.slug, url)
    expect(first.items[0].checks).toBe(1)
    const agent = `&agentId=${first.agentId}`
    expect((await ask(check.slug, url + agent)).items[0].checks).toBe(2)
    // The agent's ID is its own at any address.
    expect((await ask(check.slug, url + agent, "192.0.2.2")).items[0].checks).toBe(3)
    expect((await ask(check.slug, url)).items[0].checks).toBe(1)
  })

  test("with an ID that anyone could choose, compares per IP address", async () => {
    const url = "urls=https://shop.test/b&agentId=mine"
    expect((await ask(check.slug, url)).items[0].checks).toBe(1)
    expect((await ask(check.slug, url)).items[0].checks).toBe(2)
    expect((await ask(check.slug, url, "192.0.2.2")).items[0].checks).toBe(1)
  })

  test("is never answered from a cache, however old a response may be", async () => {
    const url = "urls=https://shop.test/c&maxAge=86400"
    const answers = [await ask(check.slug, url), await ask(check.slug, url)]
    expect(new Set(answers.map(({ items }) => items[0].fetch)).size).toBe(2)
    expect(answers.map(({ cached }) => cached)).toEqual([undefined, undefined])
  })

  test("is forgotten if its agent stays away", async () => {
    const { agentId } = await ask(check.slug, "urls=https://shop.test/d")
    await app.purge(new Date(Date.now() + 91 * 86_400_000))
    const again = await ask(check.slug, `urls=https://shop.test/d&agentId=${agentId}`)
    expect(again.items[0].checks).toBe(1)
  })

  test("is what every scraper with a watch does", () => {
    const checks = catalogue.filter(({ isCheck }) => isCheck).map(({ slug }) => slug)
    expect(checks.toSorted()).toEqual([
      "broken-link-checker",
      "certificate-expiry-monitor",
      "keyword-monitor",
      "page-change-monitor",
      "price-monitor",
      "redirect-tracker-scraper",
      "ssl-cert-scraper",
      "uptime-checker",
    ])
    const named = catalogue.filter(({ slug }) => /monitor|uptime|checker|cert/.test(slug))
    expect(named.filter(({ isCheck }) => !isCheck).map(({ slug }) => slug)).toEqual([])
  })
})

describe("a response of an identical call", () => {
  test("is marked with its age and costs nothing", async () => {
    const url = "urls=https://page.test/a"
    const first = await ask(page.slug, url, "198.51.100.1")
    expect([first.cached, first.age]).toEqual([undefined, undefined])
    const second = await ask(page.slug, url, "198.51.100.2")
    expect(second).toMatchObject({ cached: true, items: first.items, free: { used: 0 } })
    expect(second.age).toBeWithin(0, 60)
  })

  test("is fetched again with maxAge=0", async () => {
    const url = "urls=https://page.test/b"
    const first = await ask(page.slug, url)
    const second = await ask(page.slug, `${url}&maxAge=0`)
    expect(second.cached).toBeUndefined()
    expect(second.items[0].fetch).toBeGreaterThan(first.items[0].fetch)
    const { body } = await app.post("/api/agent/scrape", {
      body: { scraper: page.slug, input: { urls: ["https://page.test/b"] }, maxAge: 0 },
    })
    expect([body.status, body.cached]).toEqual(["SUCCEEDED", undefined])
  })

  test.each([
    ["headers", { headers: { Authorization: "Bearer one" } }],
    ["a token in a URL", { urls: ["https://page.test/?access_token=one"] }],
    ["a signature in a URL", { urls: ["https://page.test/f?X-Amz-Signature=one"] }],
  ])("is not shared between callers if their input has %s", async (_, own) => {
    const input = { urls: ["https://page.test/own"], ...own }
    const query = `input=${encodeURIComponent(JSON.stringify(input))}`
    const first = await ask(page.slug, `${query}&agentId=three`)
    expect((await ask(page.slug, `${query}&agentId=four`)).cached).toBeUndefined()
    expect(await ask(page.slug, `${query}&agentId=three`)).toMatchObject({
      cached: true,
      items: first.items,
    })
  })

  test("is not shared between callers if their input has a password", async () => {
    const url = `urls=${encodeURIComponent("https://me:secret@page.test/")}`
    const first = await ask(page.slug, `${url}&agentId=one`)
    expect((await ask(page.slug, `${url}&agentId=two`)).cached).toBeUndefined()
    expect(await ask(page.slug, `${url}&agentId=one`)).toMatchObject({
      cached: true,
      items: first.items,
    })
  })

  test("has a maximum age that is a number of seconds", async () => {
    for (const maxAge of ["-1", "soon", "86401", "1.5"]) {
      const { body } = await app.get(`/api/scrape/${page.slug}?urls=x&maxAge=${maxAge}`)
      expect(body).toMatchObject({
        status: "INVALID_INPUT",
        error: { details: [{ field: "maxAge", expected: "an integer from 0 to 86400" }] },
      })
    }
  })
})

describe("the claim of a used-up quota", () => {
  test("is the same for an agent as long as it is open", async () => {
    const own = await TestApp.open({ freeDaily: 1 }, [check, page])
    const url = `/api/scrape/${check.slug}?urls=https://shop.test/x`
    const { agentId } = (await own.get(url)).body
    const links = async (id: string) => {
      const { body } = await own.get(`${url}&agentId=${id}`)
      expect(body.status).toBe("PAYMENT_REQUIRED")
      return [body.claimUrl, body.claimStatusUrl]
    }
    const first = await links(agentId)
    expect(await links(agentId)).toEqual(first)
    // Another client may choose the same name, and must not be able to fetch the key.
    const chosen = [await links("mine"), await links("mine")]
    expect(new Set([...first, ...chosen.flat()]).size).toBe(6)
    const claim = new URL(first[0]!).searchParams.get("claim")!
    await own.service.claims.refuse(claim, new Date())
    expect(await links(agentId)).not.toEqual(first)
    await own.close()
  })
})

test("the sign-up page promises the credits that this sign-up gets", async () => {
  const own = await TestApp.open({ signupsDaily: 5, signupCredits: 200 }, [page])
  const promised = async () => /has (\d+) free credits/.exec((await own.get("/signup")).text)?.[1]
  expect(await promised()).toBe("200")
  const address = own.service.address({ request: new Request("http://trawl.test/") } as never)
  await own.service.signUps.take(address, new Date())
  expect(await promised()).toBe("50")
  await own.close()
})
