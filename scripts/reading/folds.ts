import type { BlockResults } from "../../src/extract/article/reading/choose.ts"
import { featuresOf } from "../../src/extract/article/reading/features.ts"
import type { PageType } from "../../src/extract/article/reading/page-type.ts"
import { choosePostHeads } from "../../src/extract/article/reading/post-heads.ts"
import { contentBlocks } from "../../src/extract/article/reading/reading.ts"
import { sureType } from "../../src/extract/article/reading/sure-type.ts"
import { predict } from "./boost.ts"
import { judge } from "./judge.ts"
import { train } from "./learn.ts"
import { predictType, trainTypes } from "./learn-types.ts"
import { folds, readPages, type TrainingPage } from "./pages.ts"
import { countPage, makeTables, type PageCounts } from "./tables.ts"

/**
 * Returns the figures of a five-fold cross-validation by site, a line for each set and type of page, and
 * the predicted types by URL.
 */
export function crossValidated(root: string): { lines: string[]; types: Map<string, PageType> } {
  const pages = readPages(root)
  const types = new Map<string, PageType>()
  const lines = [...crossValidate(pages, pages.map(countPage), types), ...crossValidateTypes(pages)]
  return { lines, types }
}

function crossValidateTypes(pages: TrainingPage[]): string[] {
  const rights = new Map<string, [right: number, all: number]>()
  for (let fold = 0; fold < folds; fold++) {
    const models = trainTypes(pages.filter((page) => page.fold !== fold))
    for (const page of pages.filter((one) => one.fold === fold && one.type !== null)) {
      const isRight = predictType(models, page) === page.type
      for (const type of ["all", page.type!]) {
        const [right, all] = rights.get(type) ?? [0, 0]
        rights.set(type, [right + (isRight ? 1 : 0), all + 1])
      }
    }
  }
  return [...rights].map(
    ([type, [right, all]]) => `type of ${type} ${(right / all).toFixed(3)} (${right} of ${all})`,
  )
}

/** For each fold names, words and trees are learned from the other four alone. */
function crossValidate(
  pages: TrainingPage[],
  counts: PageCounts[],
  types: Map<string, PageType>,
): string[] {
  const results = new Map<TrainingPage, BlockResults>()
  for (let fold = 0; fold < folds; fold++) {
    const known = counts.filter((page) => page.fold !== fold)
    const trees = train(
      pages.filter((page) => page.fold !== fold),
      known,
    )
    const scores = makeTables(known)
    const typeModels = trainTypes(pages.filter((page) => page.fold !== fold))
    for (const page of pages.filter((one) => one.fold === fold)) {
      const made = featuresOf(page.blocks, page.facts, page.look, scores)
      const chances = predict(trees, made.rows, made.width)
      const { votes, labels } = page.look
      const pageType = sureType(page.blocks, page.facts) ?? predictType(typeModels, page)
      results.set(page, { ...made, chances, votes, labels, pageType })
      types.set(page.url, pageType)
    }
  }
  return judge(pages, (page) => {
    const own = results.get(page)!
    const chosen = contentBlocks(page.blocks, page.facts, page.look, own)
    if (own.pageType === "forum") choosePostHeads(page.blocks, chosen)
    return chosen
  })
}
