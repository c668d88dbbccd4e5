import { parseHTML } from "linkedom"

/**
 * linkedom's internal form of a page: a linked list of all nodes in document order. An element is followed
 * by its attributes, its content, and a node that marks its end. Its getters step through that list with
 * a call per node; a loop over the list takes a fraction of their time.
 */
export interface Linked {
  readonly nodeType: number
  readonly localName: string
  parentNode: Linked | null
  [key: symbol]: Linked
}

const { document } = parseHTML("<html></html>") as unknown as { document: Document }
const sample = document.documentElement

export const nextKey: unique symbol = keyOf(sample, "next")
export const previousKey: unique symbol = keyOf(sample, "prev")
/** The end of an element, a fragment or a document. */
export const endKey: unique symbol = keyOf(sample, "end")
/** The key of an end node for its start. */
export const startKey: unique symbol = keyOf((sample as unknown as Linked)[endKey]!, "start")
/** The key of the value of a text, a comment or an attribute. */
export const valueKey: unique symbol = keyOf(document.createTextNode(""), "value")

/** The key of a document's mutation observers. */
export const observerKey: symbol = keyOf(document, "MutationObserver")

export const elementType = 1
export const attributeType = 2
export const textType = 3
const dataType = 4
export const endType = -1

function keyOf(node: object, name: string): never {
  const key = Object.getOwnPropertySymbols(node).find((symbol) => symbol.description === name)
  if (!key) throw new Error(`linkedom has no "${name}" in its nodes any more.`)
  return key as never
}

export const linked = (node: Node): Linked => node as unknown as Linked

type Constructor = new (owner: Document, value: string) => object

/**
 * linkedom's constructors set a few properties in each class, so that most properties of a node are in a
 * second allocation, which grows once. Fields of one class are in the node: a page takes less time to be
 * built, and each step less to be taken. The names of the keys are linkedom's.
 */
class NewEnd {
  [nextKey] = null;
  [previousKey]: object;
  [startKey]: object
  nodeType = endType
  ownerDocument: Document
  parentNode = null

  constructor(owner: Document, start: object) {
    this[previousKey] = start
    this[startKey] = start
    this.ownerDocument = owner
  }
}

/** Returns a class of elements with the behaviour of another. */
export function elementClass(prototype: object): Constructor {
  class NewElement {
    ownerDocument: Document
    localName: string
    nodeType = elementType
    parentNode = null;
    [nextKey]: object;
    [previousKey] = null;
    [endKey]: object

    constructor(owner: Document, name: string) {
      this.ownerDocument = owner
      this.localName = name
      const end = new NewEnd(owner, this)
      this[nextKey] = end
      this[endKey] = end
    }
  }
  Object.setPrototypeOf(NewElement.prototype, prototype)
  return NewElement
}

class NewText {
  ownerDocument: Document
  localName = "#text"
  nodeType = textType
  parentNode = null;
  [nextKey] = null;
  [previousKey] = null;
  [valueKey]: string

  constructor(owner: Document, value: string) {
    this.ownerDocument = owner
    this[valueKey] = String(value)
  }
}
Object.setPrototypeOf(NewText.prototype, Object.getPrototypeOf(document.createTextNode("")))

class NewAttribute {
  ownerDocument: Document
  localName: string
  nodeType = attributeType
  parentNode = null
  ownerElement = null
  name: string;
  [nextKey] = null;
  [previousKey] = null;
  [valueKey] = ""

  constructor(owner: Document, name: string) {
    this.ownerDocument = owner
    this.localName = name
    this.name = String(name)
  }
}
Object.setPrototypeOf(NewAttribute.prototype, Object.getPrototypeOf(document.createAttribute("a")))

/** Returns a text that is not in the page yet. */
export const newText = (owner: Document, value: string): Text =>
  new NewText(owner, value) as unknown as Text

/** Returns an empty attribute that no element has yet. */
export const newAttribute = (owner: Document, name: string): Attr =>
  new NewAttribute(owner, name) as unknown as Attr

/** Returns the node, or null for the end node of its parent. */
const orEnd = (node: Linked | null): Linked | null =>
  node !== null && node.nodeType !== endType ? node : null

export const nextOfElement = (element: Linked): Linked | null => orEnd(element[endKey]![nextKey]!)
export const nextOfText = (text: Linked): Linked | null => orEnd(text[nextKey]!)

export function firstOf(parent: Linked): Linked | null {
  let node = parent[nextKey]!
  while (node.nodeType === attributeType) node = node[nextKey]!
  return node === parent[endKey] ? null : node
}

/** `firstChild` without a getter, of which each kind of node has its own. */
export function firstChildOf(parent: Node): Node | null {
  const own = linked(parent)
  // Texts and comments have no end.
  return endKey in own ? (firstOf(own) as unknown as Node | null) : null
}

/** `nextSibling` without a getter. */
export function nextSiblingOf(node: Node): Node | null {
  const own = linked(node)
  const next = orEnd(own.nodeType === elementType ? own[endKey]![nextKey]! : own[nextKey]!)
  return next as unknown as Node | null
}

/** The first element from a node on, among its siblings. */
export function elementFrom(node: Linked | null): Linked | null {
  let at = node
  while (at !== null && at.nodeType !== elementType) at = nextOfText(at)
  return at
}

/** Appends a new, detached node to an element that has no mutation observers. */
export function appendNew(parent: Linked, node: Linked): void {
  const end = parent[endKey]!
  const before = end[previousKey]!
  const last = node.nodeType === elementType ? node[endKey]! : node
  node.parentNode = parent
  before[nextKey] = node
  node[previousKey] = before
  last[nextKey] = end
  end[previousKey] = last
}

/**
 * Gives an element an attribute that it does not have, before all that follow `before`: the element
 * itself, or an attribute of it.
 */
export function insertAttribute(before: Linked, attribute: Linked, value: string): void {
  const after = before[nextKey]!
  ;(attribute as unknown as Record<symbol, string>)[valueKey] = value
  before[nextKey] = attribute
  attribute[previousKey] = before
  attribute[nextKey] = after
  after[previousKey] = attribute
}

/** The text of an element, as `textContent` gives it. */
export function textIn(element: Linked): string {
  const end = element[endKey]!
  let text = ""
  for (let node = element[nextKey]!; node !== end; node = node[nextKey]!) {
    const { nodeType } = node
    if (nodeType === textType || nodeType === dataType) text += node[valueKey] as unknown as string
  }
  return text
}

export function attributeOf(element: Linked, name: string): string | null {
  let node = element[nextKey]!
  while (node.nodeType === attributeType) {
    if (node.localName === name) return node[valueKey] as unknown as string
    node = node[nextKey]!
  }
  return null
}

const noValues: readonly undefined[] = []

/** The values of some attributes of an element, in their order, by one walk over those it has. */
export function attributesOf(
  element: Element,
  names: readonly string[],
): readonly (string | undefined)[] {
  let values: (string | undefined)[] | null = null
  let node = linked(element)[nextKey]!
  for (; node.nodeType === attributeType; node = node[nextKey]!) {
    const at = names.indexOf(node.localName)
    if (at < 0) continue
    values ??= []
    values[at] = node[valueKey] as unknown as string
  }
  return values ?? noValues
}

/** The elements below one whose name is one of two. */
export function elementsWithin(root: Linked, name: string, other: string): Linked[] {
  const matches: Linked[] = []
  const end = root[endKey]!
  for (let node = root[nextKey]!; node !== end; node = node[nextKey]!) {
    if (node.nodeType !== elementType) continue
    if (node.localName === name || node.localName === other) matches.push(node)
  }
  return matches
}
