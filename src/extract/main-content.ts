import { Readability } from "@mozilla/readability"
import { dropBoilerplate, dropLinkBlocks } from "./boilerplate.ts"
import { contentCopy } from "./content-copy.ts"
import { dropLabelLines, dropOrphanHeadings } from "./content-lines.ts"
import { findLead } from "./lead.ts"
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
  const article = isOrdinary(copy.body) ? readArticle(copy.cloneNode(true) as Document) : null
  if (!article || blockText(article).length < leastText) return fallback(copy, article)
  for (const lead of findLead(copy.body, article).toReversed()) {
    article.insertBefore(lead.cloneNode(true), article.firstChild)
  }
  return { root: article, source: "readability" }
}

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

function readArticle(copy: Document): Element | null {
  dropBoilerplate(copy)
  const root = findArticle(copy)
  if (root) tidy(root)
  return root
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

/** Without an article: the page's own container of content, else all of it but navigation. */
function fallback(copy: Document, article: Element | null): MainContent {
  const found = article ? blockText(article).length : 0
  for (const selector of containers) {
    const [root, second] = copy.body.querySelectorAll(selector)
    if (!root || second) continue
    const tidied = root.cloneNode(true) as Element
    tidy(tidied)
    const length = blockText(tidied).length
    if (length >= leastText || (length > 0 && found > length / 2)) {
      return { root: tidied, source: "container" }
    }
  }
  for (const element of [...copy.body.querySelectorAll(navigation)]) element.remove()
  return { root: copy.body, source: "body" }
}
