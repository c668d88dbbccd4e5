import {
  Blocked,
  type DocumentFile,
  type PageOptions,
  type RenderedResponse,
  ScrapeError,
  TooLarge,
  UnsupportedContent,
  type UpstreamResponse,
} from "../../../catalogue/kit/index.ts"
import type { DocumentSource } from "../../../extract/documents/index.ts"
import { HttpResponse } from "../http/response.ts"
import { type DetectedFormat, documentFormat, textFormats } from "./format.ts"
import type { ReadPage } from "./reader.ts"

/** Maximum bytes of a document, which may be larger than a page. */
export const maxDocumentBytes = 32 * 1024 * 1024
/** Challenges may be JSON or plain text, too. */
const maxChallengeBytes = 64_000
const maxPageBytes = 10 * 1024 * 1024

/** Reads a document for the run that it belongs to. */
type ReadDocument = (source: DocumentSource) => Promise<ReadPage>

type Documents = NonNullable<PageOptions["documents"]>

/**
 * Converts a document, such as a PDF, into an HTML page; other responses are returned unchanged.
 *
 * @throws TooLarge | UnsupportedContent
 */
export async function asPage(
  response: RenderedResponse,
  { documents, types = [], maxBytes = maxPageBytes }: PageOptions,
  read: ReadDocument,
  signal: AbortSignal,
): Promise<RenderedResponse> {
  if (documents === undefined) return response
  const format = documentFormat(response)
  const isDocument = format === undefined || isLeft(format, documents, response, types)
  if (!isDocument)
    return new DocumentResponse(response, await readResponse(response, format, read, signal))
  if (response.bytes.length <= maxBytes) return response
  throw new TooLarge(`The response is larger than ${maxBytes / 1024 / 1024} MB.`, {
    url: response.url,
    statusCode: response.status,
  })
}

/**
 * Returns whether the scraper reads the format itself: types that it names, and text and data for
 * `files`.
 */
function isLeft(
  format: string,
  documents: Documents,
  { contentType }: UpstreamResponse,
  types: readonly string[],
): boolean {
  if (documents === "files" && ["feed", "json", "text"].includes(format)) return true
  return textFormats.has(format) && types.includes(contentType)
}

type Read = Pick<DocumentFile, "format"> & ReadPage

async function readResponse(
  response: UpstreamResponse,
  format: DetectedFormat["format"],
  read: ReadDocument,
  signal: AbortSignal,
): Promise<Read> {
  const { url, bytes } = response
  const details = { url, statusCode: response.status }
  if (textFormats.has(format) && bytes.length <= maxChallengeBytes) {
    const challenge = response.explainMissing("the document")
    if (challenge instanceof Blocked) throw challenge
  }
  if (format === "encrypted") {
    const code = "encrypted_document"
    const message = "The document is encrypted and opens only with a password."
    throw new UnsupportedContent(message, { ...details, code })
  }
  if (format === "legacy") {
    throw new UnsupportedContent(
      "The document has an Office format from before 2007, or a password. Save it as DOCX, XLSX, PPTX or PDF without a password.",
      details,
    )
  }
  try {
    const text = textFormats.has(format) ? response.text() : undefined
    const source = { bytes, format, url, ...(text === undefined ? {} : { text }) }
    return { format, ...(await read(source)) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ScrapeError) throw error
    const { code, message } = error as Error & { code?: string }
    if (code === "too_large") throw new TooLarge(message, details)
    const known = /_document$/.test(code ?? "")
    // Any other error of a reader is caused by a damaged document.
    const reason = known ? message : "The document is damaged and cannot be read."
    throw new UnsupportedContent(reason, {
      ...details,
      code: known ? code! : "unreadable_document",
    })
  }
}

/** The page of a document, with the document's bytes and headers. */
class DocumentResponse extends HttpResponse implements RenderedResponse {
  readonly captured: UpstreamResponse[]
  readonly file: DocumentFile
  private readonly html: Uint8Array

  constructor(response: RenderedResponse, { html, format, facts }: Read) {
    super(response)
    this.captured = response.captured
    this.html = html
    this.file = { format, contentType: response.contentType, ...facts }
  }

  override get contentType(): string {
    return "text/html"
  }

  protected override decoded(): string {
    return new TextDecoder().decode(this.html)
  }
}
