import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import {
  type AuthorCandidate,
  authorCandidates,
} from "../../src/extract/metadata/candidates/author-features.ts"
import {
  type DateCandidate,
  dateCandidates,
} from "../../src/extract/metadata/candidates/date-features.ts"
import { readLines } from "../../src/extract/metadata/candidates/lines.ts"
import { readSources } from "../../src/extract/metadata/index.ts"
import { siteNameOf } from "../../src/extract/metadata/metadata.ts"
import { foldOf, siteOf } from "./pages.ts"

/** A page whose author or date is known, with all candidates. */
export interface MetadataPage {
  set: "segments" | "pages"
  url: string
  site: string
  fold: number
  /** Null if the page has none; undefined if it was not annotated. */
  author: string | null | undefined
  date: string | undefined
  authors: AuthorCandidate[]
  dates: DateCandidate[]
}

interface Truth {
  url: string
  author?: string
  date?: string
}

/** Returns the pages of ../shared/quality with a known author or date. */
export function* readMetadataPages(root: string): Generator<MetadataPage> {
  for (const set of ["segments", "pages"] as const) {
    const folder = join(root, set)
    if (!existsSync(join(folder, "truth.json"))) continue
    const truths: Record<string, Truth> = JSON.parse(
      readFileSync(join(folder, "truth.json"), "utf8"),
    )
    for (const [id, { url, author, date }] of Object.entries(truths)) {
      const bytes = new Uint8Array(gunzipSync(readFileSync(join(folder, `${id}.html.gz`))))
      yield {
        set,
        // Only this set marks pages that have none.
        author: author || (set === "pages" ? null : undefined),
        date: date || undefined,
        ...candidatesOf(decodeBody(bytes, "text/html"), url),
      }
    }
  }
}

export function candidatesOf(html: string, url: string) {
  const document = parseDocument(html)
  const sources = readSources(document, url)
  const lines = readLines(document.body)
  return {
    url,
    site: siteOf(url),
    fold: foldOf(url),
    authors: authorCandidates(sources, lines, siteNameOf(sources)),
    dates: dateCandidates(sources, lines),
  }
}
