import {
  attributeOf,
  attributeType,
  elementType,
  endKey,
  endType,
  linked,
  nextKey,
  observerKey,
  startKey,
} from "./linked-nodes.ts"

/**
 * The elements of a page by name and attribute, read in one walk and shared by all readers. Searches of
 * an indexed page and of its body use it automatically (`querySelector`, `elementsNamed`,
 * `elementsWhere`). It is valid until the page is changed.
 */
export class PageIndex {
  /** In document order; elements of templates are included. */
  readonly elements: Element[] = []
  private readonly byName = new Map<string, number[]>()
  private readonly byAttribute = new Map<string, number[]>()
  private byId: Map<string, number[]> | null = null
  private byClass: Map<string, number[]> | null = null
  private readonly inTemplates = new Set<number>()
  /** The first and the last position in the parts of a page that are searched as a whole. */
  private readonly parts = new Map<Node, [first: number, last: number]>()
  private readonly facts = new Map<unknown, unknown>()

  constructor(document: Document) {
    const { elements } = this
    const root = linked(document.documentElement)
    let templates = 0
    for (let node = root; node !== root[endKey]; node = node[nextKey]!) {
      const { nodeType } = node
      if (nodeType === elementType) {
        if (templates > 0) this.inTemplates.add(elements.length)
        if (node.localName === "template") templates++
        add(this.byName, node.localName, elements.length)
        elements.push(node as unknown as Element)
        if (partNames.has(node.localName)) {
          this.parts.set(node as unknown as Node, [elements.length, 0])
        }
      } else if (nodeType === attributeType) {
        add(this.byAttribute, node.localName, elements.length - 1)
      } else if (nodeType === endType) {
        const { [startKey]: start } = node
        if (start!.localName === "template") templates--
        const part = this.parts.get(start as unknown as Node)
        if (part) part[1] = elements.length - 1
      }
    }
    const last = elements.length - 1
    this.parts.set(document, [0, last])
    this.parts.set(root as unknown as Node, [1, last])
  }

  /** The index range of a part of the page; null for an element that is not one. */
  within(root: Node): [first: number, last: number] | null {
    return this.parts.get(root) ?? null
  }

  isInTemplate(index: number): boolean {
    return this.inTemplates.has(index)
  }

  named(name: string): readonly number[] {
    return this.byName.get(name) ?? []
  }

  having(attribute: string): readonly number[] {
    return this.byAttribute.get(attribute) ?? []
  }

  withId(id: string): readonly number[] {
    this.byId ??= this.byWords("id", (value) => [value])
    return this.byId.get(id) ?? []
  }

  withClass(name: string): readonly number[] {
    this.byClass ??= this.byWords("class", (value) => new Set(value.split(/\s+/)))
    return this.byClass.get(name) ?? []
  }

  /** Read on demand: many selectors name an id or a class that a page does not have. */
  private byWords(attribute: string, wordsOf: (value: string) => Iterable<string>) {
    const positions = new Map<string, number[]>()
    for (const position of this.having(attribute)) {
      const value = attributeOf(linked(this.elements[position]!), attribute)!
      for (const word of wordsOf(value)) add(positions, word, position)
    }
    return positions
  }

  /** A result computed once for each page, kept under a key of the code that computes it. */
  fact<T>(key: unknown, find: () => T): T {
    if (!this.facts.has(key)) this.facts.set(key, find())
    return this.facts.get(key) as T
  }
}

/** There may be several of a name; those within others do no harm. */
const partNames = new Set(["head", "body"])

function add(positions: Map<string, number[]>, name: string, position: number): void {
  const known = positions.get(name)
  if (known) known.push(position)
  else positions.set(name, [position])
}

const indexes = new WeakMap<Node, PageIndex>()

/** Indexes all elements of a page; use it if a page is searched often. */
export function indexPage(document: Document): PageIndex {
  const known = indexes.get(document)
  if (known) return known
  const index = new PageIndex(document)
  indexes.set(document, index)
  untilChanged(document, () => indexes.delete(document))
  return index
}

/** Returns the index of an indexed page, if the root is the page or a part of it; else null. */
export function indexOf(root: Node): PageIndex | null {
  if (root.nodeType === elementType && !searched.has((root as Element).localName)) return null
  const index = indexes.get(root.nodeType === elementType ? root.ownerDocument! : root)
  // A detached copy of a part has the same owner document.
  return index?.within(root) ? index : null
}

const searched = new Set(["html", "head", "body"])

/** Returns a fact about a page, which is cached while the page is indexed. */
export function factOf<T>(document: Document, key: unknown, find: () => T): T {
  return indexes.get(document)?.fact(key, find) ?? find()
}

/** linkedom asks whether a page is observed whenever it changes. */
function untilChanged(document: Document, onChange: () => void): void {
  const page = document as unknown as Record<symbol, object>
  const unobserved = page[observerKey]!
  page[observerKey] = {
    get active() {
      page[observerKey] = unobserved
      onChange()
      return false
    },
  }
}
