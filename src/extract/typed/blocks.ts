import { elementsNamed, elementsWhere } from "../core/index.ts"
import { nameWords } from "../page/index.ts"
import type { Visible } from "./shown.ts"

/** Sibling elements of one kind: cards, rows, entries. */
export interface Blocks {
  elements: Element[]
  /** Column headings, if they are rows of a table. */
  headers: string[]
  /** The heading above them. */
  heading: string | null
}

/** Groups that are looked into, the largest first. */
const maxGroups = 16
const fewest = 2
const outside = new Set(["nav", "footer", "aside", "head", "select", "svg", "thead"])

/** Returns the repeated elements of a page, the groups with the most text first. */
export function repeatedBlocks(root: Element, visible: Visible): Blocks[] {
  const groups: { elements: Element[]; size: number }[] = []
  const holders = elementsWhere(root, (element) => element.childElementCount >= fewest)
  for (const holder of [root, ...holders]) {
    if (outside.has(holder.localName) || !visible.spans.has(holder)) continue
    for (const elements of kindsIn(holder, visible)) {
      const size = elements.reduce((sum, element) => sum + lengthOf(element, visible), 0)
      groups.push({ elements, size: size * Math.min(elements.length, 10) })
    }
  }
  return groups
    .sort((one, other) => other.size - one.size)
    .slice(0, maxGroups)
    .map(({ elements }) => blocksOf(elements, visible))
}

function kindsIn(holder: Element, visible: Visible): Element[][] {
  const kinds = new Map<string, Element[]>()
  for (let child = holder.firstElementChild; child; child = child.nextElementSibling) {
    if (outside.has(child.localName) || lengthOf(child, visible) < 3) continue
    const kind = `${child.localName} ${nameWords(child)[0]?.join("-") ?? ""}`
    const known = kinds.get(kind)
    if (known) known.push(child)
    else kinds.set(kind, [child])
  }
  return [...kinds.values()].filter((elements) => elements.length >= fewest)
}

function lengthOf(element: Element, visible: Visible): number {
  const span = visible.spans.get(element)
  return span ? span.to - span.from : 0
}

function blocksOf(elements: Element[], visible: Visible): Blocks {
  const [first] = elements
  const heading = headingAbove(first!, visible)
  if (first!.localName !== "tr") return { elements, headers: [], heading }
  const table = first!.closest("table")
  const [top] = table ? elementsNamed(table, "tr") : []
  const cells = top ? [...top.children] : []
  const isHead = cells.length > 1 && cells.every(({ localName }) => localName === "th")
  const headers = isHead ? cells.slice(0, 60).map((cell) => textIn(cell, visible)) : []
  return { elements: elements.filter((row) => row !== top || !isHead), headers, heading }
}

const textIn = (element: Element, visible: Visible) => {
  const span = visible.spans.get(element)
  return (span && visible.line(span)) ?? ""
}

function headingAbove(element: Element, visible: Visible): string | null {
  const { from } = visible.spans.get(element)!
  const { headings } = visible
  let low = 0
  for (let high = headings.length; low < high; ) {
    const middle = (low + high) >> 1
    if (headings[middle]!.from < from) low = middle + 1
    else high = middle
  }
  return low === 0 ? null : visible.line(headings[low - 1]!)
}
