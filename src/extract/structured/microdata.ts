import { elementsWhere } from "../core/index.ts"
import { addressOf, contentValue } from "./attribute-values.ts"
import {
  type AttributeData,
  addValue,
  type Entity,
  type SchemaNode,
  shortType,
  vocabularyHost,
} from "./schema-node.ts"

/** Scopes within scopes beyond this depth are left out. */
const deepest = 64
/** An item may be the value of several by `itemref`; more items than these in all are left out. */
const maxCopies = 1_000

/** The microdata items of a page that are not another item's property, in document order. */
export function readMicrodata(document: Document, base: string): AttributeData {
  const elements = new Map<SchemaNode, Element>()
  const scopes = [...document.querySelectorAll("[itemscope]")]
  const reader = new ItemReader(document, base, elements)
  const entities = scopes.flatMap((scope): Entity[] => {
    if (reader.isValue(scope)) return []
    const data = reader.read(scope, 0)
    return Object.keys(data).length === 0
      ? []
      : [
          {
            format: "microdata",
            data,
            context: vocabularyHost(scope.getAttribute("itemtype")),
            valid: true,
          },
        ]
  })
  return { entities, elements }
}

class ItemReader {
  /** The open items, so that an itemref to one of them ends there. */
  private readonly open = new Set<Element>()
  private readonly referenced: Set<Element>
  private copies = 0
  private readonly seen = new Set<Element>()

  private readonly byId: Map<string, Element>

  constructor(
    private readonly document: Document,
    private readonly base: string,
    private readonly elements: Map<SchemaNode, Element>,
  ) {
    this.byId = idsIn(document)
    this.referenced = this.referencedValues()
  }

  /** Returns whether an item is the value of another item's property. */
  isValue(scope: Element): boolean {
    if (!scope.hasAttribute("itemprop")) return false
    return this.referenced.has(scope) || scope.parentElement?.closest("[itemscope]") != null
  }

  read(scope: Element, depth: number): SchemaNode {
    const types = words(scope.getAttribute("itemtype")).map(shortType)
    const id = scope.getAttribute("itemid")
    const data: SchemaNode = {}
    if (types.length > 0) data["@type"] = types.length === 1 ? types[0] : types
    if (id?.trim()) data["@id"] = addressOf(id, this.base)
    this.open.add(scope)
    for (const element of this.properties(scope)) {
      const value = this.valueOf(element, depth)
      if (value === null) continue
      for (const name of words(element.getAttribute("itemprop")))
        addValue(data, shortProperty(name), value)
    }
    this.open.delete(scope)
    this.elements.set(data, scope)
    return data
  }

  private valueOf(element: Element, depth: number): SchemaNode | string | null {
    if (!element.hasAttribute("itemscope")) return contentValue(element, this.base)
    if (this.open.has(element) || depth >= deepest) return null
    if (this.seen.has(element) && ++this.copies > maxCopies) return null
    this.seen.add(element)
    const node = this.read(element, depth + 1)
    return Object.keys(node).length === 0 ? contentValue(element, this.base) : node
  }

  /** The elements with `itemprop` that belong to a scope itself, those of `itemref` last. */
  private *properties(scope: Element): Generator<Element> {
    for (const child of scope.children) yield* ownProperties(child)
    for (const id of words(scope.getAttribute("itemref"))) {
      const element = this.byId.get(id)
      if (element && element !== scope) yield* ownProperties(element)
    }
  }

  private referencedValues(): Set<Element> {
    const elements = new Set<Element>()
    for (const scope of this.document.querySelectorAll("[itemscope][itemref]")) {
      for (const id of words(scope.getAttribute("itemref"))) {
        const element = this.byId.get(id)
        if (!element) continue
        for (const property of ownProperties(element))
          if (property.hasAttribute("itemscope")) elements.add(property)
      }
    }
    return elements
  }
}

/** Returns the first element of each ID; empty if no scope has an itemref. */
function idsIn(document: Document): Map<string, Element> {
  const byId = new Map<string, Element>()
  if (!document.querySelector("[itemscope][itemref]")) return byId
  for (const element of elementsWhere(document, (element) => element.hasAttribute("id"))) {
    const id = element.getAttribute("id")!
    if (!byId.has(id)) byId.set(id, element)
  }
  return byId
}

/** Yields an element and its descendants that have `itemprop`, without those of nested scopes. */
function* ownProperties(root: Element): Generator<Element> {
  const stack: Element[] = [root]
  while (stack.length > 0) {
    const element = stack.pop()!
    if (element.hasAttribute("itemprop")) yield element
    if (element.hasAttribute("itemscope")) continue
    const { children } = element
    for (let index = children.length - 1; index >= 0; index--) stack.push(children[index]!)
  }
}

const shortProperty = (name: string) => name.replace(/^https?:\/\/(?:www\.)?schema\.org\//i, "")

const words = (text: string | null) => (text ?? "").split(/\s+/).filter(Boolean)
