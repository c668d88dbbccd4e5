import { textOf } from "../core/index.ts"
import { metaContent } from "../page/index.ts"
import { type SchemaNode, textAt } from "../structured/index.ts"
import { linesOf } from "./author.ts"
import { chooseDate } from "./candidates/choose.ts"
import { dateCandidates } from "./candidates/date-features.ts"
import { readScorers } from "./candidates/scorer.ts"
import type { PageSources } from "./page-sources.ts"
import { pageDate } from "./text/dates-in-text.ts"

const modifiedNames = [
  "article:modified_time",
  "og:article:modified_time",
  "og:updated_time",
  "last-modified",
  "dc.date.modified",
  "dcterms.modified",
  "article.updated",
]

/** Returns the date that a trained model chooses as that of publication. */
export function publishedAt(sources: PageSources): string | null {
  const candidates = dateCandidates(sources, linesOf(sources.document))
  return chooseDate(candidates, readScorers().date.chances(candidates))
}

export function modifiedAt(sources: PageSources): string | null {
  return (
    nodeDate(sources, sources.main, "dateModified") ??
    nodeDate(sources, sources.webPage, "dateModified") ??
    metaDate(sources, modifiedNames) ??
    itemDate(sources.document, "dateModified")
  )
}

function nodeDate(
  { structured }: PageSources,
  node: SchemaNode | null,
  property: string,
): string | null {
  return node && pageDate(textAt(structured, node, property))
}

function metaDate({ meta }: PageSources, names: string[]): string | null {
  for (const name of names) {
    const date = pageDate(metaContent(meta, name))
    if (date !== null) return date
  }
  return null
}

function itemDate(document: Document, property: string): string | null {
  for (const element of document.querySelectorAll(`[itemprop~=${property}]`)) {
    const date = elementDate(element)
    if (date !== null) return date
  }
  return null
}

function elementDate(element: Element | null): string | null {
  if (!element) return null
  return (
    pageDate(element.getAttribute("content")) ??
    pageDate(element.getAttribute("datetime")) ??
    pageDate(textOf(element))
  )
}
