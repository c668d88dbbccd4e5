import { expect, test } from "bun:test"
import { getResolvedPDFJS } from "unpdf"
import {
  correctMathLetters,
  GlyphNames,
  textOfGlyph,
} from "../../../src/extract/documents/pdf/glyph-names.ts"
import { inGlyphOrder } from "../../../src/extract/documents/pdf/rtl-ligatures.ts"
import { segmentsOf, textOfSegment } from "../../../src/extract/documents/pdf/segments.ts"
import { fromTheRight, plainLetters } from "../../../src/extract/documents/pdf/text.ts"
import { writePdf } from "./pdf-writer.ts"
import { read } from "./read.ts"

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
    "H\uf761\uf772\uf762\uf76f\uf775\uf772 \uf731\uf739, \uf7e9t\uf7e9": "Harbour 19, été",
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

test("an accent of a capital is part of it, although it is higher and begins after it", () => {
  const raised = (str: string, x: number) => ({
    ...item(str, x, 5),
    transform: [10, 0, 0, 10, x, 702.5],
  })
  expect(line(raised("´", 1), item("Electricit´", 0, 55), item("e", 50, 5))).toEqual([
    "Électricité",
  ])
  expect(line(raised("´", 0), item("Indice anal´", 0, 60), item("ıtico", 55, 25))).toEqual([
    "Índice analítico",
  ])
  expect(line(item("ADEQUAC", 0, 70), item("¸ ˜", 64, 11), item("AO", 69, 12))).toEqual([
    "ADEQUAÇÃO",
  ])
  expect(line(item("x", 0, 5), raised("´", 6), item("y", 12, 5))).toEqual(["x´y"])
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

test("a drawn space in text from the right is before or after a piece by its position", () => {
  // Chrome draws such text from the left, one letter at a time.
  const fromLeft = [item("ب", 10, 8, "rtl"), item("أ", 18, 4, "rtl"), item(" ", 22, 3)]
  const more = [item("م", 24, 8, "rtl"), item("ج", 32, 8, "rtl"), item("ل", 40, 5, "rtl")]
  expect(line(...fromLeft, ...more)).toEqual(["لجم أب"])
  // Word draws it from the right.
  const fromRight = [item("لجم", 24, 21, "rtl"), item(" ", 21, 3), item("أب", 10, 11, "rtl")]
  expect(line(...fromRight)).toEqual(["لجم أب"])
})

test("a line from the right with as many numbers as words", () => {
  const pieces = [item("2024", 0, 20), item("شمس", 25, 20, "rtl"), item("7", 50, 5)]
  expect(line(...pieces)).toEqual(["7 شمس 2024"])
})

test.each<[what: string, text: string, glyphs: string[], corrected: string]>([
  ["one glyph for two letters", "اإلسالم", ["م", "لا", "س", "لإ", "ا"], "الإسلام"],
  ["a presentation form", "اخلط", ["ط", "ﳋ", "ا"], "الخط"],
  ["after other glyphs", "مال", ["x", "y", "لا", "م"], "ملا"],
  ["with a space", "ال مال", ["لا", "م", "لا"], "لا ملا"],
  ["two glyphs for two letters", "المال", ["ل", "ا", "م", "ل", "ا"], "المال"],
  ["other glyphs", "المال", ["x", "لا"], "المال"],
])("ligatures of text from the right: %s", (_, str, glyphs, corrected) => {
  const own = { str }
  inGlyphOrder([own], glyphs)
  expect(own.str).toBe(corrected)
})

test("glyph names give their text: ligatures, suffixes, code points, accents", () => {
  const texts: Record<string, string | null> = {
    f_f_i: "ffi",
    t_t: "tt",
    "Q_u.alt": "Qu",
    "one.oldstyle": "1",
    "eacute.sc": "é",
    "T_h.liga": "Th",
    uni00410301: "Á".normalize("NFD"),
    u1D461: "𝑡",
    one_slash_two: "1/2",
    ".notdef": null,
    g32: null,
    uniD800: null,
    u110000: null,
    constructor: null,
  }
  for (const [name, text] of Object.entries(texts)) expect(textOfGlyph(name)).toBe(text)
})

test("glyphs of a font that names them in its own way are read by these names", async () => {
  const widths = `/FirstChar 0/LastChar 255/Widths[${"500 ".repeat(256)}]`
  const names = "14/t_t/Q_u.alt 129/one.os/two.os 200/A_B"
  const font = `<</Type/Font/Subtype/Type1/BaseFont/Harbour${widths}/Encoding<</Type/Encoding/Differences[${names}]>>>>`
  const codes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
  const pdf = writePdf(
    [
      {
        texts: [
          { text: codes("Mu\x0eer, \x0f\x65lle"), x: 60, y: 100 },
          { text: codes("Kai \x81\x82, \xc8"), x: 60, y: 114 },
        ],
      },
    ],
    { font },
  )
  const { markdown, facts } = await read("pdf", pdf)
  expect(markdown).toBe("Mutter, Quelle Kai 12, AB\n")
  expect(facts).not.toHaveProperty("unmappedGlyphs")
})

test("ligatures at the codes of line ends, which PDF.js reads as spaces", async () => {
  const widths = `/FirstChar 0/LastChar 255/Widths[${"500 ".repeat(256)}]`
  const letters = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => `/${letter}`).join("")
  const names = `/Encoding<</Type/Encoding/Differences[32/space 44/comma 46/period 84/T 97${letters}]>>`
  const box = "/FontBBox[0 0 1000 1000]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<<>>"
  const font = `<</Type/Font/Subtype/Type3${box}${names}${widths}>>`
  const codes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))
  const lines = [
    "The \x0crst harbour is speci\x0ced in a di\x0berent plan,",
    "\x0cve pilots met on the quay and \x0dew home by sta\x0b",
    "and the tide was in, so that no boat was late today.",
  ]
  const texts = Array.from({ length: 36 }, (_, at) => ({
    text: codes(lines[at % 3]!),
    x: 60,
    y: 100 + at * 14,
    size: 10,
  }))
  const { markdown } = await read("pdf", writePdf([{ texts }], { font }))
  const sentence =
    "The first harbour is specified in a different plan, five pilots met on the quay and flew home by staff and the tide was in, so that no boat was late today."
  expect(markdown).toBe(`${Array.from({ length: 12 }, () => sentence).join(" ")}\n`)
})

