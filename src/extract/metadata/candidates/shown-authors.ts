import { foldSpace, textStart, wordSet } from "../../core/index.ts"
import { authorLabel, ownLine } from "../text/byline-words.ts"
import { isCaseless, isPersonName, namesIn } from "../text/person-names.ts"
import { nameMeaning } from "./element-names.ts"
import type { ElementContext, Line, PageLines } from "./lines.ts"

/** Names in the text of a page. */

export interface VisibleAuthor {
  name: string
  line: number
  context: ElementContext
  /** Whether the name is the whole text of the line and of the element. */
  isLine: boolean
  isPart: boolean
  /** One of several names after "by", with nothing but commas and the like between them. */
  isListed: boolean
  /** The rest of the line. */
  before: string
  after: string
}

/** Limit the work on one page. */
const maxVisible = 500
const maxOfLine = 8
const maxParts = 12
const maxLine = 160
const maxPart = 90
const maxLabel = 40
/** Lines about the main heading in which any name is looked at. */
const linesBefore = 15
const linesAfter = 60

/** Separators of a line such as "Ann Lee | 4.5.2021". */
const lineParts = /\s*[|,•·∙–—]\s*|[:：]\s+|\s+-\s+|\s(?:by|von|par|por)\s/
const afterBy = /\s(?:by|von|par|por|door|af|av):?\s(.+)$/u

const beyondAscii = /[^\0-\x7f]/

export function foldName(text: string): string {
  const lower = text.toLowerCase()
  return beyondAscii.test(lower)
    ? lower.normalize("NFKD").replace(/[^\p{L}\p{N}]+/gu, "")
    : lower.replace(/[^a-z0-9]+/g, "")
}

export function visibleAuthors(
  { lines, at: starts }: PageLines,
  heading: Element | null,
): VisibleAuthor[] {
  const authors: VisibleAuthor[] = []
  const from = (heading && starts.get(heading)) ?? 0
  const around = elementsAround(heading)
  let isLabelled = false
  for (const [at, line] of lines.entries()) {
    if (authors.length >= maxVisible) break
    if (line.context.isData) continue
    const isNear =
      at >= from - linesBefore && at <= from + linesAfter && !isPlainAfterProse(lines, at)
    const known = authors.length
    if (line.text.length > maxLine) namesInParagraph(line, at, authors)
    else namesInLine(line, at, isLabelled, isNear, authors)
    const labels = line.text.length <= maxLabel && authorLabel.test(line.text)
    // Most lines have no names: whom they are about is only asked if it matters.
    if (authors.length === known && labels === isLabelled) continue
    if (isAmongOthers(line.context, around)) authors.length = known
    else isLabelled = labels
  }
  return authors
}

/** Parts of the page that are about others than its author, and do not hold the page's heading. */
function isAmongOthers(
  { withOthers }: ElementContext,
  aroundHeading: ReadonlySet<Element>,
): boolean {
  return withOthers !== null && !aroundHeading.has(withOthers.element)
}

/** Returns an element and its ancestors. */
function elementsAround(element: Element | null): Set<Element> {
  const elements = new Set<Element>()
  for (let at = element; at; at = at.parentElement) elements.add(at)
  return elements
}

const maxLink = 400

/** Returns the length of a link's text, up to a limit; 0 without a link. */
export const linkLength = (link: Element | null) =>
  link === null ? 0 : foldSpace(textStart(link, maxLink)).length

export function linkAround(context: ElementContext): Element | null {
  let at: ElementContext | null = context
  for (let up = 0; at && up < 8; up++, at = at.parent) {
    if (at.tag === "a" && at.element.hasAttribute("href")) return at.element
  }
  return null
}

/** A name alone under a paragraph signs it only at the right, as in a letter. */
function isPlainAfterProse(lines: Line[], at: number): boolean {
  const line = lines[at]!
  return (
    (lines[at - 1]?.text.length ?? 0) > maxLine &&
    isPersonName(line.text) &&
    !isAtRight(line.context)
  )
}

const rightAligned = /(?:^|;)\s*text-align:\s*(?:right|end)/i
const rightClasses = /(?:^|\s)(?:(?:has-)?text-(?:align-)?(?:right|end)|align-?right)(?:\s|$)/

