import { type Model, unpacked, useModel } from "../../src/extract/article/reading/model.ts"
import type { PageType } from "../../src/extract/article/reading/page-type.ts"
import { sureType } from "../../src/extract/article/reading/sure-type.ts"
import { predictTypes, trainTypes } from "./learn-types.ts"
import { foldOf, folds, readPages } from "./pages.ts"
import { countPage } from "./tables.ts"
import { weightsOf } from "./weights.ts"

/** A five-fold cross-validation by site: names, words, trees and types are learned from the other four. */
export interface CrossValidation {
  /** The likely types by URL. */
  types: ReadonlyMap<string, readonly PageType[]>
  /** A line for each type: the number of its pages that were classified correctly by form only. */
  lines: string[]
  /** Makes each page be read by the model that was trained without the fold of its URL. */
  prepare(url: string): void
}

export function crossValidate(root: string): CrossValidation {
  const pages = readPages(root)
  const counts = pages.map(countPage)
  const types = new Map<string, readonly PageType[]>()
  const rights = new Map<string, [right: number, all: number]>()
  const models: Model[] = []
  for (let fold = 0; fold < folds; fold++) {
    const known = pages.filter((page) => page.fold !== fold)
    const typeModels = trainTypes(known)
    const ownCounts = counts.filter((page) => page.fold !== fold)
    models.push(unpacked(weightsOf(known, ownCounts, typeModels)))
    for (const page of pages.filter((one) => one.fold === fold)) {
      const predicted = predictTypes(typeModels, page)
      const sure = sureType(page.blocks, page.facts)
      types.set(page.url, sure ? [sure] : predicted)
      if (page.type === null) continue
      for (const type of ["all", page.type]) {
        const [right, all] = rights.get(type) ?? [0, 0]
        rights.set(type, [right + (predicted[0] === page.type ? 1 : 0), all + 1])
      }
    }
  }
  const lines = [...rights].map(
    ([type, [right, all]]) => `type of ${type} ${(right / all).toFixed(3)} (${right} of ${all})`,
  )
  return { types, lines, prepare: (url) => useModel(models[foldOf(url)]!) }
}
