import {
  firstChildOf,
  foldSpace,
  isBlank,
  isBlock,
  isUnseen,
  nextSiblingOf,
} from "../../core/index.ts"
import { namesOfPage } from "../../page/index.ts"
import {
  type ElementNames,
  ElementNamesOfPage,
  nameMeaning,
  peopleAddress,
} from "./element-names.ts"

/** An element as the walk met it; rarely needed facts are read on demand. */
export class ElementContext {
  readonly tag: string
  readonly depth: number
  /** In code, or in a table with column headings: names and dates there are data of the page. */
  readonly isData: boolean
  private ownNames: ElementNames | null = null
  private ownPath = 0
  private ofPerson: boolean | null = null
  private outwards: readonly string[] | null = null
  private aboutOthers: ElementContext | null | undefined = undefined
  private readonly namesOfPage: ElementNamesOfPage

  constructor(
    readonly element: Element,
    readonly parent: ElementContext | null,
  ) {
    this.namesOfPage = parent
      ? parent.namesOfPage
      : new ElementNamesOfPage(namesOfPage(element.ownerDocument))
    this.tag = element.localName
    this.depth = parent ? parent.depth + 1 : 0
    const isData = this.tag === "pre" || (this.tag === "table" && hasHeadings(element))
    this.isData = parent?.isData || isData
  }

  private get names(): ElementNames {
    this.ownNames ??= this.namesOfPage.of(this.element)
    return this.ownNames
  }

  /** The words of its class, id, rel, item property and test id. */
  get words(): readonly string[] {
    return this.names.words
  }

  /** The words of the element and of its nearest ancestors. */
  get wordsOutwards(): readonly string[] {
    if (!this.outwards) {
      const words = new Set<string>()
      let at: ElementContext | null = this
      for (let up = 0; at && up < levelsOutwards; up++, at = at.parent) {
        for (const word of at.words) words.add(word)
      }
      this.outwards = [...words]
    }
    return this.outwards
  }

  /** The bits of `nameMeaning` that those words set. */
  get meanings(): number {
    return this.names.meanings
  }

  /** Whether it is named after people, or links to the page of one. */
  get isOfPerson(): boolean {
    this.ofPerson ??=
      (this.meanings & (nameMeaning.author | nameMeaning.people)) !== 0 ||
      (this.tag === "a" && peopleAddress.test(this.element.getAttribute("href") ?? ""))
    return this.ofPerson
  }

  /**
   * The innermost element around it that is named after other articles and not after an author, or is
   * marked as a review of the page's subject.
   */
  get withOthers(): ElementContext | null {
    if (this.aboutOthers !== undefined) return this.aboutOthers
    const isOwn =
      (this.meanings & (nameMeaning.otherArticles | nameMeaning.author)) ===
      nameMeaning.otherArticles
    const isRoot = this.tag === "body"
    const isOther = isOwn || (this.meanings & nameMeaning.review) !== 0
    this.aboutOthers = isRoot ? null : isOther ? this : (this.parent?.withOthers ?? null)
    return this.aboutOthers
  }

  /** The number of the element's path: elements with the same names and classes along it share it. */
  get path(): number {
    if (this.ownPath === 0) {
      const own = `${this.tag} ${this.element.className}`
      this.ownPath = hashOf(this.parent?.path ?? 7, own) || 1
    }
    return this.ownPath
  }
}

const levelsOutwards = 9

/** Returns whether the first row of a table names its columns. */
function hasHeadings(table: Element): boolean {
  let row: Element | null = table.firstElementChild
  while (row && /^(?:caption|colgroup|col)$/.test(row.localName)) row = row.nextElementSibling
  if (row && /^t(?:head|body)$/.test(row.localName)) row = row.firstElementChild
  const [first, second] = [row?.firstElementChild, row?.firstElementChild?.nextElementSibling]
  return first?.localName === "th" || second?.localName === "th"
}

/** Text within one element of a line; it is folded on demand. */
class Part {
  private folded: string | null = null

  constructor(
    private readonly written: string,
    readonly context: ElementContext,
  ) {}

  get text(): string {
    this.folded ??= foldSpace(this.written)
    return this.folded
  }
}

/** A run of text between two line breaks of the layout. */
export interface Line {
  text: string
  /** The innermost block around all of it. */
  context: ElementContext
  parts: Part[]
}

export interface PageLines {
  lines: Line[]
  /** The start of each element's text. */
  at: Map<Element, number>
  /** Headings, and paragraphs of some length, up to each line. */
  headings: Uint16Array
  prose: Uint16Array
  /** The last heading up to each line, -1 for none. */
  headingAbove: Int16Array
}

/** Limits the work on one page. */
const maxLines = 4_000
/** The rest of longer lines is ignored. */
const maxLine = 400
const proseChars = 150

/** The lines of a page, in order, by one walk over its tree. */
export function readLines(body: Element): PageLines {
  return new Walk().read(body)
}

class Walk {
  private readonly lines: Line[] = []
  private readonly at = new Map<Element, number>()
  private line: Line | null = null

  read(body: Element): PageLines {
    this.children(body, new ElementContext(body, null))
    this.flush()
    const { lines, at } = this
    const headings = new Uint16Array(lines.length)
    const prose = new Uint16Array(lines.length)
    const headingAbove = new Int16Array(lines.length)
    for (const [index, { text, context }] of lines.entries()) {
      const isHeading = /^h[1-6]$/.test(context.tag)
      headings[index] = (headings[index - 1] ?? 0) + (isHeading ? 1 : 0)
      headingAbove[index] = isHeading ? index : (headingAbove[index - 1] ?? -1)
      prose[index] = (prose[index - 1] ?? 0) + (text.length > proseChars ? 1 : 0)
    }
    return { lines, at, headings, prose, headingAbove }
  }

  private children(parent: Element, context: ElementContext): void {
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
      if (this.lines.length >= maxLines) return
      if (child.nodeType === 3) this.text(child.nodeValue ?? "", context)
      else if (child.nodeType === 1) this.element(child as Element, context)
    }
  }

  private element(element: Element, parent: ElementContext): void {
    if (element.localName === "br") {
      this.flush()
      return
    }
    if (isUnseen(element) && !isStreamed(element)) return
    const isBoundary = isBlock(element)
    if (isBoundary) this.flush()
    this.at.set(element, this.lines.length)
    this.children(element, new ElementContext(element, parent))
    if (isBoundary) this.flush()
  }

  private text(written: string, context: ElementContext): void {
    if (isBlank(written)) {
      if (this.line) this.line.text += " "
      return
    }
    this.line ??= { text: "", context: blockOf(context), parts: [] }
    const { line } = this
    if (line.text.length > maxLine) return
    const text = written.slice(0, maxLine)
    line.text += text
    line.parts.push(new Part(text, context))
  }

  private flush(): void {
    const { line } = this
    if (!line) return
    this.line = null
    line.text = foldSpace(line.text)
    this.lines.push(line)
  }
}

/** A part of a page that React sends after it, for a script to put in its place. */
const isStreamed = (element: Element) =>
  element.localName === "div" && /^S:[\da-f]+$/.test(element.id) && element.hasAttribute("hidden")

function blockOf(context: ElementContext): ElementContext {
  let at = context
  while (at.parent && !isBlock(at.element)) at = at.parent
  return at
}

function hashOf(seed: number, text: string): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
