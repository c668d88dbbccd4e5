import { Readability } from "@mozilla/readability"
import { elementsNamed, elementsWhere } from "./html.ts"

/** Steps of Readability that its types do not name. */
const { _setNodeTag: setNodeTag, _replaceBrs: replaceBrs } = Readability.prototype as unknown as {
  _setNodeTag(element: Element, name: string): Element
  _replaceBrs(body: Element): void
}

/**
 * Readability with the steps that are slow on linkedom done by a walk over the tree: there a selector
 * is compiled each time it is asked for. What it finds is the same; the version is pinned.
 */
export class Reader extends Readability<Element> {
  declare REGEXPS: { hashUrl: RegExp; byline: RegExp }
  declare _getInnerText: (element: Element) => string

  constructor(document: Document) {
    super(document, { serializer: (node) => node as Element, keepClasses: true })
  }

  /** linkedom keeps the case in which an element is made, and ours are in lower case. */
  _setNodeTag(element: Element, name: string): Element {
    return setNodeTag.call(this, element, name.toLowerCase())
  }

  /** A `font` would end the paragraph that it stands in. */
  _replaceBrs(body: Element): void {
    for (const font of elementsNamed(body, "font")) this._setNodeTag(font, "span")
    replaceBrs.call(this, body)
  }

  _getAllNodesWithTag(root: Document | Element, names: string[]): Element[] {
    // Both come in either case: linkedom keeps that in which an element was made.
    const wanted = new Set(names.map((name) => name.toLowerCase()))
    return elementsWhere(root, (element) => wanted.has(element.localName.toLowerCase()))
  }

  _getLinkDensity(element: Element): number {
    const { length } = this._getInnerText(element)
    if (length === 0) return 0
    let linked = 0
    for (const link of elementsNamed(element, "a")) {
      const isJump = this.REGEXPS.hashUrl.test(link.getAttribute("href") ?? "")
      linked += this._getInnerText(link).length * (isJump ? 0.3 : 1)
    }
    return linked / length
  }

  _isValidByline(element: Element, names: string): boolean {
    const isNamed =
      element.getAttribute("rel") === "author" ||
      element.getAttribute("itemprop")?.includes("author") ||
      this.REGEXPS.byline.test(names)
    if (!isNamed) return false
    const { length } = element.textContent!.trim()
    return length > 0 && length < 100
  }
}
