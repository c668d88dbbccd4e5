import {
  attributeType,
  elementType,
  endKey,
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

type NodeOf<A extends unknown[]> = new (owner: Document, ...values: A) => Node

/**
 * A whole page is copied in one pass, and its nodes belong to the copy. linkedom lets them belong to the
 * page that was copied.
 */
export function copyDocuments(sample: Document): void {
  const prototype = Object.getPrototypeOf(sample) as Pick<Document, "cloneNode">
  const { cloneNode } = prototype
  const Text = sample.createTextNode("").constructor as NodeOf<[text: string]>
  const Comment = sample.createComment("").constructor as NodeOf<[text: string]>
  const Attribute = sample.createAttribute("-").constructor as NodeOf<[name: string, value: string]>

  /** An element with all that is in it. */
  function copied(element: Linked, owner: Document): Node {
    const root = linked(owner.createElement(element.localName))
    const end = element[endKey]!
    let parent = root
    let last = root
    const append = (node: Linked) => {
      link(last, node)
      last = node
    }
    for (let node = element[nextKey]!; node !== end; node = node[nextKey]!) {
      const { nodeType } = node
      if (nodeType === textType) {
        append(belonging(new Text(owner, textOf(node)), parent))
      } else if (nodeType === elementType) {
        const inner = belonging(owner.createElement(node.localName), parent)
        append(inner)
        parent = inner
      } else if (nodeType === attributeType) {
        const attribute = linked(new Attribute(owner, node.localName, textOf(node)))
        ;(attribute as { ownerElement?: Linked }).ownerElement = parent
        append(attribute)
      } else if (startKey in node) {
        append(parent[endKey]!)
        parent = parent.parentNode!
      } else append(belonging(new Comment(owner, textOf(node)), parent))
    }
    link(last, root[endKey]!)
    return root as unknown as Node
  }

  Object.defineProperty(prototype, "cloneNode", {
    value(this: Document, deep = false) {
      const copy = cloneNode.call(this, false) as Document
      originals.set(copy, originalOf(this))
      if (!deep) return copy
      for (const child of this.childNodes) {
        const node =
          child.nodeType === elementType
            ? copied(linked(child), copy)
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
