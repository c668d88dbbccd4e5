import { wordSet } from "../../core/index.ts"
import { type Block, type Blocks, type ElementNode, isPriced } from "./blocks.ts"

const fewestOffers = 3
const maxOfferWords = 80
/** Lists with less text, and with a smaller share of the page's, are not what a page is about. */
const fewestWords = 40
const minShare = 0.2

const outside = wordSet("nav header footer aside dialog form")

/**
 * Adds the lists of offers of which nothing was chosen, if they contain much of the page's text and the
 * other lists less. Offers are siblings that each have a link and a price. The model learned from shops
 * whose text is the description of a category, and from others whose text is the products.
 */
export function chooseMissedOffers({ blocks, nodes, root }: Blocks, chosen: Uint8Array): void {
  const started = new Uint8Array(blocks.length)
  const offered = new Uint8Array(blocks.length)
  for (const list of offersOf(blocks, nodes)) {
    const isStarted = list.some((one) => chosen.subarray(one.first, endOf(one)).includes(1))
    const marks = isStarted ? started : offered
    for (const one of list) marks.fill(1, one.first, endOf(one))
  }
  const missed = offered.map((is, at) => (started[at] ? 0 : is))
  const words = wordsOf(blocks, missed)
  if (words < Math.max(fewestWords, root.words * minShare)) return
  if (
    wordsOf(
      blocks,
      started.map((is, at) => is & chosen[at]!),
    ) > words
  )
    return
  for (const [at, is] of missed.entries()) if (is) chosen[at] = 1
}

const endOf = ({ first, blocks }: ElementNode) => first + blocks

const wordsOf = (blocks: Block[], marks: Uint8Array) =>
  blocks.reduce((sum, { words }, at) => sum + (marks[at] ? words : 0), 0)

/** Returns the siblings with a link and a price each, by their parents. */
function offersOf(blocks: Block[], nodes: ElementNode[]): ElementNode[][] {
  const priced = new Uint8Array(nodes.length)
  for (const block of blocks) {
    if (!isPriced(block)) continue
    for (let at: ElementNode | null = block.node; at && !priced[at.index]; at = at.parent) {
      priced[at.index] = 1
    }
  }
  const around = new Uint8Array(nodes.length)
  const lists = new Map<ElementNode, ElementNode[]>()
  for (const node of nodes) {
    const { index, parent, name, words, linkWords } = node
    if (outside.has(name) || (parent && around[parent.index])) {
      around[index] = 1
    } else if (
      parent &&
      priced[index] &&
      node.blocks > 1 &&
      linkWords > 0 &&
      words <= maxOfferWords
    ) {
      const list = lists.get(parent)
      if (list) list.push(node)
      else lists.set(parent, [node])
    }
  }
  return [...lists.values()].filter((list) => list.length >= fewestOffers)
}
