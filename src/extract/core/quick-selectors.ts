import { compile } from "css-select"
import { NodeList } from "linkedom"
import { attributeOf, elementType, endKey, linked, nextKey } from "./linked-nodes.ts"
import { indexOf, type PageIndex } from "./page-index.ts"
import { type SelectorKey, selectorKeys } from "./selector-keys.ts"

type Test = (element: Element) => boolean

/** Compiled selectors that depend on the element itself, not on its position. */
const stored = new Map<string, Test | null>()
const maxStored = 2_000

const attributes = /\[(?:"[^"]*"|'[^']*'|[^\]"'])*\]/g
const ofOneElement = /^[^\s>+~:\\,]+(?:\s*,\s*[^\s>+~:\\,]+)*$/

const adapter = {
  isTag: (node: Node): node is Element => node.nodeType === 1,
  getName: (element: Element) => element.localName.toLowerCase(),
  getAttributeValue: (element: Element, name: string) =>
    attributeOf(linked(element), name) ?? undefined,
  hasAttrib: (element: Element, name: string) => attributeOf(linked(element), name) !== null,
  getParent: (element: Element) => element.parentNode,
  getChildren: (node: Node) => [...node.childNodes],
  getSiblings: (node: Node) => [...(node.parentNode?.childNodes ?? [node])],
  getText: (node: Node) => node.textContent ?? "",
  removeSubsets: (nodes: Node[]) => nodes,
}

/** Returns the test of a simple selector; null for one that has to be compiled for each search. */
function testOf(selector: string): Test | null {
  const known = stored.get(selector)
  if (known !== undefined) return known
  const isSimple = ofOneElement.test(selector.trim().replaceAll(attributes, "[]"))
  const test = isSimple ? compile<Node, Element>(selector!, { adapter }) : null
  if (stored.size < maxStored) stored.set(selector, test)
  return test
}

/** The elements within one, in document order, until one is `enough`; none of those in a template. */
function visit(parent: Node, isEnough: Test): void {
  const { [nextKey]: first, [endKey]: end } = linked(parent)
  for (let node = first!; node !== end; node = node[nextKey]!) {
    if (node.nodeType !== elementType) continue
    if (isEnough(node as unknown as Element)) return
    if (node.localName === "template") node = node[endKey]!
  }
}

/** Returns the matches of a selector on an indexed page; null if the index cannot find them. */
function elementsOf(index: PageIndex, root: Node, selector: string): Iterable<Element> | null {
  const keys = selectorKeys(selector)
  if (!keys) return null
  const lists = keys.map((key) => fewestPositions(index, key))
  const isAll = keys.every((key) => key.isAll)
  return matching(index, root, merged(index, lists, isAll), isAll ? null : selector)
}

function fewestPositions(index: PageIndex, { kind, value, attribute }: SelectorKey) {
  const positions = positionsWith[kind](index, value)
  if (attribute === undefined) return positions
  const having = index.having(attribute)
  return having.length < positions.length ? having : positions
}

const positionsWith = {
  name: (index: PageIndex, name: string) => index.named(name),
  attribute: (index: PageIndex, name: string) => index.having(name),
  id: (index: PageIndex, id: string) => index.withId(id),
  class: (index: PageIndex, name: string) => index.withClass(name),
}

function merged(index: PageIndex, lists: (readonly number[])[], isAll: boolean): Iterable<number> {
  if (lists.length === 1) return lists[0]!
  const count = lists.reduce((sum, list) => sum + list.length, 0)
  // If most elements are candidates, testing all of them avoids sorting.
  if (!isAll && count > index.elements.length / 2) return index.elements.keys()
  const sorted = Uint32Array.from(lists.flat()).sort()
  return new Set(sorted)
}

function* matching(
  index: PageIndex,
  root: Node,
  positions: Iterable<number>,
  /** Null if all positions match. */
  selector: string | null,
): Generator<Element> {
  const [first, last] = index.within(root)!
  // A test by position caches the elements that it has seen, so it is valid for one search only.
  let test: Test | null = selector === null ? () => true : testOf(selector)
  for (const position of positions) {
    if (position < first || position > last || index.isInTemplate(position)) continue
    const element = index.elements[position]!
    test ??= compile<Node, Element>(selector!, { adapter })
    if (test(element)) yield element
  }
}

function quickMatches(root: Node, selector: string): Iterable<Element> | null {
  const index = indexOf(root)
  return index && elementsOf(index, root, selector)
}

interface Searched {
  querySelector(selector: string): Element | null
  querySelectorAll(selector: string): unknown
  matches(selector: string): boolean
  closest(selector: string): Element | null
}

/**
 * linkedom compiles a selector whenever it is asked one, which takes longer than to look at the few
 * elements of a card or the ancestors of a link. `prototype` is that of a page or of its elements.
 */
export function keepSelectors(prototype: object, isElement: boolean): void {
  const { querySelector, querySelectorAll, matches, closest } = prototype as Searched
  const quick: Partial<Searched> & ThisType<Element> = {
    querySelector(selector) {
      const indexed = quickMatches(this, selector)
      if (indexed) {
        for (const element of indexed) return element
        return null
      }
      const test = testOf(selector)
      if (!test) return querySelector.call(this, selector)
      let first: Element | null = null
      visit(this, (element) => {
        if (test(element)) first = element
        return first !== null
      })
      return first
    },
    querySelectorAll(selector) {
      const all = new NodeList() as unknown as Element[]
      const indexed = quickMatches(this, selector)
      if (indexed) {
        for (const element of indexed) all.push(element)
        return all
      }
      const test = testOf(selector)
      if (!test) return querySelectorAll.call(this, selector)
      visit(this, (element) => {
        if (test(element)) all.push(element)
        return false
      })
      return all
    },
    ...(isElement && {
      matches(selector: string) {
        const test = testOf(selector)
        return test ? test(this as unknown as Element) : matches.call(this, selector)
      },
      closest(selector: string) {
        const test = testOf(selector)
        if (!test) return closest.call(this, selector)
        let at: Element | null = this as unknown as Element
        while (at && !test(at)) at = at.parentElement
        return at
      },
    }),
  }
  for (const [name, value] of Object.entries(quick)) {
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true })
  }
}
