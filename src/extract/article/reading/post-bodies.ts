import { wordSet } from "../../core/index.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"

const proseWords = 8
const linkedShare = 0.35
/** Minimum share of the chosen prose in elements of one kind. */
const minShare = 0.9
const maxLevels = 6
const maxPosts = 1_000
/** Names of signatures, and of the panels of XenForo and phpBB with facts about the author of a post. */
const panelNames = wordSet(`
  signature signatures sig usersig signaturecontainer user-extras postprofile
`)
const outside = wordSet("nav aside footer form dialog header")

/**
 * Adds the bodies of posts that have the class of the chosen ones, if the first post of a thread is not in
 * the list of its answers.
 */
export function choosePostBodies(
  { blocks, nodes }: Blocks,
  chosen: Uint8Array,
  labels: Uint8Array,
): void {
  const kind = kindOfBodies(blocks, nodes, chosen)
  if (kind === null) return
  for (const body of kind) {
    const end = body.first + body.blocks
    let isBegun = false
    for (let at = body.first; at < end; at++) if (chosen[at] && isProse(blocks[at]!)) isBegun = true
    if (isBegun) continue
    for (let at = body.first; at < end; at++) {
      if (!labels[at] && !isQuoted(blocks[at]!.node, body)) chosen[at] = 1
    }
  }
}

/** Removes the signatures of users and the facts about them, which each of their posts repeats. */
export function dropUserPanels({ nodes }: Blocks, chosen: Uint8Array): void {
  for (const { names, first, blocks } of nodes) {
    if (names.words.some((word) => panelNames.has(word))) chosen.fill(0, first, first + blocks)
  }
}

/** Removes what is above the title of a thread, such as the notices of the forum. */
export function dropAbove(chosen: Uint8Array, title: number): void {
  if (title > 0) chosen.fill(0, 0, title)
}

/** Returns whether a block of a post repeats another post. */
export function isQuoted(node: ElementNode, body: ElementNode): boolean {
  for (let at: ElementNode | null = node; at && at !== body; at = at.parent) {
    if (at.name === "blockquote" || at.names.words.some((word) => /quote/.test(word))) return true
  }
  return false
}

/** Returns the elements of the narrowest kind that contains the chosen prose; null if there is only one. */
function kindOfBodies(
  blocks: Block[],
  nodes: ElementNode[],
  chosen: Uint8Array,
): ElementNode[] | null {
  let total = 0
  const held = new Map<number, number>()
  for (const [at, block] of blocks.entries()) {
    if (!chosen[at] || !isProse(block)) continue
    total += block.words
    const kinds = new Set<number>()
    let node: ElementNode | null = block.node
    for (let up = 0; node && up < maxLevels; up++, node = node.parent) {
      if (isNamed(node)) kinds.add(node.names.hash)
    }
    for (const kind of kinds) held.set(kind, (held.get(kind) ?? 0) + block.words)
  }
  const likely = new Set(
    [...held].filter(([, words]) => words >= total * minShare).map(([kind]) => kind),
  )
  const kinds = new Map<number, ElementNode[]>()
  for (const node of nodes) {
    if (node.prose === 0 || !likely.has(node.names.hash) || isOutside(node)) continue
    const list = kinds.get(node.names.hash)
    if (list) list.push(node)
    else kinds.set(node.names.hash, [node])
  }
  let best: ElementNode[] | null = null
  for (const list of kinds.values()) {
    if (list.length < 2 || list.length > maxPosts) continue
    if (best === null || wordsOf(list) < wordsOf(best)) best = list
  }
  if (best === null) return null
  // A short post has no prose: its class shows that it is one.
  const { hash } = best[0]!.names
  return nodes.filter((node) => node.names.hash === hash && !isOutside(node))
}

const wordsOf = (nodes: readonly ElementNode[]) => nodes.reduce((sum, { words }) => sum + words, 0)

const isProse = ({ words, linkWords }: Block) =>
  words >= proseWords && linkWords <= words * linkedShare

/** An element without a name of its own may be anything. */
const isNamed = ({ names }: ElementNode) => names.words.some((word) => /^[a-z]/.test(word))

function isOutside(node: ElementNode): boolean {
  for (let at: ElementNode | null = node; at; at = at.parent) {
    if (at.hidden || outside.has(at.name)) return true
  }
  return false
}
