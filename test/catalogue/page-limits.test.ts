import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { type AnyScraper, checkInput } from "../../src/catalogue/kit/index.ts"
import { maxPagesOf } from "../../src/catalogue/page-limits.ts"
import type { ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import { executeRun } from "../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../src/engine/runtime/run/memory-checkpoints.ts"
import { casesUnder, corpus, ownCases } from "../corpus-run.ts"

const limited = catalogue.filter(({ pages }) => pages)
/** Maximum cases of a scraper; recorded.test.ts runs all of them. */
const casesEach = 3
/** Cases whose pages were cut to a few rows. */
const cut = ["two-pages", "tag-two-pages"]

test("dozens of scrapers have a limit", () => {
  expect(limited.length).toBeGreaterThanOrEqual(41)
})

describe("no recorded run takes more pages than the limit", () => {
  const cases = limited.flatMap((scraper) =>
    [ownCases, corpus]
      .flatMap((root) => casesUnder(root, scraper.slug))
      .filter(({ folder }) => !cut.some((name) => folder.endsWith(`/${name}`)))
      .slice(0, casesEach)
      .map(
        (recorded) => [recorded.folder.split("/").slice(-2).join("/"), scraper, recorded] as const,
      ),
  )
  test.each(cases)("%s", async (_, scraper, recorded) => {
    const run = await pagesOf(scraper, recorded)
    if (run) expect(run.pages).toBeLessThanOrEqual(run.max)
  })
})

/** Returns the pages of a recorded run and their limit; undefined for an invalid input. */
async function pagesOf(scraper: AnyScraper, recorded: ReplayCase) {
  const checked = checkInput(scraper.input, recorded.input)
  const targets = checked.ok ? targetsOf(scraper, checked.input) : undefined
  if (!checked.ok || !targets) return undefined
  const checkpoint = new MemoryCheckpoints(targets, () => {}, recorded.memory)
  await executeRun({
    scraper,
    input: checked.input,
    checkpoint,
    environment: replayEnvironment(recorded),
    signal: AbortSignal.timeout(60_000),
  })
  const max = maxPagesOf(scraper, checked.input, targets.length)
  return { pages: checkpoint.progress().pageCount, max: max! }
}

function targetsOf(scraper: AnyScraper, input: Record<string, unknown>) {
  try {
    return scraper.targets(input)
  } catch {
    return undefined
  }
}
