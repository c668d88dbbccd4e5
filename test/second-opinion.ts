/** Turndown's reading of a page's main content, as a second opinion on ours. */
import Turndown from "turndown/lib/turndown.browser.es.js"
import { mainContent } from "../src/extract/article/index.ts"
import { parseDocument } from "../src/extract/core/index.ts"
import { toMarkdown } from "../src/extract/markdown/index.ts"
import { readPart } from "./plain-text.ts"
import type { QualityPage } from "./quality/pages.ts"

const url = "https://site.example/page"

const turndown = new Turndown({ headingStyle: "atx" })
const asWritten = turndown.escape
/** It takes a tag that is shown as text for one. */
turndown.escape = (text) => asWritten(text).replaceAll("<", "\\<")

/** The words that Turndown gives of a page's main content and our Markdown does not, each once. */
export function wordsOnlyOfTurndown({ html }: QualityPage): string[] {
  const main = mainContent(parseDocument(html), url).root
  const ours = plain(textOf(toMarkdown(main, url)))
  const theirs = textOf(turndown.turndown(visiblePart(main)))
  return [...new Set(theirs.match(words))].filter((word) => !ours.includes(word))
}

const words = /[\p{L}\p{N}]+/gu
const plain = (text: string) => text.match(words)?.join("") ?? ""

/** What Turndown writes no words of, or others, and what a script on the page drew of a formula. */
const wordless = "img, math, [class^=MathJax]"

/** What ours leaves out on purpose, and Turndown knows nothing of. */
function visiblePart(main: Element): HTMLElement {
  const part = readPart(main)
  for (const element of [...part.querySelectorAll(wordless)]) element.remove()
  // A link around blocks would be split, and its URL would be in the text.
  for (const link of part.querySelectorAll("a")) link.removeAttribute("href")
  return part as HTMLElement
}

/** The words of rendered Markdown, with white space between blocks. */
function textOf(markdown: string): string {
  const html = Bun.markdown.html(markdown, { tables: true, strikethrough: true })
  return parseDocument(html).body.textContent!
}
