import { describe, expect, test } from "bun:test"
import {
  amountOf,
  discountOf,
  priceRange,
  ratingOf,
  stockOf,
} from "../../../src/catalogue/ecommerce/product-fields.ts"

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
  ])("%p", (written, availability, inStock) => {
    expect(stockOf(written)).toEqual({ availability, inStock })
  })
})

test("a discount is the percent below the original price, and never below zero", () => {
  expect(discountOf(75, 100)).toBe(25)
  expect(discountOf(100, 100)).toBeNull()
  expect(discountOf(120, 100)).toBeNull()
  expect(discountOf(null, 100)).toBeNull()
})

test("the range of prices passes over unknown ones", () => {
  expect(priceRange([5, null, 3])).toEqual({ priceMin: 3, priceMax: 5 })
  expect(priceRange([null])).toEqual({ priceMin: null, priceMax: null })
})

test("prices are read as the market writes them", () => {
  expect(amountOf("1.049,95 €", { country: "DE" })).toBe(1049.95)
  expect(amountOf("$1,049.95", { country: "US" })).toBe(1049.95)
  expect(amountOf(null)).toBeNull()
  expect(amountOf("See price in cart")).toBeNull()
})
