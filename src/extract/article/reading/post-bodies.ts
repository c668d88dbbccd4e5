import { wordSet } from "../../core/index.ts"
import type { Block, Blocks, ElementNode } from "./blocks.ts"

const proseWords = 8
const linkedShare = 0.35
/** Minimum share of the chosen prose in elements of one kind. */
const minShare = 0.9
const maxLevels = 6
const maxPosts = 1_000
const outside = wordSet("nav aside footer form dialog header")

/**
 * Adds the bodies of posts that have the class of the chosen ones, if the first post of a thread is not in
 * the list of its answers.
 */
export function choosePostBodies(
  { blocks, places }: Blocks,
  chosen: Uint8Array,
  labels: Uint8Array,
): void {
  const kind = kindOfBodies(blocks, places, chosen)
  if (kind === null) return
  for (const body of kind) {
    const end = body.first + body.blocks
    let isBegun = false
    for (let at = body.first; at < end; at++) if (chosen[at] && isProse(blocks[at]!)) isBegun = true
    if (isBegun) continue
    for (let at = body.first; at < end; at++) {
      if (!labels[at] && !isQuoted(blocks[at]!.place, body)) chosen[at] = 1
    }
  }
}

/** Returns whether a block of a post repeats another post. */
function isQuoted(place: ElementNode, body: ElementNode): boolean {
  for (let at: ElementNode | null = place; at && at !== body; at = at.parent) {
    if (at.name === "blockquote" || at.names.words.some((word) => /quote/.test(word))) return true
  }
  return false
}

/** Returns the elements of the narrowest kind that contains the chosen prose; null if there is only one. */
function kindOfBodies(
  blocks: Block[],
  places: ElementNode[],
  chosen: Uint8Array,
): ElementNode[] | null {
  let total = 0
  const held = new Map<number, number>()
  for (const [at, block] of blocks.entries()) {
    if (!chosen[at] || !isProse(block)) continue
    total += block.words
    const kinds = new Set<number>()
    let place: ElementNode | null = block.place
    for (let up = 0; place && up < maxLevels; up++, place = place.parent) {
      if (isNamed(place)) kinds.add(place.names.hash)
    }
    for (const kind of kinds) held.set(kind, (held.get(kind) ?? 0) + block.words)
  }
  const likely = new Set(
    [...held].filter(([, words]) => words >= total * minShare).map(([kind]) => kind),
  )
  const kinds = new Map<number, ElementNode[]>()
  for (const place of places) {
    if (place.prose === 0 || !likely.has(place.names.hash) || isOutside(place)) continue
    const list = kinds.get(place.names.hash)
    if (list) list.push(place)
    else kinds.set(place.names.hash, [place])
  }
  let best: ElementNode[] | null = null
  for (const list of kinds.values()) {
    if (list.length < 2 || list.length > maxPosts) continue
    if (best === null || wordsOf(list) < wordsOf(best)) best = list
  }
  if (best === null) return null
  // A short post has no prose: its class shows that it is one.
  const { hash } = best[0]!.names
  return places.filter((place) => place.names.hash === hash && !isOutside(place))
}

const wordsOf = (places: readonly ElementNode[]) =>
  places.reduce((sum, { words }) => sum + words, 0)

const isProse = ({ words, linkWords }: Block) =>
  words >= proseWords && linkWords <= words * linkedShare

/** An element without a name of its own may be anything. */
const isNamed = ({ names }: ElementNode) => names.words.some((word) => /^[a-z]/.test(word))

function isOutside(place: ElementNode): boolean {
  for (let at: ElementNode | null = place; at; at = at.parent) {
    if (at.hidden || outside.has(at.name)) return true
  }
  return false
}
