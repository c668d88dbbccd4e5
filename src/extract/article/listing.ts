import { elementsWhere, foldSpace, wordSet } from "../core/index.ts"
import { nameWords } from "../page/index.ts"

/** A list that a page is made of: search results, offers, entries, posts of a thread. */
export interface Listing {
  /** The parent of its entries. */
  holder: Element
  /** Characters of all entries, white space folded. */
  length: number
  entries: number
}

/** Chosen by hand, these three and those below. */
const fewestEntries = 6
const shortestEntryChars = 40
const linkedShare = 0.8
/**
 * Entries of one kind are about as long as each other; the sections of a page are not. Of the longest
 * entry, the share in all; of the median, the share in the mean. In the 624 articles of the quality
 * sets (2026-11) the lists nearest to these limits have 0.34 and 0.36, 0.57 and 0.67.
 */
const largestShare = 0.35
const leastEven = 0.6
const longestPageChars = 1_000_000
const outside = new Set(["nav", "header", "footer", "aside", "menu", "select", "svg", "head"])
const otherWords = wordSet(`
  comment comments menu nav navbar navigation drawer footer cookie cookies cookiebar carousel
  swiper slider
`)
/** Entries of these are of one kind by their name alone. */
const entryNames = new Set(["li", "tr", "article", "dd"])

/** The largest list of entries of one kind, each with a link and a text of its own; null for none. */
export function findListing(page: Element): Listing | null {
  if (page.textContent!.length > longestPageChars) return null
  let best: Listing | null = null
  for (const holder of elementsWhere(page, isHolder)) {
    const listing = listingIn(holder)
    if (listing && listing.length > (best?.length ?? 0)) best = listing
  }
  return best
}

const manyEntries = 8
/**
 * How many times as long as what was found a list of many entries, or of few, has to be. Lists of
 * the 624 articles are 1.02, 1.17 or 1.79 times as long where they are many, and at most 1.18 where
 * they are few.
 */
const longerIfMany = 1.1
const longerIfFew = 1.5

/** Whether a list says so much more than what was found on its page that the page is made of it. */
export const outweighs = ({ length, entries }: Listing, found: number) =>
  length > found * (entries >= manyEntries ? longerIfMany : longerIfFew)

const isHolder = (element: Element) =>
  element.childElementCount >= fewestEntries && !outside.has(element.localName)

function listingIn(holder: Element): Listing | null {
  const kinds = new Map<string, Element[]>()
  for (let child = holder.firstElementChild; child; child = child.nextElementSibling) {
    if (outside.has(child.localName)) continue
    if (child.className === "" && !entryNames.has(child.localName)) continue
    const kind = `${child.localName} ${child.className.trim().split(/\s+/, 1)[0]}`
    const known = kinds.get(kind)
    if (known) known.push(child)
    else kinds.set(kind, [child])
  }
  const largest = [...kinds.values()].reduce<Element[]>(
    (best, group) => (group.length > best.length ? group : best),
    [],
  )
  if (largest.length < fewestEntries || isOther(holder)) return null
  const entries = largest.filter((entry) => entry.textContent!.trim().length >= shortestEntryChars)
  const linked = entries.filter((entry) => elementsWhere(entry, isLink).length > 0)
  if (entries.length < fewestEntries || linked.length < entries.length * linkedShare) return null
  const lengths = entries.map((entry) => foldSpace(entry.textContent!).length).sort((a, b) => a - b)
  const length = lengths.reduce((sum, entryLength) => sum + entryLength, 0)
  const median = lengths[lengths.length >> 1]!
  const isEven =
    lengths.at(-1)! <= length * largestShare && median >= (length / lengths.length) * leastEven
  return isEven ? { holder, length, entries: entries.length } : null
}

const isLink = (element: Element) => element.localName === "a" && element.hasAttribute("href")

/** Comments, menus and carousels: the page is not made of them. */
function isOther(holder: Element): boolean {
  for (let at: Element | null = holder; at; at = at.parentElement) {
    if (outside.has(at.localName)) return true
    if (at.localName === "body" || at.localName === "main") return false
    if (nameWords(at).some((words) => words.some((word) => otherWords.has(word)))) return true
  }
  return false
}
