import { describe, expect, test } from "bun:test"
import { parseDocument } from "../../../src/extract/core/html.ts"

const body = (html: string) => parseDocument(html).body.innerHTML

describe("a page becomes the tree that browsers make of it", () => {
  const trees: [name: string, html: string, tree: string][] = [
    ["paragraphs end at blocks", "<p>a<b>b<div>c</div>", "<p>a<b>b</b></p><div>c</div>"],
    ["items end at items", "<ul><li>a<li>b<ul><li>c</ul><li>d</ul>",
      "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"],
    ["cells and rows are implied", "<table><tr><td>a<td>b<tr><td>c</table>",
      "<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>"],
    ["a cell without a row gets one", "<table><td>a</table>", "<table><tr><td>a</td></tr></table>"],
    ["a link ends at the next link", "<a href=x>a<a href=y>b</a>",
      '<a href="x">a</a><a href="y">b</a>'],
    ["a stray end tag stays in its cell", "<div><table><tr><td>a</div>b</td></tr></table>c</div>",
      "<div><table><tr><td>ab</td></tr></table>c</div>"],
    ["the end of a form closes no more than the form", "<form><div>a</form>b</div>c",
      "<form><div>ab</div></form>c"],
    ["terms and definitions", "<dl><dt>a<dd>b<dt>c<dd>d</dl>",
      "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>"],
    ["attribute names are lower case, the first of two counts", "<A HREF=x Href=y>a</A>",
      '<a href="x">a</a>'],
    ["an attribute of any name stays next to a class", '<a class="x" - b=1>a</a>',
      '<a class="x" -="" b="1">a</a>'],
    ["an element of any name may be in a table", "<table><tr><td><constructor>a</constructor></table>",
      "<table><tr><td><constructor>a</constructor></td></tr></table>"],
    ["names are the same in any case", "<DIV><Div>a</dIV>b</div><p ID=x id=y>c</P>",
      '<div><div>a</div>b</div><p id="x">c</p>'],
    ["character references and text are one node", "<p>a &amp; b &lt; c", "<p>a &amp; b &lt; c</p>"],
    ["a self-closed script ends", "<b>x</b><script src=y /><p>a",
      '<b>x</b><script src="y"></script><p>a</p>'],
    ["a section of XML is a comment to the first sign", "<div><![CDATA[x><b>a</b></div><p>b",
      "<div><!--x--><b>a</b></div><p>b</p>"],
    ["the end tag of any heading closes an open heading", "<main><h2>a</h3><p>b</p></main>",
      "<main><h2>a</h2><p>b</p></main>"],
    ["the end of a table closes its open cell", "<table><tr><td>a</table><p>b",
      "<table><tr><td>a</td></tr></table><p>b</p>"],
    ["the end tag of a heading stays in its cell", "<h2>a<table><tr><td>b</h2>c</table>d",
      "<h2>a<table><tr><td>bc</td></tr></table>d</h2>"],
    ["the first line break in pre goes", "<pre>\na\nb</pre>", "<pre>a\nb</pre>"],
  ] // biome-ignore format: a table reads better dense
  for (const [name, html, tree] of trees) {
    test(name, () => expect(body(html)).toBe(tree))
  }
})

test("html, head and body always exist", () => {
  const document = parseDocument("<title>T</title><meta name=a content=b><p>text")
  expect(document.documentElement.localName).toBe("html")
  expect(document.head.querySelector("title")?.textContent).toBe("T")
  expect(document.head.querySelector("meta")).not.toBeNull()
  expect(document.body.textContent).toBe("text")
})

test("attributes of html and body are kept, also of a late tag", () => {
  const document = parseDocument("<html lang=de><p>a<body class=x>b")
  expect(document.documentElement.getAttribute("lang")).toBe("de")
  expect(document.body.getAttribute("class")).toBe("x")
  expect(document.body.textContent).toBe("ab")
})

test("an unclosed noscript in the head does not contain the page", () => {
  const document = parseDocument("<head><noscript><link rel=x></head><body><p>a</p></body>")
  expect(document.body.textContent).toBe("a")
})
