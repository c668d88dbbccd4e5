import { expect, test } from "bun:test"
import { LineOpenings } from "../../../src/extract/article/line-openings.ts"

const words = String.raw`©|\(c\)|(?:i )?commenti|e-?mail|(?:story|über) (?:goes|mehr)|à lire|3 more|x?y|(?:a (?:b|c)) d|[pq]r`
const openings = new LineOpenings(words, String.raw`\b`)
const plain = new RegExp(String.raw`^[^\p{L}\p{N}]*(?:${words})\b`, "iu")

const lines = [
  "i commenti", "Commenti", "» E-Mail", "email", "Story goes on", "history goes", "Über mehr", "À lire",
  "3 more", "33 more", "xy", "y", "A c d", "(a b d)", "qr", "• PR", "(c) 2020", "© 2020 Lamps", "2020 © Lamps", "c 2020",
  "лампа", "灯", "(灯)", "𝒜 lire",
] // biome-ignore format: a table reads better dense

test.each(lines)("a line's opening is found as by the whole expression: %s", (line) => {
  expect(openings.test(line, line.search(/[\p{L}\p{N}]/u))).toBe(plain.test(line))
})
