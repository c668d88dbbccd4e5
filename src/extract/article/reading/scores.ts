import { lowerWords } from "../../core/index.ts"
import type { Names } from "./names.ts"

/** The learned weight of a name or word for content: log odds, near 0 for none. */
export interface Scores {
  names: ReadonlyMap<string, number>
  words: ReadonlyMap<string, number>
}

export interface NameScore {
  sum: number
  min: number
  max: number
}

export const makeScores = (
  names: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
): Scores => ({ names, words })

export function scoreOfNames(scores: Scores, names: Names): NameScore {
  const score = { sum: 0, min: 0, max: 0 }
  for (const word of names.words) {
    const value = scores.names.get(word)
    if (value === undefined) continue
    score.sum += value
    score.min = Math.min(score.min, value)
    score.max = Math.max(score.max, value)
  }
  return score
}

export interface WordScore {
  mean: number
  min: number
  max: number
  first: number
}

/** Longer texts are judged by their form. */
export const maxWords = 20
const none: WordScore = { mean: 0, min: 0, max: 0, first: 0 }

export const wordsOf = lowerWords(/[\p{L}\p{M}]+|[©$€£#@|•·»›→+]/gu, /[a-z]+|[$#@|+]/g)

export function wordScores(scores: Scores, text: string, words: number): WordScore {
  if (words > maxWords) return none
  const score = { mean: 0, min: 0, max: 0, first: 0 }
  let count = 0
  for (const word of wordsOf(text.slice(0, 300))) {
    const value = scores.words.get(word) ?? 0
    if (count === 0) score.first = value
    count++
    score.mean += value
    score.min = Math.min(score.min, value)
    score.max = Math.max(score.max, value)
  }
  if (count > 0) score.mean /= count
  return score
}
