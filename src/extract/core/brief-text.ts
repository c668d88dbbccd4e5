import { firstChildOf, nextSiblingOf } from "./linked-nodes.ts"

const elementNode = 1
const textNode = 3

/** Returns an element's trimmed text, or null as soon as it is longer than `most`. */
export function briefText(element: Element, max: number): string | null {
  let text = ""
  const gather = (parent: Node): boolean => {
    for (let child = firstChildOf(parent); child; child = nextSiblingOf(child)) {
      if (child.nodeType === textNode) {
        const piece = child.nodeValue!
        // Only white space may follow a text that is already long enough.
        if (text.length > max ? piece.trim() !== "" : !add(piece)) return false
      } else if (child.nodeType === elementNode && !gather(child)) return false
    }
    return true
  }
  const add = (piece: string): boolean => {
    text = (text + piece).trimStart()
    return text.length <= max || text.trimEnd().length <= max
  }
  return gather(element) ? text.trimEnd() : null
}

/** The beginning of an element's text, `most` characters at most. */
export function textStart(element: Element, max: number): string {
  let text = ""
  const gather = (parent: Node): void => {
    for (let child = parent.firstChild; child && text.length < max; child = child.nextSibling) {
      if (child.nodeType === textNode) text += child.nodeValue!
      else if (child.nodeType === elementNode) gather(child)
    }
  }
  gather(element)
  return text.slice(0, max)
}
