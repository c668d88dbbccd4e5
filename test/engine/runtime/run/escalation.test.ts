import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { replayClock } from "../../../../src/base/clock.ts"
import {
  defineScraper,
  inputObject,
  itemObject,
  NotFound,
  type UpstreamResponse,
} from "../../../../src/catalogue/kit/index.ts"
import { type Environment, keylessWorld } from "../../../../src/engine/fetch/environment.ts"
import { FetchMethodMemory } from "../../../../src/engine/fetch/method-memory.ts"
import { HttpResponse } from "../../../../src/engine/net/http/response.ts"
import { executeRun } from "../../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../../src/engine/runtime/run/memory-checkpoints.ts"

const pages: Record<string, string> = {
  http: "challenge",
  browser: "challenge",
  unlocker: "challenge",
}
const requested: string[] = []

const responseBy = (via: "http" | "browser" | "unlocker", url: string) => {
  requested.push(via)
  return new HttpResponse({
    url,
    requestedUrl: url,
    status: 200,
    headers: new Headers({ "content-type": "text/html" }),
    via,
    bytes: new TextEncoder().encode(`<p>${pages[via]}</p>`),
  })
}

const transport = (via: "http" | "unlocker") => ({
  send: async ({ url }: { url: string }) => {
    const { status, headers, bytes } = responseBy(via, url)
    return { status, headers, bytes, via, firstByte: null }
  },
})

function world(parts: Partial<Environment> = {}): Environment {
  return {
    clock: replayClock(0),
    http: transport("http"),
    unlocker: transport("unlocker"),
    browser: {
      lease: (_lease, steps) =>
        steps({
          goto: async (url: string) => Object.assign(responseBy("browser", url), { captured: [] }),
        } as never),
    },
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
    ...parts,
  }
}

const isNoChallenge = (response: UpstreamResponse) => !response.text().includes("challenge")

const scraper = defineScraper({
  slug: "ladder-scraper",
  name: "Ladder",
  tagline: "Escalates when it meets a challenge",
  category: "web",
  tier: "free",
  fetchMethods: ["http", "browser", "unlocker"],
  input: inputObject({
    urls: Type.Array(Type.String()),
    useUnlocker: Type.Optional(Type.Boolean()),
  }),
  item: itemObject({ via: Type.String() }),
  example: { urls: ["https://a.test/"] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    const response = await ctx.page(url, { has: isNoChallenge, refusal: { sign: /challenge/ } })
    if (response.text().includes("gone")) throw new NotFound("Gone.")
    yield { via: response.via }
  },
})

async function run(urls: string[], environment = world(), more = {}) {
  requested.length = 0
  const log: string[] = []
  const checkpoint = new MemoryCheckpoints(urls, (line) => log.push(line.message))
  const end = await executeRun({
    scraper,
    input: { urls, ...more },
    checkpoint,
    environment: { ...environment, sequential: true },
    signal: new AbortController().signal,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of checkpoint.items()) items.push(item)
  return { end, items, log, requested: [...requested] }
}

test("a challenge leads to the next fetch method, and each escalation is in the log", async () => {
  Object.assign(pages, { http: "challenge", browser: "page", unlocker: "page" })
  const { items, log, requested } = await run(["https://a.test/"])
  expect(items).toEqual([{ via: "browser" }])
  expect(requested).toEqual(["http", "browser"])
  expect(log.join()).toContain("Retrying with browser")
})

test("a response without a challenge is returned", async () => {
  Object.assign(pages, { http: "gone", browser: "page" })
  const { items, requested } = await run(["https://a.test/"])
  expect(items[0]).toMatchObject({ error: { code: "not_found" } })
  expect(requested).toEqual(["http"])
})

test("the last method's reason is the error", async () => {
  Object.assign(pages, { http: "challenge", browser: "challenge", unlocker: "challenge" })
  const { end, items, requested } = await run(["https://a.test/"])
  expect(items[0]).toMatchObject({ error: { code: "blocked" } })
  expect(end.status).toBe("failed")
  expect(requested).toEqual(["http", "browser", "unlocker"])
})

test("fetch methods that the operator lacks are left out", async () => {
  Object.assign(pages, { http: "challenge" })
  const plain = world()
  delete plain.browser
  delete plain.unlocker
  expect((await run(["https://a.test/"], plain)).requested).toEqual(["http"])
})

test("a keyless run does not use the operator's unlocker", async () => {
  Object.assign(pages, { http: "challenge", browser: "challenge", unlocker: "page" })
  const { requested } = await run(["https://a.test/"], keylessWorld(world()))
  expect(requested).toEqual(["http", "browser"])
})

test("useUnlocker starts with the last method", async () => {
  Object.assign(pages, { unlocker: "page" })
  const { items, requested } = await run(["https://a.test/"], world(), { useUnlocker: true })
  expect(items).toEqual([{ via: "unlocker" }])
  expect(requested).toEqual(["unlocker"])
})

test("the method that worked is remembered for the host for some time", async () => {
  Object.assign(pages, { http: "challenge", browser: "page" })
  let now = 0
  const environment = world({ methods: new FetchMethodMemory(() => now) })
  const urls = ["https://a.test/1", "https://a.test/2", "https://b.test/1"]
  const { requested } = await run(urls, environment)
  expect(requested).toEqual(["http", "browser", "browser", "http", "browser"])
  now = 31 * 60_000
  expect((await run(["https://a.test/3"], environment)).requested).toEqual(["http", "browser"])
})
