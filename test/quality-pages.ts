/** The real pages that lie beside the project, in sets, and what their Markdown loses or adds. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../src/engine/http/charset.ts"
import { contentCopy } from "../src/extract/article/content-copy.ts"
import { mainContent } from "../src/extract/article/index.ts"
import { blockText, parseDocument } from "../src/extract/core/index.ts"
import { isGutter } from "../src/extract/markdown/code.ts"
import { footnotesIn } from "../src/extract/markdown/footnotes.ts"
import { toMarkdown } from "../src/extract/markdown/index.ts"
import { delimitedTex, isEmoji, texOfImage } from "../src/extract/page/index.ts"

export const qualityFolder = join(import.meta.dir, "../../shared/quality")
/** Small pages of the project's own, with the same form of truth. */
export const ownPages = join(import.meta.dir, "pages")
export const pageSets = ["articles", "segments", "pages", "products"]

/** Whether the pages are there; says so where they are not. */
export function hasQualityPages(what: string): boolean {
  if (existsSync(qualityFolder)) return true
  console.log(`The pages of ../shared/quality are not here: ${what} is not tested on them.`)
  return false
}

/** A folder's pages are kept as they came or packed. */
export function pageBytes(folder: string, id: string): Uint8Array {
  const path = join(folder, `${id}.html`)
  if (existsSync(path)) return new Uint8Array(readFileSync(path))
  return new Uint8Array(gunzipSync(readFileSync(`${path}.gz`)))
}

export interface QualityPage {
  name: string
  html: string
}

/** The pages of a set, or every so many of them: the same ones each time. */
export function* pagesOf(folder: string, every = 1): Generator<QualityPage> {
  if (!existsSync(folder)) return
  const names = readdirSync(folder).filter((name) => /\.html(?:\.gz)?$/.test(name))
  for (const [index, name] of names.sort().entries()) {
    if (index % every !== 0) continue
    const bytes = pageBytes(folder, name.replace(/\.html(?:\.gz)?$/, ""))
    yield { name, html: decodeBody(bytes, "text/html") }
  }
}

/** The parts of a page whose Markdown, rendered again, does not say what they say. */
export function lostInMarkdown({ html }: QualityPage): string[] {
  const url = "https://site.example/page"
  const document = parseDocument(html)
  const main = mainContent(document, url).root
  const whole = contentCopy(document, url).body
  return [
    ...(differs(main, url) ? ["main content"] : []),
    ...(differs(whole, url) ? ["whole"] : []),
  ]
}

/** What Markdown says with words or signs of its own. */
const ownWords = "iframe, video, audio, q, ruby, math, code.math-tex"
const hasOwnWords = (element: Element) =>
  element.localName === "img"
    ? isEmoji(element) || texOfImage(element) !== null
    : isGutter(element) || delimitedTex(element) !== null
/** Footnotes are no part of CommonMark: their texts as paragraphs, and no marks of those that are there. */
function withoutFootnotes(markdown: string): string {
  const labels = new Set<string>()
  const texts = markdown.replace(
    /^\[\^([^\]\s]+)\]: (.*(?:\n+ {4}.*)*)$/gm,
    (_, label: string, text: string) => {
      labels.add(label)
      return text.replace(/ ↩$/, "").replace(/^ {4}/gm, "")
    },
  )
  return texts.replace(/(?<!\\)\[\^([^\]\s]+)\]/g, (mark, label: string) =>
    labels.has(label) ? "" : mark,
  )
}
const bare = (text: string) => text.replace(/\s+/g, "")

function differs(root: Element, url: string): boolean {
  for (const element of [...root.querySelectorAll(ownWords)]) element.remove()
  // The numbers beside lines of code are left out of it.
  for (const element of [...root.querySelectorAll("img, [class]")].filter(hasOwnWords)) {
    element.remove()
  }
  const markdown = withoutFootnotes(toMarkdown(root, url))
  const notes = footnotesIn(root)
  for (const element of [...(notes?.marks.keys() ?? []), ...(notes?.returns ?? [])])
    element.remove()
  const html = Bun.markdown.html(markdown, { tables: true, strikethrough: true })
  return bare(blockText(parseDocument(html).body)) !== bare(blockText(root))
}
