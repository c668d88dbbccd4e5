import { zipSync } from "fflate"
import mammoth from "mammoth"
import { Archive } from "./archive.ts"
import { plainFacts, type ReadDocument, unreadable } from "./document-page.ts"
import { officeMetadata } from "./open-xml.ts"

const isText = (name: string) => /\.(?:xml|rels)$/i.test(name)

/** Pictures are left out: they have no address. */
const options = {
  convertImage: mammoth.images.imgElement(async () => ({ src: "" })),
  styleMap: ["p[style-name='Subtitle'] => p:fresh", "p[style-name='Title'] => h1:fresh"],
}

export async function readDocx(bytes: Uint8Array): Promise<ReadDocument> {
  const archive = Archive.open(bytes, isText)
  archive.need("word/document.xml")
  // Mammoth unpacks without a limit: it is given what has been unpacked within one.
  const parts = Object.fromEntries(archive.names.map((name) => [name, archive.need(name)]))
  const buffer = Buffer.from(zipSync(parts, { level: 0 }))
  try {
    const { value } = await mammoth.convertToHtml({ buffer }, options)
    const html = value.replace(/<img\b[^>]*>/g, "")
    return { metadata: officeMetadata(archive), parts: [html], facts: plainFacts }
  } catch (error) {
    throw unreadable(`The Word document cannot be read (${(error as Error).message}).`)
  }
}
