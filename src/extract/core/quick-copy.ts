import {
  appendNew,
  attributeType,
  elementType,
  endKey,
  insertAttribute,
  type Linked,
  linked,
  nextKey,
  previousKey,
  startKey,
  textType,
  valueKey,
} from "./linked-nodes.ts"

const originals = new WeakMap<Document, Document>()

/** The page that a copy was made of, however much is cut from the copy; any other page itself. */
export const originalOf = (document: Document): Document => originals.get(document) ?? document

/** Returns a document for copies of parts of a page: changing them does not change the page. */
export const documentForCopies = (page: Document): Document => page.cloneNode(false) as Document

/** Returns an element without its content and without the attributes that are left out. */
export function plainCopy(
  element: Element,
  owner: Document,
  left: ReadonlySet<string> = nothing,
): Element {
  const copy = linked(owner.createElement(element.localName))
  let last = copy
  let node = linked(element)[nextKey]!
  for (; node.nodeType === attributeType; node = node[nextKey]!) {
    if (left.has(node.localName)) continue
    const attribute = owner.createAttribute(node.localName) as Attr & { ownerElement: Element }
    attribute.ownerElement = copy as unknown as Element
    insertAttribute(last, linked(attribute), textOf(node))
    last = linked(attribute)
  }
  return copy as unknown as Element
}

const nothing: ReadonlySet<string> = new Set()

/** Puts a new node at the end of a copy. */
export const putNew = (parent: Element, node: Node): void => appendNew(linked(parent), linked(node))

/** An element with all that is in it. */
export function deepCopy(element: Element, owner: Document): Element {
  const root = linked(owner.createElement(element.localName))
  const end = linked(element)[endKey]!
  let parent = root
  let last = root
  const append = (node: Linked) => {
    link(last, node)
    last = node
  }
  for (let node = linked(element)[nextKey]!; node !== end; node = node[nextKey]!) {
    const { nodeType } = node
    if (nodeType === textType) {
      append(belonging(owner.createTextNode(textOf(node)), parent))
    } else if (nodeType === elementType) {
      const inner = belonging(owner.createElement(node.localName), parent)
      append(inner)
      parent = inner
    } else if (nodeType === attributeType) {
      const attribute = linked(owner.createAttribute(node.localName))
      ;(attribute as unknown as Record<symbol, string>)[valueKey] = textOf(node)
      ;(attribute as { ownerElement?: Linked }).ownerElement = parent
      append(attribute)
    } else if (startKey in node) {
      append(parent[endKey]!)
      parent = parent.parentNode!
    } else append(belonging(owner.createComment(textOf(node)), parent))
  }
  link(last, root[endKey]!)
  return root as unknown as Element
}

/**
 * A whole page is copied in one pass, and its nodes belong to the copy. linkedom lets them belong to the
 * page that was copied.
 */
export function copyDocuments(sample: Document): void {
  const prototype = Object.getPrototypeOf(sample) as Pick<Document, "cloneNode">
  const { cloneNode } = prototype
  Object.defineProperty(prototype, "cloneNode", {
    value(this: Document, deep = false) {
      const copy = cloneNode.call(this, false) as Document
      originals.set(copy, originalOf(this))
      if (!deep) return copy
      for (const child of this.childNodes) {
        const node =
          child.nodeType === elementType
            ? deepCopy(child as Element, copy)
            : Object.assign(child.cloneNode(true), { ownerDocument: copy })
        copy.appendChild(node)
      }
      return copy
    },
    configurable: true,
    writable: true,
  })
}

const textOf = (node: Linked) => node[valueKey] as unknown as string

function link(node: Linked, next: Linked): void {
  node[nextKey] = next
  next[previousKey] = node
}

function belonging(node: Node, parent: Linked): Linked {
  const own = linked(node)
  own.parentNode = parent
  return own
}
