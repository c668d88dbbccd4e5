const elementNode = 1
const textNode = 3

export interface TextLengths {
  text: number
  /** Of links to other pages. */
  links: number
  /** Of links into the same page. */
  jumps: number
}

/** The lengths of an element's text and of the links in it, as of `foldSpace(textContent)`. */
export function textLengths(element: Element): TextLengths {
  const lengths = { text: new FoldedLength(), links: 0, jumps: 0 }
  measure(element, null, lengths)
  return { ...lengths, text: lengths.text.value }
}

/** Counts characters, and one for each run of white space between them. */
class FoldedLength {
  value = 0
  private afterSpace = false

  add(text: string): void {
    const { length } = text
    let { value, afterSpace } = this
    for (let at = 0; at < length; at++) {
      if (isSpace(text.charCodeAt(at))) afterSpace = true
      else {
        value += afterSpace && value > 0 ? 2 : 1
        afterSpace = false
      }
    }
    this.value = value
    this.afterSpace = afterSpace
  }
}

interface Sums {
  text: FoldedLength
  links: number
  jumps: number
}

function measure(parent: Node, link: FoldedLength | null, sums: Sums): void {
  for (let child = parent.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === textNode) {
      sums.text.add(child.nodeValue!)
      link?.add(child.nodeValue!)
    } else if (child.nodeType === elementNode) {
      if ((child as Element).localName === "a") measureLink(child as Element, sums)
      else measure(child, link, sums)
    }
  }
}

function measureLink(element: Element, sums: Sums): void {
  const link = new FoldedLength()
  measure(element, link, sums)
  if (/^#.+/.test(element.getAttribute("href") ?? "")) sums.jumps += link.value
  else sums.links += link.value
}

/** White space as `foldSpace` has it. */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  if (code < 160) return false
  return code === 160 || code === 0xfeff || code === 0x3000 || isRareSpace(code)
}

const isRareSpace = (code: number) =>
  (code >= 0x2000 && code <= 0x200b) ||
  code === 0x2028 ||
  code === 0x2029 ||
  code === 0x202f ||
  code === 0x205f ||
  code === 0x1680

/** Whether an element has no text, and no elements but line breaks and rules. */
export function isBlank(element: Element): boolean {
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === textNode && /\S/.test(child.nodeValue!)) return false
    if (child.nodeType !== elementNode) continue
    const { localName } = child as Element
    if (localName !== "br" && localName !== "hr") return false
  }
  return true
}

/** An element's text, trimmed, where it is no longer than `most`; else null, found out early. */
export function briefText(element: Element, most: number): string | null {
  let text = ""
  const gather = (parent: Node): boolean => {
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      if (child.nodeType === textNode) {
        const piece = child.nodeValue!
        // Only white space may follow a text that is already long enough.
        if (text.length > most ? piece.trim() !== "" : !add(piece)) return false
      } else if (child.nodeType === elementNode && !gather(child)) return false
    }
    return true
  }
  const add = (piece: string): boolean => {
    text = (text + piece).trimStart()
    return text.length <= most || text.trimEnd().length <= most
  }
  return gather(element) ? text.trimEnd() : null
}

/** The beginning of an element's text, `most` characters at most. */
export function textStart(element: Element, most: number): string {
  let text = ""
  const gather = (parent: Node): void => {
    for (let child = parent.firstChild; child && text.length < most; child = child.nextSibling) {
      if (child.nodeType === textNode) text += child.nodeValue!
      else if (child.nodeType === elementNode) gather(child)
    }
  }
  gather(element)
  return text.slice(0, most)
}
