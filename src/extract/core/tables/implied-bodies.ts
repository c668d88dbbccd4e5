/** Stands for the `tbody` that browsers add around a table's own rows. */
export interface ImpliedBody {
  readonly nodeType: 1
  readonly localName: "tbody"
  readonly parentNode: Node
  readonly childNodes: readonly Node[]
}

/** A node of the page, or a `tbody` that only browsers have. */
export type MaybeImplied = Node | ImpliedBody

const isTable = (node: Node): boolean =>
  node.nodeType === 1 && (node as Element).localName === "table"
const isRow = (node: Node): boolean => node.nodeType === 1 && (node as Element).localName === "tr"
const isElement = (node: Node): boolean => node.nodeType === 1

/**
 * The tables of a page as a browser's parser makes them: rows directly below `table` are in a `tbody`.
 * HTML is mostly written without it, this parser adds none, and selectors copied from a browser name it.
 */
export class ImpliedBodies {
  private readonly children = new Map<Node, readonly MaybeImplied[]>()
  private readonly bodies = new Map<Node, ImpliedBody>()

  constructor(private readonly childrenOf: (node: Node) => readonly Node[]) {}

  parentOf(node: MaybeImplied): Node | ImpliedBody | null {
    const parent = node.parentNode
    if (!parent || isImplied(node) || !isRow(node) || !isTable(parent)) return parent
    this.childrenOfTable(parent)
    return this.bodies.get(node) ?? parent
  }

  childrenIn(node: MaybeImplied): readonly MaybeImplied[] {
    if (isImplied(node)) return node.childNodes
    return isTable(node) ? this.childrenOfTable(node) : this.childrenOf(node)
  }

  /** Returns the implied `tbody` that has the same elements as its table, if there is one. */
  soleBodyOf(node: Node): ImpliedBody | undefined {
    if (!isTable(node)) return undefined
    const elements = this.childrenOfTable(node).filter((child) => child.nodeType === 1)
    const [body] = elements
    return elements.length === 1 && isImplied(body!) ? body : undefined
  }

  private childrenOfTable(table: Node): readonly MaybeImplied[] {
    const known = this.children.get(table)
    if (known) return known
    const grouped: MaybeImplied[] = []
    let rows: Node[] | undefined
    for (const child of this.childrenOf(table)) {
      if (!rows && isRow(child)) {
        rows = []
        grouped.push(body(table, rows))
      } else if (isElement(child) && !isRow(child)) rows = undefined
      if (rows) {
        rows.push(child)
        this.bodies.set(child, grouped.at(-1) as ImpliedBody)
      } else grouped.push(child)
    }
    this.children.set(table, grouped)
    return grouped
  }
}

const body = (parentNode: Node, childNodes: readonly Node[]): ImpliedBody => ({
  nodeType: 1,
  localName: "tbody",
  parentNode,
  childNodes,
})

export const isImplied = (node: MaybeImplied): node is ImpliedBody =>
  !("ownerDocument" in node) && node.nodeType === 1
