import { expect, test } from "bun:test"
import { playerFields } from "../../src/catalogue/youtube/video.ts"
import { readCase } from "../../src/engine/fetch/replay/case.ts"
import { ownCases, replay } from "../corpus-run.ts"

test.each([
  ["", ""],
  ["About tides", "About tides"],
  [undefined, null],
])("YouTube's description %j is %j", (shortDescription, expected) => {
  expect(playerFields({ videoDetails: { shortDescription } }).description).toBe(expected)
})

test("identifiers that arXiv does not know are named in the log", async () => {
  const { items, log } = await replay(readCase(`${ownCases}/arxiv-scraper/addresses-one-unknown`))
  expect(items.length).toBe(1)
  expect(log).toEqual(["warning: arXiv has no paper with the identifier 3102.99999."])
})
