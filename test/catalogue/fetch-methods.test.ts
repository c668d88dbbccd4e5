import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { type AnyScraper, type FetchMethod, fetchMethodsOf } from "../../src/catalogue/kit/index.ts"
import type { ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { casesUnder, corpus, ownCases, replay } from "../corpus-run.ts"

/**
 * Runs a case of this fetch method, or else one whose responses are attributed to it, with no other
 * method allowed.
 */
describe("each fetch method that a scraper names returns items", () => {
  for (const scraper of catalogue) {
    for (const fetchMethod of fetchMethodsOf(scraper)) {
      if (fetchMethod === "http") continue
      test(`${scraper.slug} by ${fetchMethod}`, async () => {
        expect(await caseBy(scraper, fetchMethod)).toBeString()
      })
    }
  }
})

/** Returns the name of the first case that yields an item by this fetch method. */
async function caseBy(scraper: AnyScraper, fetchMethod: FetchMethod): Promise<string | undefined> {
  for (const recorded of [ownCases, corpus].flatMap((root) => casesUnder(root, scraper.slug))) {
    for (const play of playsBy(recorded, fetchMethod)) {
      if (await givesBy(play, fetchMethod)) return recorded.case
    }
  }
  return undefined
}

interface Play {
  recorded: ReplayCase
  onlyMethod?: FetchMethod
}

/**
 * Returns the case unchanged if it has responses of this fetch method; else with its responses
 * attributed to it.
 */
function playsBy(recorded: ReplayCase, fetchMethod: FetchMethod): Play[] {
  const { exchanges } = recorded
  if (exchanges.some(({ via }) => via === fetchMethod)) {
    return [{ recorded }, { recorded, onlyMethod: fetchMethod }]
  }
  // Requests of an API next to the pages are plain HTTP with every fetch method.
  const moved = [...exchanges, ...exchanges.map((one) => ({ ...one, via: fetchMethod }))]
  return [{ recorded: { ...recorded, exchanges: moved }, onlyMethod: fetchMethod }]
}

async function givesBy({ recorded, onlyMethod }: Play, wanted: FetchMethod): Promise<boolean> {
  let isGood = false
  const counter = {
    item() {},
    target: ({ good, fetchMethod }: { good: number; fetchMethod: FetchMethod }) => {
      isGood ||= good > 0 && fetchMethod === wanted
    },
  }
  await replay(recorded, { counts: { of: () => counter }, ...(onlyMethod && { onlyMethod }) })
  return isGood
}
