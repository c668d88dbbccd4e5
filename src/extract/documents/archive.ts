import { unzipSync } from "fflate"
import { parseBrokenXml, type XmlElement } from "../core/index.ts"
import { UnreadableDocument, unreadable } from "./pages/document-page.ts"

/** Maximum unpacked bytes of all parts that are read together. */
const maxBytes = 150 * 1024 * 1024
const maxEntries = 20_000
/** Maximum bytes of one part, because its whole tree is in memory while it is read. */
const maxXmlBytes = 48 * 1024 * 1024

/** Images of a document, except thumbnails of its first page, which programs add to every document. */
const image = /^(?!.{0,20}thumbnail).*\.(?:png|jpe?g|gif|bmp|tiff?|webp|svgz?|emf|wmf|jxl|avif)$/i

/** Some programs write backslashes: `xl\workbook.xml`. */
const slashed = (name: string) => name.replaceAll("\\", "/")

/** Names of parts are case-insensitive in Office documents and in EPUB. */
const keyOf = (name: string) => slashed(name).toLowerCase()

/** The parts of a ZIP document, by name. Sizes are checked before a part is unpacked. */
export class Archive {
  readonly names: string[]
  /** Whether the document has images. They are listed, and not unpacked. */
  readonly hasImages: boolean
  private readonly files: Map<string, Uint8Array>

  private constructor(files: Record<string, Uint8Array>, hasImages: boolean) {
    this.hasImages = hasImages
    this.names = Object.keys(files).map(slashed)
    this.files = new Map(Object.entries(files).map(([name, bytes]) => [keyOf(name), bytes]))
  }

  /** Opens a document and unpacks the wanted parts. @throws UnreadableDocument */
  static open(bytes: Uint8Array, wanted: (name: string) => boolean): Archive {
    let entries = 0
    let size = 0
    let hasImages = false
    try {
      const files = unzipSync(bytes, {
        filter({ name, originalSize }) {
          if (++entries > maxEntries) throw tooLarge("more than 20,000 parts")
          hasImages ||= image.test(name)
          if (!wanted(slashed(name))) return false
          size += originalSize
          if (size > maxBytes) throw tooLarge("more than 150 MB unpacked")
          return true
        },
      })
      return new Archive(files, hasImages)
    } catch (error) {
      if (error instanceof UnreadableDocument) throw error
      throw unreadable("The document is not a complete ZIP archive: it is damaged or truncated.")
    }
  }

  bytes(name: string): Uint8Array | undefined {
    return this.files.get(keyOf(name))
  }

  /** Returns a part. @throws UnreadableDocument if the document has no such part */
  need(name: string): Uint8Array {
    const file = this.files.get(keyOf(name))
    if (!file) throw unreadable(`The document has no part ${name}.`)
    return file
  }

  text(name: string): string | undefined {
    const bytes = this.files.get(keyOf(name))
    return bytes && new TextDecoder(encodingOf(bytes)).decode(bytes)
  }

  /** Returns the root of an XML part; undefined if the document has no such part. */
  xml(name: string): XmlElement | undefined {
    const bytes = this.files.get(keyOf(name))
    if (!bytes) return undefined
    if (bytes.length > maxXmlBytes) throw tooLarge(`its part ${name} is larger than 48 MB`)
    const root = parseBrokenXml(this.text(name)!)
    if (!root) throw unreadable(`The document's part ${name} is not valid XML.`)
    return root
  }

  needXml(name: string): XmlElement {
    this.need(name)
    return this.xml(name)!
  }
}

const tooLarge = (what: string) =>
  new UnreadableDocument(`The document is too large: ${what}.`, "too_large")

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le"
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8"
}

/** Returns the name of a part that another part refers to. */
export function partName(reference: string, from: string): string {
  if (reference.startsWith("/")) return reference.slice(1)
  const path = from.split("/").slice(0, -1)
  for (const step of reference.split("/")) {
    if (step === "..") path.pop()
    else if (step !== "." && step !== "") path.push(step)
  }
  return path.join("/")
}
