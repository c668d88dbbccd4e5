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
  const article = readArticle(copy.cloneNode(true) as Document)
  if (!article || blockText(article).length < leastText) return fallback(copy, article)
  for (const lead of findLead(copy.body, article).toReversed()) {
    article.insertBefore(lead.cloneNode(true), article.firstChild)
  }
  return { root: article, source: "readability" }
}

function readArticle(copy: Document): Element | null {
  dropBoilerplate(copy)
  const article = new Readability<Element>(copy, {
    serializer: (node) => node as Element,
    keepClasses: true,
  }).parse()
  const root = article?.content ?? null
  if (root) tidy(root)
  return root
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
