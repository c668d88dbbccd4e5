import {
  deepCopy,
  documentForCopies,
  firstChildOf,
  isBlank,
  isHidden,
  nextSiblingOf,
  plainCopy,
  putNew,
  wordSet,
} from "../../core/index.ts"
import { isDisplayedMath, isDrawnMath, texOfScript, writtenFormula } from "../../page/index.ts"
import { type Blocks, isBoundary } from "./blocks.ts"
import { isAmong } from "./choose.ts"

const textNode = 3
const elementNode = 1

/** Elements that show something without text: they stay if the text around them does. */
const media = wordSet(
  "img picture svg iframe video audio embed object math br hr input source canvas",
)
const apart = new Set(["button", "label"])
/** Levels of inline elements around a line break. */
const breakLevels = 4

/**
 * A copy of a page's body, in a document of its own, with the chosen blocks, and the images among them. `written` are elements
 * whose text is another.
 */
export function chosenCopy(
  body: Element,
  { blocks }: Blocks,
  chosen: ArrayLike<number>,
  written: ReadonlyMap<Element, string> = new Map(),
): Element {
  return new Copier(documentForCopies(body.ownerDocument), blocks, chosen, written).copy(body)
}

class Copier {
  private readonly blockOf = new Map<Node, number>()
  /** The block that was met last. */
  private at = -1
  /** The number of open `pre` elements. */
  private inCode = 0

  constructor(
    private readonly owner: Document,
    private readonly blocks: Blocks["blocks"],
    private readonly chosen: ArrayLike<number>,
    private readonly written: ReadonlyMap<Element, string>,
  ) {
    for (const [index, { textNodes: nodes }] of blocks.entries()) {
      for (const node of nodes) this.blockOf.set(node, index)
    }
  }

  copy(body: Element): Element {
    const { nodes } = this.stored(body)
    return this.filled(plainCopy(body, this.owner), nodes)
  }

  /**
   * Returns the stored children of an element: texts of the page, and copies of elements. Space and line
   * breaks alone are not content.
   */
  private stored(parent: Element): { nodes: Node[]; isContent: boolean } {
    const nodes: Node[] = []
    let isContent = false
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
      if (child.nodeType === textNode) {
        const block = this.blockOf.get(child)
        if (block !== undefined) this.at = block
        // Space between words stays, whatever its block.
        if (block === undefined ? !isBlank(child.nodeValue!) : !this.chosen[block]) continue
        nodes.push(child)
        if (block !== undefined) isContent = true
      } else if (child.nodeType === elementNode) {
        if (this.element(child as Element, nodes)) isContent = true
      }
    }
    return { nodes, isContent }
  }

  /** Adds the stored nodes of an element, and returns whether they are content. */
  private element(element: Element, nodes: Node[]): boolean {
    const name = element.localName
    if (name === "script") return this.formula(element, nodes)
    if (name === "style" || name === "template" || isDrawnMath(element)) return false
    if (name === "br" && this.inCode > 0 && this.chosen[this.at]) {
      // An empty line may be an element of its own.
      nodes.push(plainCopy(element, this.owner))
      return true
    }
    const isBreak = isLineBreak(element)
    if (isBreak || media.has(name)) {
      if (!this.isStored(isBreak ? "br" : name, nodes)) return false
      nodes.push(deepCopy(element, this.owner))
      return !isBreak && name !== "hr" && name !== "input"
    }
    const text = this.written.get(element)
    if (text !== undefined) {
      nodes.push(
        this.filled(plainCopy(element, this.owner), [this.owner.createTextNode(` ${text} `)]),
      )
      return true
    }
    if (name === "pre") this.inCode++
    const inner = this.stored(element)
    if (name === "pre") this.inCode--
    if (!inner.isContent || (name === "a" && isOfImageRow(element))) return false
    const copy = this.filled(this.around(element), inner.nodes)
    // Styles keep a button apart from what is next to it, but its text alone would run into the next one's.
    if (apart.has(name))
      nodes.push(this.owner.createTextNode(" "), copy, this.owner.createTextNode(" "))
    else nodes.push(copy)
    return true
  }

  private around(element: Element): Element {
    if (element.localName === "noscript") return this.owner.createElement("div")
    // A tab or a fold that is not open is content all the same.
    const isFold = isBoundary(element) && isHidden(element)
    return plainCopy(element, this.owner, isFold ? hiding : undefined)
  }

  /** Copies texts into it; nodes that belong to the copy already are moved. */
  private filled(copy: Element, nodes: readonly Node[]): Element {
    const { owner } = this
    for (const node of nodes) {
      const isOwn = node.ownerDocument === owner
      putNew(copy, isOwn ? node : owner.createTextNode(node.nodeValue!))
    }
    return copy
  }

  /** The source of a formula, which MathJax would draw. */
  private formula(script: Element, nodes: Node[]): boolean {
    const tex = texOfScript(script)
    if (tex === null || !this.isStored("math", nodes)) return false
    nodes.push(writtenFormula(this.owner, tex, isDisplayedMath(script)))
    return true
  }

  private isStored(name: string, before: readonly Node[]): boolean {
    const follows = this.chosen[this.at] === 1 && before.length > 0
    return follows || (name !== "br" && isAmong(this.blocks, this.chosen, this.at, this.at + 1))
  }
}

/** Returns whether an element is a line break, or inline elements around nothing but line breaks. */
function isLineBreak(element: Element): boolean {
  if (element.localName === "br") return true
  let at = element
  for (let level = 0; level < breakLevels && !isBoundary(at); level++) {
    const first = at.firstChild
    if (first?.nodeType !== elementNode) return false
    at = first as Element
    if (at.localName === "br") return !/\S/.test(element.textContent!)
  }
  return false
}

const hiding = new Set(["hidden", "aria-hidden", "style"])

/** Minimum number of adjacent image links that are badges and buttons. */
const imagesOfRow = 4

function isOfImageRow(link: Element): boolean {
  if (!isImageLink(link)) return false
  let count = 1
  for (const side of ["previousElementSibling", "nextElementSibling"] as const) {
    let other = link[side]
    while (other && count < imagesOfRow && isImageLink(other)) {
      count++
      other = other[side]
    }
  }
  return count >= imagesOfRow
}

const isImageLink = (element: Element) =>
  element.localName === "a" && element.textContent!.trim() === ""
