import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { unnoticed } from "../broken.ts"
import { casesUnder, firstFailure, ownCases } from "../corpus-run.ts"
import { endOf } from "../ends.ts"
import { harmed } from "../harmless.ts"
import { isRunningAll } from "../samples.ts"

const normal = "One of its cases has a target that gives an item."
const failing = "One of its cases has a target that fails, such as one that does not exist."
const asserting =
  "A case asserts at least three things of its items: their number, and main fields of the first and the last."

const casesOf = new Map(catalogue.map(({ slug }) => [slug, casesUnder(ownCases, slug)]))

/**
 * Scrapers whose times have whole seconds, as their first recorded cases require. All others have
 * milliseconds.
 */
const wholeSeconds = new Set([
  "app-store-reviews-scraper",
  "app-store-scraper",
  "bing-news-scraper",
  "duckduckgo-search-scraper",
  "google-news-scraper",
  "google-play-reviews-scraper",
  "google-trends-scraper",
  "redfin-listings-scraper",
  "youtube-video-metadata",
])

/** Fields that repeat the page's content in its own form. */
const quoted =
  /^(?:meta-tags-scraper (?:article|metaByName|metaTags)|opengraph-scraper raw|schema-org-scraper data)\b/

const milliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const seconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

function* timesIn(value: unknown, path: string): Generator<[path: string, time: string]> {
  if (typeof value === "string") {
    if (value.length < 40 && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value)) yield [path, value]
    return
  }
  if (typeof value !== "object" || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    yield* timesIn(inner, Array.isArray(value) ? path : `${path}.${name}`)
  }
}

/** The hand-written example exchanges; recorded.test.ts runs the recorded ones. */
describe("each scraper reads its example exchange", () => {
  for (const scraper of catalogue) {
    const cases = casesOf.get(scraper.slug)!
    test(`${scraper.slug} has a normal and a failing target`, async () => {
      const ended = await Promise.all(cases.map(endOf))
      const items = ended.flatMap((end) => end.items)
      expect(
        items.some((item) => !isErrorItem(item)),
        normal,
      ).toBe(true)
      expect(items.some(isErrorItem), failing).toBe(true)
    })
    for (const one of cases) {
      test(`${scraper.slug}/${one.case}`, async () => {
        expect(one.expect.length, asserting).toBeGreaterThan(2)
        expect(await firstFailure(one, endOf(one))).toBeUndefined()
      })
    }
  }
})

/**
 * One change of the first case; `--all` tests one of each case, and `bun run corpus <slug>
 * --harmless` tries all of them.
 */
describe("each scraper reads the same from pages with other markup", () => {
  for (const scraper of catalogue) {
    const cases = casesOf.get(scraper.slug)!
    for (const one of isRunningAll ? cases : cases.slice(0, 1)) {
      test(`${scraper.slug}/${one.case}`, async () => {
        expect(await harmed(one, { most: 1 })).toBeUndefined()
      })
    }
  }
})

describe("each scraper notices a broken response of any kind", () => {
  for (const scraper of catalogue) {
    for (const one of casesOf.get(scraper.slug)!) {
      test(`${scraper.slug}/${one.case}`, async () => {
        expect(await unnoticed(one, endOf(one))).toBeUndefined()
      })
    }
  }
})

test("all times of a scraper have one precision, in UTC", async () => {
  const odd: string[] = []
  let times = 0
  for (const recorded of casesUnder(ownCases)) {
    const form = wholeSeconds.has(recorded.slug) ? seconds : milliseconds
    const { items } = await endOf(recorded)
    for (const item of items.filter((item) => !isErrorItem(item))) {
      for (const [path, time] of timesIn(item, "")) {
        const field = `${recorded.slug} ${path.slice(1)}`
        if (quoted.test(field)) continue
        times++
        if (!form.test(time)) odd.push(`${recorded.slug}/${recorded.case} ${field}: ${time}`)
      }
    }
  }
  expect(odd).toEqual([])
  expect(times).toBeGreaterThan(800)
}, 120_000)
