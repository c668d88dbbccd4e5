import { featureNames, featuresOf } from "../../src/extract/article/reading/features.ts"
import { type BoostOptions, binned, boost, generator } from "./boost.ts"
import { folds, type TrainingPage } from "./pages.ts"
import { makeTables, type PageCounts } from "./tables.ts"

export const options: BoostOptions = {
  trees: 220,
  leaves: 20,
  rate: 0.08,
  least: 5,
  ridge: 1,
  rowShare: 0.6,
  featureShare: 0.2,
  seed: 1,
}
/** These pages are few and harder than the others. */
const setWeight = { articles: 2.5, segments: 1, pages: 1 }
/** Blocks of low weight are sampled, and the sampled ones weigh more. */
const fullWeight = 0.008
const minShare = 0.15

interface Rows {
  rows: Float32Array
  share: Float32Array
  weight: Float32Array
}

/** Returns the training rows. Each page's names and words are scored by pages of other folds. */
function trainingRows(pages: TrainingPage[], counts: PageCounts[]): Rows {
  const random = generator(7)
  const parts: {
    features: Float32Array
    picked: [at: number, weight: number][]
    page: TrainingPage
  }[] = []
  let count = 0
  for (let fold = 0; fold < folds; fold++) {
    const own = pages.filter((page) => page.fold === fold)
    if (own.length === 0) continue
    const scores = makeTables(counts.filter((page) => page.fold !== fold))
    for (const page of own) {
      const { rows: features, width } = featuresOf(page.blocks, page.facts, page.look, scores)
      const picked: [number, number][] = []
      for (const [at, weight] of page.labels.weight.entries()) {
        if (weight === 0) continue
        const chance = Math.min(1, Math.max(minShare, weight / fullWeight))
        if (random() < chance) picked.push([at, (weight / chance) * setWeight[page.set]])
      }
      const stored = new Float32Array(picked.length * width)
      for (const [to, [at]] of picked.entries()) {
        stored.set(features.subarray(at * width, (at + 1) * width), to * width)
      }
      parts.push({ features: stored, picked, page })
      count += picked.length
    }
  }
  const width = featureNames.length
  const made: Rows = {
    rows: new Float32Array(count * width),
    share: new Float32Array(count),
    weight: new Float32Array(count),
  }
  let row = 0
  for (const { features, picked, page } of parts) {
    made.rows.set(features, row * width)
    for (const [at, weight] of picked) {
      made.share[row] = page.labels.share[at]!
      made.weight[row] = weight
      row++
    }
  }
  return made
}

/** Trains trees on pages. */
export function train(pages: TrainingPage[], counts: PageCounts[]) {
  const { rows, share, weight } = trainingRows(pages, counts)
  return boost(binned(rows, featureNames.length), share, weight, options)
}
