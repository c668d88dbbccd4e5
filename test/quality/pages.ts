/** The sets of real pages next to the project, and the text that their Markdown loses or adds. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync } from "node:zlib"
import { decodeBody } from "../../src/engine/net/http/charset.ts"
import { contentCopy } from "../../src/extract/article/content-copy.ts"
import { mainContent } from "../../src/extract/article/index.ts"
import { parseDocument } from "../../src/extract/core/index.ts"
import { toMarkdown } from "../../src/extract/markdown/index.ts"
import { plainText } from "../plain-text.ts"

export const qualityFolder = join(import.meta.dir, "../../../shared/quality")
/** The project's own small pages, with the same form of truth. */
export const ownPages = join(import.meta.dir, "../pages")
export const pageSets = ["articles", "segments", "pages", "products"]

/** Returns whether the pages are available, and prints a note if not. */
export function hasQualityPages(what: string): boolean {
  if (existsSync(qualityFolder)) return true
  console.log(`The pages of ../shared/quality are not here: ${what} is not tested on them.`)
  return false
}

/** A folder's pages are stored uncompressed or compressed. */
export function pageBytes(folder: string, id: string): Uint8Array {
  const path = join(folder, `${id}.html`)
  if (existsSync(path)) return new Uint8Array(readFileSync(path))
  return new Uint8Array(gunzipSync(readFileSync(`${path}.gz`)))
}

export interface QualityPage {
  name: string
  html: string
}

/** Yields the pages of a set, or every n-th of them: the same ones each time. */
export function* pagesOf(folder: string, every = 1): Generator<QualityPage> {
  if (!existsSync(folder)) return
  const names = readdirSync(folder).filter((name) => /\.html(?:\.gz)?$/.test(name))
  for (const [index, name] of names.sort().entries()) {
    if (index % every !== 0) continue
    const bytes = pageBytes(folder, name.replace(/\.html(?:\.gz)?$/, ""))
    yield { name, html: decodeBody(bytes, "text/html") }
  }
}

/**
 * Returns the parts of a page whose Markdown, rendered again, has another text, and the copy of the
 * page if readers see more of the page than it contains.
 */
export function lostInMarkdown({ html }: QualityPage): string[] {
  const url = "https://site.example/page"
  const document = parseDocument(html)
  const main = mainContent(document, url).root
  const whole = contentCopy(document, url).body
  const lost = withoutFormulas(document.body) === withoutFormulas(whole) ? [] : ["copy"]
  if (differs(main, url)) lost.push("main content")
  return differs(whole, url) ? [...lost, "whole"] : lost
}

/** Returns the text of a page without its formulas, which scripts draw a second time. */
function withoutFormulas(root: Element): string {
  for (const formula of [...root.querySelectorAll(formulas)]) formula.remove()
  return plainText(root)
}

const formulas = "math, code.math-tex, mjx-container, [class^=MathJax], .katex"
/** Content that Markdown writes with its own words or signs; it is not compared. */
const ownWords =
  "iframe, video, audio, q, ruby, math, code.math-tex, " +
  "[class~=math], [class~=arithmatex], [class~=math-container], [class*=js-][class*=-math]"
/** Images that are written as text: of a sign, of a formula. */
const isSignImage = (image: Element) => {
  const alt = image.getAttribute("alt") ?? ""
  const attributes = `${image.className} ${image.getAttribute("src")}`
  return (
    !/\p{L}{2}/u.test(alt) || /^:.*:$/.test(alt) || /tex|math|formula|codecogs/i.test(attributes)
  )
}

/**
 * Placeholders for the mark of a footnote, and for its backlink at both ends of the note. They are
 * punctuation, like brackets, because emphasis next to them is read the same way.
 */
const mark = "\u2045"
const methodBack = "\u2046"

/** Footnotes are not part of CommonMark: their texts as paragraphs. */
function withoutFootnotes(markdown: string): string {
  const labels = new Set<string>()
  const texts = markdown.replace(
    /^\[\^([^\]\s]+)\]: (.*(?:\n+ {4}.*)*)$/gm,
    (_, label: string, text: string) => {
      labels.add(label)
      return [methodBack, text.replace(/ ↩$/, "").replace(/^ {4}/gm, ""), methodBack].join("\n\n")
    },
  )
  return texts.replace(/(?<!\\)\[\^([^\]\s]+)\]/g, (written, label: string) =>
    labels.has(label) ? mark : written,
  )
}

/** The mark of a footnote on a page: `1`, `[12]`, `(a)`, `[Note 3]`. */
const maxMark = 12
/** `↑ 1.0 1.1 1.2 …`, `^ Jump up to: a b c`: any numbers and signs, and a few words. */
const maxWayBack = 400
const maxLetters = 40

/** Returns whether a page's text equals that of its Markdown, with any text at the placeholders. */
function isSame(page: string, written: string): boolean {
  // Possible ends of a part in the page: a short text may occur several times after a placeholder.
  let ends = new Set([0])
  let most = 0
  for (const [index, part] of written.split(/([\u2045\u2046]+)/).entries()) {
    if (index % 2 === 1) {
      most = part.includes(methodBack) ? maxWayBack : part.length * maxMark
      continue
    }
    const next = new Set<number>()
    for (const end of ends) {
      const window = page.slice(end, end + most + part.length)
      for (
        let at = window.indexOf(part);
        at >= 0 && at <= most;
        at = window.indexOf(part, at + 1)
      ) {
        if (letters(window.slice(0, at)) > maxLetters) break
        next.add(end + at + part.length)
        if (at === window.length) break
      }
    }
    ends = next
  }
  return ends.has(page.length)
}

const letters = (text: string) => text.match(/\p{L}/gu)?.length ?? 0

function differs(root: Element, url: string): boolean {
  for (const element of [...root.querySelectorAll(ownWords)]) element.remove()
  for (const image of [...root.querySelectorAll("img")].filter(isSignImage)) image.remove()
  const page = plainText(root)
  const markdown = withoutFootnotes(toMarkdown(root, url))
  const html = Bun.markdown.html(markdown, { tables: true, strikethrough: true })
  return !isSame(page, plainText(parseDocument(html).body))
}
