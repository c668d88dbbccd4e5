import type { Block, Blocks, ElementNode } from "./blocks.ts"

/** Minimum share of the chosen prose in an article's innermost element. */
const mainShare = 0.6
const proseWords = 8
/** Minimum chance of a block outside the article that stays. */
const minElsewhere = 0.75

/**
 * Removes blocks above the title or after the article's text, unless the model is sure of them: teasers
 * of other articles are prose, too. Leads between the title and the text stay.
 */
export function dropDetached(
  { blocks, root }: Blocks,
  chosen: Uint8Array,
  chances: Float32Array,
  title: number,
): void {
  const main = mainNode(blocks, chosen, root)
  if (main === root) return
  const end = main.first + main.blocks
  for (let at = 0; at < blocks.length; at++) {
    if (!chosen[at] || chances[at]! >= minElsewhere || (at >= main.first && at < end)) continue
    if (at >= end || at < title) chosen[at] = 0
  }
}

function mainNode(blocks: Block[], chosen: Uint8Array, root: ElementNode): ElementNode {
  let total = 0
  const words = new Map<ElementNode, number>()
  for (const [at, block] of blocks.entries()) {
    if (!chosen[at] || block.words < proseWords || block.level > 0) continue
    total += block.words
    for (let node: ElementNode | null = block.node; node; node = node.parent) {
      words.set(node, (words.get(node) ?? 0) + block.words)
    }
  }
  let main = root
  for (const [node, held] of words) {
    if (held >= total * mainShare && node.depth > main.depth) main = node
  }
  return main
}
