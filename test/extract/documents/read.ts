import { join } from "node:path"
import { characterMap } from "../../../src/engine/net/documents/character-maps.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"
import { type DocumentFormat, readDocument } from "../../../src/extract/documents/index.ts"
import { toMarkdown } from "../../../src/extract/markdown/index.ts"

const url = "https://files.example/report"

/** Returns a document as Markdown, with its metadata. */
export async function read(format: DocumentFormat, content: Uint8Array | string) {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const { html, facts } = await readDocument({ bytes, format, url }, { characterMap })
  const document = parseDocument(html)
  return { markdown: toMarkdown(document.body, url), facts, document, html }
}

/** Returns the error of a document: "code: message". */
export async function refusal(format: DocumentFormat, content: Uint8Array | string) {
  return read(format, content).then(
    () => "read",
    (error) => `${error.code}: ${error.message}`,
  )
}

export const file = (name: string) => Bun.file(join(import.meta.dir, "files", name)).bytes()

const caseFolder = join(import.meta.dir, "../../cases/url-to-markdown-scraper/documents")
export const caseFile = (name: string) => Bun.file(join(caseFolder, name)).bytes()
