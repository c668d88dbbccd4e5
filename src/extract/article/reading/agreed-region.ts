import { wordSet } from "../../core/index.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"
import { isDialog } from "./dialogs.ts"
import type { PageFacts } from "./page-facts.ts"
import type { Skim } from "./skim.ts"

/** Minimum words of a paragraph, few of them in links. */
const proseWords = 12
const linkedShare = 0.35
/** Regions of fewer words are not worth a doubt. */
const fewestWords = 80
/** A choice with less of the region's amount of prose missed it. */
const minShare = 1 / 3
/** A choice with so much prose missed nothing that a reader would call the page. */
const enoughWords = 400
/** Words of other text that a run of paragraphs continues across. */
const widestGap = 60
/** Minimum number of the readings below that include a block. */
const fewestAgreeing = 2
/** A region longer than this multiple of the article's stated length is not the article. */
const maxTimesStated = 3

const outside = wordSet("nav aside footer form")
const commentNames = wordSet(`
  comment comments commentlist reply replies respond disqus discussion
`)

/**
 * Returns the choice of blocks, or the blocks on which independent readings agree if the choice missed
 * them. The readings are the longest run of paragraphs, the container that the page marks as its content,
 * the first look, and the text of structured data. No model should make a page lose its text.
 */
export function checkedChoice(
  page: Blocks,
  facts: PageFacts,
  look: Skim,
  chosen: Uint8Array,
): Uint8Array {
  const { blocks } = page
  const around = nodesAround(page.nodes)
  const prose = Uint8Array.from(blocks, (block, at) =>
    isProse(block) && !around[block.node.index] && !look.labels[at] ? 1 : 0,
  )
  const chosenWords = sum(blocks, (at) => prose[at] && chosen[at])
  // The region has no more than all of it: most pages end here.
  if (chosenWords >= Math.min(enoughWords, minShare * sum(blocks, (at) => prose[at]))) return chosen
  const readings = [
    maxRun(blocks, prose),
    within(blocks, container(page.nodes, around)),
    look.votes,
    statedBlocks(blocks, prose, facts.statedBody),
  ]
  const agreed = prose.map((is, at) =>
    is && readings.filter((reading) => reading[at]).length >= fewestAgreeing ? 1 : 0,
  )
  const words = sum(blocks, (at) => agreed[at])
  if (words < fewestWords || chosenWords >= minShare * words) return chosen
  const { statedWords } = facts
  if (statedWords !== null) {
    const isEnough = sum(blocks, (at) => chosen[at]) >= minShare * statedWords
    if (isEnough || words > maxTimesStated * statedWords) return chosen
  }
  return filled(agreed, chosen, look.votes)
}

const isProse = ({ words, linkWords }: Block) =>
  words >= proseWords && linkWords <= words * linkedShare

function sum(blocks: Block[], isCounted: (at: number) => unknown): number {
  let words = 0
  for (const [at, block] of blocks.entries()) if (isCounted(at)) words += block.words
  return words
}

/** Returns the elements that are navigation, hidden or comments, or are within such. */
function nodesAround(nodes: ElementNode[]): Uint8Array {
  const around = new Uint8Array(nodes.length)
  for (const node of nodes) {
    const { index, parent, name, names, hidden } = node
    const isAround =
      (parent !== null && around[parent.index] === 1) ||
      hidden ||
      outside.has(name) ||
      isDialog(node) ||
      names.words.some((word) => commentNames.has(word))
    if (isAround) around[index] = 1
  }
  return around
}

/** The longest run of paragraphs with little other text between one and the next. */
function maxRun(blocks: Block[], prose: Uint8Array): Uint8Array {
  let [best, bestFrom, bestTo] = [0, 0, -1]
  let [words, from, gap] = [0, -1, 0]
  for (const [at, block] of blocks.entries()) {
    if (!prose[at]) {
      gap += block.words
      continue
    }
    if (from < 0 || gap > widestGap) [words, from] = [0, at]
    gap = 0
    words += block.words
    if (words > best) [best, bestFrom, bestTo] = [words, from, at]
  }
  return Uint8Array.from(blocks, (_, at) => (at >= bestFrom && at <= bestTo ? 1 : 0))
}

/** Returns the innermost container that the page marks as its content, with the most prose. */
function container(nodes: ElementNode[], around: Uint8Array): ElementNode | null {
  let best: ElementNode | null = null
  for (const node of nodes) {
    if (node.blocks === 0 || around[node.index] || !isMarked(node)) continue
    if (best === null || node.prose >= best.prose) best = node
  }
  return best
}

const isMarked = ({ name, names }: ElementNode) =>
  name === "article" ||
  name === "main" ||
  names.words.includes("@main") ||
  names.words.includes(":articlebody")

function within(blocks: Block[], holder: ElementNode | null): Uint8Array {
  const inside = new Uint8Array(blocks.length)
  if (holder) inside.fill(1, holder.first, holder.first + holder.blocks)
  return inside
}

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

/** The paragraphs that the structured data states as the article's text. */
function statedBlocks(blocks: Block[], prose: Uint8Array, body: string | null): Uint8Array {
  const stated = plain(body ?? "")
  return Uint8Array.from(blocks, ({ text }, at) =>
    stated !== "" && prose[at] && stated.includes(plain(text)) ? 1 : 0,
  )
}

/** The agreed paragraphs, and the headings, items and lines among them that either reading kept. */
function filled(agreed: Uint8Array, chosen: Uint8Array, votes: Uint8Array): Uint8Array {
  const [first, last] = [agreed.indexOf(1), agreed.lastIndexOf(1)]
  return agreed.map((is, at) =>
    is || (at >= first && at <= last && (chosen[at] || votes[at])) ? 1 : 0,
  )
}
