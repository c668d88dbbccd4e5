import { expect, test } from "bun:test"
import { amazonTargets } from "../../src/catalogue/amazon/amazon.ts"
import { hackerNewsId } from "../../src/catalogue/hackernews/hacker-news.ts"

test("older and shortened paths of Amazon name the product", () => {
  const urls = [
    "https://www.amazon.de/o/ASIN/B08N5WRWNW",
    "https://www.amazon.de/dp/product/B08N5WRWNW/ref=x",
    "https://www.amazon.de/gp/offer-listing/B08N5WRWNW?condition=new",
    "https://www.amazon.de/exec/obidos/tg/detail/-/B08N5WRWNW",
    "https://www.amazon.de/d/B08N5WRWNW",
    "https://www.amazon.de/Name/dp/B08N5WRWNW",
    "https://www.amazon.de/gp/aw/d/B08N5WRWNW",
    "https://www.amazon.de/gp/product/B08N5WRWNW#reviews",
  ]
  const targets = urls.flatMap((url) => amazonTargets([url], "com"))
  expect(targets.map(({ asin, domain }) => `${domain}/${asin}`)).toEqual(
    urls.map(() => "de/B08N5WRWNW"),
  )
})

test("a path with another word of ten characters names no product of Amazon", () => {
  const [target] = amazonTargets(["https://www.amazon.de/stores/BESTSELLER"], "com")
  expect(target?.asin).toBeUndefined()
})

test("a Hacker News URL may lack its scheme", () => {
  expect(hackerNewsId("news.ycombinator.com/item?id=8863")).toBe(8863)
  expect(hackerNewsId("https://news.ycombinator.com/item?id=8863#c")).toBe(8863)
  expect(hackerNewsId("example.com/item?id=8863")).toBeNull()
})
