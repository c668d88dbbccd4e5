import { expect, setDefaultTimeout, test } from "bun:test"
import { basename, join } from "node:path"
import { catalogue } from "../../src/catalogue/index.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"
import { isRunningAll } from "../samples.ts"
import { issueOf } from "./growth.ts"
import { ownPage, readOwnPage, withHostile, withRuns } from "./own-page.ts"
import { hostilePages } from "./pages.ts"

setDefaultTimeout(120_000)

/**
 * The hostile part is inside the site's own page, so that its scraper reads it. Each scraper gets
 * one kind; `bun run bench hostile` tests all. `bun run verify` tests a sixth of the scrapers.
 */
const kinds = Object.keys(hostilePages)
const runs = ["&nbsp;", "0", "0,", "0.", "(", "&lt;", "/", "-", "a.", "@", ": ", "[", "A ", "|"]

/** Pairs that once took quadratic time or worse. */
const mended: Record<string, { kinds?: string[]; runs?: string[]; part?: string }> = {
  "bbb-business-scraper": {
    kinds: ["digits", "sup"],
    runs: ["0"],
    part: "<div class=bpr-details-dl-data><dt>Note:</dt><dd>x</dd></div>",
  },
  "github-trending-scraper": { runs: ["0"] },
  "ebay-product-scraper": { runs: ["0", "&nbsp;"] },
  "amazon-product-scraper": { runs: ["0,", "("] },
}

const small = { elements: 1_500, signs: 4_000 }

/** linear.test.ts tests these with pages that are hostile as a whole. */
const web = join(import.meta.dir, "../../src/catalogue/web")
const ofAnySite = new Set(
  [...new Bun.Glob("**/*.ts").scanSync(web)].map((path) => basename(path, ".ts")),
)

let read = 0
for (const [index, { slug }] of catalogue.entries()) {
  if (ofAnySite.has(slug)) continue
  if (!isRunningAll && index % 6 > 0 && !mended[slug]) continue
  test(`${slug}: hostile content in a page of its site takes time by its size`, async () => {
    const page = await ownPage(casesUnder(ownCases, slug))
    if (!page) return
    read++
    const issue = (write: (times: number) => string) =>
      issueOf(async (times) => (await readOwnPage(page, write(times))).cpuMs)
    for (const kind of [kinds[index % kinds.length]!, ...(mended[slug]?.kinds ?? [])]) {
      const found = await issue((times) =>
        withHostile(page.text, hostilePages[kind]!, small.elements * times, (index % 10) / 10),
      )
      expect(found, kind).toBeNull()
    }
    const { part } = mended[slug] ?? {}
    if (part) {
      const write = (count: number) => part.repeat(count)
      const found = await issue((times) => withHostile(page.text, write, 2_500 * times, 0.9))
      expect(found, part).toBeNull()
    }
    for (const run of [runs[index % runs.length]!, ...(mended[slug]?.runs ?? [])]) {
      const found = await issue((times) => withRuns(page.text, run, small.signs * times))
      expect(found, `a run of ${run}`).toBeNull()
    }
  })
}

test("most scrapers of a site have a page of it among their cases", () => {
  expect(read).toBeGreaterThan(isRunningAll ? 60 : 10)
})
