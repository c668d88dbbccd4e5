import { isHidden, wordSet } from "../../core/index.ts"
import { isDisplayedMath, isDrawnMath, texOfScript, writtenFormula } from "../../page/index.ts"
import { type Blocks, isBoundary } from "./blocks.ts"
import { isAmong } from "./choose.ts"

const textNode = 3
const elementNode = 1

/** What shows something without text: it stays where the text around it does. */
const media = wordSet(
  "img picture svg iframe video audio embed object math br hr input source canvas",
)
/**
 * A copy of a page's body with the chosen blocks, and the pictures among them. `written` are elements
 * whose text is another.
 */
export function keptCopy(
  body: Element,
  { blocks }: Blocks,
  chosen: ArrayLike<number>,
  written: ReadonlyMap<Element, string> = new Map(),
): Element {
  return new Copier(blocks, chosen, written).copy(body)
}

class Copier {
  private readonly blockOf = new Map<Node, number>()
  /** The block that was met last. */
  private at = -1
  /** How many `pre` are open. */
  private inCode = 0

  constructor(
    private readonly blocks: Blocks["blocks"],
    private readonly chosen: ArrayLike<number>,
    private readonly written: ReadonlyMap<Element, string>,
  ) {
    for (const [index, { nodes }] of blocks.entries()) {
      for (const node of nodes) this.blockOf.set(node, index)
    }
  }

  copy(body: Element): Element {
    const root = body.cloneNode(false) as Element
    this.children(body, root)
    return root
  }

  /** Whether a copy of what is kept of an element's children was put into the target. */
  private children(parent: Element, target: Element): boolean {
    let some = false
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === textNode) {
        const block = this.blockOf.get(child)
        if (block !== undefined) this.at = block
        // Space between words stays, whatever it belongs to.
        if (block === undefined ? /\S/.test(child.nodeValue!) : !this.chosen[block]) continue
        target.appendChild(child.cloneNode(false))
        if (block !== undefined) some = true
      } else if (child.nodeType === elementNode) {
        if (this.element(child as Element, target)) some = true
      }
    }
    return some
  }

  private element(element: Element, target: Element): boolean {
    const name = element.localName
    if (name === "script") return this.formula(element, target)
    if (name === "style" || name === "template" || isDrawnMath(element)) return false
    if (name === "br" && this.inCode > 0 && this.chosen[this.at]) {
      // An empty line may be an element of its own.
      target.appendChild(element.cloneNode(false))
      return true
    }
    if (media.has(name)) {
      if (!this.isKept(name, target)) return false
      target.appendChild(element.cloneNode(true))
      return name !== "br" && name !== "hr" && name !== "input"
    }
    const copy = (
      name === "noscript" ? element.ownerDocument.createElement("div") : element.cloneNode(false)
    ) as Element
    const text = this.written.get(element)
    if (text !== undefined) {
      copy.textContent = ` ${text} `
      target.appendChild(copy)
      return true
    }
    if (name === "pre") this.inCode++
    const some = this.children(element, copy)
    if (name === "pre") this.inCode--
    if (!some || (name === "a" && isOfPictureRow(element))) return false
    // A tab or a fold that is not open is content all the same.
    if (isBoundary(copy) && isHidden(copy))
      for (const attribute of hiding) copy.removeAttribute(attribute)
    target.appendChild(copy)
    return true
  }

  /** The source of a formula, which MathJax would draw. */
  private formula(script: Element, target: Element): boolean {
    const tex = texOfScript(script)
    if (tex === null || !this.isKept("math", target)) return false
    target.appendChild(writtenFormula(script.ownerDocument, tex, isDisplayedMath(script)))
    return true
  }

  private isKept(name: string, target: Element): boolean {
    const follows = this.chosen[this.at] === 1 && target.firstChild !== null
    return follows || (name !== "br" && isAmong(this.blocks, this.chosen, this.at, this.at + 1))
  }
}

const hiding = ["hidden", "aria-hidden", "style"]

/** How many links of nothing but a picture, side by side, are badges and buttons. */
const picturesOfRow = 4

function isOfPictureRow(link: Element): boolean {
  if (!isPictureLink(link)) return false
  let count = 1
  for (const side of ["previousElementSibling", "nextElementSibling"] as const) {
    let other = link[side]
    while (other && count < picturesOfRow && isPictureLink(other)) {
      count++
      other = other[side]
    }
  }
  return count >= picturesOfRow
}

const isPictureLink = (element: Element) =>
  element.localName === "a" && element.textContent!.trim() === ""
