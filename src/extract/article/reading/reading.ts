import { factOf } from "../../core/index.ts"
import { checkedChoice } from "./agreed-region.ts"
import { type Blocks, readBlocks } from "./blocks.ts"
import { type BlockResults, chooseBlocks } from "./choose.ts"
import { chosenCopy } from "./chosen-copy.ts"
import { dropDetached } from "./detached.ts"
import { blocksInDialogs } from "./dialogs.ts"
import { featuresOf } from "./features.ts"
import { raised } from "./folded-texts.ts"
import { chooseMissedOffers } from "./missed-offers.ts"
import { readModel } from "./model.ts"
import { type PageFacts, readFacts } from "./page-facts.ts"
import { likeliest, type PageType, typeFeatures } from "./page-type.ts"
import { choosePostBodies, dropAbove, dropUserPanels } from "./post-bodies.ts"
import { choosePostHeads } from "./post-heads.ts"
import { chooseProductFacts, dropOtherParts, loweredChoosers } from "./product-facts.ts"
import { dropRepeated } from "./repeated-texts.ts"
import { type Skim, skim } from "./skim.ts"
import { sureType } from "./sure-type.ts"
import { chooseWholeTables } from "./whole-tables.ts"
import { chooseWholeThread } from "./whole-thread.ts"

/** On larger pages, which hardly any author writes, the first look decides. */
const maxBlocks = 20_000
/** If no block is likelier than this, the model does not know such pages. */
const minChance = 0.35
/** Odds of the likeliest block of a page whose text is mostly hidden. */
const fairOdds = 1.5
const minHiddenWords = 100
const fewestWords = 20
/** Shorter pages have no typical form: only the facts that they state count. */
const fewestTypedWords = 100
/** Shorter texts may be a part of a stated step by chance. */
const shortestStep = 15
/** Pages of these types may be lists of offers. */
const ofSeveral = new Set<PageType | null>(["collection", "listing", "service"])

export interface ChosenContent {
  /** In a copy of the page; null if next to nothing was chosen. */
  root: Element | null
  /** Null for pages with next to no text. */
  pageType: PageType | null
}

/**
 * The blocks of a page that are its content: chosen by a model trained on pages with known content.
 * `steps` are those that the page states of its recipe or guide.
 */
export function chosenContent(
  document: Document,
  pageUrl: string,
  steps: { includes(text: string): boolean },
): ChosenContent {
  const { page, facts, look, pageType } = readPage(document, pageUrl)
  const { blocks } = page
  if (blocks.length === 0) return { root: null, pageType: null }
  const chosen =
    blocks.length > maxBlocks ? look.votes : byModel(page, facts, look, pageType, steps)
  if (chosen === null) return { root: null, pageType }
  const times = pageType === "forum" ? choosePostHeads(page, chosen, document.body) : undefined
  const words = blocks.reduce((sum, block, at) => sum + (chosen[at] ? block.words : 0), 0)
  const root = words < fewestWords ? null : chosenCopy(document.body, page, chosen, times)
  return { root, pageType }
}

/** Read once for all who ask. */
const readPage = (document: Document, pageUrl: string) =>
  factOf(document, readBlocks, () => {
    const page = readBlocks(document.body)
    const facts = readFacts(document, pageUrl)
    const look = skim(page, facts.isAboutOne)
    const types = typesOf(page, facts, look)
    return { page, facts, look, types, pageType: types[0] ?? null }
  })

/**
 * Returns a page's type by its form and the facts that it states, and those nearly as likely; none if it
 * has too few words.
 */
export const likelyTypes = (document: Document, pageUrl: string): readonly PageType[] =>
  readPage(document, pageUrl).types

function typesOf(page: Blocks, facts: PageFacts, { votes }: Skim): PageType[] {
  const sure = sureType(page, facts)
  if (sure !== null || page.root.words < fewestTypedWords) {
    const stated = sure ?? facts.statedType
    return stated ? [stated] : []
  }
  const features = Float32Array.from(typeFeatures(page, facts, votes))
  return likeliest(
    readModel().types.map(([type, model]) => ({ type, chance: model.chance(features, 0) })),
  )
}

/** Returns null if the model does not know such pages. */
function byModel(
  page: Blocks,
  facts: PageFacts,
  look: Skim,
  pageType: PageType | null,
  steps: { includes(text: string): boolean },
): Uint8Array | null {
  const { blocks } = page
  const { votes, labels } = look
  const { scores, trees } = readModel()
  const { rows, width, groups } = featuresOf(page, facts, look, scores)
  let chances = trees.chances(rows, width, blocks.length)
  const isInDialog = blocksInDialogs(page, facts.titleBlock(blocks))
  for (const [at, { text }] of blocks.entries()) {
    if (isInDialog[at]) chances[at] = 0
    if ((votes[at] || text.length >= shortestStep) && steps.includes(text)) chances[at] = 1
  }
  const likeliest = chances.reduce((max, chance) => Math.max(max, chance), 0)
  if (likeliest < minChance) {
    if (!isMostlyHidden(page)) return null
    // Readers see next to nothing of it until scripts have run: what is likelier than the rest is chosen.
    const factor = fairOdds * (1 / likeliest - 1)
    chances = chances.map((chance) => raised(chance, factor))
  }
  return contentBlocks(page, facts, look, { chances, votes, groups, labels, pageType })
}

function isMostlyHidden({ blocks, root }: Blocks): boolean {
  let hidden = 0
  for (const { node, words } of blocks) if (node.hidden) hidden += words
  return hidden >= minHiddenWords && hidden > root.words / 2
}

/** The choice by the model's chances, checked: a thread has all posts, and no page loses its text or repeats it. */
export function contentBlocks(
  page: Blocks,
  facts: PageFacts,
  look: Skim,
  results: BlockResults,
): Uint8Array {
  const chosen = wholeChoice(page, facts, look, results)
  dropRepeated(page, chosen)
  return chosen
}

function wholeChoice(
  page: Blocks,
  facts: PageFacts,
  look: Skim,
  results: BlockResults,
): Uint8Array {
  const { blocks } = page
  const title = () => facts.titleBlock(blocks)
  const chances =
    results.pageType === "product"
      ? loweredChoosers(page, results.chances, title())
      : results.chances
  const chosen = chooseBlocks(page, { ...results, chances })
  if (results.pageType === "forum") {
    chooseWholeThread(page, chosen, results.labels)
    choosePostBodies(page, chosen, results.labels)
    dropUserPanels(page, chosen)
    dropAbove(chosen, title())
    return chosen
  }
  chooseWholeTables(page, chosen, results.chances)
  if (ofSeveral.has(results.pageType)) chooseMissedOffers(page, chosen)
  if (results.pageType === "article") dropDetached(page, chosen, results.chances, title())
  const checked = checkedChoice(page, facts, look, chosen)
  if (results.pageType === "product") {
    dropOtherParts(page, checked, title())
    chooseProductFacts(page, checked, title())
  }
  return checked
}
