import { describe, expect, test } from "bun:test"
import { mapsTable, place } from "../../../src/catalogue/google/maps-place.ts"
import {
  organicResults,
  searchTable,
  statesNothingFound,
} from "../../../src/catalogue/google/results.ts"
import { isoDay, parseDocument } from "../../../src/extract/core/index.ts"
import { itemsOf } from "./page-run.ts"

const snippetOf = (text: string) =>
  parseDocument(
    `<div id="rso"><div class="MjjYud"><a href="https://example.org/a"><h3>One</h3></a><div class="VwiC3b">${text}</div></div></div>`,
  )

describe("Google's results in the requested language", () => {
  test.each([
    ["Jan 15, 2024 — Lamps", "2024-01-15"],
    ["15. Januar 2024 — Lampen", "2024-01-15"],
    ["15 janv. 2024 — Lampes", "2024-01-15"],
    ["15 ene 2024 — Lámparas", "2024-01-15"],
    ["15 de jan. de 2024 — Lâmpadas", "2024-01-15"],
    ["2024年1月15日 — ランプ", "2024-01-15"],
    ["Lamps for you — and others", null],
  ])("%s", (text, publishedAt) => {
    const [result] = organicResults(snippetOf(text), searchTable.values)
    expect(result).toMatchObject({ publishedAt })
  })

  test.each([
    ["Your search - qqq - did not match any documents.", true],
    ["Es wurden keine mit deiner Suchanfrage - qqq - übereinstimmenden Dokumente gefunden.", true],
    ["Aucun document ne correspond aux termes de recherche spécifiés (qqq).", true],
    ["qqq に一致する情報は見つかりませんでした。", true],
    ["Meintest du: lampe", false],
  ])("%s", (text, expected) => {
    const document = parseDocument(`<body><div id="topstuff">${text}</div></body>`)
    expect(statesNothingFound(document)).toBe(expected)
  })
})

test.each([["2024年1月5日"], ["2024년 1월 5일"]])("the day %s", (text) => {
  expect(isoDay(text)).toBe("2024-01-05")
})

test.each([
  ["de.indeed.com", "Die Suche hat keine Treffer ergeben."],
  ["jp.indeed.com", "qqq に一致する求人は見つかりません。"],
])("%s has no jobs", async (location, words) => {
  const items = await itemsOf(
    "indeed-jobs-scraper",
    { queries: [`https://${location}/jobs?q=qqq`] },
    { [`https://${location}/jobs`]: `<body><main><p>${words}</p></main></body>` },
  )
  expect(items).toEqual([])
})

test.each([
  ["Permanently closed", true],
  ["Dauerhaft geschlossen", true],
  ["Définitivement fermé", true],
  ["Cerrado permanentemente", true],
  ["閉業", true],
  ["Geschlossen ⋅ Öffnet um 09:00", false],
  ["Closed ⋅ Opens 12:30 pm Tue", false],
])("a place on Google Maps: %s", (status, isClosed) => {
  const layout = { ...mapsTable.values, status: [0], title: [1], dataId: [2] }
  const row = { place: [status, "A lamp shop", "0x1:0x2"], cid: null, layout }
  expect(place.read(row)).toMatchObject({ isClosed })
})
