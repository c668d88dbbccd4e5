import { describe, expect, test } from "bun:test"
import { existsSync } from "node:fs"
import { provenAt } from "../../scripts/list-proven.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { proven } from "../../src/catalogue/proven.ts"
import type { ReplayCase } from "../../src/engine/replay/case.ts"
import { casesUnder, corpus, firstFailure, type ReplayResult, replay } from "../corpus-run.ts"

/** How each case ended, by its folder: it is run once for all that is asked of it. */
const ends = new Map<string, Promise<ReplayResult>>()
function endOf(one: ReplayCase): Promise<ReplayResult> {
  const end = ends.get(one.folder) ?? replay(one)
  ends.set(one.folder, end)
  return end
}

/** Those that lie beside the project; its own are run by cases.test.ts. */
describe.skipIf(!existsSync(corpus))("the recorded cases", () => {
  for (const { slug } of catalogue) {
    for (const one of casesUnder(corpus, slug)) {
      test(`${slug}/${one.case}`, async () => {
        expect(await firstFailure(one, endOf(one))).toBeUndefined()
      })
    }
  }

  test("the table of what is proven is what they give", async () => {
    const found: Record<string, string | null> = {}
    for (const { slug } of catalogue) {
      const at = await provenAt(slug, endOf)
      if (at !== null) found[slug] = at || null
    }
    expect(found).toEqual({ ...proven })
  })
})
