import { describe, expect, test } from "bun:test"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { currencyOf } from "../../../src/extract/price/currencies.ts"
import { parseAmount, parsePrice, priceSign } from "../../../src/extract/price/prices.ts"

const rows: [text: string, amount: number | null, sign: string | null, currency: string | null][] =
  [
    ["€ 1.299,00", 1299, "€", "EUR"],
    ["1.299,00\u00a0€", 1299, "€", "EUR"],
    ["$1,299.00", 1299, "$", "USD"],
    ["1 299 Kč", 1299, "Kč", "CZK"],
    ["1\u202f299,90 zł", 1299.9, "zł", "PLN"],
    ["CHF 1'049.95", 1049.95, "CHF", "CHF"],
    ["2.449", 2449, null, null],
    ["12,-", 12, null, null],
    ["12.– CHF", 12, "CHF", "CHF"],
    ["1 299:-", 1299, ":-", null],
    ["12€99", 12.99, "€", "EUR"],
    ["423.923 KD", 423.923, "KD", "KWD"],
    ["₹1,29,999", 129999, "₹", "INR"],
    ["0.999 €", 0.999, "€", "EUR"],
    [".75 €", 0.75, "€", "EUR"],
    ["US$12.99", 12.99, "US$", "USD"],
    ["$1,190.00 AUD", 1190, "AUD", "AUD"],
    ["NZD $100.70", 100.7, "NZD", "NZD"],
    ["R$ 19,90", 19.9, "R$", "BRL"],
    ["RM50", 50, "RM", "MYR"],
    ["12,000원", 12000, "원", "KRW"],
    ["3 Stück für 14,85 €", 14.85, "€", "EUR"],
    ["Was $120.00 Now $60.00", 60, "$", "USD"],
    ["$45,000 - $70,000", 45000, "$", "USD"],
    ["From 26 to 50 €", 26, "€", "EUR"],
    ["$20 per month or $199.00", 199, "$", "USD"],
    ["save 20% 80 €", 80, "€", "EUR"],
    ["20% off", null, null, null],
    ["15.08.2017", null, null, null],
    ["16.00 ft", null, null, null],
    ["Free", 0, null, null],
    ["kostenlos", 0, null, null],
    ["Free shipping on orders $49+", null, "$", "USD"],
    ["not available", null, null, null],
    ["", null, null, null],
  ]

describe("prices in texts", () => {
  test.each(rows)("%s", (text, amount, sign, currency) => {
    expect(parsePrice(text)?.amount ?? null).toBe(amount)
    expect(priceSign(text)).toBe(sign)
    expect(currencyOf(priceSign(text))).toBe(currency)
  })
})

test.each([
  ["$", { country: "CA" }, "CAD"],
  ["$", { country: "DE" }, "USD"],
  ["kr", { country: "NO" }, "NOK"],
  ["kr", { language: "sv-SE" }, "SEK"],
  ["kr", {}, null],
  ["¥", {}, "JPY"],
  ["¥", { language: "zh-CN" }, "CNY"],
  ["Rs", { country: "PK" }, "PKR"],
  ["eur", {}, "EUR"],
  ["?", {}, null],
])("currency of %s in %j", (sign, index, code) => expect(currencyOf(sign, index)).toBe(code))

test("a text next to the price has the currency", () => {
  expect(parsePrice("75,00", { currencyText: "€" })).toEqual({
    amount: 75,
    currency: "EUR",
    sign: "€",
    isOld: false,
  })
  expect(parsePrice("75,00", { currency: "CZK" })?.currency).toBe("CZK")
  // A sign of several currencies means the page's own currency; another sign does not.
  expect(parsePrice("$75.00", { currency: "CAD" })?.currency).toBe("CAD")
  expect(parsePrice("75,00 €", { currency: "CAD" })?.currency).toBe("EUR")
})

test("three decimals are read if the currency has them", () => {
  expect(parseAmount("423.923", "KWD")).toBe(423.923)
  expect(parseAmount("423.923", "EUR")).toBe(423923)
})

interface Example {
  priceText: string | null
  currencyText: string | null
  amount: number | null
  currency: string | null
}

const collected = join(import.meta.dir, "../../../../shared/scrapers/_data/price-texts.json")

if (!existsSync(collected)) {
  console.log("The prices of ../shared/scrapers are not here: texts from shops are not read.")
}

test.skipIf(!existsSync(collected))("97 % of the texts collected from shops", () => {
  const { examples } = JSON.parse(readFileSync(collected, "utf8")) as { examples: Example[] }
  // An amount without a digit, unless it means "free", is an error of the collection.
  const decidable = examples.filter((one) => one.amount === null || /\d/.test(one.priceText ?? ""))
  let amounts = 0
  let signs = 0
  for (const { priceText, currencyText, amount, currency } of decidable) {
    const text = priceText ?? ""
    if ((parsePrice(text, { currencyText })?.amount ?? null) === amount) amounts++
    if (priceSign(text, { currencyText }) === currency) signs++
  }
  expect(amounts / decidable.length).toBeGreaterThanOrEqual(0.97)
  expect(signs / decidable.length).toBeGreaterThanOrEqual(0.97)
})
