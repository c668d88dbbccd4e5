import { type PackedTrees, Trees } from "../../../base/trees.ts"
import type { PageType } from "./page-type.ts"
import { makeScores, type Scores } from "./scores.ts"
import text from "./weights.json" with { type: "text" }

/** The output of `scripts/reading/train.ts`. */
export interface Weights {
  /** The training pages, the date, and the figures of the cross-validation. */
  provenance: unknown
  features: string[]
  /** Log odds in sixteenths. */
  names: Record<string, number>
  words: Record<string, number>
  trees: PackedTrees
  types: Record<PageType, PackedTrees>
}

interface Model {
  scores: Scores
  trees: Trees
  types: [type: PageType, trees: Trees][]
}

let model: Model | null = null

/** The model, unpacked when it is first wanted. */
export function readModel(): Model {
  if (model) return model
  const weights = JSON.parse(text as unknown as string) as Weights
  model = {
    scores: makeScores(logOdds(weights.names), logOdds(weights.words)),
    trees: new Trees(weights.trees),
    types: Object.entries(weights.types).map(([type, trees]) => [
      type as PageType,
      new Trees(trees),
    ]),
  }
  return model
}

const logOdds = (sixteenths: Record<string, number>) =>
  new Map(Object.entries(sixteenths).map(([name, say]) => [name, say / 16]))
