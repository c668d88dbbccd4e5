import { expect, test } from "bun:test"
import { segmentsOf, textOfSegment } from "../../../src/extract/documents/pdf/segments.ts"
import { fromTheRight, plainLetters } from "../../../src/extract/documents/pdf/text.ts"

const item = (str: string, x: number, width: number, dir = "ltr") => ({
  str,
  fontName: "F",
  dir,
  width,
  height: 10,
  transform: [10, 0, 0, 10, x, 700],
  hasEOL: false,
})
const line = (...items: ReturnType<typeof item>[]) =>
  segmentsOf(items, (x, y) => [x, 800 - y], []).segments.map(textOfSegment)

test("ligatures and symbols of fonts without names for them, forms of Arabic letters", () => {
  const texts = {
    "di\u000berent, \u000crst, e\u000ecient": "different, first, efficient",
    "a\u001bect": "affect",
    "\u000f": "•",
    "\u0014 5": "≤ 5",
    "a\u0001b\u0085": "ab",
    "ﬁnal ﬂow": "final flow",
    "ﺷﻤﺲ اﻟﻨﻬﺎر ﻻ": "شمس النهار لا",
  }
  for (const [found, typed] of Object.entries(texts)) expect(plainLetters(found)).toBe(typed)
})

test("an accent over a letter is part of it, before or after; one next to it is not", () => {
  expect(line(item("Stefanovi´", 0, 50), item("c", 45, 5))).toEqual(["Stefanović"])
  expect(line(item("Poincar´", 0, 45), item("e and Erd˝", 40, 50), item("os", 85, 10))).toEqual([
    "Poincaré and Erdős",
  ])
  expect(line(item("Franc", 0, 25), item("¸ois", 20, 18))).toEqual(["François"])
  expect(line(item("´", 40, 5), item("ı", 40, 3))).toEqual(["í"])
  expect(line(item("code `", 0, 30), item("a", 30, 5))).toEqual(["code `a"])
  expect(line(item("don´", 0, 20), item("t", 17, 4))).toEqual(["don´t"])
})

test("a line from the right: Latin pieces keep their order, brackets and marks are as typed", () => {
  const pieces = [item("World", 40, 30), item("Hello", 5, 30), item("شمس", 75, 20, "rtl")]
  expect(line(...pieces, item("النهار", 98, 30, "rtl"), item("كان", 131, 20, "rtl"))).toEqual([
    "كان النهار شمس Hello World",
  ])
  expect(fromTheRight("الروح )١٩٣٣( وهو")).toBe("الروح (١٩٣٣) وهو")
  expect(fromTheRight("الروح (١٩٣٣) وهو")).toBe("الروح (١٩٣٣) وهو")
  expect(fromTheRight("مَّرَض ٌفَزَادَ")).toBe("مَّرَضٌ فَزَادَ")
})
