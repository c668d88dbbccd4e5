import { elementsWhere, factOf, isBlock, isUnseen, lineText, originalOf } from "../core/index.ts"
import { documentTitle, sharedWords } from "./title.ts"

/** The first-level heading that says most of the page's title; sites have others for their name. */
export function mainHeading(
  page: Element,
  isCandidate: (element: Element) => boolean = isHeadline,
): Element | null {
  return isCandidate === isHeadline && page.localName === "body"
    ? factOf(page.ownerDocument, isHeadline, () => bestHeading(page, isCandidate))
    : bestHeading(page, isCandidate)
}

function bestHeading(page: Element, isCandidate: (element: Element) => boolean): Element | null {
  const title = documentTitle(originalOf(page.ownerDocument))
  let best: Element | null = null
  let most = -1
  for (const heading of elementsWhere(page, isCandidate)) {
    const shared = sharedWords(lineText(heading), title)
    if (shared > most) [best, most] = [heading, shared]
  }
  return best
}

export const isHeadline = (element: Element): boolean =>
  element.localName === "h1" ||
  (element.getAttribute("itemprop")?.split(/\s+/).includes("headline") ?? false)

/** Limits the work on one page. */
const mostBlocks = 3_000

interface TextBlock {
  element: Element
  text: string
}

/** The first blocks with text of a walk, with their text on one line. */
export function* withText(blocks: Iterable<Element>, most: number): Generator<TextBlock> {
  let looked = 0
  let found = 0
  for (const element of blocks) {
    if (++looked > mostBlocks || found >= most) return
    const text = lineOf(element)
    if (text === "") continue
    found++
    yield { element, text }
  }
}

/** Several look for the same blocks of an indexed page, each from its own place on. */
function lineOf(element: Element): string {
  const lines = factOf(element.ownerDocument, lineOf, () => new Map<Element, string>())
  let line = lines.get(element)
  if (line === undefined) {
    line = lineText(element)
    lines.set(element, line)
  }
  return line
}

/** The elements after one that hold text and no further blocks, in document order. */
export function* blocksAfter(start: Element, page: Element): Generator<Element> {
  for (let at: Element | null = start; at && at !== page; at = at.parentElement) {
    for (let next = at.nextElementSibling; next; next = next.nextElementSibling) {
      yield* leafBlocks(next)
    }
  }
}

/** The elements in one that hold text and no further blocks, in document order. */
function leafBlocks(element: Element): Generator<Element> {
  const known = factOf(element.ownerDocument, hasBlock, () => new Map<Element, boolean>())
  return leavesOf(element, known)
}

function* leavesOf(element: Element, known: Map<Element, boolean>): Generator<Element> {
  if (isUnseen(element)) return
  if (hasBlock(element, known)) {
    for (let child = element.firstElementChild; child; child = child.nextElementSibling) {
      yield* leavesOf(child, known)
    }
  } else if (isBlock(element) || inlineLeaves.has(element.localName)) yield element
}

const inlineLeaves = new Set(["span", "time", "a", "em", "strong", "b", "i", "small", "address"])

/** Whether there are blocks in an element; what is `known` is not looked for again. */
function hasBlock(element: Element, known: Map<Element, boolean>): boolean {
  if (!element.firstElementChild) return false
  let found = known.get(element)
  if (found !== undefined) return found
  found = false
  for (let child = element.firstElementChild; child && !found; child = child.nextElementSibling!) {
    found = isBlock(child) || hasBlock(child, known)
  }
  known.set(element, found)
  return found
}
