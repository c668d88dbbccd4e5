import { strToU8, zipSync } from "fflate"
import mammoth from "mammoth"
import { Archive } from "./archive.ts"
import { plainFacts, type ReadDocument, UnreadableDocument, unreadable } from "./document-page.ts"
import { DocxMath } from "./docx-math.ts"
import { mainPart, officeMetadata } from "./open-xml.ts"

const isText = (name: string) => /\.(?:xml|rels)$/i.test(name)

/** Pictures are left out: they have no address. */
const options = {
  convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
  styleMap: ["p[style-name='Subtitle'] => p:fresh", "p[style-name='Title'] => h1:fresh"],
}

const maxParagraphs = 100_000
/** `<w:p>`, `<w:p …>` and `<w:p/>`, with any prefix. */
const paragraph = /<(?:\w+:)?p[\s/>]/g

/** Converting a paragraph costs far more than counting it. @throws UnreadableDocument */
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

function withoutMath(archive: Archive, name: string, math: DocxMath): Uint8Array {
  const bytes = archive.need(name)
  if (!/^word\/[^/]+\.xml$/i.test(name)) return bytes
  const xml = archive.text(name)!
  const taken = math.taken(xml)
  return taken === xml ? bytes : strToU8(taken)
}

export async function readDocx(bytes: Uint8Array): Promise<ReadDocument> {
  const archive = Archive.open(bytes, isText)
  archive.need(mainPart(archive, "word/document.xml"))
  requireFewParagraphs(archive)
  // Mammoth unpacks without a limit: it is given what has been unpacked within one.
  const math = new DocxMath()
  const parts = Object.fromEntries(
    archive.names.map((name) => [name, withoutMath(archive, name, math)]),
  )
  const buffer = Buffer.from(zipSync(parts, { level: 0 }))
  try {
    const { value } = await mammoth.convertToHtml({ buffer }, options)
    const html = math.putBack(value.replace(/<img\b[^>]*>/g, ""))
    return {
      metadata: officeMetadata(archive),
      parts: [html],
      hasPictures: archive.hasPictures,
      facts: plainFacts,
    }
  } catch (error) {
    if (/Maximum call stack/.test((error as Error).message)) throw error
    throw unreadable("The Word document cannot be read: one of its parts is broken.")
  }
}
