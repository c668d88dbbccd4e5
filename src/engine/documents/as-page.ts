import {
  type Answer,
  Blocked,
  type DocumentFile,
  Outcome,
  type PageOptions,
  type RenderedAnswer,
  TooLarge,
  UnsupportedContent,
} from "../../catalogue/kit/index.ts"
import type { DocumentFormat, DocumentSource } from "../../extract/documents/index.ts"
import { HttpAnswer } from "../http/answer.ts"
import { documentFormat, textFormats } from "./format.ts"
import type { ReadPage } from "./reader.ts"

/** Documents are larger than pages. */
export const mostDocumentBytes = 32 * 1024 * 1024
/** A challenge may be JSON or plain text, too. */
const largestWallBytes = 64_000
const mostPageBytes = 10 * 1024 * 1024

/** Reads a document for the run that it belongs to. */
type ReadDocument = (source: DocumentSource) => Promise<ReadPage>

type Documents = NonNullable<PageOptions["documents"]>

/**
 * An answer that is a document, such as a PDF, as the page that is made of it; every other one as
 * it is. @throws TooLarge | UnsupportedContent
 */
export async function asPage(
  answer: RenderedAnswer,
  { documents, types = [], maxBytes = mostPageBytes }: PageOptions,
  read: ReadDocument,
  signal: AbortSignal,
): Promise<RenderedAnswer> {
  if (documents === undefined) return answer
  const format = documentFormat(answer)
  const isTaken = format === undefined || isLeft(format, documents, answer, types)
  if (!isTaken) return new DocumentAnswer(answer, await readAnswer(answer, format, read, signal))
  if (answer.bytes.length <= maxBytes) return answer
  throw new TooLarge(`The answer is larger than ${maxBytes / 1024 / 1024} MB.`, {
    url: answer.url,
    statusCode: answer.status,
  })
}

/** What the scraper reads by itself: the types that it names, and of `files` what is text or data. */
function isLeft(
  format: string,
  documents: Documents,
  { contentType }: Answer,
  types: readonly string[],
): boolean {
  if (documents === "files" && ["feed", "json", "text"].includes(format)) return true
  return textFormats.has(format) && types.includes(contentType)
}

type Read = Pick<DocumentFile, "format"> & ReadPage

async function readAnswer(
  answer: Answer,
  format: DocumentFormat | "legacy",
  read: ReadDocument,
  signal: AbortSignal,
): Promise<Read> {
  const { url, bytes } = answer
  const details = { url, statusCode: answer.status }
  if (textFormats.has(format) && bytes.length <= largestWallBytes) {
    const wall = answer.lacks("the document")
    if (wall instanceof Blocked) throw wall
  }
  if (format === "legacy") {
    throw new UnsupportedContent(
      "The document is of an Office program before 2007, or locked by a password; neither is read.",
      details,
    )
  }
  try {
    const text = textFormats.has(format) ? answer.text() : undefined
    const source = { bytes, format, url, ...(text === undefined ? {} : { text }) }
    return { format, ...(await read(source)) }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Outcome) throw error
    const { code, message } = error as Error & { code?: string }
    if (code === "too_large") throw new TooLarge(message, details)
    const known = /_document$/.test(code ?? "")
    // A crash of the reader means a document broken in an unforeseen way.
    const said = known ? message : "The document cannot be read: it is broken."
    throw new UnsupportedContent(said, { ...details, code: known ? code! : "unreadable_document" })
  }
}

/** The page that was made of a document; its bytes and headers are the document's. */
class DocumentAnswer extends HttpAnswer implements RenderedAnswer {
  readonly captured: Answer[]
  readonly file: DocumentFile
  private readonly html: Uint8Array

  constructor(answer: RenderedAnswer, { html, format, facts }: Read) {
    super(answer)
    this.captured = answer.captured
    this.html = html
    this.file = { format, contentType: answer.contentType, ...facts }
  }

  override get contentType(): string {
    return "text/html"
  }

  protected override decoded(): string {
    return new TextDecoder().decode(this.html)
  }
}
