import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { type Access, type AnyScraper, accessOf } from "../../src/catalogue/kit/index.ts"
import type { ReplayCase } from "../../src/engine/replay/case.ts"
import { casesUnder, corpus, ownCases, replay } from "../corpus-run.ts"

/** By a case of this way, or else by one whose answers come by it, and no other way is there. */
describe("each way in that a scraper names gives items", () => {
  for (const scraper of catalogue) {
    for (const way of accessOf(scraper)) {
      if (way === "http") continue
      test(`${scraper.slug} by ${way}`, async () => {
        expect(await caseBy(scraper, way)).toBeString()
      })
    }
  }
})

/** The name of the first case that gives an item by this way. */
async function caseBy(scraper: AnyScraper, way: Access): Promise<string | undefined> {
  for (const recorded of [ownCases, corpus].flatMap((root) => casesUnder(root, scraper.slug))) {
    for (const play of playsBy(recorded, way)) {
      if (await givesBy(play, way)) return recorded.case
    }
  }
  return undefined
}

interface Play {
  recorded: ReplayCase
  onlyWay?: Access
}

/** The case as it is, where it has answers of this way; else with its answers as those of this way. */
function playsBy(recorded: ReplayCase, way: Access): Play[] {
  const { exchanges } = recorded
  if (exchanges.some(({ via }) => via === way)) {
    return [{ recorded }, { recorded, onlyWay: way }]
  }
  // What is asked beside pages, an API, goes by plain requests whatever the way.
  const moved = [...exchanges, ...exchanges.map((one) => ({ ...one, via: way }))]
  return [{ recorded: { ...recorded, exchanges: moved }, onlyWay: way }]
}

async function givesBy({ recorded, onlyWay }: Play, wanted: Access): Promise<boolean> {
  let isGood = false
  const counter = {
    item() {},
    target: ({ good, way }: { good: number; way: Access }) => {
      isGood ||= good > 0 && way === wanted
    },
  }
  await replay(recorded, { tally: { of: () => counter }, ...(onlyWay && { onlyWay }) })
  return isGood
}
