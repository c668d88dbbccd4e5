import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import {
  hasQualityPages,
  lostInMarkdown,
  pageSets,
  pagesOf,
  qualityFolder,
} from "../../quality/pages.ts"

/** A sample; `bun run quality` checks all pages. */
const every = 50

describe.if(hasQualityPages("Markdown"))(
  "the text of Markdown rendered again is that of the page",
  () => {
    for (const set of pageSets) {
      test(set, () => {
        const bad: string[] = []
        for (const page of pagesOf(join(qualityFolder, set), every)) {
          for (const part of lostInMarkdown(page)) bad.push(`${page.name}: ${part}`)
        }
        expect(bad).toEqual([])
      }, 120_000)
    }
  },
)
