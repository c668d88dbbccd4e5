import { expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { addressIn } from "../../../src/extract/typed/addresses.ts"
import { durationIn } from "../../../src/extract/typed/dates.ts"
import { readSchema, readTyped } from "../../../src/extract/typed/index.ts"
import { recipePages } from "./recipe-pages.ts"

const text = { type: "string" }
const texts = { type: "array", items: text }

for (const { how, html, reported, requested = Object.keys(reported) } of recipePages) {
  test(`a recipe: ${how}`, () => {
    const all: Record<string, object> = {
      name: text,
      servings: text,
      totalTime: text,
      prepTime: { type: "integer" },
      cookTime: { type: "integer" },
      ingredients: texts,
      instructions: texts,
    }
    const properties = Object.fromEntries(requested.map((name) => [name, all[name]]))
    const schema = readSchema({ type: "object", title: "Recipe", properties })
    expect(readTyped(parseDocument(html), "https://site.test/cake", schema).data).toEqual(reported)
  })
}

test.each([
  [["Winterstraße 2", "22765 Hamburg"], "Winterstraße 2", "22765", "Hamburg"],
  [["12 bis rue de la Paix", "75002 Paris", "France"], "12 bis rue de la Paix", "75002", "Paris"],
  [["Calle Mayor, 5", "28013 Madrid"], "Calle Mayor, 5", "28013", "Madrid"],
  [["Via Roma 10, 20121 Milano (MI)"], "Via Roma 10", "20121", "Milano"],
  [["100 Main Street, Suite 4", "Boston, MA 02110"], "100 Main Street, Suite 4", "02110", "Boston"],
  [
    ["5 Slipway Road", "Whitby", "North Yorkshire", "YO21 3PU"],
    "5 Slipway Road",
    "YO21 3PU",
    "Whitby",
  ],
  [["12 Park Row, Leeds LS1 5HD"], "12 Park Row", "LS1 5HD", "Leeds"],
  [["Keizersgracht 12", "1015 CJ Amsterdam"], "Keizersgracht 12", "1015 CJ", "Amsterdam"],
  [["Meirstraat 3", "2000 Antwerpen"], "Meirstraat 3", "2000", "Antwerpen"],
  [["ul. Prosta 51", "00-838 Warszawa"], "ul. Prosta 51", "00-838", "Warszawa"],
  [["1 Collins St, Melbourne VIC 3000"], "1 Collins St", "3000", "Melbourne"],
  [["80 Wellington St", "Ottawa ON K1A 0A2"], "80 Wellington St", "K1A 0A2", "Ottawa"],
])("an address: %p", (lines, street, postalCode, city) => {
  expect(addressIn(["Tarn GmbH", ...lines, "Tel 0461 555 010"])).toMatchObject({
    street,
    postalCode,
    city,
  })
})

test.each([[["Version 12", "2024 Release"]], [["Open since 1999", "22765 Visitors"]]])(
  "not an address: %p",
  (lines) => expect(addressIn(lines)).toBeNull(),
)

test.each([
  ["1h30", 90],
  ["5 hours hrs", 300],
  ["1 Std. 20 Min.", 80],
  ["env. 50 min dans la moitié inférieure du four", 50],
  ["2 timer", 120],
  ["10 dakika", 10],
  ["2 hours, plus cooling", 120],
  ["2021", null],
  ["20-30 min", null],
  ["3 pieces", null],
])("the length of %p", (text, minutes) => expect(durationIn(text)).toBe(minutes))