/** Returns whether a name is right-aligned, like a signature. */
export function isAtRight(context: ElementContext): boolean {
  let at: ElementContext | null = context
  for (let up = 0; at && up < 3; up++, at = at.parent) {
    const { element } = at
    if (element.getAttribute("align")?.toLowerCase() === "right") return true
    if (rightClasses.test(element.className)) return true
    if (rightAligned.test(element.getAttribute("style") ?? "")) return true
  }
  return false
}

/** A paragraph may have its author in an element of its own. */
function namesInParagraph({ parts }: Line, line: number, authors: VisibleAuthor[]): void {
  for (const { text, context } of parts.slice(0, maxParts)) {
    if (context.tag === "p" || text.length > 60 || !isPersonName(text) || !isOfPeople(context))
      continue
    const whole = { isLine: false, isPart: true, isListed: false, before: "", after: "" }
    authors.push({ name: text, line, context: context, ...whole })
  }
}

function namesInLine(
  line: Line,
  at: number,
  isLabelled: boolean,
  isNear: boolean,
  authors: VisibleAuthor[],
): void {
  const { text } = line
  // Most lines have no name.
  let known: Set<string> | null = null
  const by = ownLine.exec(text)
  const isSure = isLabelled || by !== null
  const listed = by ? namesIn(by[1]!).map(foldName) : []
  const add = (written: string, context: ElementContext, isAny: boolean, whole: string) => {
    if (!isAny && !twoCapitals.test(written)) return
    for (const name of namesIn(written).slice(0, maxOfLine)) {
      const key = foldName(name)
      if (!(isPersonName(name) || (isAny && isShort(name)))) continue
      if (key.length < 2 || (known && (known.has(key) || known.size > maxOfLine))) continue
      if (isNoName(name, key) || isNamedAfter(context, key)) continue
      known ??= new Set()
      known.add(key)
      const start = text.indexOf(name)
      authors.push({
        name,
        line: at,
        context: context,
        isLine: name.length >= text.length - 1,
        isPart: key === foldName(whole),
        isListed: listed.length > 1 && listed.includes(key),
        before: start > 0 ? text.slice(0, start) : "",
        after: start >= 0 ? text.slice(start + name.length) : "",
      })
    }
  }
  for (const part of line.parts.slice(0, maxParts)) {
    if (part.text.length > maxPart || part.text.length < 2) continue
    const isAny = isSure || isOfPeople(part.context)
    if (!isAny && !isNear) continue
    const isOwn = part.context !== line.context || line.parts.length === 1
    add(part.text, part.context, isAny && isOwn, part.text)
  }
  const tail = afterBy.exec(text)
  if (!isNear && !isSure && !tail && !isOfPeople(line.context)) return
  if (by) add(by[1]!, line.context, true, "")
  if (tail) add(tail[1]!, line.context, true, "")
  if (line.parts.length > 1) add(text, line.context, isSure || isOfPeople(line.context), "")
  if (!twoCapitals.test(text)) return
  const pieces = text.split(lineParts)
  if (pieces.length === 1) return
  for (const piece of pieces.slice(0, maxOfLine)) add(piece, line.context, false, "")
}

/** A full name has at least two capitalized words. */
const twoCapitals = /\p{Lu}\S*\s(?:\S+\s){0,4}\p{Lu}/u

const conjunctions = wordSet("und and et y e och og en with mit von by par")

/** Times and amounts, and in letters without case a day. */
const isNoName = (name: string, key: string) =>
  conjunctions.has(key) ||
  /^\d[\d.,:/]*\s/.test(name) ||
  (/\d/.test(name) && !/[\p{Lu}\p{Ll}]/u.test(name))

/** A heading's id is made from its text; the author of a quotation is not the page's. */
const isNamedAfter = (context: ElementContext, key: string) =>
  (context.meanings & nameMeaning.quote) !== 0 ||
  (context.element.id !== "" && foldName(context.element.id) === key)
const maxName = 45
const maxWords = 5

const isShort = (name: string) =>
  name.length <= maxName && (name.split(" ").length <= maxWords || isCaseless(name))

/** Returns whether an element, or one just around it, is called after people or leads to the page of one. */
function isOfPeople(context: ElementContext): boolean {
  let at: ElementContext | null = context
  for (let up = 0; at && up < 3; up++, at = at.parent) {
    if (at.isOfPerson) return true
  }
  return false
}
