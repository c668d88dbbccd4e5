import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import { hasQualityPages, ownPages, pageSets, pagesOf, qualityFolder } from "../quality/pages.ts"
import { wordsOnlyOfTurndown } from "../second-opinion.ts"

function lostIn(folder: string, every?: number): string[] {
  const pages = [...pagesOf(folder, every)]
  expect(pages).not.toBeEmpty()
  return pages.flatMap((page) => {
    const words = wordsOnlyOfTurndown(page)
    return words.length > 0 ? [`${page.name}: ${words.slice(0, 10).join(" ")}`] : []
  })
}

describe("every word that Turndown returns for a page's main content is in Trawl's Markdown", () => {
  for (const set of ["articles", "segments", "products"]) {
    test(`own ${set}`, () => expect(lostIn(join(ownPages, set))).toEqual([]), 60_000)
  }
})

/** A sample; `bun run quality` checks all pages. */
const every = 50

describe.if(hasQualityPages("the words of Markdown"))("and of real pages", () => {
  for (const set of pageSets) {
    test(set, () => expect(lostIn(join(qualityFolder, set), every)).toEqual([]), 120_000)
  }
})
