import { describe, expect, test } from "bun:test"
import type { TObject } from "@sinclair/typebox"
import { catalogue, scraperBySlug } from "../../../../src/catalogue/index.ts"
import type { Condition } from "../../../../src/catalogue/kit/index.ts"
import { evaluate } from "../../../../src/engine/ops/monitors/conditions.ts"
import {
  fieldOf,
  type Item,
  readingOf,
  watchOf,
} from "../../../../src/engine/ops/monitors/readings.ts"

/**
 * Returns the changes reported for an entry's second item, or for its first if there is only one.
 */
function reported(slug: string, conditions: Condition[], first: Item, second?: Item): string[] {
  const watch = watchOf(scraperBySlug(slug)?.watch)
  const before = readingOf(first, watch, conditions)!
  const [item, now, prior] = second
    ? [second, readingOf(second, watch, conditions)!, before]
    : [first, before, null]
  return evaluate({ item, watch, now, before: prior }, conditions).fired.map((one) => one.sentence)
}

const product = (price: number, available = true, currency = "EUR") => ({
  url: "https://shop.test/x",
  name: "X",
  price,
  currency,
  available,
})
const uptime = (status: string, tlsDaysRemaining = 90, errorMessage: string | null = null) => ({
  url: "https://a.test/",
  status,
  tlsDaysRemaining,
  errorMessage,
})
const page = (pageHash: string, addedLines: string[] = [], removedLines: string[] = []) => ({
  url: "https://a.test/",
  title: "A",
  pageHash,
  addedLines,
  removedLines,
})
const keyword = (found: boolean, count = 0) => ({
  source: "https://a.test/",
  sourceTitle: "A",
  keyword: "Sale",
  found,
  count,
})
const price = "price-monitor"

