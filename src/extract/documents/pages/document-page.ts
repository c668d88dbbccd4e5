/** Formats of documents that are read as pages. */
export type DocumentFormat =
  | "pdf"
  | "docx"
  | "xlsx"
  | "pptx"
  | "odt"
  | "ods"
  | "odp"
  | "epub"
  | "rtf"
  | "ipynb"
  | "eml"
  | "csv"
  | "tsv"
  | "json"
  | "feed"
  | "text"

export interface OutlineEntry {
  level: number
  title: string
  /** Page number from 1; null if the document does not state it. */
  page: number | null
}

/** Data that readers need in addition to the document. */
export interface DocumentResources {
  /** Returns one of PDF.js's character maps by its file's name, such as `GBK-EUC-H.bcmap`. */
  characterMap(name: string): Promise<Uint8Array>
}

/** Facts about a document in addition to its text. */
export interface DocumentFacts {
  /** Number of pages, slides, sheets, chapters or entries; null if the format has none. */
  pageCount: number | null
  /** Pages that were read: fewer than `pageCount` if the document is longer than the maximum. */
  pagesRead: number | null
  /** Number of pages that are blank or only images, whose text is not read. */
  pagesWithoutText: number
  /** Visible glyphs of a PDF whose fonts do not map them to characters. */
  unmappedGlyphs?: number
  /** Present if the document is truncated: its existing part was read. */
  isCut?: true
  outline: OutlineEntry[]
  /** Creation time of the file; ISO 8601. */
  createdAt: string | null
}

export interface DocumentMetadata {
  title?: string | null | undefined
  author?: string | null | undefined
  description?: string | null | undefined
  keywords?: string | null | undefined
  language?: string | null | undefined
  /** Publication time of a message or a book; ISO 8601, like all times here. */
  publishedAt?: string | null | undefined
  /** Creation time of the file; it is not the publication time. */
  createdAt?: string | null | undefined
  modifiedAt?: string | null | undefined
}

/** A document as a page: its parts are sections, one for each page, sheet, slide or chapter. */
export interface ReadDocument {
  metadata: DocumentMetadata
  /** HTML of each part. A document without parts has one. */
  parts: string[]
  /** Whether the document has images, whose text is not read. */
  hasImages?: boolean
  facts: Omit<DocumentFacts, "createdAt">
}

export const plainFacts: DocumentFacts = {
  pageCount: null,
  pagesRead: null,
  pagesWithoutText: 0,
  outline: [],
  createdAt: null,
}

/** A document that cannot be read, with the cause for callers. */
export class UnreadableDocument extends Error {
  constructor(
    message: string,
    readonly code: "unreadable_document" | "encrypted_document" | "scanned_document" | "too_large",
  ) {
    super(message)
    this.name = "UnreadableDocument"
  }
}

/** Returns the facts of a document that may be truncated. */
export const factsOf = (isCut: boolean): DocumentFacts =>
  isCut ? { ...plainFacts, isCut } : plainFacts

/** Returns the facts of a document in parts, as far as they are read. */
export const pagedFacts = (pageCount: number, parts: readonly string[]): DocumentFacts => ({
  ...plainFacts,
  pageCount,
  pagesRead: parts.length,
  pagesWithoutText: parts.filter((part) => !hasText(part)).length,
})

/** Zeros and other control characters are no text. */
export const hasText = (html: string) =>
  /[^\s\p{Cc}\p{Cf}]/u.test(html.replace(/<[^<>]*>|&(?:nbsp|#160|#xa0|shy|#173);/gi, ""))

/** Returns a sheet's content under its name; "" for a sheet without content. */
export const sheetHtml = (name: string | null, content: string) =>
  content === "" ? "" : `<h2>${escaped(name ?? "")}</h2>\n${content}`

/** @throws UnreadableDocument if no part has any text */
export function requireText({ parts, hasImages = false }: ReadDocument): void {
  if (parts.some(hasText)) return
  if (!hasImages) throw unreadable("The document is blank: it has no text.")
  throw new UnreadableDocument("The document has images, but no text.", "scanned_document")
}

/** Returns the error for a stack overflow: readers recurse into nested content. */
export const nestedTooDeep = () => unreadable("The document's content is nested too deeply.")

export const unreadable = (message: string) =>
  new UnreadableDocument(message, "unreadable_document")

/** Returns text escaped for HTML. */
export function escaped(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
}

const maxCharacters = 20_000_000

/** Counts the characters of a document's text, because a few bytes may expand to gigabytes. */
export class TextLength {
  private characters = 0

  /** @throws UnreadableDocument */
  add(count: number): void {
    this.characters += count
    if (this.characters <= maxCharacters) return
    throw new UnreadableDocument(
      `The document has more than ${maxCharacters / 1e6} million characters.`,
      "too_large",
    )
  }
}

/** The attribute that identifies the parts of a document. */
const partAttribute = "data-part"

export function pageHtml({ metadata, parts }: ReadDocument): string {
  const { title, author, description, keywords, language, publishedAt, modifiedAt } = metadata
  const metas = [
    ["name", "author", author],
    ["name", "description", description],
    ["name", "keywords", keywords],
    ["property", "article:published_time", publishedAt],
    ["property", "article:modified_time", modifiedAt],
  ]
    .filter(([, , content]) => content)
    .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escaped(content!)}">`)
  const sections = parts.map(
    (part, index) => `<section ${partAttribute}="${index + 1}">${part}</section>`,
  )
  const html = [
    "<!doctype html>",
    language ? `<html lang="${escaped(language)}">` : "<html>",
    `<head><meta charset="utf-8">${title ? `<title>${escaped(title)}</title>` : ""}${metas.join("")}</head>`,
    `<body><main>${sections.join("\n")}</main></body></html>`,
  ].join("\n")
  new TextLength().add(html.length)
  return html
}

/** Maximum columns of a table; a note states how many more it has. */
export const maxColumns = 200

/**
 * Returns a table of texts without the empty rows and columns at its edges, or null if it is empty.
 * Cells can share one text in memory, so the total length is checked before the table is written.
 */
export function tableHtml(
  rows: readonly (readonly string[])[],
  length = new TextLength(),
): string | null {
  for (const cells of rows) length.add(cells.reduce((sum, cell) => sum + cell.length, 0))
  const used = (cells: readonly string[]) => cells.findLastIndex((cell) => cell !== "") + 1
  const all = rows.reduce((max, cells) => Math.max(max, used(cells)), 0)
  const width = Math.min(maxColumns, all)
  const stored = rows.filter((cells) => used(cells) > 0)
  if (width === 0 || stored.length === 0) return null
  const first = Math.min(
    ...stored.map((cells) => cells.findIndex((cell) => cell !== "")).filter((at) => at >= 0),
  )
  const line = (cells: readonly string[], tag: string) => {
    const written: string[] = []
    for (let at = first; at < width; at++) written.push(`<${tag}>${cells[at] ?? ""}</${tag}>`)
    return `<tr>${written.join("")}</tr>`
  }
  const body = stored.map((cells, index) => line(cells, index === 0 ? "th" : "td"))
  return `<table>${body.join("\n")}</table>${columnsLeftOut(all)}`
}

/** Returns the note below a table that has more columns than are read. */
export const columnsLeftOut = (all: number) =>
  all > maxColumns
    ? `<p>(The table continues to column ${all}: those after ${maxColumns} are left out.)</p>`
    : ""

/** Returns plain text as paragraphs, with its line breaks. */
export function paragraphs(text: string): string {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== "")
    .map((block) => `<p>${escaped(block.trim()).replace(/\n/g, "<br>")}</p>`)
    .join("\n")
}
