import type { TokenizerCallbacks } from "htmlparser2"
import { parseHTML } from "linkedom"
import { appendNew, insertAttribute, linked, newAttribute, newText } from "./linked-nodes.ts"
import { quickenNodes } from "./linkedom-patches.ts"
import { OpenElements } from "./open-elements.ts"
import { KnownNames, KnownTexts, QuickTokenizer } from "./tokens/quick-tokenizer.ts"
import { wordSet } from "./word-table.ts"

quickenNodes()

/**
 * Deeper elements become siblings, as in Chrome (at 512). It keeps later walks within the stack, and
 * readers of each element's ancestors or text within bounds. The limit shrinks once the sum of all
 * depths exceeds that of real pages: of 1,700, the deepest has 55 levels, and the largest sum is 250,000.
 */
const maxDepth = 128
const maxDepths = 1_000_000
const crowdedDepth = 32
/** The largest of those pages has 18,000. Comments count, too. */
export const maxElements = 200_000
const maxAttributes = 256
const maxClassChars = 8_192

/** Stray sections that are read as the comments they are; each costs another reading of its rest. */
const maxReread = 8

const voidElements = wordSet(`
  area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr
`)
const headElements = wordSet(`
  base basefont bgsound link meta noscript script style template title
`)
/** Elements whose text the tokenizer reads raw; `/>` ends them all the same. */
const rawElements = new Set(["script", "style", "title", "textarea", "xmp", "iframe"])

/** Elements of the body, even if a noscript in the head was not closed. */
const startsBody = wordSet("p div main article section h1 h2 h3 table ul ol header nav")

const blank = /^[\t\n\f\r ]*$/

/** A page with more elements than we read. Cutting it off would silently lose the rest. */
export class TooManyElements extends Error {
  /** Errors keep it when they cross threads. */
  readonly code = "too_large"

  constructor() {
    super(`The page has more than ${maxElements.toLocaleString("en")} elements.`)
  }
}

/**
 * Builds a linkedom document from a page, by the rules of the HTML standard that matter for pages
 * as they are written: html, head and body are always there, attribute names are lower case, ends
 * of paragraphs, items, cells and links are implied, stray end tags close nothing outside their
 * table cell, text is one node. Depth and counts are bounded.
 */
export class TreeBuilder implements TokenizerCallbacks {
  readonly document: Document
  private readonly html: HTMLElement
  private readonly head: HTMLElement
  private readonly body: HTMLElement
  private readonly open: OpenElements
  private readonly names = new KnownNames()
  private inBody = false
  private text = ""
  private elements = 0
  private depths = 0
  private reread = 0
  private name = ""
  /** Names and values of the attributes of a tag, in turns. */
  private readonly attributes: string[] = []
  private attributeName = ""
  private attributeValue = ""
  private readonly classes = new KnownTexts()

  constructor(private source: string) {
    const { document } = parseHTML("<html><head></head><body></body></html>")
    this.document = document as unknown as Document
    this.html = this.document.documentElement
    this.head = this.document.head
    this.body = this.document.body
    this.open = new OpenElements(this.html)
  }

  build(): Document {
    this.tokenize()
    return this.document
  }

  private tokenize(): void {
    new QuickTokenizer(this).read(this.source)
    this.flushText()
  }

  onopentagname(start: number, end: number): void {
    this.name = this.names.read(this.source, start, end)
    this.attributes.length = 0
  }

  onattribname(start: number, end: number): void {
    this.attributeName = this.names.read(this.source, start, end)
  }

  onattribdata(start: number, end: number): void {
    const { source } = this
    if (this.attributeName === "class" && this.attributeValue === "") {
      this.attributeValue = this.classes.read(source, start, end)
    } else this.attributeValue += source.slice(start, end)
  }

  onattribentity(codepoint: number): void {
    this.attributeValue += String.fromCodePoint(codepoint)
  }

  onattribend(): void {
    if (this.attributes.length < 2 * maxAttributes) {
      this.attributes.push(this.attributeName, this.attributeValue)
    }
    this.attributeValue = ""
  }

  onopentagend(): void {
    this.start(this.name, false)
  }

  onselfclosingtag(): void {
    this.start(this.name, true)
  }

  onclosetag(start: number, end: number): void {
    const name = this.names.read(this.source, start, end)
    if (name === "body" || name === "html") return
    this.flushText()
    if (name === "br") this.start("br", true)
    else this.open.close(name)
  }

  ontext(start: number, end: number): void {
    this.text += this.source.slice(start, end)
  }

  ontextentity(codepoint: number): void {
    this.text += String.fromCodePoint(codepoint)
  }

  oncomment(start: number, end: number, endOffset: number): void {
    this.flushText()
    this.count()
    const parent = this.open.top === this.html && this.inBody ? this.body : this.open.top
    put(parent, this.document.createComment(this.source.slice(start, end - endOffset)))
  }

  oncdata(start: number, end: number, endOffset: number): void {
    if (this.open.has("svg") || this.open.has("math")) {
      this.text += this.source.slice(start, end - endOffset)
      return
    }
    const close = this.source.indexOf(">", start)
    if (close < 0 || close >= end - endOffset || this.reread >= maxReread) {
      this.oncomment(start, end, endOffset)
      return
    }
    this.oncomment(start, close, 0)
    this.readAgain(close + 1, end)
  }

