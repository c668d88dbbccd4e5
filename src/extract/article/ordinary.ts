/**
 * Readability's time depends on more than the number of elements: it reads the descendants of each
 * element (the sum of their depths), and indexes children (the sum of the squares of their positions).
 * The limits are two to six times the largest of 1,700 real pages; beyond them it would take minutes.
 */
const max = { elements: 50_000, depth: 100, depths: 1_000_000, squares: 30_000_000 }

/** Returns whether a page looks written by an author: others could make Readability take too long. */
export function isOrdinary(body: Element): boolean {
  let elements = 0
  let depths = 0
  let squares = 0
  const visit = (parent: Element, depth: number): boolean => {
    let children = 0
    for (let child = parent.firstChild; child; child = child.nextSibling) {
      children++
      if (child.nodeType !== 1) continue
      elements++
      depths += depth
      if (depth > max.depth || elements > max.elements || depths > max.depths) return false
      if (!visit(child as Element, depth + 1)) return false
    }
    squares += children ** 2
    return squares <= max.squares
  }
  return visit(body, 1)
}