test("mathematical letters of which 16 bits are left are corrected, but not Hangul", () => {
  const math = [item("\ud461 = 2", 0, 20)]
  correctMathLetters(math)
  expect(math[0]!.str).toBe("𝑡 = 2")
  const korean = [item("\ud558", 0, 10), item("\uad6d", 10, 10)]
  correctMathLetters(korean)
  expect(korean[0]!.str).toBe("\ud558")
})

test("a code in a piece of several fonts is read if the page's fonts agree on its text", async () => {
  const { OPS } = await getResolvedPDFJS()
  const font = (names: Record<number, string>) => ({
    differences: Object.assign([], names),
    toUnicode: { _map: [] },
  })
  const page = (second: string) => ({
    commonObjs: new Map([
      ["F", font({})],
      ["G", font({ 129: "one.os", 130: "two.os" })],
      ["H", font({ 130: second })],
    ]),
    getOperatorList: async () => ({
      fnArray: [OPS.setFont, OPS.setFont, OPS.setFont],
      argsArray: [["F"], ["G"], ["H"]],
    }),
  })
  const written = async (second: string) => {
    const items = [item("Version \x81.\x82", 0, 50)]
    await new GlyphNames().apply(page(second) as never, items)
    return items[0]!.str
  }
  expect(await written("two")).toBe("Version 1.2")
  expect(await written("three")).toBe("Version 1.\x82")
})
