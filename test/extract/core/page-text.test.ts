import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/html.ts"
import {
  blockText,
  lineText,
  paragraphText,
  proseLines,
} from "../../../src/extract/core/page-text.ts"
import { countWords, cutAtWord, readingMinutes } from "../../../src/extract/core/words.ts"

const body = (html: string) => parseDocument(html).body

describe("text has a line for each block", () => {
  const texts: [name: string, html: string, text: string][] = [
    ["blocks and breaks", "<h1>A</h1><p>b<br>c<div>d</div>", "A\nb\nc\nd"],
    ["white space is folded, no-break spaces too", "<p> a&nbsp; b\n\tc", "a b c"],
    ["inline elements do not part words", "<p>a<b>b</b>c <i>d</i>", "abc d"],
    ["cells of a row", "<table><tr><td>a<td>b<tr><td>c</table>", "a\tb\nc"],
    ["pre keeps its lines and indents", "<pre>a\n  b\n\n</pre>", "a\n  b"],
    ["signs by which headings link to themselves", '<h2>a <a class=headerlink href="#a">¶</a></h2>b', "a\nb"],
    ["what is not seen", "<p hidden>a<script>b</script><noscript>c</noscript><p>d", "d"],
    ["a noscript that is long for its styles", `<p>a</p><noscript><style>${"a{} ".repeat(200)}</style><p>b</p></noscript>c`, "a\nc"],
    ["a noscript that swallowed the page", `<noscript><p>${"text ".repeat(120)}</noscript>`, "text ".repeat(120).trim()],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, text] of texts) test(name, () => expect(blockText(body(html))).toBe(text))
})

test("paragraphs are separated by a blank line, items and rows are not", () => {
  expect(paragraphText(body("<p>a<p>b<ul><li>c<li>d</ul><pre>e\nf</pre>"))).toBe(
    "a\n\nb\n\nc\nd\n\ne\nf",
  )
  expect(lineText(body("<p>a<p>b"))).toBe("a b")
  expect(proseLines(body("<p>a<figure>b<figcaption>c</figcaption></figure>"))).toEqual(["a", "b"])
})

test("words, also of scripts without spaces", () => {
  expect(countWords("It's state-of-the-art: 3.5 kg, naïve.")).toBe(5)
  expect(countWords("")).toBe(0)
  expect(countWords("猫が屋根の上にいます。")).toBeGreaterThan(4)
  expect(readingMinutes("word ".repeat(226))).toBe(2)
  expect(readingMinutes("字".repeat(1000))).toBe(2)
})

test("a cut text ends with a word", () => {
  expect(cutAtWord("one two three", 9)).toBe("one two")
  expect(cutAtWord("one two", 7)).toBe("one two")
  expect(cutAtWord("one two three", 7)).toBe("one two")
  expect(cutAtWord("😀😀😀", 2)).toBe("😀😀")
})
