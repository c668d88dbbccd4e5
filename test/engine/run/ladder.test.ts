import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import {
  type Answer,
  defineScraper,
  inputObject,
  itemObject,
  NotFound,
} from "../../../src/catalogue/kit/index.ts"
import { replayClock } from "../../../src/engine/environment/clock.ts"
import { type Environment, keylessWorld } from "../../../src/engine/environment/environment.ts"
import { WayMemory } from "../../../src/engine/fetch/way-memory.ts"
import { HttpAnswer } from "../../../src/engine/http/answer.ts"
import { executeRun } from "../../../src/engine/run/execute.ts"
import { MemoryJournal } from "../../../src/engine/run/memory-journal.ts"

const pages: Record<string, string> = { http: "wall", browser: "wall", unlocker: "wall" }
const asked: string[] = []

const answerBy = (via: "http" | "browser" | "unlocker", url: string) => {
  asked.push(via)
  return new HttpAnswer({
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
    const { status, headers, bytes } = answerBy(via, url)
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
          goto: async (url: string) => Object.assign(answerBy("browser", url), { captured: [] }),
        } as never),
    },
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: {},
    ...parts,
  }
}

const isNoWall = (answer: Answer) => !answer.text().includes("wall")

const scraper = defineScraper({
  slug: "ladder-scraper",
  name: "Ladder",
  tagline: "Climbs when it is walled off",
  category: "web",
  tier: "free",
  access: ["http", "browser", "unlocker"],
  input: inputObject({
    urls: Type.Array(Type.String()),
    useUnlocker: Type.Optional(Type.Boolean()),
  }),
  item: itemObject({ via: Type.String() }),
  example: { urls: ["https://a.test/"] },
  targets: (input) => input.urls,
  async *scrape(url, ctx) {
    const answer = await ctx.page(url, { has: isNoWall, refusal: { sign: /wall/ } })
    if (answer.text().includes("gone")) throw new NotFound("Gone.")
    yield { via: answer.via }
  },
})

async function run(urls: string[], environment = world(), more = {}) {
  asked.length = 0
  const log: string[] = []
  const journal = new MemoryJournal(urls, (line) => log.push(line.message))
  const end = await executeRun({
    scraper,
    input: { urls, ...more },
    journal,
    environment: { ...environment, sequential: true },
    signal: new AbortController().signal,
  })
  const items: Record<string, unknown>[] = []
  for await (const item of journal.items()) items.push(item)
  return { end, items, log, asked: [...asked] }
}

test("a wall leads to the next way, and each climb is in the log", async () => {
  Object.assign(pages, { http: "wall", browser: "page", unlocker: "page" })
  const { items, log, asked } = await run(["https://a.test/"])
  expect(items).toEqual([{ via: "browser" }])
  expect(asked).toEqual(["http", "browser"])
  expect(log.join()).toContain("Trying again by browser")
})

test("what is no wall stands", async () => {
  Object.assign(pages, { http: "gone", browser: "page" })
  const { items, asked } = await run(["https://a.test/"])
  expect(items[0]).toMatchObject({ error: { code: "not_found" } })
  expect(asked).toEqual(["http"])
})

test("the last way's reason is the error", async () => {
  Object.assign(pages, { http: "wall", browser: "wall", unlocker: "wall" })
  const { end, items, asked } = await run(["https://a.test/"])
  expect(items[0]).toMatchObject({ error: { code: "blocked" } })
  expect(end.status).toBe("failed")
  expect(asked).toEqual(["http", "browser", "unlocker"])
})

test("ways that the operator does not have are left out", async () => {
  Object.assign(pages, { http: "wall" })
  const bare = world()
  delete bare.browser
  delete bare.unlocker
  expect((await run(["https://a.test/"], bare)).asked).toEqual(["http"])
})

test("a keyless run goes without the operator's unlocker", async () => {
  Object.assign(pages, { http: "wall", browser: "wall", unlocker: "page" })
  const { asked } = await run(["https://a.test/"], keylessWorld(world()))
  expect(asked).toEqual(["http", "browser"])
})

test("useUnlocker starts at the last", async () => {
  Object.assign(pages, { unlocker: "page" })
  const { items, asked } = await run(["https://a.test/"], world(), { useUnlocker: true })
  expect(items).toEqual([{ via: "unlocker" }])
  expect(asked).toEqual(["unlocker"])
})

test("the way that worked is remembered for the host, for a while", async () => {
  Object.assign(pages, { http: "wall", browser: "page" })
  let now = 0
  const environment = world({ ways: new WayMemory(() => now) })
  const urls = ["https://a.test/1", "https://a.test/2", "https://b.test/1"]
  const { asked } = await run(urls, environment)
  expect(asked).toEqual(["http", "browser", "browser", "http", "browser"])
  now = 31 * 60_000
  expect((await run(["https://a.test/3"], environment)).asked).toEqual(["http", "browser"])
})
