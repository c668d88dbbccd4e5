import { firstChildOf, nextSiblingOf } from "./linked-nodes.ts"
import { isPermalink } from "./permalink.ts"
import { foldSpace } from "./text.ts"
import { isBlock, isUnseen, zeroWidth } from "./visibility.ts"

const elementNode = 1
const textNode = 3

/**
 * Returns the visible text of an element, a line for each block and each `<br>`. White space within a
 * line is collapsed, tabs separate the cells of a row, and only `pre` keeps its own line breaks.
 */
export function textLines(root: Node): string[] {
  return new TextReader(nothing).read(root).flat()
}

/** The lines of an article as it is read: without the captions of its images. */
export function proseLines(root: Node): string[] {
  return new TextReader(captions).read(root).flat()
}

/** The visible text of an element, one line for each block. */
export function blockText(root: Node): string {
  return textLines(root).join("\n")
}

/** Returns the length of an element's visible text, one line per block, and stops after `most`. */
export function blockTextLength(root: Node, max: number): number {
  const blocks = new TextReader(nothing, max).read(root)
  const lines = blocks.flat()
  return lines.reduce((sum, line) => sum + line.length, Math.max(0, lines.length - 1))
}

/** Returns the visible text of an element; blank lines separate paragraphs, lists and tables. */
export function paragraphText(root: Node): string {
  const blocks = new TextReader(nothing).read(root)
  return blocks.map((lines) => lines.join("\n")).join("\n\n")
}

/** The visible text of an element on one line. */
export function lineText(root: Node): string {
  return foldSpace(textLines(root).join(" "))
}

const nothing = new Set<string>()
const captions = new Set(["figcaption"])

/** Blocks directly below each other. */
const rows = new Set(["li", "tr", "dt", "dd", "thead", "tbody", "tfoot", "option"])

/** White space but single spaces, and control characters: most texts have none. */
const uneven = / {2}|[^\S ]|\p{Cc}/u

const folded = (line: string) =>
  (/ {2}|\t/.test(line) ? line.replace(/(?<! ) *\t[ \t]*/g, "\t").replace(/ +/g, " ") : line).trim()

class TextReader {
  private readonly blocks: string[][] = []
  private lines: string[] = []
  private line = ""
  /** The length of the lines. */
  private length = 0

  /** Stops once the text is longer than the limit. */
  constructor(
    private readonly skipped: ReadonlySet<string>,
    private readonly max = Number.POSITIVE_INFINITY,
  ) {}

  read(root: Node): string[][] {
    this.visit(root, false)
    this.endBlock(false)
    return this.blocks
  }

  private visit(node: Node, pre: boolean): void {
    if (node.nodeType === textNode) this.add(node.nodeValue ?? "", pre)
    else if (node.nodeType === elementNode) this.visitElement(node as Element, pre)
    else this.visitChildren(node, pre)
  }

  private visitElement(element: Element, pre: boolean): void {
    const name = element.localName
    if (name === "br") this.endLine(pre)
    if (this.skipped.has(name) || isUnseen(element) || isPermalink(element)) return
    const isCell = name === "td" || name === "th"
    if (isCell) this.line += "\t"
    if (isCell || !isBlock(element)) {
      this.visitChildren(element, pre)
      return
    }
    const insidePre = pre || name === "pre"
    const isRow = rows.has(name) || pre
    if (isRow) this.endLine(pre)
    else this.endBlock(pre)
    this.visitChildren(element, insidePre)
    if (isRow) this.endLine(insidePre)
    else this.endBlock(insidePre)
  }

  private visitChildren(parent: Node, pre: boolean): void {
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
      if (this.length > this.max) return
      this.visit(child, pre)
    }
  }

  private add(text: string, pre: boolean): void {
    if (!pre) {
      this.line += uneven.test(text) ? text.replace(/[\s\p{Cc}]+/gu, " ") : text
      return
    }
    const [first, ...rest] = text.split(/\r?\n/)
    this.line += first
    for (const line of rest) {
      this.endLine(true)
      this.line = line
    }
  }

  private endLine(pre: boolean): void {
    if (this.line === "" || this.line === " ") {
      this.line = ""
      return
    }
    const text = this.line.replace(zeroWidth, "")
    const line = pre ? text.trimEnd() : folded(text)
    this.line = ""
    if (line.trim() === "") return
    this.lines.push(line)
    this.length += line.length
  }

  private endBlock(pre: boolean): void {
    this.endLine(pre)
    if (this.lines.length === 0) return
    this.blocks.push(this.lines)
    this.lines = []
  }
}
