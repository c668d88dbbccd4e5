import { expect, setDefaultTimeout, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"
import { isRunningAll } from "../samples.ts"
import { issueOf } from "./growth.ts"
import {
  hostileAnswers,
  ownResponse,
  readOwnResponse,
  runs,
  withLongTexts,
} from "./own-response.ts"

setDefaultTimeout(120_000)

/**
 * Hostile JSON from a site whose responses a scraper reads. Each scraper gets the deep ones, two of
 * the others, and long texts of one sign; `bun run bench hostile --in=answer` tests all. `bun run
 * verify` tests a sixth of the scrapers.
 */
const small = { entries: 20_000, signs: 4_000 }

/** Pairs that once took quadratic time. */
const mended: Record<string, string[]> = {
  "npm-package-scraper": ["(", "<"],
  "sec-filings-scraper": [" "],
}

const deep = ["lists in lists", "deep values"]
const kinds = Object.keys(hostileAnswers).filter((kind) => !deep.includes(kind))

let read = 0
for (const [index, { slug }] of catalogue.entries()) {
  if (!isRunningAll && index % 6 > 0 && !mended[slug]) continue
  test(`${slug}: a hostile response is reported, and takes time by its size`, async () => {
    const response = await ownResponse(casesUnder(ownCases, slug))
    if (!response) return
    read++
    const own = [kinds[index % kinds.length]!, kinds[(index + 5) % kinds.length]!]
    for (const kind of [...deep, ...own]) {
      const text = hostileAnswers[kind]!(response.text, small.entries)
      const { items, error } = await readOwnResponse(response, text)
      for (const issue of [error, ...items.map((item) => item.error as typeof error)]) {
        if (!issue) continue
        expect(issue.code, kind).toMatch(/^[a-z_]+$/)
        expect(issue.message, kind).not.toMatch(/^$|call stack/)
      }
    }
    for (const run of [runs[index % runs.length]!, ...(mended[slug] ?? [])]) {
      const found = await issueOf(async (times) => {
        const text = withLongTexts(response.text, run, small.signs * times)
        return (await readOwnResponse(response, text)).cpuMs
      })
      expect(found, `a run of ${run}`).toBeNull()
    }
  })
}

test("many scrapers have a JSON response among their cases", () => {
  expect(read).toBeGreaterThan(isRunningAll ? 60 : 10)
})
