import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { recordedAt } from "../../scripts/list-proven.ts"
import { evidenceOf, markedItem } from "../../src/catalogue/evidence.ts"
import { catalogue, scraperBySlug } from "../../src/catalogue/index.ts"
import { proven } from "../../src/catalogue/proven.ts"
import { unprovenFields } from "../../src/catalogue/unproven-fields.ts"
import { fieldsOf } from "../../src/engine/health/tally.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"

describe("when a case was recorded", () => {
  const told = (note: string, clock?: string, name = "a-case") =>
    recordedAt({ case: name, source: { note }, ...(clock ? { clock } : {}) })
  test.each([
    ["by its clock", "whole page", "2026-02-12T00:00:00Z", "2026-02"],
    ["by the day in its note", "recorded 2019-09-25", undefined, "2019-09"],
    ["by the month in its note", "saved page, 3 December 2025", undefined, "2025-12"],
    ["by the year in its note", "recorded about 2017", undefined, "2017"],
    ["not by a year that is about others", "as many 2026 projects do", undefined, ""],
    [
      "by its note, where the clock is set later",
      "complete answer of August 2020",
      "2024-01-01T00:00:00Z",
      "2020-08",
    ],
    [
      "never, where it was put together",
      "REBUILT: the values are real, 2026-02-12",
      undefined,
      null,
    ],
  ])("%s", (_, note, clock, at) => {
    expect(told(note, clock)).toBe(at)
  })

  test("by its name, where nothing else says so", () => {
    expect(told("whole page", undefined, "a-page-2026")).toBe("2026")
    expect(told("whole page", undefined, "rebuilt-page-2026")).toBeNull()
  })
})

test("what is proven is a scraper, at a date that is one", () => {
  for (const [slug, at] of Object.entries(proven)) {
    expect(scraperBySlug(slug)?.slug).toBe(slug)
    expect(at ?? "2026").toMatch(/^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/)
  }
})

test("a scraper without a recording is unproven, and so is the way that it says", () => {
  const scraper = { ...catalogue[0]!, slug: "unheard-of-scraper" }
  expect(evidenceOf(scraper)).toEqual({
    status: "unproven",
    newestRecording: null,
    unprovenWays: [],
    unprovenFields: [],
  })
  const withWay = { ...scraperBySlug("zillow-property-scraper")!, unproven: ["graphql"] }
  expect(evidenceOf(withWay)).toMatchObject({ status: "proven", unprovenWays: ["graphql"] })
})

test("a way that no recording has shown has a case that says whence its form is known", () => {
  for (const { slug, unproven = [] } of catalogue) {
    for (const way of unproven) {
      const notes = casesUnder(ownCases, slug).map(
        ({ folder }) =>
          JSON.parse(readFileSync(join(folder, "case.json"), "utf8")).source?.note ?? "",
      )
      expect(notes.filter((note) => note.includes(way) && /\b20\d\d\b/.test(note))).not.toEqual([])
    }
  }
})

test("fields that no recording fills are marked, and the others are not", () => {
  const scraper = scraperBySlug("amazon-search-scraper")!
  const { unprovenFields: named } = evidenceOf(scraper)
  expect(named).toContain("priceMin")
  expect(named).not.toContain("price")
  const { properties } = markedItem(scraper)
  expect(properties.priceMin.description).toMatch(/ Not proven: no recording fills it\.$/)
  expect(properties.price).toEqual(scraper.item.properties.price)
})

test("what is unproven are fields of proven scrapers", () => {
  for (const [slug, names] of Object.entries(unprovenFields)) {
    expect(slug in proven, slug).toBe(true)
    const fields = fieldsOf(scraperBySlug(slug)!.item)
    expect(names.filter((name) => !fields.includes(name))).toEqual([])
  }
})
