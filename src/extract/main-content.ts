import { dropBoilerplate, dropLinkBlocks } from "./boilerplate.ts"
import { contentCopy } from "./content-copy.ts"
import { dropLabelLines, dropOrphanHeadings } from "./content-lines.ts"
import { elementsWhere } from "./html.ts"
import { dropHeading, findLead } from "./lead.ts"
import { mainHeading } from "./main-heading.ts"
import { blockText, textLines } from "./page-text.ts"
import { Reader } from "./reader.ts"
import { foldSpace } from "./text.ts"

export interface MainContent {
  /** In a copy of the page, so that it may be changed; links and pictures are absolute. */
  root: Element
  /** Where it was found; `body` is the whole page without navigation. */
  source: "readability" | "container" | "body"
}

const leastText = 250

/** The part of a page that it is about: its article, or all of it but the navigation. */
export function mainContent(document: Document, pageUrl: string): MainContent {
  const copy = contentCopy(document, pageUrl)
  const swept = sweptCopy(copy)
  const roughLength = foldSpace(containerOf(swept)?.textContent ?? "").length
  const article = isOrdinary(swept.body) ? findArticle(swept, copy) : null
  if (article) tidy(article)
  const lines = article ? textLines(article) : []
  const { length } = lines.join("\n")
  if (article && length >= leastText) {
    if (!isLittle(length, roughLength)) return withLead(article, lines, copy)
    return betterContainer(copy, length) ?? { root: article, source: "readability" }
  }
  return betterContainer(copy, length) ?? wholeBody(copy)
}

function sweptCopy(copy: Document): Document {
  const swept = copy.cloneNode(true) as Document
  dropBoilerplate(swept)
  return swept
}

/** The article with what stands between the page's heading and its beginning. */
function withLead(article: Element, lines: string[], copy: Document): MainContent {
  const heading = mainHeading(copy.body)
  if (heading) {
    const text = dropHeading(heading, article) ? textLines(article) : lines
    for (const lead of findLead(heading, copy.body, text).toReversed()) {
      article.insertBefore(lead.cloneNode(true), article.firstChild)
    }
  }
  return { root: article, source: "readability" }
}

const lengthOf = (element: Element) => blockText(element).length

const shortArticle = 1_000

/** Whether an article is so small a part of the page's container that it is hardly what it is about. */
const isLittle = (length: number, containerLength: number) =>
  containerLength > length * (length < shortArticle ? 1.5 : 3)

/** Readability takes time by the square of depth and number on pages that no author wrote. */
const maxElements = 50_000
const maxDepth = 150

function isOrdinary(body: Element): boolean {
  let count = 0
  const visit = (parent: Element, depth: number): boolean => {
    for (let child = parent.firstElementChild; child; child = child.nextElementSibling) {
      if (++count > maxElements || depth > maxDepth || !visit(child, depth + 1)) return false
    }
    return true
  }
  return visit(body, 1)
}

function findArticle(swept: Document, copy: Document): Element | null {
  try {
    return new Reader(swept, () => sweptCopy(copy).body).parse()?.content ?? null
  } catch (error) {
    // Millions of nodes side by side are more than the DOM can move at once.
    if (error instanceof RangeError) return null
    throw error
  }
}

function tidy(root: Element): void {
  dropLinkBlocks(root)
  dropLabelLines(root)
  dropOrphanHeadings(root)
}

/** How a page names the container of its content, the surest first. */
const containerTests: ((element: Element) => boolean)[] = [
  (element) => element.getAttribute("itemprop")?.split(/\s+/).includes("articleBody") ?? false,
  (element) => element.localName === "main",
  (element) => element.getAttribute("role") === "main",
  (element) => element.localName === "article",
  (element) => element.id === "content",
]
const navigation =
  "nav, header, footer, aside, form, dialog, [role=navigation], [role=banner], [role=contentinfo], [role=search]"

/** The one element that the page itself names as the container of its content. */
function containerOf(page: Document): Element | null {
  const elements = elementsWhere(page.body, () => true)
  for (const test of containerTests) {
    const [first, second] = elements.filter(test)
    if (first && !second) return first
  }
  return null
}

/** The page's own container, where it says much more than an article of some length. */
function betterContainer(copy: Document, length: number): MainContent | null {
  const swept = sweptCopy(copy)
  const container = containerOf(swept)
  if (!container) return null
  dropAround(container)
  tidy(container)
  const found = lengthOf(container)
  const isBetter = length < leastText ? found > length : isLittle(length, found)
  return isBetter ? { root: container, source: "container" } : null
}

/** All of a page but its navigation. */
function wholeBody(copy: Document): MainContent {
  dropAround(copy.body)
  return { root: copy.body, source: "body" }
}

/** Removes navigation; a form or header that holds most of the page is what it is about. */
function dropAround(root: Element): void {
  const total = lengthOf(root)
  for (const element of [...root.querySelectorAll(navigation)]) {
    if (root.contains(element) && lengthOf(element) <= total / 2) element.remove()
  }
}
