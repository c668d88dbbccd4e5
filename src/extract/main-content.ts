import { Readability } from "@mozilla/readability"
import { dropBoilerplate, dropLinkBlocks } from "./boilerplate.ts"
import { contentCopy } from "./content-copy.ts"
import { dropLabelLines, dropOrphanHeadings } from "./content-lines.ts"
import { dropHeading, findLead } from "./lead.ts"
import { blockText } from "./page-text.ts"

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
  const swept = copy.cloneNode(true) as Document
  dropBoilerplate(swept)
  const containerLength = lengthOf(containerOf(swept))
  const article = isOrdinary(swept.body) ? findArticle(swept) : null
  if (article) tidy(article)
  const length = lengthOf(article)
  if (!article || length < leastText || isLittle(length, containerLength)) {
    return fallback(copy, article, length)
  }
  dropHeading(copy.body, article)
  for (const lead of findLead(copy.body, article).toReversed()) {
    article.insertBefore(lead.cloneNode(true), article.firstChild)
  }
  return { root: article, source: "readability" }
}

const lengthOf = (element: Element | null) => (element ? blockText(element).length : 0)

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

function findArticle(copy: Document): Element | null {
  try {
    const options = { serializer: (node: Node) => node as Element, keepClasses: true }
    return new Readability<Element>(copy, options).parse()?.content ?? null
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

const containers = ["[itemprop~=articleBody]", "main", "[role=main]", "article", "#content"]
const navigation =
  "nav, header, footer, aside, form, dialog, [role=navigation], [role=banner], [role=contentinfo], [role=search]"

/** The one element that the page itself names as the container of its content. */
function containerOf(page: Document): Element | null {
  for (const selector of containers) {
    const [first, second] = page.body.querySelectorAll(selector)
    if (first && !second) return first
  }
  return null
}

/** Without an article that is enough: the page's own container, else all of it but navigation. */
function fallback(copy: Document, article: Element | null, length: number): MainContent {
  const swept = copy.cloneNode(true) as Document
  dropBoilerplate(swept)
  const container = containerOf(swept)
  if (container) {
    dropAround(container)
    tidy(container)
    const found = lengthOf(container)
    const isBetter = length < leastText ? found > length : isLittle(length, found)
    if (isBetter) return { root: container, source: "container" }
  }
  if (article && length >= leastText) return { root: article, source: "readability" }
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
