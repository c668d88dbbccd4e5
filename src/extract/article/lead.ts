import { elementsNamed, foldSpace, lineText } from "../core/index.ts"
import { blocksAfter, isBoilerplate, leafBlocks, withText } from "../page/index.ts"
import { isLabel } from "./content-lines.ts"

/** Removes the page's heading where the article begins with it once more; whether it did. */
export function dropHeading(heading: Element, article: Element): boolean {
  const title = fold(lineText(heading))
  const first = withText(leafBlocks(article), 1).next().value
  const isRepeated = title !== "" && first !== undefined && fold(first.text) === title
  if (isRepeated) first.element.remove()
  return isRepeated
}

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** A line of a lead; chosen by hand, as are the limits below. */
const shortestLeadChars = 40
const longestLeadChars = 900
const mostLeads = 3
/** How far from its heading an article may begin, in blocks. */
const furthestBlocks = 150
/** Characters by which a block is known to be one of the article's. */
const beginningChars = 150

/**
 * The paragraphs between a page's heading and the beginning of its article, whose lines are given:
 * the search for the article leaves them out when they stand in a header of their own.
 */
export function findLead(heading: Element, page: Element, lines: string[]): Element[] {
  const known = foldSpace(lines.join(" "))
  const leads: Element[] = []
  for (const { element, text } of withText(blocksAfter(heading, page), furthestBlocks)) {
    if (text.length < shortestLeadChars) continue
    if (known.includes(text.slice(0, beginningChars))) return leads.slice(0, mostLeads)
    if (isLead(element, text)) leads.push(element)
  }
  return []
}

function isLead(block: Element, text: string): boolean {
  if (text.length > longestLeadChars || isLabel(text)) return false
  if (!/[.!?…:"”»。！？]\s*$/.test(text) && text.length < 2 * shortestLeadChars) return false
  if (block.closest("h1, figure, nav, aside, footer, form, li, table, blockquote, a, button"))
    return false
  let linked = 0
  for (const link of elementsNamed(block, "a")) linked += lineText(link).length
  if (linked > text.length * 0.3) return false
  for (let at: Element | null = block, depth = 0; at && depth < 4; at = at.parentElement, depth++) {
    if (isBoilerplate(at)) return false
  }
  return true
}
