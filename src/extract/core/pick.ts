import { foldSpace } from "./text.ts"

const silent = new Set(["script", "style", "noscript", "template"])

/**
 * Returns the text of an element without scripts and styles, white space collapsed, direction marks
 * removed. Text hidden from screen readers counts, because shops write prices that way.
 */
export function plainText(element: Element | null | undefined): string | null {
  if (!element) return null
  const parts: string[] = []
  collect(element, parts)
  const text = foldSpace(parts.join("").replace(/[\u200e\u200f\u202a-\u202e]/g, ""))
  return text === "" ? null : text
}

function collect(node: Node, parts: string[]): void {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeType === 3) parts.push(child.nodeValue ?? "")
    else if (child.nodeType === 1 && !silent.has((child as Element).localName)) {
      collect(child, parts)
    }
  }
}

/** The first text found, in the order of the selectors. */
export function firstText(root: ParentNode, ...selectors: string[]): string | null {
  for (const selector of selectors) {
    for (const element of root.querySelectorAll(selector)) {
      const text = plainText(element)
      if (text !== null) return text
    }
  }
  return null
}

/** The texts of all elements that a selector finds, in order; empty ones are left out. */
export function allTexts(root: ParentNode, selector: string): string[] {
  return [...root.querySelectorAll(selector)].flatMap((element) => plainText(element) ?? [])
}

/** The first of these attributes that is not empty, on the first element that has one. */
export function firstAttribute(
  root: ParentNode,
  selector: string,
  ...names: string[]
): string | null {
  for (const element of root.querySelectorAll(selector)) {
    for (const name of names) {
      const value = element.getAttribute(name)?.trim()
      if (value) return value
    }
  }
  return null
}
