import {
  absoluteUrl,
  firstChildOf,
  isBlock,
  isHidden,
  isPermalink,
  isUnseen,
  nextSiblingOf,
} from "../core/index.ts"
import {
  delimitedTex,
  hiddenMath,
  imageText,
  imageUrlOf,
  isDisplayedMath,
  isEmoji,
  isMathCopy,
  playerUrl,
  texOf,
  texOfImage,
  texOfScript,
} from "../page/index.ts"
import { codeLine, codeSpan, codeText } from "./code.ts"
import { linkDestination } from "./escape.ts"
import type { Footnotes } from "./footnotes.ts"
import { Inline, type LineBreak, type Mark } from "./inline.ts"

const marks: Record<string, Mark> = {
  b: "**",
  strong: "**",
  em: "*",
  i: "*",
  del: "~~",
  s: "~~",
  strike: "~~",
}
/** Returns whether an element is a text link to edit a heading or to the heading, or a copy button. */
const isSign = (element: Element) => isPermalink(element) && element.textContent!.trim() !== ""

/** Returns whether ruby text needs brackets, because the page has none for browsers without ruby. */
const lacksBrackets = ({ previousElementSibling: before }: Element) => before?.localName !== "rp"

const codeNames = new Set(["code", "kbd", "samp", "tt"])

export interface LineContext {
  base: string
  /** The number of quotes and lists around it. */
  nesting: number
  inDefinition: boolean
  /** Whether the content of a list item is written. */
  isItem?: boolean
  footnotes: Footnotes | null
}

/** Writes content on one line: headings, cells, captions. Blocks within it end in a line break. */
export class LineWriter {
  readonly inline: Inline

  constructor(
    protected readonly context: LineContext,
    private readonly lineBreak: LineBreak,
  ) {
    this.inline = new Inline(lineBreak)
  }

  /** Returns the content since the last call. */
  line(): string {
    return this.inline.take()
  }

