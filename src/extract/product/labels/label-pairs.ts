import { foldSpace, wordSet } from "../../core/index.ts"
import { visibleText } from "../text/page-text.ts"
import { labelOf, splitPlain } from "./labels.ts"

export type LabelPair = [label: string, value: string]

const maxLabelChars = 42
const maxTextChars = 140
/** An element with more children is a section of the page, not a label and its value. */
const maxChildren = 6
/** Line breaks, comments and colons between a label and its value. */
const maxBetween = 8
export const cellNames = new Set(["dt", "th", "td"])
const inlineNames = wordSet(`
  a abbr b bdi bdo code data em font i label mark small span strong sub sup time u var
`)
const menuNames = new Set(["li", "a", "button"])

/**
 * Returns the labels of product numbers at an element, each with the text next to it: a cell and the
 * next one, a term and its description, `<b>SKU</b> 123`, `SKU: <i>123</i>`, `SKU: 123 | EAN: 456`.
 */
export function labelPairs(element: Element): LabelPair[] {
  const count = element.children.length
  const text = count <= maxChildren ? visibleText(element, maxTextChars) : ""
  const pair = text.length <= maxLabelChars && labelOf(text) ? valueAfterLabel(element, text) : null
  if (pair) return [pair]
  const direct = directPairs(element)
  if (direct.length > 0 || count === 0 || text === "" || text.length > maxTextChars) return direct
  if ([...element.children].some((child) => !inlineNames.has(child.localName))) return []
  const pairs = pairsIn(text)
  // The text of a child element is read at the child, without the text after it.
  const isInside = (child: Element) => labelOf(visibleText(child, maxLabelChars)) !== null
  return pairs.length > 0 && [...element.children].some(isInside) ? [] : pairs
}

/** Returns the value after an element whose whole text is a label. */
function valueAfterLabel(element: Element, label: string): LabelPair | null {
  if (labelOf(label) === "brand" && !isCaption(element, label)) return null
  const value = cellNames.has(element.localName) ? nextCell(element) : textAfter(element)
  return value ? [label, value] : null
}

/** "Brand" is a heading of menus and filters too. */
function isCaption(element: Element, label: string): boolean {
  if (/[:：]$/.test(label) || cellNames.has(element.localName)) return true
  return !menuNames.has(element.localName) && element.parentElement?.children.length === 2
}

function nextCell(cell: Element): string | null {
  const next = cell.nextElementSibling
  const wanted = cell.localName === "dt" ? "dd" : "td"
  return next?.localName === wanted ? visibleText(next, maxTextChars) : null
}

/** Returns the text after a node: the first element or text that is more than a colon. */
function textAfter(node: Node): string | null {
  let next = node.nextSibling
  for (let seen = 0; next && seen < maxBetween; seen++, next = next.nextSibling) {
    const isElement = next.nodeType === 1
    if (!isElement && next.nodeType !== 3) continue
    const text = isElement
      ? visibleText(next as Element, maxTextChars)
      : foldSpace((next.nodeValue ?? "").slice(0, maxTextChars * 2))
    if (!/^[\s:：-]*$/.test(text)) return text
  }
  return null
}

/** Labels in an element's own text, between its children. */
function directPairs(element: Element): LabelPair[] {
  const pairs: LabelPair[] = []
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.nodeType !== 3) continue
    const text = foldSpace(child.nodeValue ?? "")
    if (text.length < 2) continue
    if (text.length <= maxLabelChars && labelOf(text)) {
      const value = textAfter(child)
      if (value && (labelOf(text) !== "brand" || /[:：]$/.test(text))) pairs.push([text, value])
    } else pairs.push(...pairsIn(text))
  }
  return pairs
}

/** Labels with their values within one text: `Ref. KT-100`, `SKU: KT-100 EAN: 4006381333931`. */
function pairsIn(text: string): LabelPair[] {
  if (text.length > maxTextChars) return []
  return text.split(/\s[|•·/]\s/).flatMap((piece): LabelPair[] => {
    const plain = piece.replace(/^[\s【〈[(]+|[\s】〉\])]+$/g, "")
    const pairs = markedPairs(plain)
    if (pairs.length > 0) return pairs
    const split = splitPlain(plain)
    return split ? [split] : []
  })
}

const maxLabelWords = 5

/** Labels that a colon or number sign ends, each with the words up to the next one's. */
function markedPairs(text: string): LabelPair[] {
  const words = foldSpace(text.replace(/\s*([:：#№])\s*/g, "$1 ")).split(" ")
  const ends = words.flatMap((word, at) => (/[:：#№]$/.test(word) ? [at] : []))
  const starts = ends.map((end, at) => labelStart(words, at === 0 ? 0 : ends[at - 1]! + 1, end))
  return ends.flatMap((end, at): LabelPair[] => {
    const start = starts[at]
    const value = words.slice(end + 1, starts[at + 1] ?? ends[at + 1] ?? words.length).join(" ")
    return start == null || value === "" ? [] : [[words.slice(start, end + 1).join(" "), value]]
  })
}

/** Returns the start of the longest label that ends at an index; null if no label does. */
function labelStart(words: string[], from: number, end: number): number | null {
  for (let start = Math.max(from, end - maxLabelWords + 1); start <= end; start++) {
    const label = labelOf(words.slice(start, end + 1).join(" "))
    // "Battery model: X" is not the product's model.
    if (label && (start === 0 || from > 0 || label === "sku" || label === "gtin")) return start
  }
  return null
}
