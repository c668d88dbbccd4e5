import { wordSet } from "../../core/index.ts"
import type { Blocks, ElementNode } from "./blocks.ts"
import type { Names } from "./names.ts"
import type { PageFacts } from "./page-facts.ts"
import { addressSigns, type Sign, typeSigns } from "./type-signs.ts"

/** Types of pages, by their purpose. */
export const pageTypes = [
  "article",
  "documentation",
  "service",
  "forum",
  "collection",
  "listing",
  "product",
] as const
export type PageType = (typeof pageTypes)[number]

/** The difference of chances of two types that are about as likely; chosen by hand. */
const nearlyAsLikely = 0.08

/** Returns the likeliest type, and those nearly as likely. */
export function likeliest(chances: readonly { type: PageType; chance: number }[]): PageType[] {
  const sorted = [...chances].sort((a, b) => b.chance - a.chance)
  const max = sorted[0]?.chance ?? 0
  return sorted.filter(({ chance }) => chance >= max - nearlyAsLikely).map(({ type }) => type)
}

/** Words of class names and ids that pages of some types have and others have not. */
const tellingWords = wordSet(`
  accepted answer article author bbcode blog breadcrumb bundle byline card cards cart category code
  collection comment cta discourse docs entry facet faq feature features filter filters forum gallery
  grid hero highlight item items listing member message pager pagination post posts price prices
  pricing product products qty quantity question rating reply results review reviews shopify sku
  swatch testimonial testimonials thread tile toc topic variant variants vote wishlist
`)

export const typeFeatureNames: string[] = []

/** Returns the features of a page for the model of page types. */
export function typeFeatures(page: Blocks, facts: PageFacts, chosen: ArrayLike<number>): number[] {
  const { blocks, root } = page
  const names = new Set<string>()
  const seen = new Set<ElementNode>()
  const seenNames = new Set<Names>()
  let [chosenWords, count, linked, code, prices, dates, questions, headings, links, short] = Array(
    10,
  ).fill(0) as number[]
  for (const [at, block] of blocks.entries()) {
    for (let node: ElementNode | null = block.node; node && !seen.has(node); node = node.parent) {
      seen.add(node)
      if (seenNames.has(node.names)) continue
      seenNames.add(node.names)
      for (const word of node.names.words) if (tellingWords.has(word)) names.add(word)
    }
    if (block.digits > 0 && block.text.length < 120) {
      if (/[$€£¥₹]\s?\d|\d\s?€/.test(block.text)) prices!++
      if (/\b(?:19|20)\d\d\b/.test(block.text)) dates!++
    }
    if (!chosen[at]) continue
    count!++
    chosenWords! += block.words
    linked! += block.linkWords
    links! += block.links
    if (block.words < 8) short!++
    if (block.node.name === "pre" || block.node.name === "code") code!++
    if (/^h[1-6]$/.test(block.node.name)) headings!++
    if (block.text.endsWith("?")) questions!++
  }
  const values: Sign[] = [
    ...facts.traits,
    ...addressSigns(facts.path),
    ...typeSigns(page, chosen, facts.titleBlock(blocks)),
    ["blocks", blocks.length],
    ["words", root.words],
    ["linked", root.words > 0 ? root.linkWords / root.words : 0],
    ["prose", root.words > 0 ? root.prose / root.words : 0],
    ["images", root.images],
    ["chosen words", chosenWords!],
    ["chosen blocks", count!],
    ["chosen words a block", chosenWords! / Math.max(1, count!)],
    ["chosen linked", linked! / Math.max(1, chosenWords!)],
    ["chosen links", links!],
    ["chosen short", short! / Math.max(1, count!)],
    ["chosen headings", headings! / Math.max(1, count!)],
    ["chosen questions", questions!],
    ["chosen of page", chosenWords! / Math.max(1, root.words)],
    ["code", code!],
    ["prices", prices!],
    ["prices a block", prices! / Math.max(1, blocks.length)],
    ["dates", dates!],
    ...[...tellingWords].map((word): Sign => [`named ${word}`, names.has(word) ? 1 : 0]),
  ]
  if (typeFeatureNames.length === 0) for (const [name] of values) typeFeatureNames.push(name)
  return values.map(([, value]) => value)
}
