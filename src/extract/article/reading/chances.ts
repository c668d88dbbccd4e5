import type { Block, Blocks, ElementNode } from "./blocks.ts"

/** Limits of how neighbouring blocks change a block's chance; all chosen by hand. */
const widestRow = 120
const fewestAlike = 5
const shareOfAlike = 0.7
const minVoted = 0.1
const minHeading = 0.1
const minBeside = 0.3
/** Siblings of one kind are parts of equal rank if this number of them have this number of words. */
const fewestSiblings = 3
const siblingWords = 25
/** No page that people write is deeper. */
const maxDepth = 100
/** How far the odds of a sibling move to those of all. */
const siblingShare = 0.6
const minOdds = 0.001

/**
 * Returns chances in which the cells of a row, and the same parts of the items of a list, agree; if
 * `isOfParts`, siblings of one kind as well.
 */
export function agreedChances(
  page: Blocks,
  groups: Uint32Array,
  provided: Float32Array,
  isOfParts: boolean,
): Float32Array {
  const chances = itemsAlike(page.blocks, groups, provided)
  if (isOfParts) siblingsTogether(page, chances)
  return rowsTogether(page.blocks, chances)
}

/** Moves the chances of siblings, such as the parts of a home page, towards each other, the inner ones first. */
function siblingsTogether({ blocks, nodes }: Blocks, chances: Float32Array): void {
  for (const siblings of siblingsOf(nodes).reverse()) {
    const means = siblings.map((node) => meanOf(blocks, chances, node))
    const words = means.reduce((sum, mean) => sum + mean.words, 0)
    const common = logit(means.reduce((sum, { mean, words: own }) => sum + mean * own, 0) / words)
    for (const [at, { first, blocks: count }] of siblings.entries()) {
      const shift = Math.exp(siblingShare * (common - logit(means[at]!.mean)))
      for (let block = first; block < first + count; block++) {
        const odds = oddsOf(chances[block]!) * shift
        chances[block] = odds / (1 + odds)
      }
    }
  }
}

/** Returns the siblings of one kind, in the order of their parents. */
function siblingsOf(nodes: ElementNode[]): ElementNode[][] {
  const lists = new Map<ElementNode, Map<number, ElementNode[]>>()
  for (const node of nodes) {
    if (!node.parent || node.blocks === 0 || node.alike < fewestSiblings) continue
    if (node.depth > maxDepth) continue
    let kinds = lists.get(node.parent)
    if (!kinds) {
      kinds = new Map()
      lists.set(node.parent, kinds)
    }
    const list = kinds.get(node.names.hash)
    if (list) list.push(node)
    else kinds.set(node.names.hash, [node])
  }
  return [...lists]
    .sort(([a], [b]) => a.index - b.index)
    .flatMap(([, kinds]) => [...kinds.values()])
    .filter((list) => list.filter(({ words }) => words >= siblingWords).length >= fewestSiblings)
}

function meanOf(blocks: Block[], chances: Float32Array, { first, blocks: count }: ElementNode) {
  let [sum, words] = [0, 0]
  for (let at = first; at < first + count; at++) {
    const own = Math.max(1, blocks[at]!.words)
    sum += chances[at]! * own
    words += own
  }
  return { mean: sum / words, words }
}

function oddsOf(chance: number): number {
  const limited = Math.min(1 - minOdds, Math.max(minOdds, chance))
  return limited / (1 - limited)
}

const logit = (chance: number) => Math.log(oddsOf(chance))

/** The same part of each item of a list: names, prices. Paragraphs are of one kind, but no items. */
function itemsAlike(blocks: Block[], groups: Uint32Array, provided: Float32Array): Float32Array {
  const sums = new Map<number, [sum: number, count: number]>()
  for (const [at, block] of blocks.entries()) {
    if (!isInItem(block.node)) continue
    const sum = sums.get(groups[at]!) ?? [0, 0]
    sum[0] += provided[at]!
    sum[1]++
    sums.set(groups[at]!, sum)
  }
  return Float32Array.from(provided, (chance, at) => {
    const [sum, count] = sums.get(groups[at]!) ?? [0, 0]
    if (count < fewestAlike || !isInItem(blocks[at]!.node)) return chance
    return shareOfAlike * (sum / count) + (1 - shareOfAlike) * chance
  })
}

function isInItem(node: ElementNode): boolean {
  for (let at: ElementNode | null = node; at; at = at.parent) {
    if (at.alike >= fewestAlike && (at.name === "li" || (at.blocks > 1 && at.name !== "p"))) {
      return true
    }
  }
  return false
}

function rowsTogether(blocks: Block[], chances: Float32Array): Float32Array {
  const together = Float32Array.from(chances)
  const done = new Set<ElementNode>()
  for (const [at, block] of blocks.entries()) {
    const row = rowOf(block.node)
    if (!row || done.has(row)) continue
    done.add(row)
    let [sum, words] = [0, 0]
    const end = Math.min(blocks.length, at + row.blocks)
    for (let cell = at; cell < end; cell++) {
      sum += chances[cell]! * Math.max(1, blocks[cell]!.words)
      words += Math.max(1, blocks[cell]!.words)
    }
    for (let cell = at; cell < end; cell++) together[cell] = sum / words
  }
  return together
}

/** The row of a table that holds nothing but short cells. */
function rowOf(node: ElementNode): ElementNode | null {
  for (let at: ElementNode | null = node; at; at = at.parent) {
    if (at.name === "tr") return at.words <= widestRow ? at : null
    if (at.name === "table") return null
  }
  return null
}

/**
 * Adds blocks that the rules keep between two chosen blocks or at the end of a text, and those with
 * formulas.
 */
export function fillGaps(
  blocks: Block[],
  chosen: Uint8Array,
  votes: Uint8Array,
  chances: Float32Array,
): void {
  for (let at = 0; at < chosen.length; at++) {
    if (votes[at] && chosen[at + 1] && chances[at]! >= minBeside) chosen[at] = 1
    if (chosen[at] || !(chosen[at - 1] || chosen[at - 2])) continue
    const { formulas, level, node } = blocks[at]!
    if (chosen[at + 1] && chances[at]! >= minHeading && level > 0) chosen[at] = 1
    if (formulas > 0 && chosen[at - 1]) chosen[at] = 1
    if (!votes[at] || chances[at]! < minVoted) continue
    const isCode = node.name === "pre" || node.parent?.name === "pre"
    if (isCode || at + 1 === chosen.length || chosen[at + 1] || !votes[at + 1]) chosen[at] = 1
  }
}
