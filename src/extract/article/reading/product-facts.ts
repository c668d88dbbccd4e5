import { wordSet } from "../../core/index.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"
import { raised } from "./folded-texts.ts"

/** Words that name lines about an article, but facts of a product. */
const ratingWords = wordSet("rating ratings stars")
const tagWords = wordSet("tag tags taglist")
/** Names of customers' reviews, of other products, and of explanations that readers open. */
const otherNames = wordSet(`
  reviews :review related upsell upsells up-sell up-sells cross-sell cross-sells crosssell crosssells
  recommendation recommendations recommended recommends recs tooltip tool-tip infotip popover
`)
/** Names of parts that offer a choice, such as all colours, and of bars that repeat the offer while readers scroll. */
const chooserNames = wordSet(
  "option options variant variants swatch swatches variation variations sticky",
)
const chooserOdds = 0.3
/** Parts with more of the page's words are the page itself. */
const maxChooser = 0.7
/** Minimum words of a product's page without these parts. */
const fewestOther = 50
/** A number with decimals, or two: "4.5", "4 of 5", "5 (12)". One alone may be a star of a review. */
const rating = /\d[.,]\d|\d\D+\d/
/** Longer text is a review. */
const maxWords = 12
/** Blocks between a product's title and its rating. */
const furthestRating = 15
/** Levels from a block up to the element that names it. */
const nameLevels = 2
/** Levels from the named element up to one that also contains chosen blocks. */
const groupLevels = 2
const left = new Set(["nav", "aside", "footer", "form", "dialog"])

/**
 * Adds the rating and the tags of a product to its chosen blocks, if they are next to them: the names of
 * such elements have the model leave them out, as those of articles.
 */
export function chooseProductFacts({ blocks }: Blocks, chosen: Uint8Array, title: number): void {
  const groups = groupsOf(blocks, chosen)
  let last = -1
  for (const [at, block] of blocks.entries()) {
    if (block.level > 0) last = at
    if (chosen[at] || block.words > maxWords || block.level > 0) continue
    const named = namedAround(block.node)
    if (!named || isElsewhere(named) || !isInGroup(named, groups)) continue
    const isRating = last === title && at - title <= furthestRating && rating.test(block.text)
    if (named.names.words.some((word) => tagWords.has(word)) ? isTag(block) : isRating) {
      chosen[at] = 1
    }
  }
}

/** Returns chances in which choices of a product are less likely, unless they contain the page's heading. */
export function loweredChoosers(
  { nodes, root }: Blocks,
  chances: Float32Array,
  title: number,
): Float32Array {
  const lowered = Uint8Array.from(chances, () => 0)
  for (const { names, first, blocks, parent, words } of nodes) {
    const end = first + blocks
    if (!parent || words >= root.words * maxChooser || (title >= first && title < end)) continue
    if (names.words.some((word) => chooserNames.has(word))) lowered.fill(1, first, end)
  }
  return chances.map((chance, at) => (lowered[at] ? raised(chance, chooserOdds) : chance))
}

/**
 * Removes the customers' reviews of a product, which are no more its description than comments are part of
 * an article, and the offers of other products. They stay if they contain the page's heading, or if next to
 * nothing else was chosen.
 */
export function dropOtherParts({ blocks, nodes }: Blocks, chosen: Uint8Array, title: number): void {
  const rest = Uint8Array.from(chosen)
  for (const { names, first, blocks: count, parent } of nodes) {
    const end = first + count
    const isOther = parent !== null && names.words.some((word) => otherNames.has(word))
    if (isOther && !(title >= first && title < end)) rest.fill(0, first, end)
  }
  const words = blocks.reduce((sum, block, at) => sum + (rest[at] ? block.words : 0), 0)
  if (words >= fewestOther) chosen.set(rest)
}

const isTag = ({ node, links }: Block) => node.name === "li" || links > 0

/** Returns the elements that contain a chosen block as their own or their child's. */
function groupsOf(blocks: Block[], chosen: Uint8Array): ReadonlySet<ElementNode> {
  const groups = new Set<ElementNode>()
  for (const [at, { node }] of blocks.entries()) {
    if (chosen[at] && node.parent) groups.add(node.parent)
  }
  return groups
}

function namedAround(node: ElementNode): ElementNode | null {
  let at: ElementNode | null = node
  for (let level = 0; at && level <= nameLevels; at = at.parent, level++) {
    if (at.names.words.some((word) => ratingWords.has(word) || tagWords.has(word))) return at
  }
  return null
}

/** Returns whether it belongs to another part of the page, such as related products. */
function isElsewhere(node: ElementNode): boolean {
  for (let at: ElementNode | null = node; at; at = at.parent) {
    const { role } = at.names
    if (at.hidden || left.has(at.name) || role === "part" || role === "list") return true
  }
  return false
}

/** Returns whether chosen blocks are next to it, and neither it nor what is around both is one of several. */
function isInGroup(node: ElementNode, groups: ReadonlySet<ElementNode>): boolean {
  let at = node
  for (let level = 0; level < groupLevels; level++) {
    if (at.alike > 1 || !at.parent) return false
    at = at.parent
    if (groups.has(at)) return at.alike < 2
  }
  return false
}
