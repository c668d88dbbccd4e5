import { type PackedTrees, Trees } from "../../../base/trees.ts"
import text from "./metadata-weights.json" with { type: "text" }

/** The input of a scorer: numbers, and words with learned weights. */
export interface Candidate {
  /** Candidates with the same key are the same value, at several positions. */
  key: string
  features: number[]
  /** Words around it, by kind of position: each kind has a table of its own. */
  words: readonly (readonly string[])[]
}

/** The weights of words, for each kind of position: log odds, near 0 for none. */
export type WordTables = readonly ReadonlyMap<string, number>[]

export interface PackedScorer {
  features: string[]
  /** Log odds in sixteenths. */
  words: Record<string, number>[]
  trees: PackedTrees
}

/** The output of `scripts/reading/train-metadata.ts`. */
export interface MetadataWeights {
  provenance: unknown
  author: PackedScorer
  name: PackedScorer
  date: PackedScorer
}

type Weights = readonly [sum: number, min: number, max: number]

/** Longer lists of words are those around several candidates. */
const fewWords = 8

function weightsOf(words: readonly string[], table: ReadonlyMap<string, number>): Weights {
  let [sum, min, greatest] = [0, 0, 0]
  for (const word of words) {
    const say = table.get(word)
    if (say === undefined) continue
    sum += say
    if (say < min) min = say
    if (say > greatest) greatest = say
  }
  return [sum, min, greatest]
}

/**
 * Returns a candidate's features, then the sum, minimum and maximum of each kind's word weights. `known`
 * are those of each kind's lists that several candidates share.
 */
export function rowOf(
  { features, words }: Candidate,
  tables: WordTables,
  known?: readonly Map<readonly string[], Weights>[],
): Float32Array {
  const row = new Float32Array(features.length + 3 * tables.length)
  let at = 0
  // Faster than `set`, which reads a list of whole and other numbers by a slower way.
  for (const feature of features) row[at++] = feature
  for (const [kind, table] of tables.entries()) {
    const list = words[kind] ?? []
    const ofKind = list.length > fewWords ? known?.[kind] : undefined
    let weights = ofKind?.get(list)
    if (!weights) {
      weights = weightsOf(list, table)
      ofKind?.set(list, weights)
    }
    row[at++] = weights[0]
    row[at++] = weights[1]
    row[at++] = weights[2]
  }
  return row
}

/** A trained model of candidates. */
export class Scorer {
  private readonly tables: WordTables
  private readonly trees: Trees

  constructor({ words, trees }: PackedScorer) {
    this.tables = words.map(
      (table) => new Map(Object.entries(table).map(([word, say]) => [word, say / 16])),
    )
    this.trees = new Trees(trees)
  }

  /** Returns the chance of each candidate. */
  chances(candidates: readonly Candidate[]): number[] {
    const known = this.tables.map(() => new Map<readonly string[], Weights>())
    return candidates.map((candidate) => this.trees.chance(rowOf(candidate, this.tables, known), 0))
  }
}

let scorers: Record<"author" | "name" | "date", Scorer> | null = null

/** The scorers, unpacked when they are first wanted. */
export function readScorers(): Record<"author" | "name" | "date", Scorer> {
  if (scorers) return scorers
  const { author, name, date } = JSON.parse(text as unknown as string) as MetadataWeights
  scorers = { author: new Scorer(author), name: new Scorer(name), date: new Scorer(date) }
  return scorers
}
