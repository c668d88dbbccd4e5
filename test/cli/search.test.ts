import { afterAll, expect, test } from "bun:test"
import { Installation } from "../api/process.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"

const recorded = (slug: string, name: string) =>
  casesUnder(ownCases, slug).find((one) => one.case === name)!.folder

/** DuckDuckGo has a recording for "tides"; Bing has none. */
const installation = new Installation({
  TRAWL_REPLAY: [
    recorded("duckduckgo-search-scraper", "html-challenged-lite-answers"),
    recorded("bing-search-scraper", "page-in-place-of-feed"),
  ].join(","),
  TRAWL_RATE_LIMIT: "0",
})
afterAll(() => installation.remove())

test("trawl search prints numbered sources, and the engine that failed", async () => {
  const { code, stdout, stderr } = await installation.run("search", "tides", "--limit", "3")
  expect(code).toBe(0)
  expect(stdout).toStartWith("[1] ")
  expect(stdout).toContain("Why the sea rises.")
  expect(stderr).toContain("bing failed: ")
}, 180_000)

test("trawl search --json prints items and engines", async () => {
  const { code, stdout } = await installation.run("search", "tides", "--json")
  const { items, engines } = JSON.parse(stdout)
  expect(code).toBe(0)
  expect(items[0]).toMatchObject({ source: 1, engines: ["duckduckgo"] })
  expect(engines).toMatchObject([{ engine: "duckduckgo" }, { engine: "bing", results: 0 }])
}, 180_000)

test("trawl search fails if all engines fail, and names wrong options", async () => {
  const failed = await installation.run("search", "unrecorded words")
  expect([failed.code, failed.stdout]).toEqual([1, ""])
  expect(failed.stderr).toContain("No search engine returned results.")
  const wrong = await installation.run("search", "x", "--engines", "altavista")
  expect(wrong.code).toBe(2)
  expect(wrong.stderr).toContain('There is no engine "altavista"')
  expect((await installation.run("search", "x", "--limit", "0")).code).toBe(2)
}, 180_000)

test("trawl search --remote searches on a server", async () => {
  const service = await installation.serve()
  try {
    const { stdout } = await installation.run("account", "create", "op@example.com", "--owner")
    const key = /trawl_\w+/.exec(stdout)![0]
    const there = ["search", "tides", "--remote", service.root, "--key", key]
    const found = await installation.run(...there)
    expect(found.code).toBe(0)
    expect(found.stdout).toContain("Why the sea rises.")
    const refused = await installation.run(...there, "--country", "xx", "--time-range", "day")
    expect(refused.code).not.toBe(0)
  } finally {
    await service.end()
  }
}, 180_000)
