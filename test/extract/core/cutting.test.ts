import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  cutBetween,
  cutElements,
  cutTags,
  spansBetween,
  trimLineEnds,
  upToSign,
} from "../../../src/extract/core/cutting.ts"

/** Texts of the pieces that matter, in any order. */
const texts = fc
  .array(
    fc.constantFrom(
      ..."<!-- --> <!--> < > <> <script> </script> </script  > <SCRIPT a> <scripts> <style> </style> <b>".split(" "),
      ..."x ](  ) ![ ] \n \t".split(" "), " ", "  ", "\n", "\t", "\r\n",
    ), // biome-ignore format: a list reads better dense
    { maxLength: 30 },
  )
  .map((pieces) => pieces.join(""))

test("cutting in one pass returns what regular expressions return", () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(cutBetween(text, "<!--", "-->")).toBe(text.replace(/<!--[\s\S]*?-->/g, ""))
      expect([...spansBetween(text, "<!--", "-->")].map((span) => text.slice(...span))).toEqual(
        text.match(/<!--[\s\S]*?-->/g) ?? [],
      )
      expect(cutElements(text, ["script", "style"])).toBe(
        text.replace(/<(script|style)\b[\s\S]*?<\/\1\s*>/gi, ""),
      )
      expect(cutTags(text)).toBe(text.replace(/<[^>]+>/g, ""))
      expect(trimLineEnds(text)).toBe(text.replace(/[ \t]+$/gm, ""))
      const links = [...upToSign(text, "](", /[)\s]/)].filter(([, sign]) => text[sign] === ")")
      expect(links.length).toBe([...text.matchAll(/\]\((?=[^)\s]*\))/g)].length)
    }),
    { numRuns: 5_000 },
  )
})
