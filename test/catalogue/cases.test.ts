import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { unnoticed } from "../broken.ts"
import { casesUnder, firstFailure, ownCases } from "../corpus-run.ts"
import { endOf } from "../ends.ts"
import { harmed } from "../harmless.ts"

const normal = "One of its cases has a target that gives an item."
const failing = "One of its cases has a target that fails, such as one that does not exist."
const asserting =
  "A case asserts at least three things of its items: their number, and main fields of the first and the last."

const casesOf = new Map(catalogue.map(({ slug }) => [slug, casesUnder(ownCases, slug)]))

/** The written example exchanges; the recorded ones are run by recorded.test.ts. */
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

/** One change a case; `bun run corpus <slug> --harmless` tries all of them. */
describe("each scraper reads the same from pages with other markup", () => {
  for (const scraper of catalogue) {
    for (const one of casesOf.get(scraper.slug)!) {
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
