import { readBlocks } from "./blocks.ts"
import { chooseBlocks } from "./choose.ts"
import { featuresOf } from "./features.ts"
import { keptCopy } from "./kept-copy.ts"
import { readModel } from "./model.ts"
import { readFacts } from "./page-facts.ts"
import { type PageType, typeFeatures } from "./page-type.ts"
import { skim } from "./skim.ts"

/** Pages of more blocks than any that an author wrote are taken whole. */
const mostBlocks = 20_000
/** Where no block is likelier than this, the model knows nothing of such a page. */
const leastChance = 0.35
const fewestWords = 20
/** Shorter texts may be a part of a stated step by chance. */
const shortestStep = 15

export interface ChosenContent {
  /** In a copy of the page; null where next to nothing was chosen. */
  root: Element | null
  /** Null for pages that are taken whole. */
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
  const page = readBlocks(document.body)
  const { blocks } = page
  if (blocks.length === 0 || blocks.length > mostBlocks) return { root: null, pageType: null }
  const { scores, trees, types } = readModel()
  const facts = readFacts(document, pageUrl)
  const look = skim(page, facts.isAboutOne)
  const { votes, labels } = look
  const { rows, width, groups } = featuresOf(page, facts, look, scores)
  const chances = Float32Array.from(blocks, (_, at) => trees.chance(rows, at * width))
  const features = Float32Array.from(typeFeatures(page, facts, votes))
  for (const [at, { text }] of blocks.entries()) {
    if ((votes[at] || text.length >= shortestStep) && steps.includes(text)) chances[at] = 1
  }
  let pageType: PageType | null = null
  let likeliest = 0
  for (const [type, model] of types) {
    const chance = model.chance(features, 0)
    if (chance > likeliest) [pageType, likeliest] = [type, chance]
  }
  if (!chances.some((chance) => chance >= leastChance)) return { root: null, pageType }
  const chosen = chooseBlocks(blocks, { chances, votes, groups, labels })
  const words = blocks.reduce((sum, block, at) => sum + (chosen[at] ? block.words : 0), 0)
  return { root: words < fewestWords ? null : keptCopy(document.body, page, chosen), pageType }
}
