import { expect, test } from "bun:test"
import { storeReview } from "../../../src/catalogue/apple/app-store-page.ts"
import { playTable } from "../../../src/catalogue/google/play.ts"
import { recordApp } from "../../../src/catalogue/google/play-record.ts"
import { type Exchange, exchangeBody, readCase } from "../../../src/engine/fetch/replay/case.ts"
import { ownCases, replay } from "../../corpus-run.ts"

/** Returns a record of the store with a title, and a value at each of these positions. */
function recordWith(values: [readonly number[], unknown][]): unknown[] {
  const record: unknown[] = []
  for (const [path, value] of [[playTable.values.title, "Tides"] as const, ...values]) {
    let list = record
    for (const index of path.slice(0, -1)) {
      list[index] ??= []
      list = list[index] as unknown[]
    }
    list[path.at(-1)!] = value
  }
  return record
}

const { values: layout } = playTable

test.each([
  ["Varies with device", "Jun 17, 2013", null, "2013-06-17"],
  ["Variiert je nach Gerät", "17. Juni 2013", null, "2013-06-17"],
  ["Varía según el dispositivo", "17 jun 2013", null, "2013-06-17"],
  ["端末により異なります", "2013/06/17", null, "2013-06-17"],
  ["128.0.1 (Build 2)", "06/07/2013", "128.0.1 (Build 2)", null],
])("Google Play's version %s and day %s", (version, released, expected, releasedAt) => {
  const record = recordWith([
    [layout.version, version],
    [layout.released, released],
  ])
  expect(recordApp(record, layout)).toMatchObject({ version: expected, releasedAt })
})

test("Google Play's discount is computed from both prices", () => {
  const offer = [null, [[2_500_000, "EUR", "2,50 €"], [10_000_000]]]
  expect(recordApp(recordWith([[layout.offer, offer]]), layout)).toMatchObject({
    price: 2.5,
    originalPrice: 10,
    discountPercent: 75,
  })
})

test.each([
  ["Edited 12/03/2025", true],
  ["Bearbeitet: 12.03.2025", true],
  ["Modifié le 12/03/2025", true],
  ["編集済み 2025/03/12", true],
  ["12.03.2025", false],
  ["3 mars", false],
  ["Mar 12", false],
  ["vor kurzem", null],
  [undefined, false],
])("a review of the App Store dated %s", (dateText, isEdited) => {
  const review = { id: "1", contents: "Good.", rating: 5, dateText }
  expect(storeReview.read(review)).toMatchObject({ isEdited })
})

test("Best Buy's savings are computed if its page does not have them", async () => {
  const recorded = readCase(`${ownCases}/bestbuy-product-scraper/speaker`)
  const without = (exchange: Exchange): Exchange => {
    const page = new TextDecoder().decode(exchangeBody(recorded.folder, exchange))
    const { body: _, ...rest } = exchange
    return { ...rest, bytes: new TextEncoder().encode(page.replace(/total-?savings/gi, "gone")) }
  }
  const { items } = await replay({ ...recorded, exchanges: recorded.exchanges.map(without) })
  expect(items[0]!.savings).toBe(120)
})
