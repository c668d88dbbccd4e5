import { strFromU8, unzipSync } from "fflate"
import type { DocumentFormat } from "../../extract/documents/index.ts"

export interface Found {
  /** `legacy`: a format of old Office programs, or a locked one of new ones. */
  format: DocumentFormat | "legacy"
}

const types: Record<string, DocumentFormat> = {
  "application/pdf": "pdf",
  "application/x-pdf": "pdf",
  "application/rtf": "rtf",
  "text/rtf": "rtf",
  "application/epub+zip": "epub",
  "message/rfc822": "eml",
  "text/csv": "csv",
  "application/csv": "csv",
  "text/tab-separated-values": "tsv",
  "application/x-ipynb+json": "ipynb",
  "application/json": "json",
  "text/json": "json",
  "application/x-ndjson": "json",
  "application/rss+xml": "feed",
  "application/atom+xml": "feed",
  "application/rdf+xml": "feed",
  "application/feed+json": "feed",
}

/** What says too little of what is in it, so that the address is asked as well. */
const vague =
  /^(?:|text\/plain|application\/(?:octet-stream|json|xml|zip|x-download)|text\/xml|binary\/octet-stream)$/

const endings: Record<string, DocumentFormat> = {
  csv: "csv",
  tsv: "tsv",
  ipynb: "ipynb",
  eml: "eml",
  json: "json",
  jsonl: "json",
  rss: "feed",
  atom: "feed",
  txt: "text",
  md: "text",
}

const feedRoot = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:rss|feed|rdf:RDF)\b/i

/** What of a document an answer is, by its bytes first, then its type, then its address. */
export function documentFormat(answer: {
  bytes: Uint8Array
  contentType: string
  url: string
}): Found["format"] | undefined {
  const { bytes, contentType } = answer
  const known = byMagic(bytes)
  if (known) return known
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(contentType)) return undefined
  if (isFeed(bytes) && !contentType.startsWith("image/")) return "feed"
  const ending = /\.(\w{1,6})$/.exec(URL.parse(answer.url)?.pathname ?? "")?.[1]?.toLowerCase()
  const byEnding = vague.test(contentType) ? endings[ending ?? ""] : undefined
  if (byEnding && isText(bytes)) return byEnding
  const named = types[contentType]
  // What calls itself PDF and is none is no document, but maybe a page.
  if (named && named !== "pdf" && named !== "epub") return named
  if (/^application\/[\w.-]+\+json$/.test(contentType)) return "json"
  return /^text\/(?!html\b|xml\b)/.test(contentType) && isText(bytes) ? "text" : undefined
}

const head = (bytes: Uint8Array, length = 1024) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(length, bytes.byteLength)).toString("latin1")

function byMagic(bytes: Uint8Array): Found["format"] | undefined {
  const start = head(bytes)
  // Readers take what stands before the mark as noise.
  if (/^[^<]{0,900}%PDF-\d/.test(start)) return "pdf"
  if (start.startsWith("{\\rtf")) return "rtf"
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return "legacy"
  return start.startsWith("PK\x03\x04") ? zipFormat(bytes, start) : undefined
}

const openDocument: Record<string, DocumentFormat> = {
  text: "odt",
  spreadsheet: "ods",
  presentation: "odp",
}

/** By the media type that some archives begin with, else by the parts that are in it. */
function zipFormat(bytes: Uint8Array, start: string): DocumentFormat | undefined {
  if (/^.{26,80}mimetypeapplication\/epub\+zip/s.test(start)) return "epub"
  const kind = /^.{26,80}mimetypeapplication\/vnd\.oasis\.opendocument\.([a-z]+)/s.exec(start)?.[1]
  if (kind) return openDocument[kind]
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // Some programs write names with the slashes of their system.
  const has = (folder: string, part: string) =>
    all.includes(`${folder}/${part}`) || all.includes(`${folder}\\${part}`)
  if (has("word", "document.xml")) return "docx"
  if (has("xl", "workbook.")) return "xlsx"
  if (has("ppt", "presentation.xml")) return "pptx"
  if (all.includes("META-INF/container.xml")) return "epub"
  return all.includes("content.xml") ? openDocument[packedKind(bytes)] : undefined
}

const largestManifest = 1024 * 1024
const mostEntries = 20_000
/** What the list says of the whole. */
const ownEntry = /<[^<>]{0,2000}full-path="\/"[^<>]{0,2000}>/

/** Of OpenDocument whose media type is packed or missing: as that, or the list of its parts, says. */
function packedKind(bytes: Uint8Array): string {
  let entries = 0
  try {
    const parts = unzipSync(bytes, {
      filter: ({ name, originalSize }) =>
        ++entries <= mostEntries &&
        originalSize <= largestManifest &&
        (name === "mimetype" || name === "META-INF/manifest.xml"),
    })
    const [type = "", list = ""] = ["mimetype", "META-INF/manifest.xml"].map((name) =>
      strFromU8(parts[name] ?? new Uint8Array()),
    )
    const said = type + (ownEntry.exec(list)?.[0] ?? "")
    return /application\/vnd\.oasis\.opendocument\.([a-z]+)/.exec(said)?.[1] ?? ""
  } catch {
    return ""
  }
}

const isFeed = (bytes: Uint8Array) => feedRoot.test(head(bytes, 2000))

const isText = (bytes: Uint8Array) => !bytes.subarray(0, 1024).includes(0)

/** Formats whose text is decoded as a page's is. */
export const textFormats: ReadonlySet<string> = new Set(["csv", "tsv", "json", "ipynb", "text"])
