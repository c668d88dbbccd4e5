import { Readability } from "@mozilla/readability"
import { elementsNamed, elementsWhere, isBlank, isHidden, textLengths } from "../core/index.ts"
import { isLayoutTable, tableRows } from "../markdown/index.ts"
import { documentTitle, isEmbeddedPost, standsAlone } from "../page/index.ts"

/** Steps of Readability that its types do not name. */
interface Steps {
  _getInnerText(element: Element, folded?: boolean): string
  _getTextDensity(element: Element, names: string[]): number
  _setNodeTag(element: Element, name: string): Element
  _replaceBrs(body: Element): void
  _removeAndGetNext(element: Element): Element | null
  _removeNodes(elements: Element[], test?: (element: Element) => boolean): void
}
const steps = Readability.prototype as unknown as Steps

/** A link into the same page hardly leads away from its text; the coefficient is Readability's. */
const jumpWeight = 0.3

/**
 * Readability over a content copy, with the steps that are slow on linkedom done by a walk over the
 * tree, and without those already done to the copy. The version is pinned.
 */
export class Reader extends Readability<Element> {
  declare REGEXPS: { byline: RegExp }
  declare _doc: Document
  declare _getNextNode: (element: Element) => Element | null

  private readonly hasPosts: boolean
  /** The element that is looked at whether it goes, and its text, once it is asked for. */
  private looked: { at: Element; text: string | null } | null = null

  /** `again` gives the body as it was at the start, for a further try with other rules. */
  constructor(document: Document, again: () => Element) {
    super(document, {
      serializer: (node) => node as Element,
      keepClasses: true,
      disableJSONLD: true,
    })
    this.hasPosts = elementsNamed(document.body, "blockquote").some(isEmbeddedPost)
    makeInLowerCase(document)
    this.restoreFrom(document.body, again)
  }

  /** Readability keeps the page as text, and reads it anew for each further try. */
  private restoreFrom(body: Element, again: () => Element): void {
    const set = () => {
      const fresh = again()
      this._replaceBrs(fresh)
      body.replaceChildren(...fresh.childNodes)
    }
    Object.defineProperty(body, "innerHTML", { get: () => "", set })
  }

  _setNodeTag(element: Element, name: string): Element {
    return steps._setNodeTag.call(this, element, name.toLowerCase())
  }

  /** A `font` would end the paragraph around it. */
  _replaceBrs(body: Element): void {
    for (const font of elementsNamed(body, "font")) this._setNodeTag(font, "span")
    steps._replaceBrs.call(this, body)
  }

  _getAllNodesWithTag(root: Document | Element, names: string[]): Element[] {
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    return elementsWhere(root, (element) => wanted.has(element.localName))
  }

  _getLinkDensity(element: Element): number {
    if (elementsNamed(element, "a").length === 0) return 0
    const { text, links, jumps } = textLengths(element)
    return text === 0 ? 0 : (links + jumps * jumpWeight) / text
  }

  /** A quoted post is part of the article, though it has links and names like a row of buttons. */
  _removeAndGetNext(element: Element): Element | null {
    return this.isKept(element)
      ? this._getNextNode(element)
      : steps._removeAndGetNext.call(this, element)
  }

  _removeNodes(elements: Element[], test?: (element: Element) => boolean): void {
    steps._removeNodes.call(
      this,
      elements.filter((element) => !this.isKept(element)),
      test && ((element) => this.look(element, test)),
    )
  }

  /** Nothing changes while an element is looked at. */
  private look(element: Element, test: (element: Element) => boolean): boolean {
    this.looked = { at: element, text: null }
    const goes = test.call(this, element)
    this.looked = null
    return goes
  }

  _getInnerText(element: Element, folded = true): string {
    if (!folded || this.looked?.at !== element) {
      return steps._getInnerText.call(this, element, folded)
    }
    this.looked.text ??= steps._getInnerText.call(this, element)
    return this.looked.text
  }

  _getTextDensity(element: Element, names: string[]): number {
    const found = this._getAllNodesWithTag(element, names)
    return found.length === 0 ? 0 : steps._getTextDensity.call(this, element, names)
  }

  private isKept(element: Element): boolean {
    return this.hasPosts && isEmbeddedPost(element)
  }

  /** Within a sentence a name is part of it, and so is the place at its beginning. */
  _isValidByline(element: Element, names: string): boolean {
    const isNamed =
      element.getAttribute("rel") === "author" ||
      element.getAttribute("itemprop")?.includes("author") ||
      this.REGEXPS.byline.test(names)
    if (!isNamed || !standsAlone(element)) return false
    const { length } = element.textContent!.trim()
    return length > 0 && length < 100
  }

  _isProbablyVisible(element: Element): boolean {
    return !isHidden(element)
  }

  _isElementWithoutContent(element: Element): boolean {
    return isBlank(element)
  }

  /** Readability would take a small table for layout, and drop one with a picture in each row. */
  _markDataTables(root: Element): void {
    for (const table of elementsNamed(root, "table")) {
      const isData = !isLayoutTable(table) && tableRows(table).length > 1
      Object.assign(table, { _readabilityDataTable: isData })
    }
  }

  /** Only the title is used: headings that repeat it are dropped. */
  _getArticleMetadata(): { title: string } {
    return { title: documentTitle(this._doc) ?? "" }
  }

  _prepDocument(): void {
    this._replaceBrs(this._doc.body)
  }

  // Already done to the content copy.
  _unwrapNoscriptImages(): void {}
  _removeScripts(): void {}
  _fixRelativeUris(): void {}
}

/** linkedom keeps the case in which an element is made, and ours are in lower case. */
function makeInLowerCase(document: Document): void {
  const make = document.createElement
  document.createElement = (name: string) => make.call(document, name.toLowerCase())
}
