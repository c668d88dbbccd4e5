import { stopWords } from "./stop-words.ts"

/** Advance widths of Arial in thousandths of its size, for the signs from space to tilde. */
const widths =
  "278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 " +
  "556 556 556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 " +
  "833 722 778 667 778 722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 " +
  "556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500 " +
  "334 260 334 584"
const advance = widths.split(" ").map(Number)
const wideSign = /[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef]/

/** About how wide a text is in Arial of 20 pixels, as search results show titles. */
export function pixelWidth(text: string): number {
  let thousandths = 0
  for (const sign of text.normalize("NFD")) {
    if (/\p{M}/u.test(sign)) continue
    const width = advance[sign.codePointAt(0)! - 32]
    thousandths += width ?? (wideSign.test(sign) ? 1000 : 556)
  }
  return Math.round((thousandths * 20) / 1000)
}

/** Flesch's reading ease of English: 100 is very easy, 0 very hard. Null for very short texts. */
export function readingEase(text: string): number | null {
  const words = text.match(/[A-Za-z'’]+/g) ?? []
  const sentences = text.match(/(?<![.!?])[.!?]+(?=\s|$)/g)?.length || 1
  if (words.length < 30) return null
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0)
  const ease = 206.835 - 1.015 * (words.length / sentences) - 84.6 * (syllables / words.length)
  return Math.round(ease * 10) / 10
}

function syllablesOf(word: string): number {
  const plain = word
    .toLowerCase()
    .replace(/[^a-z]/g, "")
    .replace(/(?:[^laeiouy]es|ed|[^laeiouy]e)$/, "")
    .replace(/^y/, "")
  return Math.max(1, plain.match(/[aeiouy]{1,2}/g)?.length ?? 1)
}

export interface Term {
  term: string
  count: number
  /** Percent of all words. */
  density: number
}

const maxWords = 10
const maxPairs = 5

/** The most frequent words, and pairs of words, that mean something. */
export function frequentTerms(text: string): Term[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}][\p{L}\p{M}\p{N}'’-]*/gu) ?? []
  const single = new Map<string, number>()
  const pairs = new Map<string, number>()
  for (const [index, word] of words.entries()) {
    if (!isTelling(word)) continue
    single.set(word, (single.get(word) ?? 0) + 1)
    const next = words[index + 1]
    if (!next || !isTelling(next)) continue
    const pair = `${word} ${next}`
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1)
  }
  const top = (counts: Map<string, number>, max: number) =>
    [...counts]
      .filter(([, count]) => count > 1)
      .toSorted(([a, first], [b, second]) => second - first || a.localeCompare(b))
      .slice(0, max)
      .map(([term, count]) => ({
        term,
        count,
        density: Math.round((count / words.length) * 10_000) / 100,
      }))
  return [...top(single, maxWords), ...top(pairs, maxPairs)]
}

const isTelling = (word: string) => word.length > 2 && !stopWords.has(word)
