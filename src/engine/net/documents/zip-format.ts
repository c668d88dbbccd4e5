import { strFromU8, unzipSync } from "fflate"
import type { DocumentFormat } from "../../../extract/documents/index.ts"

/** Parts that declare the format of the archive. */
const declaring = new Set(["[content_types].xml", "mimetype", "meta-inf/manifest.xml"])
const maxDeclarationBytes = 1024 * 1024
const maxEntries = 20_000

/** Returns the key of a part's name: slashes of any system, and case ignored. */
const keyOf = (name: string) => name.replaceAll("\\", "/").toLowerCase()

interface Contents {
  names: Set<string>
  /** The text of a declaring part; "" for one that is missing. */
  text(name: string): string
}

/** Returns the format of a ZIP archive by its declaration, then by the names in its directory. */
export function zipFormat(bytes: Uint8Array): DocumentFormat | undefined {
  const contents = listed(bytes) ?? { names: localNames(bytes), text: () => "" }
  return byDeclaration(contents) ?? byNames(contents.names)
}

/** Reads the central directory, which does not list the parts of embedded documents. */
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

/** The names of the first entries of an archive whose list is missing: it breaks off before its end. */
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
    // Its size follows its contents, so their end is unknown.
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
/** The entry of the whole archive in the manifest of OpenDocument. */
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
