import { isoDate, parseDocument, textOrNull, type XmlElement } from "../core/index.ts"
import { Archive, partName } from "./archive.ts"
import {
  type DocumentMetadata,
  type OutlineEntry,
  plainFacts,
  type ReadDocument,
  UnreadableDocument,
  unreadable,
} from "./document-page.ts"

const mostChapters = 5000

/** A book: its chapters in the order of its spine. */
export function readEpub(bytes: Uint8Array): ReadDocument {
  const archive = Archive.open(bytes, (name) => /\.(?:xml|opf|x?html?|ncx)$/i.test(name))
  const container = archive.needXml("META-INF/container.xml")
  const packagePart = [...container.within("rootfile")][0]?.attribute("full-path")
  if (!packagePart) throw unreadable("The book does not say where its contents are.")
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
  // A chapter is read once, however often the spine names it.
  const chapters = [...new Set(named)]
  if (chapters.some((name) => locked.has(name))) {
    throw new UnreadableDocument("The book is locked (DRM).", "encrypted_document")
  }
  const outline: OutlineEntry[] = []
  const parts: string[] = []
  for (const name of chapters.slice(0, mostChapters)) {
    const text = archive.text(name)
    if (text === undefined) continue
    const { html, title } = chapterOf(text)
    parts.push(html)
    if (title) outline.push({ level: 1, title, page: parts.length })
  }
  return {
    metadata: bookMetadata(root.first("metadata")),
    parts,
    facts: { ...plainFacts, pageCount: chapters.length, pagesRead: parts.length, outline },
  }
}

/** Fonts may be scrambled without the book being locked. */
function encryptedParts(archive: Archive): Set<string> {
  const root = archive.xml("META-INF/encryption.xml")
  const references = root ? [...root.within("CipherReference")] : []
  return new Set(references.map((reference) => decoded(reference.attribute("URI") ?? "")))
}

/** A chapter's body; links within the book and pictures lead nowhere outside of it. */
function chapterOf(text: string): { html: string; title: string | null } {
  const document = parseDocument(text.replace(/^\s*<\?xml[^>]*>/, ""))
  const { body } = document
  for (const element of [...body.querySelectorAll("script, style, img, svg, nav")]) {
    element.remove()
  }
  for (const link of body.querySelectorAll("a[href]")) {
    if (!/^(?:https?|mailto):/i.test(link.getAttribute("href")!)) link.removeAttribute("href")
  }
  const heading = body.querySelector("h1, h2, h3")
  return { html: body.innerHTML, title: textOrNull(heading?.textContent ?? "") }
}

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
