import {
  absoluteUrl,
  elementsWhere,
  htmlToText,
  parseDocument,
  TooManyElements,
} from "../core/index.ts"
import { toMarkdown } from "./markdown.ts"
import { turndown } from "./turndown.ts"

/** A URL against which nothing relative can be made absolute. */
const nowhere = "about:blank"

/**
 * Turndown reads the whole text of each element, so its time grows with depth; each level of quotes and
 * lists copies its content. The deepest recorded fragment has 14 levels.
 */
const maxDepth = 24
/** Chapters and pages, for which the writer of pages is some times as fast. */
const maxElements = 5_000
const maxChars = 500_000
/** In code, which preserves white space, it takes Turndown quadratic time. */
const longSpace = /\s{100}/

const hasTag = /<\/?[a-z]/i

/**
 * Returns a fragment of HTML from JSON or a feed (a description, a comment, an answer) as Markdown
 * without a final line feed, or null if it is empty. URLs are resolved against `base`, the URL of the
 * page that shows it; without one, relative links become text. Plain text keeps its line breaks.
 *
 * Turndown converts it. Unusually deep or large fragments use the writer of pages, whose time is linear
 * in their size; larger ones become plain text.
 */
export function fragmentMarkdown(html: unknown, base: string = nowhere): string | null {
  if (typeof html !== "string" || html.trim() === "") return null
  const source = hasTag.test(html) ? html : html.replace(/\r?\n/g, "<br>")
  try {
    return (
      written(parseDocument(source).body, base) ??
      written(revealed(parseDocument(source).body), base)
    )
  } catch (error) {
    if (error instanceof TooManyElements) return htmlToText(html)
    throw error
  }
}

function written(body: HTMLElement, base: string): string | null {
  const { depth, elements } = resolveLinks(body, base)
  const text = body.textContent ?? ""
  const isOrdinary =
    depth <= maxDepth && elements <= maxElements && text.length <= maxChars && !longSpace.test(text)
  return (isOrdinary ? turndown(body, base) : toMarkdown(body, base).trimEnd()) || null
}

/** A fragment that is hidden as a whole, as a closed accordion's answer, is still wanted. */
function revealed(body: HTMLElement): HTMLElement {
  for (const element of elementsWhere(body, () => true)) {
    for (const name of ["hidden", "aria-hidden", "style"]) element.removeAttribute(name)
  }
  return body
}

/** Makes links absolute, those too that lead to another part of the page; the tree's size. */
function resolveLinks(parent: Element, base: string): { depth: number; elements: number } {
  let depth = 0
  let elements = 0
  for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
    if (child.localName === "a") resolveLink(child, base)
    const below = resolveLinks(child, base)
    depth = Math.max(depth, below.depth + 1)
    elements += below.elements + 1
  }
  return { depth, elements }
}

function resolveLink(link: Element, base: string): void {
  const written = link.getAttribute("href")?.trim()
  if (!written || /^(?:mailto|tel):./i.test(written)) return
  const url = absoluteUrl(written, base)
  if (url === null) link.removeAttribute("href")
  else link.setAttribute("href", url)
}
