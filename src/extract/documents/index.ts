/** Reads documents such as PDF and Word as pages. */
import { decodeXml } from "../core/index.ts"
import { readCsv, readFeedPage, readJson, readText } from "./data-texts.ts"
import { readDocx } from "./docx.ts"
import { readEpub } from "./epub.ts"
import { readMail } from "./mail.ts"
import { readNotebook } from "./notebook.ts"
import { readOdf } from "./odf.ts"
import {
  type DocumentFacts,
  type DocumentFormat,
  type DocumentResources,
  nestedTooDeep,
  pageHtml,
  type ReadDocument,
  requireText,
} from "./pages/document-page.ts"
import { readPdf } from "./pdf/pdf.ts"
import { readPptx } from "./pptx.ts"
import { readRtf } from "./rtf.ts"
import { readXlsx } from "./xlsx.ts"

export type { DocumentFacts, DocumentFormat, DocumentResources } from "./pages/document-page.ts"

export interface DocumentSource {
  bytes: Uint8Array
  format: DocumentFormat
  url: string
  /** For text formats: the decoded text, because its encoding depends on the response's headers. */
  text?: string
  /** Maximum pages of a PDF that are read. */
  maxPages?: number
}

const readers: Record<
  DocumentFormat,
  (source: DocumentSource, resources: DocumentResources) => ReadDocument | Promise<ReadDocument>
> = {
  pdf: ({ bytes, maxPages }, resources) => readPdf(bytes, resources, maxPages),
  docx: ({ bytes }) => readDocx(bytes),
  xlsx: ({ bytes }) => readXlsx(bytes),
  pptx: ({ bytes }) => readPptx(bytes),
  odt: ({ bytes }) => readOdf(bytes),
  ods: ({ bytes }) => readOdf(bytes),
  odp: ({ bytes }) => readOdf(bytes),
  epub: ({ bytes }) => readEpub(bytes),
  rtf: ({ bytes }) => readRtf(bytes),
  eml: ({ bytes }) => readMail(bytes),
  ipynb: (source) => readNotebook(textOf(source)),
  csv: (source) => readCsv(textOf(source)),
  tsv: (source) => readCsv(textOf(source), "\t"),
  json: (source) => readJson(textOf(source)),
  feed: (source) => readFeedPage(source.text ?? decodeXml(source.bytes), source.url),
  text: (source) => readText(textOf(source)),
}

const textOf = ({ text, bytes }: DocumentSource) => text ?? new TextDecoder().decode(bytes)

/**
 * Returns a document as a page of HTML.
 *
 * @throws UnreadableDocument | TooLarge if the document is broken, empty or too large
 *
 * @example
 * ```ts
 * const source = { bytes: new TextEncoder().encode("a,b\n1,2"), format: "csv", url: "https://a.example/t.csv" }
 * (await readDocument(source, {})).html.includes("<td>1</td>") // true
 * ```
 */
export async function readDocument(
  source: DocumentSource,
  resources: DocumentResources,
): Promise<{ html: string; facts: DocumentFacts }> {
  const read = await withinStack(() => readers[source.format](source, resources))
  requireText(read)
  return {
    html: pageHtml(read),
    facts: { ...read.facts, createdAt: read.metadata.createdAt ?? null },
  }
}

async function withinStack<Result>(read: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    if (/Maximum call stack/.test((error as Error).message)) throw nestedTooDeep()
    throw error
  }
}