const cases: [what: string, slug: string, Condition[], Item, Item | undefined, string[]][] = [
  [
    "a drop",
    price,
    [{ when: "dropped", percent: 10 }],
    product(20),
    product(15),
    ["Price of X fell from 20.00 to 15.00 EUR (-25 %)."],
  ],
  [
    "a drop that is too small",
    price,
    [{ when: "dropped", percent: 30 }],
    product(20),
    product(15),
    [],
  ],
  [
    "a drop of just that share",
    price,
    [{ when: "dropped", percent: 25 }],
    product(20),
    product(15),
    ["Price of X fell from 20.00 to 15.00 EUR (-25 %)."],
  ],
  [
    "a rise",
    price,
    [{ when: "rose", percent: 10 }],
    product(20),
    product(30),
    ["Price of X rose from 20.00 to 30.00 EUR (+50 %)."],
  ],
  [
    "under a line",
    price,
    [{ when: "below", value: 18 }],
    product(20),
    product(15),
    ["Price of X fell from 20.00 to 15.00 EUR (-25 %), below 18.00 EUR."],
  ],
  ["under a line as before", price, [{ when: "below", value: 18 }], product(17), product(15), []],
  [
    "under a line at the first check",
    price,
    [{ when: "below", value: 18 }],
    product(15),
    undefined,
    ["Price of X is 15.00 EUR, below 18.00 EUR."],
  ],
  [
    "over a line",
    price,
    [{ when: "above", value: 18 }],
    product(17),
    product(19),
    ["Price of X rose from 17.00 to 19.00 EUR (+11.8 %), above 18.00 EUR."],
  ],
  [
    "two of the price are reported once",
    price,
    [
      { when: "below", value: 18 },
      { when: "dropped", percent: 1 },
    ],
    product(20),
    product(15),
    ["Price of X fell from 20.00 to 15.00 EUR (-25 %), below 18.00 EUR."],
  ],
  [
    "another currency is not a drop",
    price,
    [{ when: "dropped", percent: 10 }],
    product(20),
    product(15, true, "USD"),
    [],
  ],
  [
    "back in stock",
    price,
    [{ when: "back_in_stock" }],
    product(20, false),
    product(20),
    ["X is back in stock at 20.00 EUR."],
  ],
  ["in stock at the first check", price, [{ when: "back_in_stock" }], product(20), undefined, []],
  [
    "out of stock",
    price,
    [{ when: "out_of_stock" }],
    product(20),
    product(20, false),
    ["X is out of stock."],
  ],
  [
    "a price that changed",
    price,
    [{ when: "changed" }],
    product(20),
    product(21),
    ["Price of X rose from 20.00 to 21.00 EUR (+5 %)."],
  ],
  ["a price that did not", price, [{ when: "changed" }], product(20), product(20), []],
  [
    "down",
    "uptime-checker",
    [{ when: "status" }],
    uptime("up"),
    uptime("down", 90, "No answer within 10 s."),
    ["https://a.test/ is down, was up: No answer within 10 s."],
  ],
  ["down as before", "uptime-checker", [{ when: "status" }], uptime("down"), uptime("down"), []],
  [
    "a certificate's end",
    "uptime-checker",
    [{ when: "expires", days: 14 }],
    uptime("up", 14),
    uptime("up", 13),
    ["The certificate of https://a.test/ ends in 13 days."],
  ],
  [
    "a certificate's end, reported before",
    "uptime-checker",
    [{ when: "expires", days: 14 }],
    uptime("up", 13),
    uptime("up", 12),
    [],
  ],
  [
    "a certificate's end, once a day after it",
    "uptime-checker",
    [{ when: "expires", days: 14 }],
    uptime("up", -1),
    undefined,
    ["The certificate of https://a.test/ ended 1 day ago."],
  ],
  [
    "a page",
    "page-change-monitor",
    [{ when: "changed" }],
    page("a"),
    page("b", ["new", "newer"], ["old"]),
    ["A changed: 2 lines added, 1 removed.\n- old\n+ new"],
  ],
  ["a page as it was", "page-change-monitor", [{ when: "changed" }], page("a"), page("a"), []],
  [
    "a text of a page",
    "page-change-monitor",
    [{ when: "appears", text: "sale" }],
    page("a"),
    page("b", ["Big SALE now"]),
    ['"sale" appeared on A: Big SALE now'],
  ],
  [
    "a text that moved",
    "page-change-monitor",
    [{ when: "vanishes", text: "sale" }],
    page("a"),
    page("b", ["sale b"], ["sale a"]),
    [],
  ],
  [
    "a text that is gone",
    "page-change-monitor",
    [{ when: "vanishes", text: "sale" }],
    page("a"),
    page("b", [], ["sale a"]),
    ['"sale" disappeared from A: sale a'],
  ],
  [
    "a keyword",
    "keyword-monitor",
    [{ when: "appears" }],
    keyword(false),
    keyword(true, 2),
    ['"Sale" appeared on A'],
  ],
  [
    "a keyword that is gone",
    "keyword-monitor",
    [{ when: "vanishes" }],
    keyword(true),
    keyword(false),
    ['"Sale" disappeared from A'],
  ],
  [
    "a keyword at the first check",
    "keyword-monitor",
    [{ when: "appears" }],
    keyword(true),
    undefined,
    [],
  ],
  [
    "another keyword's text",
    "keyword-monitor",
    [{ when: "appears", text: "rent" }],
    keyword(false),
    keyword(true),
    [],
  ],
  [
    "a field of any scraper",
    "pypi-package-scraper",
    [{ when: "changed", field: "version" }],
    { name: "requests", version: "2.1" },
    { name: "requests", version: "2.2" },
    ["version of requests changed from 2.1 to 2.2."],
  ],
  [
    "a number of any scraper",
    "pypi-package-scraper",
    [{ when: "above", field: "a.b", value: 2 }],
    { name: "r", a: { b: 2 } },
    { name: "r", a: { b: 3 } },
    ["a.b of r rose from 2 to 3 (+50 %), above 2."],
  ],
  [
    "a text of any field",
    "pypi-package-scraper",
    [{ when: "appears", field: "tags", text: "New" }],
    { name: "r", tags: ["old"] },
    { name: "r", tags: ["new"] },
    ['"New" appeared on r'],
  ],
  [
    "a field that is missing",
    "pypi-package-scraper",
    [{ when: "changed", field: "version" }],
    { name: "r", version: "1" },
    { name: "r" },
    [],
  ],
]

describe("conditions", () => {
  for (const [what, slug, conditions, first, second, sentences] of cases) {
    test(what, () => {
      expect(reported(slug, conditions, first, second)).toEqual(sentences)
    })
  }

  test("an error, and an item without a key, trigger nothing", () => {
    const watch = watchOf(scraperBySlug(price)?.watch)
    expect(readingOf({ ...product(1), error: { code: "x" } }, watch, [])).toBeUndefined()
    expect(readingOf({ price: 1 }, watch, [])).toBeUndefined()
  })
})

test("the watched fields are fields of the scrapers' items", () => {
  const watching = catalogue.filter(({ watch }) => watch)
  expect(watching.length).toBeGreaterThanOrEqual(6)
  for (const { slug, watch, item } of watching) {
    const { key, name, value, unit, stock, text, lines, status, detail, days, mark } = watch!
    const named = [
      ...key,
      ...name,
      ...(mark ?? []),
      ...[value, unit, stock, status, detail, days].filter((one) => one !== undefined),
      ...Object.values({ ...text, ...lines }),
    ]
    const known = Object.keys((item as TObject).properties)
    expect(
      named.filter((field) => !known.includes(field)),
      slug,
    ).toEqual([])
    for (const condition of watch!.conditions) {
      expect(fieldOf(condition, watch!), `${slug} ${condition.when}`).toBeString()
    }
  }
})
