import { chooseBlocks, type Says } from "../../src/extract/article/reading/choose.ts"
import { featuresOf } from "../../src/extract/article/reading/features.ts"
import { choosePostHeads } from "../../src/extract/article/reading/post-heads.ts"
import { predict } from "./boost.ts"
import { judge } from "./judge.ts"
import { train } from "./learn.ts"
import { predictType, trainTypes } from "./learn-types.ts"
import { folds, readPages, type TrainingPage } from "./pages.ts"
import { countPage, makeTables, type PageCounts } from "./tables.ts"

/** The figures of a five-fold cross-validation by site, a line for each set and type of page. */
export function crossValidated(root: string): string[] {
  const pages = readPages(root)
  return [...crossValidate(pages, pages.map(countPage)), ...crossValidateTypes(pages)]
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
function crossValidate(pages: TrainingPage[], counts: PageCounts[]): string[] {
  const says = new Map<TrainingPage, Says>()
  const types = new Map<TrainingPage, string | null>()
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
      says.set(page, { ...made, chances, votes, labels })
      types.set(page, predictType(typeModels, page))
    }
  }
  return judge(pages, (page) => {
    const chosen = chooseBlocks(page.blocks.blocks, says.get(page)!)
    if (types.get(page) === "forum") choosePostHeads(page.blocks, chosen)
    return chosen
  })
}
