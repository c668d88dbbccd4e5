import {
  likeliest,
  type PageType,
  pageTypes,
  typeFeatureNames,
  typeFeatures,
} from "../../src/extract/article/reading/page-type.ts"
import { type BoostOptions, binned, boost, predict, type Tree } from "./boost.ts"
import type { TrainingPage } from "./pages.ts"

const options: BoostOptions = {
  trees: 40,
  leaves: 6,
  rate: 0.15,
  least: 1,
  ridge: 1,
  rowShare: 0.8,
  featureShare: 0.4,
  seed: 3,
}

/**
 * A page with fewer words may be empty until its scripts have run, and says nothing of its type.
 */
const fewestWords = 15

const rowOf = (page: TrainingPage) => typeFeatures(page.blocks, page.facts, page.look.votes)

/** Trains, for each type, the trees that separate it from all others. */
export function trainTypes(pages: TrainingPage[]): { base: number; trees: Tree[] }[] {
  const known = pages.filter((page) => page.type !== null && page.blocks.root.words >= fewestWords)
  const list = known.map(rowOf)
  const data = binned(Float32Array.from(list.flat()), typeFeatureNames.length)
  const weight = new Float32Array(known.length).fill(1)
  return pageTypes.map((type) =>
    boost(
      data,
      Float32Array.from(known, (page) => (page.type === type ? 1 : 0)),
      weight,
      options,
    ),
  )
}

/** Returns a page's type by its form, and the types that are nearly as likely. */
export function predictTypes(
  models: ReturnType<typeof trainTypes>,
  page: TrainingPage,
): PageType[] {
  const row = Float32Array.from(rowOf(page))
  return likeliest(
    pageTypes.map((type, at) => ({ type, chance: predict(models[at]!, row, row.length)[0]! })),
  )
}
