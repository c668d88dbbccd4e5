import { isBlock, isUnseen, zeroWidth } from "../core/index.ts"
import { elementMarkdown } from "./markdown.ts"

/** Elements that Turndown does not know, or writes worse than our page writer. */
const writtenAsInPages = new Set(
  "table pre code kbd samp tt img math iframe video audio".split(" "),
)
const players = new Set(["iframe", "video", "audio"])

/** The attribute that holds an element's Markdown once that is written. */
export const writtenMark = "data-markdown"

/**
 * Prepares a tree for Turndown: removes hidden elements, and writes tables, code, images and players as
 * in pages. Turndown's time for the rest is linear in its size, as long as it is not deep.
 */
export function prepareTree(parent: Element, base: string): void {
  for (let node = parent.firstChild; node; ) {
    const next: ChildNode | null = node.nextSibling
    if (node.nodeType === 3) {
      plainSpaces(node)
      joinText(node)
    } else if (node.nodeType === 1) prepareElement(node as Element, base)
    else node.remove()
    node = next
  }
}

function prepareElement(element: Element, base: string): void {
  const name = element.localName
  if (writtenAsInPages.has(name)) element.replaceWith(written(element, base))
  else if (name !== "input" && isUnseen(element)) element.remove()
  else {
    prepareTree(element, base)
    if (!isBlock(element)) liftBreaks(element)
  }
}

/** Turndown's patterns take quadratic time on runs of any other white space. */
function plainSpaces(text: Node): void {
  const written = text.nodeValue ?? ""
  const plain = written.replace(zeroWidth, "").replace(/[^\S ]+/g, " ")
  if (plain !== written) text.nodeValue = plain
}

/** For elements without content: Turndown keeps a table as a block and an image inline. */
function written(element: Element, base: string): Element {
  const isOwnBlock = isBlock(element) || players.has(element.localName)
  const placeholder = element.ownerDocument.createElement(isOwnBlock ? "table" : "img")
  placeholder.setAttribute(writtenMark, elementMarkdown(element, base))
  return placeholder
}

/** Frameworks put comments between values: the text after one is not the start of a line. */
function joinText(text: ChildNode): void {
  const before = text.previousSibling
  if (before?.nodeType !== 3) return
  before.nodeValue += text.nodeValue ?? ""
  text.remove()
}

/** A break at the end of a mark or link is moved out of it, which it would tear. */
function liftBreaks(element: Element): void {
  for (let last = lastBreak(element.lastChild); last; last = lastBreak(element.lastChild)) {
    element.after(last)
  }
  for (let first = lastBreak(element.firstChild); first; first = lastBreak(element.firstChild)) {
    element.before(first)
  }
}

const lastBreak = (node: ChildNode | null) =>
  (node as Element | null)?.localName === "br" ? node : null
