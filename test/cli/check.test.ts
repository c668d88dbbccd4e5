import { expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { fetchMethodsOf } from "../../src/catalogue/kit/index.ts"
import { chosen, exitCode } from "../../src/cli/check.ts"
import { finding, type Verdict } from "../../src/store/health/verdicts.ts"

const slugs = (...provided: Parameters<typeof chosen>) =>
  chosen(...provided).map(({ slug }) => slug)

test("trawl check checks the named scrapers, a category, and a fetch method", () => {
  expect(slugs([], {})).toHaveLength(catalogue.length)
  expect(slugs(["npm-package", "arxiv"], {})).toEqual(["npm-package-scraper", "arxiv-scraper"])
  expect(slugs(["npm-package", "arxiv"], { category: "research" })).toEqual(["arxiv-scraper"])
  const byUnlocker = chosen([], { method: "unlocker" })
  expect(byUnlocker.length).toBeLessThan(catalogue.length / 2)
  expect(byUnlocker.every((scraper) => fetchMethodsOf(scraper).includes("unlocker"))).toBe(true)
})

test.each([
  [
    ["npm-package"],
    { method: "browser" },
    'npm-package-scraper has no fetch method "browser"; it has http, browser-http.',
  ],
  [["npm-package"], { category: "news" }, "None of these has the category news."],
  [
    [],
    { category: "research", method: "unlocker" },
    'None of these has the category research and has the fetch method "unlocker".',
  ],
] as const)("%j with %j is refused", (named, options, words) => {
  expect(() => chosen([...named], options)).toThrow(words)
})

test.each<[Verdict[], number]>([
  [["works", "degraded", "needs", "target_gone"], 0],
  [["works", "blocked", "broken"], 1],
  [["works", "blocked"], 3],
  [["works", "unknown"], 3],
])("%j ends with %d", (verdicts, code) => {
  expect(exitCode(verdicts.map((verdict) => ({ finding: finding(verdict) })))).toBe(code)
})
