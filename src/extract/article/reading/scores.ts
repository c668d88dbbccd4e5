import { lowerWords } from "../../core/index.ts"
import type { Names } from "./names.ts"

/** The learned weight of a name or word for content: log odds, near 0 for none. */
export interface Scores {
  names: ReadonlyMap<string, number>
  words: ReadonlyMap<string, number>
  /** The same words, for texts whose letters are those from a to z. */
  plainWords: PlainWords
}

export interface NameScore {
  sum: number
  min: number
  max: number
}

export const makeScores = (
  names: ReadonlyMap<string, number>,
  words: ReadonlyMap<string, number>,
): Scores => ({ names, words, plainWords: new PlainWords(words) })

const seed = 0x811c9dc5
const step = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193)

/** A table of words by their letters, which is asked for a part of a text without cutting it out. */
class PlainWords {
  private readonly slots: Int32Array
  private readonly words: string[] = []
  private readonly values: number[] = []

  constructor(words: ReadonlyMap<string, number>) {
    let size = 64
    while (size < 4 * words.size) size *= 2
    this.slots = new Int32Array(size).fill(-1)
    for (const [word, value] of words) {
      let hash = seed
      for (let at = 0; at < word.length; at++) hash = step(hash, word.charCodeAt(at))
      let slot = hash & (size - 1)
      while (this.slots[slot]! >= 0) slot = (slot + 1) & (size - 1)
      this.slots[slot] = this.words.length
      this.words.push(word)
      this.values.push(value)
    }
  }

  /** Returns the value of a part of a text, 0 for an unknown word. */
  valueOf(hash: number, text: string, start: number, end: number): number {
    const { slots } = this
    const last = slots.length - 1
    for (let slot = hash & last; slots[slot]! >= 0; slot = (slot + 1) & last) {
      const word = this.words[slots[slot]!]!
      if (word.length === end - start && text.startsWith(word, start)) {
        return this.values[slots[slot]!]!
      }
    }
    return 0
  }
}

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

const maxChars = 300
const beyondAscii = /[^\0-\x7f]/

/** Adds the values of the words and signs that `wordsOf` finds in a plain text. */
function addPlain(words: PlainWords, text: string, add: (value: number) => void): void {
  let [start, hash] = [-1, seed]
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0
    if (code >= 97 && code <= 122) {
      if (start < 0) start = at
      hash = step(hash, code)
      continue
    }
    if (start >= 0) {
      add(words.valueOf(hash, text, start, at))
      start = -1
      hash = seed
    }
    // $ # @ | +
    if (code === 36 || code === 35 || code === 64 || code === 124 || code === 43) {
      add(words.valueOf(step(seed, code), text, at, at + 1))
    }
  }
}

export function wordScores(scores: Scores, text: string, words: number): WordScore {
  if (words > maxWords) return none
  const score = { mean: 0, min: 0, max: 0, first: 0 }
  let count = 0
  const add = (value: number) => {
    if (count === 0) score.first = value
    count++
    score.mean += value
    score.min = Math.min(score.min, value)
    score.max = Math.max(score.max, value)
  }
  const lower = text.slice(0, maxChars).toLowerCase()
  if (beyondAscii.test(lower)) {
    for (const word of wordsOf(lower)) add(scores.words.get(word) ?? 0)
  } else addPlain(scores.plainWords, lower, add)
  if (count > 0) score.mean /= count
  return score
}
