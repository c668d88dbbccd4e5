import type { Block, Blocks, ElementNode } from "./blocks.ts"
import { agreedChances, fillGaps } from "./chances.ts"
import { raised, raisedFolds } from "./folded-texts.ts"
import type { PageType } from "./page-type.ts"

/** The results of the model and the rules for the blocks of a page. */
export interface BlockResults {
  /** From the model. */
  chances: Float32Array
  votes: Uint8Array
  /** The groups of blocks with the same path. */
  groups: Uint32Array
  /** Lines that their wording identifies as labels: not content, unless the rules kept them. */
  labels: Uint8Array
  pageType: PageType | null
}

/** A block that is less likely than the first is left out, one that is likelier than the second stays. */
const surelyOut = 0.3
const surelyIn = 0.5
/** Pages of these types state less about their content, so more is chosen: F1 of five folds is higher. */
const surelyOutOfType: Partial<Record<PageType, number>> = {
  collection: 0.1,
  listing: 0.1,
  service: 0.1,
}
/** Pages of these types consist of parts of equal rank, which are mostly content together or not at all. */
const ofParts = new Set<PageType | null>(["collection", "service"])
/**
 * What is added to the log odds of pages of these types, most of which the model underrates: most of its
 * pages are articles. Each value is within a range in which F1 of all or most of the five folds is higher.
 */
const boldness: Partial<Record<PageType, number>> = {
  collection: 0.4,
  documentation: 0.3,
  forum: -0.3,
  product: 0.3,
  service: 0.7,
}
const around = 3

/**
 * The choice of blocks with the best F1 that can be expected by their chances: the surest, as many as
 * raise it. Captions stay with the text around them.
 */
export function chooseBlocks(page: Blocks, results: BlockResults): Uint8Array {
  const { blocks } = page
  const { chances: provided, votes, groups, labels, pageType } = results
  const isOfParts = ofParts.has(pageType)
  const unfolded =
    isOfParts || pageType === "product" ? raisedFolds(page, provided, pageType) : provided
  const factor = Math.exp((pageType && boldness[pageType]) ?? 0)
  const raisedChances = unfolded.map((one) => raised(one, factor))
  const chances = agreedChances(page, groups, raisedChances, isOfParts)
  for (const [at, { level }] of blocks.entries()) {
    if (labels[at] && !votes[at] && level === 0) chances[at] = 0
  }
  const min = (pageType && surelyOutOfType[pageType]) ?? surelyOut
  const limit = bestLimit(blocks, chances, min)
  const chosen = Uint8Array.from(chances, (chance) => (chance >= limit ? 1 : 0))
  fillGaps(blocks, chosen, votes, chances)
  for (const [at, block] of blocks.entries()) {
    if (!isWithin(block.node, "figcaption")) continue
    const stays = isAmong(blocks, chosen, at - 1, at + 1) || isAdjacent(blocks, chosen, at)
    chosen[at] = stays ? 1 : 0
  }
  return chosen
}

function bestLimit(blocks: Block[], chances: Float32Array, min: number): number {
  const order = [...chances.keys()].sort((a, b) => chances[b]! - chances[a]!)
  const words = blocks.map((block) => Math.max(1, block.words))
  let expected = 0
  for (let at = 0; at < chances.length; at++) expected += chances[at]! * words[at]!
  let [hits, total, best, cut] = [0, 0, 0, 1]
  for (const at of order) {
    hits += chances[at]! * words[at]!
    total += words[at]!
    const f1 = (2 * hits) / (total + expected)
    if (f1 > best) [best, cut] = [f1, chances[at]!]
  }
  return Math.min(surelyIn, Math.max(min, cut))
}

function isWithin(node: ElementNode, name: string): boolean {
  for (let at: ElementNode | null = node, level = 0; at && level < 4; at = at.parent, level++) {
    if (at.name === name) return true
  }
  return false
}

/** Returns whether a caption's figure is the next sibling of a chosen block, or of its container. */
function isAdjacent(blocks: Block[], chosen: Uint8Array, at: number): boolean {
  if (!chosen[at - 1]) return false
  let figure: ElementNode | null = blocks[at]!.node
  while (figure && figure.name !== "figure") figure = figure.parent
  const holder = figure?.parent
  const { node } = blocks[at - 1]!
  return holder !== undefined && (node.parent === holder || node.parent?.parent === holder)
}

/**
 * Returns whether a chosen block or a heading is shortly before a position, and a chosen block shortly after
 * it; `last` is the block that ends before it.
 */
export function isAmong(
  blocks: Block[],
  chosen: ArrayLike<number>,
  last: number,
  next: number,
): boolean {
  let [before, after] = [false, false]
  for (let step = 0; step < around; step++) {
    const above = blocks[last - step]
    if (above && (chosen[last - step] || above.level > 0)) before = true
    if (chosen[next + step]) after = true
  }
  return before && after
}
