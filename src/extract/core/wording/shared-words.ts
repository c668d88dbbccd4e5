import { lowerWords } from "./lower-words.ts"

/** The words of a text with their digits, in lower case. */
const wordsAndNumbers = lowerWords(/[\p{L}\p{M}\p{N}]+/gu, /[a-z0-9]+/g)

const marks = 1024

/** Words that many texts are compared with. */
export class KnownWords {
  private readonly words: ReadonlySet<string>
  /** A mark for each word, at the last bits of its hash. */
  private readonly hashes = new Uint8Array(marks)

  constructor(text: string) {
    this.words = new Set(wordsAndNumbers(text))
    for (const word of this.words) this.hashes[hashOf(word) & (marks - 1)] = 1
  }

  get size(): number {
    return this.words.size
  }

  has(word: string): boolean {
    return this.words.has(word)
  }

  /** Returns whether a part of a text is in the set, in any case; it is only cut out if its hash is marked. */
  hasPart(hash: number, text: string, start: number, end: number): boolean {
    return (
      this.hashes[hash & (marks - 1)] === 1 && this.words.has(text.slice(start, end).toLowerCase())
    )
  }
}

/** The number of a text's words, and how many of them are in two lists of words. */
export interface SharedWords {
  words: number
  first: number
  second: number
}

export function sharedWordsOf(written: string, first: KnownWords, second: KnownWords): SharedWords {
  let [words, inFirst, inSecond] = [0, 0, 0]
  let [start, hash] = [-1, seed]
  for (let at = 0; at <= written.length; at++) {
    let code = at < written.length ? written.charCodeAt(at) : 0
    if (code > 127) return sharedWordsBeyondAscii(written, first, second)
    if (code >= 65 && code <= 90) code += 32
    if ((code >= 97 && code <= 122) || (code >= 48 && code <= 57)) {
      if (start < 0) start = at
      hash = step(hash, code)
    } else if (start >= 0) {
      words++
      if (first.hasPart(hash, written, start, at)) inFirst++
      if (second.hasPart(hash, written, start, at)) inSecond++
      start = -1
      hash = seed
    }
  }
  return { words, first: inFirst, second: inSecond }
}

function sharedWordsBeyondAscii(
  written: string,
  first: KnownWords,
  second: KnownWords,
): SharedWords {
  const counts = { words: 0, first: 0, second: 0 }
  for (const word of wordsAndNumbers(written)) {
    counts.words++
    if (first.has(word)) counts.first++
    if (second.has(word)) counts.second++
  }
  return counts
}

const seed = 0x811c9dc5
const step = (hash: number, code: number) => Math.imul(hash ^ code, 0x01000193)

function hashOf(word: string): number {
  let hash = seed
  for (let at = 0; at < word.length; at++) hash = step(hash, word.charCodeAt(at))
  return hash
}
