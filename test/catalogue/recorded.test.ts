import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { TSchema } from "@sinclair/typebox"
import { proofOf, recordedAt } from "../../scripts/list-verified.ts"
import { catalogue } from "../../src/catalogue/index.ts"
import { type AnyScraper, readExpectation } from "../../src/catalogue/kit/index.ts"
import { verified } from "../../src/catalogue/verification.ts"
import type { ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { fieldsOf, hasContent } from "../../src/engine/ops/health/counters.ts"
import { unmet } from "../../src/engine/ops/health/expectations.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { casesUnder, corpus, firstFailure, ownCases } from "../corpus-run.ts"
import { endOf } from "../ends.ts"
import { harmed } from "../harmless.ts"
import { recordingsOf } from "../recordings.ts"
import { isRunningAll } from "../samples.ts"

/**
 * Fields that no case can have: Chrome creates these files from a page, and a recorded page has
 * none. test/api/files.test.ts and test/engine/files test them with a real Chrome.
 */
const unfilled: Record<string, string[]> = {
  // Discontinued.
  "crossref-scraper": ["subjects"],
  "ebay-search-scraper": ["isSponsored"],
  "url-to-markdown-scraper": ["screenshot", "pdf", "actionScreenshots", "actionResults"],
  "web-scraper": ["screenshot", "pdf"],
  "website-content-crawler": [
    ...["screenshot", "pdf", "branding", "changes", "actionScreenshots", "actionResults"],
  ],
}

/** Cases next to the project; cases.test.ts runs the project's own. */
describe.skipIf(!existsSync(corpus))("the recorded cases", () => {
  for (const [position, { slug }] of catalogue.entries()) {
    recordingsOf(slug).forEach(({ name, recorded }, index) => {
      test.skipIf(!recorded)(name, async () => {
        expect(await firstFailure(recorded!, endOf(recorded!))).toBeUndefined()
        if (!isRunningAll && (index > 0 || position % 3 > 0)) return
        expect(await harmed(recorded!, { most: 1 })).toBeUndefined()
      })
    })
  }

  test("the table of verified scrapers matches their results", async () => {
    const found: typeof verified = {}
    for (const scraper of catalogue) {
      const { at, unfilled } = await proofOf(scraper, endOf)
      if (at === null) continue
      Object.assign(found, { [scraper.slug]: { at: at || null, unfilled } })
    }
    expect(found).toEqual({ ...verified })
  })

  test("an unverified scraper was built after a source that is named with its year", () => {
    const unverified = catalogue.filter(({ slug }) => !(slug in verified))
    const sourceless = unverified.filter(({ slug }) => {
      const notes = [corpus, ownCases].flatMap((root) => casesUnder(root, slug)).map(noteOf)
      return !notes.some(
        (note) =>
          /\b20[12]\d\b/.test(note) &&
          /rebuilt|reconstructed|retyped|written|not one recording/i.test(note),
      )
    })
    expect(sourceless.map(({ slug }) => slug)).toEqual([])
  })

  test("no recording of a probe's target contradicts the probe", async () => {
    const reported: string[] = []
    const wrong: string[] = []
    for (const scraper of catalogue) {
      for (const recorded of casesUnder(corpus, scraper.slug).filter((one) => isOf(scraper, one))) {
        const good = (await endOf(recorded)).items.filter((one) => !isErrorItem(one))
        const lines = good.length > 0 ? knownOf(scraper) : []
        reported.push(...lines.map(({ line }) => line))
        wrong.push(...unmet(good, lines, 0).map(({ line }) => `${scraper.slug}: ${line}`))
      }
    }
    expect(wrong).toEqual([])
    expect(reported.length).toBeGreaterThan(50)
  })

  for (const { slug, item } of catalogue) {
    test(`${slug}: each field that it promises has a value in a case`, async () => {
      expect(await silentFields(slug, item)).toEqual(unfilled[slug] ?? [])
    })
  }

  /** The project's own cases run only if the recordings leave a field empty. */
  async function silentFields(slug: string, item: TSchema): Promise<string[]> {
    const silent = new Set(fieldsByShape(item))
    for (const one of [corpus, ownCases].flatMap((root) => casesUnder(root, slug))) {
      if (silent.size === 0) break
      for (const found of (await endOf(one)).items) {
        for (const field of silent) {
          const [type, name] = field.split(".") as [string, string]
          if ((type === "" || found.type === type) && hasContent(found[name])) silent.delete(field)
        }
      }
    }
    return [...silent].map((field) => field.replace(/^\./, ""))
  }
})

/** Returns a real recording, by the probe's fetch method, of the probe's target. */
function isOf({ probe, targets }: AnyScraper, recorded: ReplayCase): boolean {
  if (Object.keys(recorded.env).length > 0) return false
  if (recordedAt(JSON.parse(readFileSync(join(recorded.folder, "case.json"), "utf8"))) === null) {
    return false
  }
  const requested = Object.entries(probe?.input ?? {})
  if (requested.some(([, value]) => JSON.stringify(value).startsWith('["@'))) return false
  // Limits may differ, targets may not.
  const isSame = requested.every(
    ([name, value]) =>
      typeof value === "number" || Bun.deepEquals(recorded.input[name] ?? value, value),
  )
  return isSame && Bun.deepEquals(targets(probe?.input), targets(recorded.input))
}

/** What a probe knows of its target, without the number of items, which depends on the limit. */
const knownOf = ({ probe }: AnyScraper) =>
  (probe?.expect ?? [])
    .map(readExpectation)
    .filter((line) => typeof line !== "string")
    .filter(
      ({ path, operator, gone }) =>
        !gone && !/\.length$/.test(path) && !["share", "fresh"].includes(operator),
    )

function noteOf({ folder }: ReplayCase): string {
  return JSON.parse(readFileSync(join(folder, "case.json"), "utf8")).source?.note ?? ""
}

/** Returns each field with the type of item that has it, if there are several types. */
function fieldsByShape(item: TSchema): string[] {
  const shapes: TSchema[] = item.anyOf ?? [item]
  return shapes.flatMap((shape) => {
    const type = shape.properties?.type?.const ?? ""
    return fieldsOf(shape).map((name) => `${type}.${name}`)
  })
}
