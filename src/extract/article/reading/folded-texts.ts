import { wordSet } from "../../core/index.ts"
import type { Blocks, ElementNode } from "./blocks.ts"
import type { PageType } from "./page-type.ts"

/** Names of tabs and of parts that readers fold out. */
const foldNames = wordSet("tab tabs tabpanel @tabpanel accordion collapse collapsible toggle")
const questionNames = wordSet("faq faqs qna question questions :mainentity :acceptedanswer")
const outside = wordSet("nav header footer")
/** Parts with more of the page's words are the page itself. */
const maxFold = 0.7
const maxQuestions = 0.9
/** What the odds of a block are multiplied by. */
const foldOdds = 2
const questionOdds = 4.5
const fewestQuestions = 3
const maxQuestionChars = 200
const fewestQuestionWords = 3
/** Levels from a question up to the element that also holds its answer. */
const maxLevels = 8

/**
 * Returns chances in which tabs and other folded parts are likelier, and on pages other than products
 * answers to questions, too: most training pages are articles, whose folded parts are rarely content.
 */
export function raisedFolds(
  page: Blocks,
  chances: Float32Array,
  pageType: PageType | null,
): Float32Array {
  const factors = new Float32Array(chances.length).fill(1)
  for (const node of foldsOf(page)) mark(factors, node, foldOdds)
  for (const node of page.nodes) if (isOutside(node)) mark(factors, node, 1)
  if (pageType !== "product") {
    for (const node of questionsOf(page)) mark(factors, node, questionOdds)
  }
  return chances.map((chance, at) => raised(chance, factors[at]!))
}

/** Returns a chance whose odds are multiplied. */
export const raised = (chance: number, factor: number) =>
  factor === 1 ? chance : (chance * factor) / (1 - chance + chance * factor)

const mark = (factors: Float32Array, { first, blocks }: ElementNode, factor: number) =>
  factors.fill(factor, first, first + blocks)

function foldsOf({ nodes, root }: Blocks): ElementNode[] {
  const most = root.words * maxFold
  return nodes.filter(
    ({ parent, blocks, words, name, names }) =>
      parent !== null &&
      blocks > 0 &&
      words < most &&
      (name === "details" || names.words.some((word) => foldNames.has(word))),
  )
}

const isOutside = ({ blocks, name, names }: ElementNode) =>
  blocks > 0 && (outside.has(name) || names.words.includes("@navigation"))

/** Returns the parts that are named after questions, and those of lists that begin with a question each. */
function questionsOf(page: Blocks): ElementNode[] {
  const most = page.root.words * maxQuestions
  const named = page.nodes.filter(
    ({ parent, blocks, words, names }) =>
      parent !== null &&
      blocks > 0 &&
      words < most &&
      names.words.some((word) => questionNames.has(word)),
  )
  const lists = [...listsOfQuestions(page).values()]
  return [...named, ...lists.filter(({ length }) => length >= fewestQuestions).flat()]
}

function listsOfQuestions({ blocks }: Blocks): Map<ElementNode, ElementNode[]> {
  const lists = new Map<ElementNode, ElementNode[]>()
  for (const [at, { text, words, node }] of blocks.entries()) {
    if (!/[?？]$/.test(text) || text.length >= maxQuestionChars || words < fewestQuestionWords) {
      continue
    }
    const item = answeredItem(node, at)
    if (!item?.parent) continue
    const list = lists.get(item.parent)
    if (list) list.push(item)
    else lists.set(item.parent, [item])
  }
  return lists
}

/** Returns the innermost of several siblings that begins with a block and contains more. */
function answeredItem(node: ElementNode, first: number): ElementNode | null {
  let at: ElementNode | null = node
  for (let level = 0; at && level < maxLevels; at = at.parent, level++) {
    if (at.first === first && at.alike >= fewestQuestions && at.blocks > 1) return at
  }
  return null
}
