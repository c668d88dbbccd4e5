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

export interface Model {
  scores: Scores
  trees: Trees
  types: [type: PageType, trees: Trees][]
}

let model: Model | null = null

/** The model, unpacked when it is first wanted. */
export function readModel(): Model {
  model ??= unpacked(JSON.parse(text as unknown as string) as Weights)
  return model
}

/** Reads with another model from now on, for example one that was trained without some pages. */
export function useModel(other: Model): void {
  model = other
}

export const unpacked = (weights: Weights): Model => ({
  scores: makeScores(logOdds(weights.names), logOdds(weights.words)),
  trees: new Trees(weights.trees),
  types: Object.entries(weights.types).map(([type, trees]) => [type as PageType, new Trees(trees)]),
})

const logOdds = (sixteenths: Record<string, number>) =>
  new Map(Object.entries(sixteenths).map(([name, say]) => [name, say / 16]))
