/** An element of a document as mammoth reads it. */
interface DocumentElement {
  type: string
  children?: DocumentElement[]
  styleName?: string | null
  numbering?: { isOrdered: boolean; level: string } | null
}

/**
 * Returns a document whose lists begin at level 0 and skip no level, because mammoth writes an empty item
 * for each level that has none.
 */
export function withGaplessLists<Element extends DocumentElement>(element: Element): Element {
  if (!element.children) return element
  let levels: number[] = []
  const children = element.children.map((child) => {
    const { numbering, styleName } = child
    // A numbered heading is not an item, so the list after it begins again.
    if (!numbering || /^(?:heading \d|title)$/i.test(styleName ?? "")) {
      levels = []
      return withGaplessLists(child)
    }
    const level = Number(numbering.level)
    levels = [...levels.filter((other) => other < level), level]
    return { ...child, numbering: { ...numbering, level: String(levels.length - 1) } }
  })
  return { ...element, children }
}
