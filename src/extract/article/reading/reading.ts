import { proseLines } from "../../core/index.ts"
import { readBlocks } from "./blocks.ts"
import { chooseBlocks } from "./choose.ts"
import { featuresOf } from "./features.ts"
import { keptCopy } from "./kept-copy.ts"
import { readModel } from "./model.ts"
import { readFacts } from "./page-facts.ts"
import { type PageType, typeFeatures } from "./page-type.ts"
import { votesFor } from "./votes.ts"

/** Pages of more blocks than any that an author wrote are left to the rules. */
const mostBlocks = 20_000
/** Where no block is likelier than this, the model knows nothing of such a page. */
const leastChance = 0.35
const fewestWords = 20
/** What an entry is likelier where the rules found that the page is made of a list. */
const listBonus = 0.15

export interface ChosenContent {
  /** In a copy of the page; null where next to nothing was chosen. */
  root: Element | null
  /** Null for pages that are left to the rules. */
  pageType: PageType | null
}

/**
 * The blocks of a page that are its content: chosen by a model trained on pages with known content,
 * which is told among others what the rules for articles would keep. `steps` are those that the page
 * states of its recipe or guide.
 */
export function chosenContent(
  document: Document,
  pageUrl: string,
  byRules: { root: Element; source: string },
  steps: { includes(text: string): boolean },
): ChosenContent {
  const page = readBlocks(document.body)
  const { blocks } = page
  if (blocks.length === 0 || blocks.length > mostBlocks) return { root: null, pageType: null }
  const { scores, trees, types } = readModel()
  const votes = votesFor(blocks, proseLines(byRules.root))
  const facts = readFacts(document, pageUrl)
  const { rows, width, groups, labels } = featuresOf(page, facts, votes, scores)
  const chances = Float32Array.from(blocks, (_, at) => trees.chance(rows, at * width))
  const features = Float32Array.from(typeFeatures(page, facts, votes))
  const isList = byRules.source === "listing"
  for (const [at, { text }] of blocks.entries()) {
    if (!votes[at]) continue
    if (steps.includes(text)) chances[at] = 1
    else if (isList) chances[at] = Math.min(1, chances[at]! + listBonus)
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
