import { expect, test } from "bun:test"
import { PatternError, urlPattern } from "../../../src/api/recipes/pattern.ts"

const cases: [pattern: string, fits: string[], others: string[]][] = [
  [
    "shop.test/products/*",
    [
      "https://shop.test/products/1",
      "http://www.shop.test/products/a/b?c=d#e",
      "shop.test/products/1",
      "https://shop.test/products",
    ],
    ["https://shop.test/product/1", "https://a.shop.test/products/1", "https://shop.test/", "%"],
  ],
  ["shop.test", ["https://shop.test", "https://shop.test/a/b"], ["https://shop.test.evil.test/"]],
  [
    "https://*.shop.test/*/item-*.html",
    ["https://de.shop.test/a/b/item-7.html", "https://shop.test/a/item-.html"],
    ["https://shop.test/item-7.html", "https://notshop.test/a/item-7.html"],
  ],
  [
    "shop.test/about",
    ["https://shop.test/about/", "https://shop.test/about?x"],
    ["https://shop.test/about/us"],
  ],
  [
    "shop.test/?id=*",
    ["https://shop.test/?id=7"],
    ["https://shop.test/", "https://shop.test/?no=7"],
  ],
  ["*/wiki/*", ["https://any.test/wiki/a"], ["https://any.test/a"]],
  ["Bücher.test:8080/ä/*", ["http://bücher.test:8080/ä/b"], ["http://bücher.test/ä/b"]],
]

for (const [pattern, fits, others] of cases) {
  test(`${pattern} matches what it describes, and its own example`, () => {
    const read = urlPattern(pattern)
    expect(fits.filter((url) => !read.fits(url))).toEqual([])
    expect(others.filter((url) => read.fits(url))).toEqual([])
    expect(read.fits(read.example)).toBe(true)
  })
}

test("an unreadable pattern is refused with the reason", () => {
  for (const wrong of [
    "",
    "/a",
    "a*b.test/",
    "*.*.test",
    "http://",
    "a.test/#b",
    "a b.test/",
    `a.test/${"*a".repeat(11)}`,
  ]) {
    expect(() => urlPattern(wrong), wrong).toThrow(PatternError)
  }
})

test("a long URL is matched in one pass, whatever the pattern", () => {
  const { fits } = urlPattern(`a.test/${"*a".repeat(9)}*b`)
  const before = process.cpuUsage()
  expect(fits(`https://a.test/${"a".repeat(200_000)}`)).toBe(false)
  const { user } = process.cpuUsage(before)
  expect(user).toBeLessThan(1_000_000)
})
