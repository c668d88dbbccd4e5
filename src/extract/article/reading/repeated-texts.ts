import { wordSet } from "../../core/index.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"
import { isQuoted } from "./post-bodies.ts"

/** Shorter texts are repeated by chance, or as facts of several offers. */
const fewestWords = 12
/** Equal texts with which a text is compared. */
const maxEqual = 20
const exact = wordSet("pre code table")

/**
 * Removes chosen texts that repeat an earlier one: a section's copy for small screens, a quoted post. With
 * them go the short lines next to them that are repeated, too, such as the heading of such a section.
 * Siblings of one kind may repeat a text: the facts of an offer, a refrain.
 */
export function dropRepeated({ blocks, root }: Blocks, chosen: Uint8Array): void {
  const order = [...blocks.keys()].filter((at) => chosen[at])
  const repeated = new Set(repeatedTexts(blocks, order, root))
  for (const at of repeated) {
    const { words, level } = blocks[at]!
    if (words >= fewestWords && level === 0) chosen[at] = 0
  }
  const isCopied = (index: number) => index >= 0 && index < order.length && !chosen[order[index]!]
  for (const [index, at] of order.entries()) {
    if (isCopied(index - 1) && repeated.has(at) && blocks[at]!.level === 0) chosen[at] = 0
  }
  for (let index = order.length - 1; index >= 0; index--) {
    if (isCopied(index + 1) && repeated.has(order[index]!)) chosen[order[index]!] = 0
  }
}

/** Returns the positions of chosen blocks with the text of an earlier one elsewhere on the page. */
function* repeatedTexts(blocks: Block[], order: number[], root: ElementNode): Generator<number> {
  const known = new Map<string, Block[]>()
  for (const at of order) {
    const block = blocks[at]!
    const equal = known.get(block.text)
    if (!equal) known.set(block.text, [block])
    else if (isExact(block.node)) continue
    else if (equal.some((earlier) => isCopy(block, earlier, root))) yield at
    else if (equal.length < maxEqual) equal.push(block)
  }
}

/** A link names what it leads to, so the text that it leads to is not a copy of it. */
const isCopy = (block: Block, earlier: Block, root: ElementNode): boolean =>
  (isLinked(block) || !isLinked(earlier)) &&
  (isQuoted(block.node, root) || !areInAlike(block.node, earlier.node))

const isLinked = ({ linkWords, words }: Block) => linkWords > words / 2

function isExact(node: ElementNode): boolean {
  for (let at: ElementNode | null = node; at; at = at.parent) if (exact.has(at.name)) return true
  return false
}

/** Returns whether two elements are the same, or are within siblings with the same names. */
function areInAlike(first: ElementNode, second: ElementNode): boolean {
  if (first === second) return true
  let [a, b] = [first, second]
  while (a.depth > b.depth) a = a.parent!
  while (b.depth > a.depth) b = b.parent!
  if (a === b) return false
  while (a.parent !== b.parent) [a, b] = [a.parent!, b.parent!]
  return a.names.hash === b.names.hash
}
