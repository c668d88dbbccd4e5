import { baseUrl, indexPage } from "../core/index.ts"
import { type MetaTags, readMeta } from "../page/index.ts"
import { readStructuredData, type SchemaNode, type StructuredData } from "../structured/index.ts"
import { mainNode, webPageNode } from "./main-node.ts"

/** The sources of a page's metadata, created once and shared by all readers. */
export interface PageSources {
  document: Document
  /** After redirects. */
  pageUrl: string
  base: string
  meta: MetaTags
  structured: StructuredData
  /** The JSON-LD node that the page is about: its article, product, recipe. */
  main: SchemaNode | null
  webPage: SchemaNode | null
}

export function readSources(document: Document, pageUrl: string): PageSources {
  indexPage(document)
  const structured = readStructuredData(document, pageUrl)
  return {
    document,
    pageUrl,
    base: baseUrl(document, pageUrl),
    meta: readMeta(document),
    structured,
    main: mainNode(structured, document, pageUrl),
    webPage: webPageNode(structured),
  }
}