  /** Outside of SVG and MathML such a section ends at the first `>`; the tokenizer went on beyond it. */
  private readAgain(start: number, end: number): void {
    const { source } = this
    this.reread++
    this.source = source.slice(start, end)
    this.tokenize()
    this.source = source
  }

  ondeclaration(start: number, end: number): void {
    const text = this.source.slice(start, Math.min(end, start + 500))
    if (!/^doctype\s/i.test(text) || this.document.doctype)
      return // linkedom reads a whole declaration from this setter, and the types do not know it.
    ;(this.document as { doctype: unknown }).doctype = text.slice("doctype ".length).trim()
  }

  onprocessinginstruction(): void {}
  onend(): void {}

  private start(name: string, selfClosing: boolean): void {
    this.flushText()
    if (name === "html") this.merge(this.html)
    else if (name === "head") this.openHead()
    else if (name === "body") this.openBody()
    else this.append(name, selfClosing)
  }

  private append(name: string, selfClosing: boolean): void {
    this.openContainer(headElements.has(name))
    this.open.imply(name)
    if (name === "td" || name === "th") this.implyRow()
    const element = this.element(name)
    this.depths += this.open.depth
    if (this.depths > maxDepths) this.open.cut(crowdedDepth)
    put(this.open.top, element)
    if (voidElements.has(name)) return
    if (selfClosing && (rawElements.has(name) || this.open.has("svg") || this.open.has("math")))
      return
    if (this.open.depth < this.maxTreeDepth) this.open.push(name, element)
    else this.open.skip(name)
  }

  /** A cell without a row gets one. */
  private implyRow(): void {
    if (!/^(?:table|tbody|thead|tfoot)$/.test(this.open.top.localName)) return
    this.count()
    const row = this.document.createElement("tr")
    put(this.open.top, row)
    this.open.push("tr", row)
  }

  private element(name: string): HTMLElement {
    this.count()
    const element = this.document.createElement(name)
    this.setAttributes(element)
    return element
  }

  private get maxTreeDepth(): number {
    return this.depths > maxDepths ? crowdedDepth : maxDepth
  }

  private count(): void {
    if (++this.elements > maxElements) throw new TooManyElements()
  }

  /** A second start tag of `html`, `head` or `body` only adds attributes that the first lacks. */
  private merge(element: HTMLElement): void {
    const { attributes } = this
    const max = 2 * Math.max(0, maxAttributes - element.attributes.length)
    let added = 0
    for (let at = 0; at < attributes.length && added < max; at += 2) {
      if (element.hasAttribute(attributes[at]!)) continue
      attributes[added++] = attributes[at]!
      attributes[added++] = attributes[at + 1]!
    }
    attributes.length = added
    this.setAttributes(element)
  }

  /** Sets attributes that the element does not have yet; the first of one name counts. */
  private setAttributes(element: HTMLElement): void {
    const { attributes, document } = this
    let before = linked(element)
    for (let at = 0; at < attributes.length; at += 2) {
      const name = attributes[at]!
      if (at > 0 && this.isRepeated(at)) continue
      const value = attributes[at + 1]!
      const attribute = newAttribute(document, name) as Attr & { ownerElement: Element }
      attribute.ownerElement = element
      const isLong = value.length > maxClassChars && name === "class"
      insertAttribute(before, linked(attribute), isLong ? value.slice(0, maxClassChars) : value)
      before = linked(attribute)
    }
  }

  private isRepeated(position: number): boolean {
    const { attributes } = this
    const name = attributes[position]
    for (let at = 0; at < position; at += 2) if (attributes[at] === name) return true
    return false
  }

  private openHead(): void {
    this.merge(this.head)
    if (!this.inBody && this.open.top === this.html) this.open.push("head", this.head)
  }

  private openBody(): void {
    this.merge(this.body)
    if (!this.inBody) this.enterBody()
  }

  /** Makes sure that the next node lands in the head or the body. */
  private openContainer(belongsInHead: boolean): void {
    if (this.inBody) return
    if (this.open.has("template")) return
    if (this.open.has("noscript") && !startsBody.has(this.name)) return
    if (!belongsInHead) this.enterBody()
    else if (this.open.top === this.html) this.open.push("head", this.head)
  }

  private enterBody(): void {
    this.inBody = true
    this.open.clear()
    this.open.push("body", this.body)
  }

  private flushText(): void {
    if (this.text === "") return
    const text = this.text
    this.text = ""
    const { top } = this.open
    const isStructure = top === this.html || top === this.head
    if (isStructure && blank.test(text)) {
      if (top === this.head) put(top, newText(this.document, text))
      return
    }
    if (isStructure) this.openContainer(false)
    const opensPre = this.open.top.localName === "pre" && !this.open.top.firstChild
    const stored = opensPre ? text.replace(/^\r?\n/, "") : text
    if (stored !== "") put(this.open.top, newText(this.document, stored))
  }
}

/** A page that is being parsed has no mutation observers. */
const put = (parent: Node, node: Node) => appendNew(linked(parent), linked(node))
