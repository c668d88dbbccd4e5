import { expect, test } from "bun:test"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { casesUnder, ownCases, replay } from "../corpus-run.ts"

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

/** Fields that repeat what a page says, in its own form. */
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

test("all times of a scraper have one precision, in UTC", async () => {
  const odd: string[] = []
  let times = 0
  for (const recorded of casesUnder(ownCases)) {
    const form = wholeSeconds.has(recorded.slug) ? seconds : milliseconds
    const { items } = await replay(recorded)
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
