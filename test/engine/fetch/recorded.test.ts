import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Context } from "../../../src/catalogue/kit/index.ts"
import type { Environment } from "../../../src/engine/fetch/environment.ts"
import { readCase } from "../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../src/engine/fetch/replay/environment.ts"
import { recordEnvironment } from "../../../src/engine/fetch/replay/recording.ts"
import { challenges, page } from "../net/http/challenge-pages.ts"
import { scraped, worldOf } from "./world.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-escalated-"))
afterAll(() => rmSync(folder, { recursive: true }))

const challenge = challenges[0]![2]

async function* pages(_target: string, ctx: Context) {
  for (const number of [1, 2, 3]) {
    const response = await ctx.page(`https://site.test/${number}`, { has: "li", what: "things" })
    yield { via: `${response.via} ${response.document.querySelector("li")!.textContent}` }
  }
}

/** The second page returns a challenge to plain HTTP, and to Chrome unless that passes. */
const live = (chromeGetsThrough: boolean) =>
  worldOf((url, via) => {
    const isChallenged = via === "http" || (via === "browser" && !chromeGetsThrough)
    if (url.pathname === "/2" && isChallenged) return challenge
    return { html: page("Things", `<ul><li>${via}${url.pathname}</li></ul>`) }
  })

test.each([
  [true, ["http http/1", "browser browser/2", "browser browser/3"]],
  [false, ["http http/1", "unlocker unlocker/2", "unlocker unlocker/3"]],
])(
  "a recorded escalation is replayed by its fetch methods (Chrome gets through: %p)",
  async (chrome, expected) => {
    const path = join(folder, String(chrome))
    const world = live(chrome)
    const recording = recordEnvironment(world.environment, path, { slug: "x", input: {} })
    const run = (environment: Environment) => scraped({ ...world, environment }, pages)
    expect((await run(recording.environment)).via).toEqual(expected)
    await recording.save()
    const recorded = readCase(path)
    // The third page was requested only with the fetch method that was known by then.
    const third = recorded.exchanges.filter(({ url }) => url.endsWith("/3"))
    expect(third.map(({ via }) => via)).toEqual([chrome ? "browser" : "unlocker"])
    expect((await run(replayEnvironment(recorded))).via).toEqual(expected)
  },
)

test("Chrome's connection gets through if it is a fetch method, is recorded, and skipped for app shells", async () => {
  const fetchMethods = ["http", "browser-http", "browser"] as const
  const path = join(folder, "browser-http")
  const shell = '<div id="root"></div><script src="/app.js"></script>'
  const world = worldOf(
    (url, via) => {
      if (url.pathname === "/1" && via === "http") return challenge
      if (url.pathname === "/2" && via !== "browser") return { html: shell }
      return { html: page("Things", `<ul><li>${via}${url.pathname}</li></ul>`) }
    },
    { chromeNet: true },
  )
  async function* scrape(target: string, ctx: Context) {
    const response = await ctx.page(target, { has: "li", what: "things" })
    yield { via: response.document.querySelector("li")!.textContent! }
  }
  const targets = ["https://one.test/1", "https://two.test/2"]
  const expected = ["browser-http/1", "browser/2"]
  const recording = recordEnvironment(world.environment, path, { slug: "x", input: {} })
  const run = (environment: Environment) =>
    scraped({ ...world, environment }, scrape, { fetchMethods, targets })
  const first = await run(recording.environment)
  expect(first.via).toEqual(expected)
  expect(first.requested).toEqual(["http /1", "browser-http /1", "http /2", "browser /2"])
  await recording.save()
  expect((await run(replayEnvironment(readCase(path)))).via).toEqual(expected)
})
