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
/** Turndown takes a tag that is shown as text for markup. */
turndown.escape = (text) => asWritten(text).replaceAll("<", "\\<")

/**
 * Returns the words of a page's main content that are in Turndown's Markdown and not in ours, each
 * once.
 */
export function wordsOnlyOfTurndown({ html }: QualityPage): string[] {
  const main = mainContent(parseDocument(html), url).root
  const ours = plain(textOf(toMarkdown(main, url)))
  const theirs = textOf(turndown.turndown(visiblePart(main)))
  return [...new Set(theirs.match(words))].filter((word) => !ours.includes(word))
}

const words = /[\p{L}\p{N}]+/gu
const plain = (text: string) => text.match(words)?.join("") ?? ""

/** Elements whose words Turndown omits or changes, and formulas that a script drew. */
const wordless = "img, math, [class^=MathJax]"

/** Elements that ours omits on purpose and Turndown does not know. */
function visiblePart(main: Element): HTMLElement {
  const part = readPart(main)
  for (const element of [...part.querySelectorAll(wordless)]) element.remove()
  // A link around blocks would be split, and its URL would be in the text.
  for (const link of part.querySelectorAll("a")) link.removeAttribute("href")
  return part as HTMLElement
}

/** Returns the words of rendered Markdown, with white space between blocks. */
function textOf(markdown: string): string {
  const html = Bun.markdown.html(markdown, { tables: true, strikethrough: true })
  return parseDocument(html).body.textContent!
}
