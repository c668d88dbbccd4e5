import { strFromU8, unzipSync } from "fflate"
import type { DocumentFormat } from "../../../extract/documents/index.ts"

/** Parts that declare the format of the archive. */
const declaring = new Set(["[content_types].xml", "mimetype", "meta-inf/manifest.xml"])
const maxDeclarationBytes = 1024 * 1024
const maxEntries = 20_000

/** Returns the key of a part's name: with forward slashes and in lower case. */
const keyOf = (name: string) => name.replaceAll("\\", "/").toLowerCase()

interface Contents {
  names: Set<string>
  /** Text of a declaring part; "" if it is missing. */
  text(name: string): string
}

/** Returns the format of a ZIP archive by its declaration, then by the names in its directory. */
export function zipFormat(bytes: Uint8Array): DocumentFormat | undefined {
  const contents = listed(bytes) ?? { names: localNames(bytes), text: () => "" }
  return byDeclaration(contents) ?? byNames(contents.names)
}

/** Reads the central directory, which does not contain the parts of embedded documents. */
function listed(bytes: Uint8Array): Contents | undefined {
  const names = new Set<string>()
  try {
    const parts = unzipSync(bytes, {
      filter({ name, originalSize }) {
        const key = keyOf(name)
        if (names.size >= maxEntries) return false
        names.add(key)
        return declaring.has(key) && originalSize <= maxDeclarationBytes
      },
    })
    const texts = new Map(Object.entries(parts).map(([name, part]) => [keyOf(name), part]))
    return { names, text: (name) => strFromU8(texts.get(name) ?? new Uint8Array()) }
  } catch {
    return undefined
  }
}

/**
 * Returns the names of the first entries of a truncated archive, which has no central directory.
 */
function localNames(bytes: Uint8Array): Set<string> {
  const names = new Set<string>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 30 <= bytes.length && names.size < maxEntries; ) {
    if (view.getUint32(at, true) !== 0x04034b50) break
    const [size, nameLength, extraLength] = [
      view.getUint32(at + 18, true),
      view.getUint16(at + 26, true),
      view.getUint16(at + 28, true),
    ]
    const start = at + 30
    names.add(keyOf(strFromU8(bytes.subarray(start, start + nameLength), true)))
    // The size follows the contents, so the end of the entry is unknown.
    if (size === 0 && view.getUint16(at + 6, true) & 8) break
    at = start + nameLength + extraLength + size
  }
  return names
}

const openDocument: Record<string, DocumentFormat> = {
  text: "odt",
  spreadsheet: "ods",
  presentation: "odp",
}
/** The main part of an Office document, in any of its variants (templates, macros, slide shows). */
const mainParts: readonly [type: RegExp, format: DocumentFormat][] = [
  [/(?:wordprocessingml|ms-word)\.(?:document|template)[\w.]*\.main\+xml/i, "docx"],
  [/(?:spreadsheetml|ms-excel)\.(?:sheet|template|addin)[\w.]*\.main(?:\+xml)?/i, "xlsx"],
  [
    /(?:presentationml|ms-powerpoint)\.(?:presentation|template|slideshow|addin)[\w.]*\.main\+xml/i,
    "pptx",
  ],
]
/** The manifest entry of the whole archive in OpenDocument. */
const ownEntry = /<[^<>]{0,2000}full-path="\/"[^<>]{0,2000}>/

function byDeclaration({ text }: Contents): DocumentFormat | undefined {
  const types = text("[content_types].xml")
  const main = mainParts.find(([type]) => type.test(types))
  if (main) return main[1]
  const declared = text("mimetype") + (ownEntry.exec(text("meta-inf/manifest.xml"))?.[0] ?? "")
  if (declared.includes("application/epub+zip")) return "epub"
  return openDocument[/application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(declared)?.[1] ?? ""]
}

function byNames(names: Set<string>): DocumentFormat | undefined {
  const has = (start: string) => [...names].some((name) => name.startsWith(start))
  if (has("word/document.xml")) return "docx"
  if (has("xl/workbook.")) return "xlsx"
  if (has("ppt/presentation.xml")) return "pptx"
  return names.has("meta-inf/container.xml") ? "epub" : undefined
}
