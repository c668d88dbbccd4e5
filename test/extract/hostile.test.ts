import { describe, expect, test } from "bun:test"
import { mainContent } from "../../src/extract/article/index.ts"
import { blockText, parseDocument } from "../../src/extract/core/index.ts"
import { pageLinks } from "../../src/extract/links/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { readMetadata, readSources } from "../../src/extract/metadata/index.ts"

const url = "https://site.example/"
/** Deeper than the stack allows if each level of the page took one level of the stack. */
const deep = 40_000

function attributes(count: number): string {
  return Array.from({ length: count }, (_, index) => ` a${index}="x"`).join("")
}

describe("hostile pages end within bounds", () => {
  const pages: [name: string, html: () => string][] = [
    ["deep blocks", () => `${"<div>".repeat(deep)}end`],
    ["deep marks", () => `${"<b><i>".repeat(deep / 2)}end`],
    ["deep lists", () => `${"<ul><li>".repeat(deep / 2)}end`],
    ["deep quotes", () => `${"<blockquote>".repeat(deep)}end`],
    ["deep tables", () => `${"<table><tr><td>".repeat(deep / 3)}end`],
    ["deep links", () => `${"<a href=x>".repeat(deep)}end`],
    ["many attributes", () => `<p${attributes(300_000)}>end`],
    ["half a million class names", () => `<p class="${"a ".repeat(500_000)}">end`],
    ["endless cells", () => `<table>${"<tr><td colspan=9999 rowspan=9999>a".repeat(2_000)}<td>end`],
    ["signs that open nothing", () => `<p>${"<".repeat(100_000)}${"*_`[&".repeat(50_000)}end`],
    ["a line of 3 MB", () => `<p>${"word ".repeat(600_000)}end`],
    ["many empty comments and tags", () => `${"<!-- --><b></b>".repeat(deep)}end`],
  ]
  for (const [name, html] of pages) {
    test(name, () => {
      const document = parseDocument(html())
      expect(blockText(document.body)).toEndWith("end")
      pageLinks(document, url)
      readMetadata(readSources(document, url))
      const { root } = mainContent(document, url)
      expect(toMarkdown(root, url).trimEnd()).toMatch(/end(?:\W|$)/)
    }, 30_000)
  }
})
