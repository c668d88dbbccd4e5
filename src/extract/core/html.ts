import { elementType, endKey, linked, nextKey } from "./linked-nodes.ts"
import { factOf, indexOf } from "./page-index.ts"
import { foldSpace } from "./text.ts"
import { TreeBuilder } from "./tree-builder.ts"

/**
 * Parses a page, or a fragment of one, into a document with head and body.
 *
 * @example
 * ```ts
 * parseDocument("<p>Text").body.innerHTML // "<p>Text</p>"
 * ```
 */
export function parseDocument(html: string): Document {
  return new TreeBuilder(html).build()
}

/** The text of an element, white space folded; null if there is none. */
export function textOf(element: Element | null | undefined): string | null {
  const text = foldSpace(element?.textContent ?? "")
  return text === "" ? null : text
}

/** Returns `address` resolved against `base`; null if it is not an http(s) URL. */
export function absoluteUrl(href: string | null | undefined, base: string): string | null {
  if (!href) return null
  try {
    const url = new URL(href.trim(), base)
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : null
  } catch {
    return null
  }
}

/** The URL that relative ones resolve against: `<base href>`, else the page's own. */
export function baseUrl(document: Document, pageUrl: string): string {
  const [base] = factOf(document, isBase, () => elementsNamed(document, "base").filter(isBase))
  return absoluteUrl(base?.getAttribute("href"), pageUrl) ?? pageUrl
}

const isBase = (element: Element) => element.hasAttribute("href")

/** Descendants of a name, in document order; faster than getElementsByTagName here. */
export function elementsNamed(root: Node, name: string): Element[] {
  const index = indexOf(root)
  if (!index) return elementsWhere(root, (element) => element.localName === name)
  const [first, last] = index.within(root)!
  return index
    .named(name)
    .filter((at) => at >= first && at <= last)
    .map((at) => index.elements[at]!)
}

/**
 * Returns the descendants that pass a test, in document order, if only elements with some names or
 * attributes can pass. On an indexed page only these are tested.
 */
export function elementsAmong(
  root: Node,
  { names, attributes }: { names: readonly string[]; attributes: readonly string[] },
  test: (element: Element) => boolean,
): Element[] {
  const index = indexOf(root)
  if (!index) return elementsWhere(root, test)
  const [first, last] = index.within(root)!
  const positions = new Set<number>()
  for (const name of names) for (const at of index.named(name)) positions.add(at)
  for (const name of attributes) for (const at of index.having(name)) positions.add(at)
  const matches: Element[] = []
  for (const at of [...positions].sort((a, b) => a - b)) {
    if (at < first || at > last) continue
    const element = index.elements[at]!
    if (test(element)) matches.push(element)
  }
  return matches
}

/** Descendants that pass a test, in document order; faster than a selector here. */
export function elementsWhere(root: Node, test: (element: Element) => boolean): Element[] {
  const matches: Element[] = []
  const index = indexOf(root)
  if (index) {
    const [first, last] = index.within(root)!
    for (let at = first; at <= last; at++) {
      const element = index.elements[at]!
      if (test(element)) matches.push(element)
    }
    return matches
  }
  const { [nextKey]: first, [endKey]: end } = linked(root)
  // A text has no end.
  if (!end) return matches
  for (let node = first!; node !== end; node = node[nextKey]!) {
    if (node.nodeType !== elementType) continue
    const element = node as unknown as Element
    if (test(element)) matches.push(element)
  }
  return matches
}
