import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { recordedAt } from "../../scripts/list-verified.ts"
import { catalogue, scraperBySlug } from "../../src/catalogue/index.ts"
import { markedItem, verificationOf, verified } from "../../src/catalogue/verification.ts"
import { fieldsOf } from "../../src/engine/ops/health/counters.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"

describe("the date of a recording", () => {
  const reported = (note: string, clock?: string, name = "a-case") =>
    recordedAt({ case: name, source: { note }, ...(clock ? { clock } : {}) })
  test.each([
    ["by its clock", "whole page", "2026-02-12T00:00:00Z", "2026-02"],
    ["by the day in its note", "recorded 2019-09-25", undefined, "2019-09"],
    ["by the month in its note", "saved page, 3 December 2025", undefined, "2025-12"],
    ["by the year in its note", "recorded about 2017", undefined, "2017"],
    ["not by a year that is about others", "as many 2026 projects do", undefined, ""],
    [
      "by its note, if the clock is set later",
      "complete answer of August 2020",
      "2024-01-01T00:00:00Z",
      "2020-08",
    ],
    ["never, if it was constructed", "REBUILT: the values are real, 2026-02-12", undefined, null],
  ])("%s", (_, note, clock, at) => {
    expect(reported(note, clock)).toBe(at)
  })

  test("from its name, if nothing else has a date", () => {
    expect(reported("whole page", undefined, "a-page-2026")).toBe("2026")
    expect(reported("whole page", undefined, "rebuilt-page-2026")).toBeNull()
  })
})

test("verified scrapers exist, and have a valid date", () => {
  for (const [slug, { at }] of Object.entries(verified)) {
    expect(scraperBySlug(slug)?.slug).toBe(slug)
    expect(at ?? "2026").toMatch(/^20\d\d(?:-(?:0[1-9]|1[0-2]))?$/)
  }
})

test("a scraper without a recording is not verified, and neither is a source that it names", () => {
  const scraper = { ...catalogue[0]!, slug: "unheard-of-scraper" }
  expect(verificationOf(scraper)).toEqual({
    verified: false,
    lastVerifiedAt: null,
    unverifiedFetchMethods: [],
    unverifiedFields: [],
  })
  const withMethod = { ...scraperBySlug("zillow-property-scraper")!, unverified: ["graphql"] }
  expect(verificationOf(withMethod)).toMatchObject({
    verified: true,
    unverifiedFetchMethods: ["graphql"],
  })
})

test("an unverified source has a case that names the origin of its form", () => {
  for (const { slug, unverified = [] } of catalogue) {
    for (const fetchMethod of unverified) {
      const notes = casesUnder(ownCases, slug).map(
        ({ folder }) =>
          JSON.parse(readFileSync(join(folder, "case.json"), "utf8")).source?.note ?? "",
      )
      expect(
        notes.filter((note) => note.includes(fetchMethod) && /\b20\d\d\b/.test(note)),
      ).not.toEqual([])
    }
  }
})

test("fields that no recording fills are marked, and the others are not", () => {
  const scraper = scraperBySlug("amazon-search-scraper")!
  const { unverifiedFields: named } = verificationOf(scraper)
  expect(named).toContain("priceMin")
  expect(named).not.toContain("price")
  const { properties } = markedItem(scraper)
  expect(properties.priceMin.description).toMatch(/ Not verified: no recording fills it\.$/)
  expect(properties.price).toEqual(scraper.item.properties.price)
})

test("unverified fields are fields of their scrapers", () => {
  for (const [slug, { unfilled }] of Object.entries(verified)) {
    const fields = fieldsOf(scraperBySlug(slug)!.item)
    expect(unfilled.filter((name) => !fields.includes(name))).toEqual([])
  }
})
