import { strToU8, zipSync } from "fflate"
import mammoth from "mammoth"
import { decodeEntities } from "../core/index.ts"
import { Archive } from "./archive.ts"
import { withReadableContent } from "./docx-content.ts"
import {
  formatsOfStyles,
  withNumberedLists,
  withNumberFormats,
  withRestartedLists,
  withStarts,
} from "./docx-lists.ts"
import { DocxPlaceholders } from "./docx-placeholders.ts"
import { listsOfStyles, withListsOfStyles } from "./docx-style-lists.ts"
import { chartHtml, diagramHtml, imageDescription } from "./drawings.ts"
import { mainPart, officeMetadata, relationsOf } from "./open-xml.ts"
import {
  plainFacts,
  type ReadDocument,
  UnreadableDocument,
  unreadable,
} from "./pages/document-page.ts"

const isText = (name: string) => /\.(?:xml|rels)$/i.test(name)

const options = {
  convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
  styleMap: ["p[style-name='Subtitle'] => p:fresh", "p[style-name='Title'] => h1:fresh"],
}

/** Returns the description of a drawing's image. */
function descriptionOf(drawing: string): string {
  const written =
    /<(?:\w{1,20}:)?docPr\s[^<>]{0,1000}?\bdescr="([^"<>]{1,4000})"/.exec(drawing)?.[1] ?? ""
  return imageDescription(decodeEntities(written.replace(/&#(?:x0*[ad]|0*1[03]);/gi, " ")))
}

const maxParagraphs = 100_000
/** `<w:p>`, `<w:p …>` and `<w:p/>`, with any prefix. */
const paragraph = /<(?:\w+:)?p[\s/>]/g

/**
 * Throws if there are too many paragraphs, because converting one costs far more than counting it.
 * @throws UnreadableDocument
 */
function requireFewParagraphs(archive: Archive): void {
  let count = 0
  for (const name of archive.names.filter((one) => one.endsWith(".xml"))) {
    for (const _ of (archive.text(name) ?? "").matchAll(paragraph)) {
      if (++count > maxParagraphs) {
        throw new UnreadableDocument("The document has more than 100,000 paragraphs.", "too_large")
      }
    }
  }
}

/** Returns a part in the form that mammoth reads completely. */
function preparedPart(
  archive: Archive,
  name: string,
  placeholders: DocxPlaceholders,
  lists: ReturnType<typeof listsOfStyles>,
): Uint8Array {
  const bytes = archive.need(name)
  if (/^word\/numbering\.xml$/i.test(name)) {
    return strToU8(withNumberFormats(withRestartedLists(archive.text(name)!)))
  }
  if (!/^word\/[^/]+\.xml$/i.test(name)) return bytes
  const xml = archive.text(name)!
  const readable = withReadableContent(placeholders.withoutEquations(xml), (drawing) =>
    placeholders.runFor(drawingOf(archive, name, drawing)),
  )
  const prepared = /^word\/styles\.xml$/i.test(name) ? readable : withListsOfStyles(readable, lists)
  return prepared === xml ? bytes : strToU8(prepared)
}

/** Returns a drawing's chart as a table, its diagram as a list, or its image's description; "" for none. */
function drawingOf(archive: Archive, part: string, drawing: string): string {
  const rootOf = (reference: RegExp) => {
    const id = reference.exec(drawing)?.[1]
    const target = id === undefined ? undefined : relationsOf(archive, part).get(id)?.target
    return target === undefined ? undefined : archive.xml(target)
  }
  const chart = rootOf(/<(?:\w{1,20}:)?chart\s[^<>]{0,1000}?:id="([^"<>]{1,100})"/)
  if (chart) return chartHtml(chart)
  const diagram = rootOf(/<(?:\w{1,20}:)?relIds\s[^<>]{0,1000}?:dm="([^"<>]{1,100})"/)
  return diagram ? diagramHtml(diagram) : descriptionOf(drawing)
}

export async function readDocx(bytes: Uint8Array): Promise<ReadDocument> {
  const archive = Archive.open(bytes, isText)
  archive.need(mainPart(archive, "word/document.xml"))
  requireFewParagraphs(archive)
  // Mammoth unpacks without a limit, so it receives parts that were unpacked within the limit.
  const placeholders = new DocxPlaceholders()
  const numbering = archive.text("word/numbering.xml") ?? ""
  const lists = listsOfStyles(archive.text("word/styles.xml") ?? "", numbering)
  const parts = Object.fromEntries(
    archive.names.map((name) => [name, preparedPart(archive, name, placeholders, lists)]),
  )
  const buffer = Buffer.from(zipSync(parts, { level: 0 }))
  const formats = formatsOfStyles(numbering)
  const transformDocument = (document: unknown) =>
    withNumberedLists(document as Parameters<typeof withNumberedLists>[0], formats)
  try {
    const { value } = await mammoth.convertToHtml({ buffer }, { ...options, transformDocument })
    const html = placeholders.putBack(withStarts(value.replace(/<img\b[^>]*>/g, "")))
    return {
      metadata: officeMetadata(archive),
      parts: [html],
      hasImages: archive.hasImages,
      facts: plainFacts,
    }
  } catch (error) {
    if (/Maximum call stack/.test((error as Error).message)) throw error
    throw unreadable("The Word document cannot be read: one of its parts is damaged.")
  }
}
