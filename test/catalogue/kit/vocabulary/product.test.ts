import { describe, expect, test } from "bun:test"
import {
  amountOf,
  countsByStars,
  discountOf,
  namedValues,
  positive,
  priceRange,
  ratingOf,
  stockOf,
} from "../../../../src/catalogue/kit/vocabulary/product.ts"
import { JsonReader } from "../../../../src/extract/embedded/index.ts"

describe("stars in a sentence", () => {
  test.each<[unknown, number | null]>([
    ["4.5 out of 5 stars", 4.5],
    ["4,1 de 5 estrellas", 4.1],
    ["5 out of 5 stars", 5],
    ["5つ星のうち4.3", 4.3],
    ["5 yıldız üzerinden 4,3", 4.3],
    ["Rating 4.7 out of 5 stars with 166 reviews", 4.7],
    ["1,0 von 5 Sternen", 1],
    ["no rating yet", null],
    ["1,204 ratings", 1.204],
    ["12 reviews", null],
    [4.4, 4.4],
    [0, null],
    [null, null],
  ])("%p", (text, stars) => {
    expect(ratingOf(text)).toBe(stars)
  })
})

describe("schema.org's availability", () => {
  test.each<[unknown, string | null, boolean | null]>([
    ["https://schema.org/InStock", "InStock", true],
    ["http://schema.org/LimitedAvailability", "LimitedAvailability", true],
    ["SoldOut", "SoldOut", false],
    ["https://schema.org/Discontinued", "Discontinued", false],
    ["", null, null],
    [undefined, null, null],
  ])("%p", (written, availability, available) => {
    expect(stockOf(written)).toEqual({ availability, available })
  })
})

test("a discount is the percentage below the original price, and never negative", () => {
  expect(discountOf(75, 100)).toBe(25)
  expect(discountOf(100, 100)).toBeNull()
  expect(discountOf(120, 100)).toBeNull()
  expect(discountOf(null, 100)).toBeNull()
})

test("the range of prices skips unknown ones", () => {
  expect(priceRange([5, null, 3])).toEqual({ priceMin: 3, priceMax: 5 })
  expect(priceRange([null])).toEqual({ priceMin: null, priceMax: null })
})

test("prices are read in the market's format", () => {
  expect(amountOf("1.049,95 €", { country: "DE" })).toBe(1049.95)
  expect(amountOf("$1,049.95", { country: "US" })).toBe(1049.95)
  expect(amountOf(null)).toBeNull()
  expect(amountOf("See price in cart")).toBeNull()
})

test("names and values need both, and the last of a name counts", () => {
  const rows = [
    { n: "Colour", v: "Red &amp; blue" },
    { n: "Size" },
    { v: "5" },
    { n: "Colour", v: " green " },
    { n: "Weight", v: 5 },
  ]
  const specs = namedValues(
    rows.map((row) => new JsonReader(row)),
    "n",
    "v",
  )
  expect(specs).toEqual({ Colour: "green", Weight: "5" })
})

test("counts by stars are null only if none is known", () => {
  expect(countsByStars([null, null, null, null, null])).toBeNull()
  expect(countsByStars([1, null, 0, 4, null])).toEqual({ 1: 1, 2: 0, 3: 0, 4: 4, 5: 0 })
})

test("a price of 0 is missing, and the next source is used", () => {
  const row = new JsonReader({ now: { price: 0 }, was: [{ price: "12.5" }] })
  expect(positive("now.price", "was.0.price")(row)).toBe(12.5)
  expect(positive("now.price", "gone")(row)).toBeNull()
})
