import { wordSet } from "../../core/index.ts"
import type { Blocks, ElementNode } from "./blocks.ts"

/** A list that a page is made of: search results, offers, entries, posts of a thread. */
export interface EntryList {
  /** The element that contains its entries. */
  holder: ElementNode
  words: number
  entries: number
}

/** Chosen by hand, as are those below. */
const fewestEntries = 6
const shortestEntry = 6
const linkedShare = 0.8
/** Entries of one kind are about as long as each other: the share of the longest in all. */
const maxShare = 0.35
const manyEntries = 8
const longerIfMany = 1.1
const longerIfFew = 1.5
const outside = new Set(["nav", "header", "footer", "aside", "menu"])
const otherWords = wordSet(`
  comment comments menu nav navbar navigation drawer footer cookie cookies cookiebar carousel
  swiper slider
`)
/** Entries of these are of one kind by their name alone. */
const entryNames = new Set(["li", "tr", "article", "dd"])

interface Sums extends EntryList {
  linked: number
  longest: number
}

/** The largest list of entries of one kind, each with a link and a text of its own; null for none. */
export function findList({ nodes }: Blocks): EntryList | null {
  const other = new Set<ElementNode>()
  const lists = new Map<ElementNode, Map<number, Sums>>()
  for (const node of nodes) {
    const holder = node.parent
    if (!holder || node.blocks === 0) continue
    if (other.has(holder) || isOther(node)) {
      other.add(node)
      continue
    }
    if (node.alike < fewestEntries || node.words < shortestEntry || node.hidden) continue
    if (node.names.words.length === 1 && !entryNames.has(node.name)) continue
    const kinds = lists.get(holder) ?? new Map<number, Sums>()
    lists.set(holder, kinds)
    const known = kinds.get(node.names.hash)
    const sums = known ?? { holder, words: 0, entries: 0, linked: 0, longest: 0 }
    if (!known) kinds.set(node.names.hash, sums)
    sums.words += node.words
    sums.entries++
    if (node.linkWords > 0) sums.linked++
    sums.longest = Math.max(sums.longest, node.words)
  }
  let best: Sums | null = null
  for (const kinds of lists.values()) {
    for (const sums of kinds.values()) {
      const { entries, linked, longest, words } = sums
      if (entries < fewestEntries || linked < entries * linkedShare) continue
      if (longest <= words * maxShare && words > (best?.words ?? 0)) best = sums
    }
  }
  return best
}

/** Returns whether a list has so much more text than the chosen content that it is the page's content. */
export const outweighs = ({ words, entries }: EntryList, contentWords: number) =>
  words > contentWords * (entries >= manyEntries ? longerIfMany : longerIfFew)

/** Comments, menus and carousels: no page is made of them. */
const isOther = ({ name, names, alike }: ElementNode) =>
  (outside.has(name) && alike < fewestEntries) || names.words.some((word) => otherWords.has(word))
