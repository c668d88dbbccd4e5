import type { DocumentFormat } from "../../../extract/documents/index.ts"
import { zipFormat } from "./zip-format.ts"

export interface DetectedFormat {
  /**
   * `encrypted`: an Office document with a password; `legacy`: a format of old Office versions, which may
   * have one.
   */
  format: DocumentFormat | "encrypted" | "legacy"
}

const types: Record<string, DocumentFormat> = {
  "application/rtf": "rtf",
  "text/rtf": "rtf",
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

/** Content types that are too general: the URL's extension is used as well. */
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

/**
 * Formats that are recognised by their bytes: a document that declares one but has other bytes is
 * damaged.
 */
const declaredTypes: readonly [type: RegExp, format: DocumentFormat][] = [
  [/^application\/(?:x-)?pdf$/, "pdf"],
  [/^application\/epub\+zip$/, "epub"],
  [/^application\/vnd\.openxmlformats-officedocument\.wordprocessingml\./, "docx"],
  [/^application\/vnd\.openxmlformats-officedocument\.spreadsheetml\./, "xlsx"],
  [/^application\/vnd\.openxmlformats-officedocument\.presentationml\./, "pptx"],
  [/^application\/vnd\.oasis\.opendocument\.text$/, "odt"],
  [/^application\/vnd\.oasis\.opendocument\.spreadsheet$/, "ods"],
  [/^application\/vnd\.oasis\.opendocument\.presentation$/, "odp"],
]
const declaredEndings: Record<string, DocumentFormat> = {
  pdf: "pdf",
  epub: "epub",
  docx: "docx",
  xlsx: "xlsx",
  pptx: "pptx",
  odt: "odt",
  ods: "ods",
  odp: "odp",
}

const feedRoot = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:rss|feed|rdf:RDF)\b/i

/** Returns the format of a document by its bytes, then its type, then its URL; undefined for others. */
export function documentFormat(response: {
  bytes: Uint8Array
  contentType: string
  url: string
}): DetectedFormat["format"] | undefined {
  const { bytes, contentType } = response
  const known = byMagic(bytes, contentType)
  if (known) return known
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(contentType)) return undefined
  if (isFeed(bytes) && !contentType.startsWith("image/")) return "feed"
  const ending = endingOf(response.url)
  const byEnding = vague.test(contentType) ? endings[ending] : undefined
  if (byEnding && (byEnding === "eml" || isText(bytes))) return byEnding
  const named = types[contentType]
  // Rich Text was recognised by its bytes, so this is plain text with its content type.
  if (named === "rtf" && isPlain(bytes)) return "text"
  if (named) return named
  // Windows gives tables of text the content type of Excel.
  if (/^application\/(?:vnd\.ms-excel|(?:x-)?msexcel)$/.test(contentType) && isPlain(bytes))
    return "csv"
  if (/^application\/[\w.-]+\+json$/.test(contentType)) return "json"
  if (/^text\/(?!html\b|xml\b)/.test(contentType) && isText(bytes)) return "text"
  // Markup with the content type of a document may be a page.
  if (/^\s*</.test(head(bytes)) || bytes.length === 0) return undefined
  const declared = declaredTypes.find(([type]) => type.test(contentType))?.[1]
  return declared ?? (vague.test(contentType) ? declaredEndings[ending] : undefined)
}

const endingOf = (url: string) =>
  /\.(\w{1,6})$/.exec(URL.parse(url)?.pathname ?? "")?.[1]?.toLowerCase() ?? ""

const asBuffer = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const head = (bytes: Uint8Array, length = 1024) =>
  asBuffer(bytes.subarray(0, length)).toString("latin1")

/** The name of the part with which Office stores an encrypted document in its old container. */
const encryptedPart = Buffer.from("EncryptedPackage", "utf16le")

function byMagic(bytes: Uint8Array, contentType: string): DetectedFormat["format"] | undefined {
  const start = head(bytes)
  // Readers ignore bytes before the signature.
  if (/^[^<]{0,900}%PDF-\d/.test(start)) return "pdf"
  // A server's warnings may be before it as well.
  if (/pdf$/.test(contentType) && /^[\s\S]{0,900}%PDF-[12]\.\d\s/.test(start)) return "pdf"
  if (/^(?:\xef\xbb\xbf)?\s{0,100}\{\\rtf/.test(start)) return "rtf"
  if (start.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) {
    return asBuffer(bytes).includes(encryptedPart) ? "encrypted" : "legacy"
  }
  return start.startsWith("PK\x03\x04") ? zipFormat(bytes) : undefined
}

const isFeed = (bytes: Uint8Array) => feedRoot.test(head(bytes, 2000))

/** UTF-16, which contains zeros, starts with a byte order mark. */
const isText = (bytes: Uint8Array) =>
  /^(?:\xff\xfe|\xfe\xff)/.test(head(bytes, 2)) || !bytes.subarray(0, 1024).includes(0)

/** Returns whether bytes are text without markup. */
const isPlain = (bytes: Uint8Array) =>
  bytes.length > 0 && isText(bytes) && !/^\s*</.test(head(bytes))

/** Formats whose text is decoded like a page's. */
export const textFormats: ReadonlySet<string> = new Set(["csv", "tsv", "json", "ipynb", "text"])
