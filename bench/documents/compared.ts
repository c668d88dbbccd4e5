/**
 * Returns how similar two readings of a document are: shares of the other's words, of ours, and of
 * those in order.
 */
export interface Likeness {
  recall: number
  precision: number
  /** Returns the share of the common words that are in the same order. */
  order: number
}

/** Splits scripts without spaces into characters. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}]|$)/gu

/** Maximum number of words to compare: the cost of comparing the order is the product of both. */
const maxWords = 6000

/** Programs write percentages and fractions with different numbers of digits. */
const rounded = (written: string) => {
  const number = Number(written.replace("%", "")) / (written.endsWith("%") ? 100 : 1)
  return String(Number(number.toPrecision(6)))
}

export const wordsOf = (text: string): string[] =>
  (
    text
      .normalize("NFKC")
      .replace(/(?<![\d.])(?:\d+\.\d+%?|\d+%)(?![\d.])/g, rounded)
      .toLowerCase()
      .replace(/[\p{M}\u00ad\u200b-\u200f\u2060\ufeff]/gu, "")
      .match(word) ?? []
  ).slice(0, maxWords)

export function compared(pairs: (readonly [string[], string[]])[]): Likeness {
  let [common, inOrder, all, others] = [0, 0, 0, 0]
  for (const [mine, other] of pairs) {
    common += commonOf(mine, other)
    inOrder += maxInOrder(mine, other)
    all += mine.length
    others += other.length
  }
  const share = (part: number, whole: number) => (whole === 0 ? 1 : part / whole)
  return {
    recall: share(common, others),
    precision: share(common, all),
    order: share(inOrder, common),
  }
}

function commonOf(mine: string[], other: string[]): number {
  const left = new Map<string, number>()
  for (const one of mine) left.set(one, (left.get(one) ?? 0) + 1)
  let common = 0
  for (const one of other) {
    const count = left.get(one) ?? 0
    if (count === 0) continue
    left.set(one, count - 1)
    common++
  }
  return common
}

/** Returns the length of the longest common subsequence. */
function maxInOrder(mine: string[], other: string[]): number {
  const numbers = new Map([...new Set([...mine, ...other])].map((one, at) => [one, at]))
  const [a, b] = [mine, other].map((words) => Uint32Array.from(words, (one) => numbers.get(one)!))
  const row = new Uint16Array(b!.length + 1)
  for (const one of a!) {
    let diagonal = 0
    for (let at = 1; at <= b!.length; at++) {
      const above = row[at]!
      row[at] = b![at - 1] === one ? diagonal + 1 : Math.max(above, row[at - 1]!)
      diagonal = above
    }
  }
  return row[b!.length]!
}
