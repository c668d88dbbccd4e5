import { isoDate, parseDocument, textOrNull, type XmlElement } from "../core/index.ts"
import { Archive, partName } from "./archive.ts"
import {
  type DocumentMetadata,
  hasText,
  type OutlineEntry,
  pagedFacts,
  type ReadDocument,
  UnreadableDocument,
  unreadable,
} from "./pages/document-page.ts"

const maxChapters = 5000
/** Extensions of files without text. Chapters may have any other extension. */
const media =
  /\.(?:png|jpe?g|gif|bmp|tiff?|webp|avif|css|js|ttf|otf|woff2?|mp[34]|m4[av]|og[agv]|wav|web[am]|pdf|smil)$/i

/** Reads a book: its chapters in the order of its spine. */
export function readEpub(bytes: Uint8Array): ReadDocument {
  const archive = Archive.open(bytes, (name) => !media.test(name))
  const container = archive.needXml("META-INF/container.xml")
  const packagePart = [...container.within("rootfile")][0]?.attribute("full-path")
  if (!packagePart) throw unreadable("The book's container does not name its package file.")
  const root = archive.needXml(packagePart)
  const files = new Map<string, string>()
  for (const item of root.first("manifest")?.all("item") ?? []) {
    files.set(
      item.attribute("id") ?? "",
      partName(decoded(item.attribute("href") ?? ""), packagePart),
    )
  }
  const locked = encryptedParts(archive)
  const named = (root.first("spine")?.all("itemref") ?? [])
    .filter((item) => item.attribute("linear") !== "no")
    .map((item) => files.get(item.attribute("idref") ?? ""))
    .filter((name) => name !== undefined)
  // A chapter is read once, even if the spine names it several times.
  const chapters = [...new Set(named)]
  if (chapters.some((name) => locked.has(name))) {
    throw new UnreadableDocument("The book is protected by DRM.", "encrypted_document")
  }
  const outline: OutlineEntry[] = []
  const parts: string[] = []
  let pagesWithoutText = 0
  for (const name of chapters.slice(0, maxChapters)) {
    const text = archive.text(name)
    if (text === undefined || isGarbled(text)) continue
    const { html, title, isContents } = chapterOf(text)
    parts.push(html)
    if (!isContents && !hasText(html)) pagesWithoutText++
    if (title) outline.push({ level: 1, title, page: parts.length })
  }
  if (parts.length === 0 && chapters.length > 0)
    throw unreadable("The book's chapters are missing or damaged.")
  return {
    metadata: bookMetadata(root.first("metadata")),
    parts,
    hasImages: archive.hasImages,
    facts: { ...pagedFacts(chapters.length, parts), pagesWithoutText, outline },
  }
}

/** Returns whether a chapter's bytes are not text, as in a locked book that does not declare it. */
const isGarbled = (text: string) => (text.match(/\ufffd/g)?.length ?? 0) > text.length / 10

/** Returns the encrypted parts. Fonts may be scrambled although the book is not locked. */
function encryptedParts(archive: Archive): Set<string> {
  const root = archive.xml("META-INF/encryption.xml")
  const references = root ? [...root.within("CipherReference")] : []
  return new Set(references.map((reference) => decoded(reference.attribute("URI") ?? "")))
}

interface Chapter {
  html: string
  title: string | null
  /** Whether the chapter is the table of contents, which is left out. */
  isContents: boolean
}

/**
 * Returns a chapter's body without images and without links within the book, which have no target
 * outside of it.
 */
function chapterOf(text: string): Chapter {
  const document = parseDocument(text.replace(/^\s*<\?xml[^>]*>/, ""))
  const body = document.body ?? document.documentElement
  for (const drawing of body.querySelectorAll("svg")) keepText(drawing)
  const isContents = body.querySelector("nav") !== null
  for (const element of [...body.querySelectorAll("script, style, img, svg, nav")]) {
    element.remove()
  }
  for (const link of body.querySelectorAll("a[href]")) {
    if (!/^(?:https?|mailto):|^#/i.test(link.getAttribute("href")!)) link.removeAttribute("href")
  }
  const heading = body.querySelector("h1, h2, h3")
  return { html: body.innerHTML, title: textOrNull(heading?.textContent ?? ""), isContents }
}

/** Replaces a drawing by its texts, one paragraph each. */
function keepText(drawing: Element): void {
  for (const text of drawing.querySelectorAll("text, foreignObject, foreignobject")) {
    const paragraph = drawing.ownerDocument.createElement("p")
    paragraph.textContent = linesOf(text).join(" ")
    if (paragraph.textContent.trim() !== "") drawing.before(paragraph)
  }
}

/** Returns the lines of a text: the pieces that have their own position. */
function linesOf(text: Element): string[] {
  const lines = [""]
  for (const node of text.childNodes) {
    const isPlaced = node.nodeType === 1 && /^(?:d?[xy])$/.test(placeOf(node as Element))
    if (isPlaced) lines.push("")
    lines[lines.length - 1] += node.textContent ?? ""
  }
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter((line) => line !== "")
}

const placeOf = (element: Element) =>
  ["x", "y", "dx", "dy"].find((name) => element.hasAttribute(name)) ?? ""

function bookMetadata(meta: XmlElement | undefined): DocumentMetadata {
  const texts = (name: string) =>
    (meta?.all(name) ?? [])
      .map((element) => textOrNull(element.text))
      .filter((text) => text !== null)
  const modified = meta
    ?.all("meta")
    .find((element) => element.attribute("property") === "dcterms:modified")
  return {
    title: texts("title")[0],
    author: texts("creator").join(", ") || null,
    description: texts("description")[0]?.replace(/<[^<>]{0,500}>/g, ""),
    keywords: texts("subject").join(", ") || null,
    language: texts("language")[0],
    publishedAt: isoDate(texts("date")[0] ?? null),
    modifiedAt: isoDate(modified?.text ?? null),
  }
}

function decoded(reference: string): string {
  try {
    return decodeURI(reference)
  } catch {
    return reference
  }
}
