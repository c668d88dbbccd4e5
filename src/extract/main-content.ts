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
  if (article && blockText(article).length >= leastText) {
    for (const lead of findLead(copy.body, article).toReversed()) {
      const c = lead.cloneNode(true) as Element
      c.setAttribute(
        "data-lead",
        (lead.parentElement?.localName ?? "") + "." + lead.parentElement?.getAttribute("class"),
      )
      article.insertBefore(c, article.firstChild)
    }
    return { root: article, source: "readability" }
  }
  return fallback(copy)
}

function readArticle(copy: Document): Element | null {
  dropBoilerplate(copy)
  const article = new Readability<Element>(copy, {
    serializer: (node) => node as Element,
    keepClasses: true,
  }).parse()
  const root = article?.content ?? null
  if (root) {
    dropLinkBlocks(root)
    dropLabelLines(root)
    dropOrphanHeadings(root)
  }
  return root
}

const navigation =
  "nav, header, footer, aside, form, dialog, [role=navigation], [role=banner], [role=contentinfo], [role=search]"

function fallback(copy: Document): MainContent {
  for (const selector of ["main", "[role=main]", "article", "#content"]) {
    const found = [...copy.body.querySelectorAll(selector)]
    const root = found.length === 1 ? found[0]! : undefined
    if (root && blockText(root).length >= leastText) return { root, source: "container" }
  }
  for (const element of [...copy.body.querySelectorAll(navigation)]) element.remove()
  return { root: copy.body, source: "body" }
}
