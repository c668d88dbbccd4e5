import { describe, expect, test } from "bun:test"
import { htmlToText } from "../../../src/extract/core/text.ts"

describe("a fragment's text has its lines", () => {
  const texts: [name: string, html: string, text: string | null][] = [
    ["breaks", "a<br>b<br/>c<BR />d", "a\nb\nc\nd"],
    ["breaks with attributes", 'a<br class="x" data-x>b', "a\nb"],
    ["paragraphs", "<p>a</p><p>b</p>c", "a\n\nb\n\nc"],
    ["items", "<p>a</p><ul><li>b</li> <li>c</li></ul>d", "a\n\nb\nc\n\nd"],
    ["items without end tags", "<ul><li>a<li>b <li><b>c</b><li>d</ul>e", "a\nb\nc\nd\n\ne"],
    ["paragraphs without end tags", "<p>a<p>b <p>c", "a\n\nb\n\nc"],
    ["text before a list", "a: <ul><li>b</li></ul><b>c</b><ul><li>d</ul>", "a:\n\nb\n\nc\n\nd"],
    ["no lines within a sentence", "a <b>b</b><i>c</i> <a href=x>d</a>", "a bc d"],
    ["what is not seen", "a<!-- b --><script>c</script><style>d</style>", "a"],
    ["nothing", " <br> ", null],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, text] of texts) test(name, () => expect(htmlToText(html)).toBe(text))
})