  visitChildren(parent: Node): void {
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child))
      this.visitNode(child)
  }

  visitNode(node: Node): void {
    if (node.nodeType === 3) this.inline.text(node.nodeValue ?? "")
    else if (node.nodeType === 1) this.visit(node as Element)
  }

  private visit(element: Element): void {
    const name = element.localName
    if (name === "math") this.formula(element)
    else if (name === "iframe" || name === "video" || name === "audio") this.media(element)
    else if (name === "img") this.image(element)
    else if (name === "input") this.checkbox(element)
    else if (name === "noscript") this.withoutScript(element)
    else if (isUnseen(element)) this.hidden(element)
    else if (this.context.footnotes && this.footnote(element, this.context.footnotes)) return
    else if (isSign(element)) return
    else if (name === "br") this.endLine()
    else if (isMathCopy(element) || this.delimited(element) || this.writesBlock(element)) return
    else if (isBlock(element)) this.container(element)
    else this.inlineElement(element, name)
  }

  /** Returns whether an element was written in a form of its own. */
  protected writesBlock(element: Element): boolean {
    if (element.localName !== "pre" || this.lineBreak !== "<br>") return false
    this.boundary()
    this.codeLines(element)
    this.boundary()
    return true
  }

  /** Returns whether the line is the first of a list item: only there is a task box read as one. */
  protected startsItem(): boolean {
    return false
  }

  protected boundary(): void {
    this.inline.break()
  }

  protected container(element: Element): void {
    this.boundary()
    this.visitChildren(element)
    this.boundary()
  }

  private endLine(): void {
    if (this.inline.break() === "paragraph") this.boundary()
  }

  private inlineElement(element: Element, name: string): void {
    const mark = marks[name]
    if (mark && !(mark === "**" && this.lineBreak === " ")) {
      this.inline.open(mark)
      this.visitChildren(element)
      this.inline.close()
    } else if (codeNames.has(name)) this.code(element)
    else if (name === "a") this.link(element)
    else if (name === "sup" || name === "sub") this.shifted(element, name)
    else if (name === "q") this.enclosed('"', element, '"')
    else if (name === "rt" && lacksBrackets(element)) this.enclosed("(", element, ")")
    else if (name === "label" || name === "button") this.control(element)
    else this.visitChildren(element)
  }

  /** Adjacent controls are separated only by their style. */
  private control(element: Element): void {
    if (element.previousSibling === element.previousElementSibling) this.inline.folds()
    this.visitChildren(element)
  }

  /** Returns whether an element is the mark of a footnote, or leads back to one. */
  private footnote(element: Element, { marks, returns }: Footnotes): boolean {
    const mark = marks.get(element)
    if (mark !== undefined) this.inline.raw(mark)
    return mark !== undefined || returns.has(element)
  }

  private link(element: Element): void {
    const href = this.hrefOf(element)
    if (href === null) {
      this.visitChildren(element)
      return
    }
    this.inline.open("", href)
    this.visitChildren(element)
    this.inline.close()
  }

  /** Returns an absolute URL; a fragment of this page unchanged; null without a target. */
  private hrefOf(element: Element): string | null {
    const written = element.getAttribute("href")?.trim()
    if (!written) return null
    if (written.startsWith("#")) return written.length > 1 ? written : null
    if (/^(?:mailto|tel):./i.test(written)) return written
    return absoluteUrl(written, this.context.base)
  }

  private code(element: Element): void {
    if (element.getAttribute("class") === "math-tex") {
      this.writeFormula(element.textContent!, element)
    } else if (element.getElementsByTagName("br").length > 0) this.codeLines(element)
    else this.codeSpan(element)
  }

  /** Code on several lines, each in a span of its own. */
  private codeLines(element: Element): void {
    for (const [index, line] of (codeText(element) ?? "").split("\n").entries()) {
      const span = codeLine(line)
      if (index > 0) this.inline.break()
      if (span !== "") this.inline.raw(this.inCell(span))
    }
  }

  private inCell(text: string): string {
    return this.lineBreak === "<br>" ? text.replaceAll("|", "\\|") : text
  }

  private codeSpan(element: Element): void {
    const only = element.firstElementChild
    const isLinked =
      only?.localName === "a" && only.textContent!.trim() === element.textContent!.trim()
    const span = codeSpan(element.textContent ?? "")
    if (span === "") {
      this.inline.text(element.textContent ?? "")
      return
    }
    const text = element.textContent!
    if (/^\s/.test(text)) this.inline.folds()
    const href = isLinked ? this.hrefOf(only) : null
    if (href !== null) this.inline.open("", href)
    this.inline.raw(this.inCell(span))
    if (href !== null) this.inline.close()
    if (/\s$/.test(text)) this.inline.folds()
  }

  /** Raised and lowered text keeps its tag, which CommonMark allows; a note's mark is just a link. */
  private shifted(element: Element, name: string): void {
    const text = element.textContent!.trim()
    const note = element.querySelector("a[href]")
    if (text === "" || note?.textContent?.trim() === text || isHidden(element)) {
      this.visitChildren(element)
      return
    }
    this.inline.raw(`<${name}>`)
    this.visitChildren(element)
    this.inline.raw(`</${name}>`)
  }

  private enclosed(before: string, element: Element, after: string): void {
    this.inline.text(before)
    this.visitChildren(element)
    this.inline.text(after)
  }

  private formula(math: Element): void {
    const tex = texOf(math)
    if (tex === null) this.visitChildren(math)
    else this.writeFormula(tex, math)
  }

  private delimited(element: Element): boolean {
    const tex = delimitedTex(element)
    if (tex !== null) this.writeFormula(tex, element)
    return tex !== null
  }

  /** Writes an inline formula as `$x$`, and a displayed one as a paragraph, `$$x$$`. */
  private writeFormula(tex: string, math: Element): void {
    if (this.lineBreak !== "\\\n" || !isDisplayedMath(math)) {
      this.inline.raw(`$${this.lineBreak === "<br>" ? tex.replaceAll("|", "\\vert ") : tex}$`)
      return
    }
    this.boundary()
    this.inline.raw(`$$${tex}$$`)
    this.boundary()
  }

  private hidden(element: Element): void {
    const tex = texOfScript(element)
    if (tex !== null) this.writeFormula(tex, element)
    const math = hiddenMath(element)
    if (math && texOf(math) !== null) this.formula(math)
  }

  private image(image: Element): void {
    if (isHidden(image) || isMathCopy(image)) return
    const tex = texOfImage(image)
    if (tex !== null || isEmoji(image)) {
      if (tex === null) this.inline.text(imageText(image))
      else this.writeFormula(tex, image)
      return
    }
    const url = imageUrlOf(image, this.context.base)
    if (url === null) return
    const alt = this.inCell(imageText(image).replace(/[\\`*_<[\]]/g, "\\$&"))
    this.inline.raw(`![${alt}](${linkDestination(url)})`)
  }

  /** Writes an image for browsers without scripts, if the one before it has no URL yet. */
  private withoutScript(element: Element): void {
    if (!isUnseen(element)) {
      this.container(element)
      return
    }
    const before = element.previousElementSibling
    const lazy = before?.localName === "img" ? before : before?.querySelector("img")
    if (lazy && imageUrlOf(lazy, this.context.base) !== null) return
    for (const image of element.querySelectorAll("img")) this.image(image)
  }

  private media(element: Element): void {
    if (isHidden(element)) return
    const url = playerUrl(element, this.context.base)
    if (url === null) return
    const label = element.localName === "audio" ? "Audio" : "Video"
    this.boundary()
    this.inline.open("", url)
    this.inline.text(element.getAttribute("title") || label)
    this.inline.close()
    this.boundary()
  }

  private checkbox(element: Element): void {
    if (element.getAttribute("type")?.toLowerCase() !== "checkbox") return
    if (!this.startsItem() || !this.inline.empty) return
    this.inline.raw(element.hasAttribute("checked") ? "[x]" : "[ ]")
    this.inline.folds()
  }
}
