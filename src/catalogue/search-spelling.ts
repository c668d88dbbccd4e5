import { beginning } from "./search-foreign.ts"

/** Shorter words are within a change or two of too many others. */
const minWord = 5
const minOrdinaryWord = 6
const maxWord = 20
/** Letters of a brand from which on two changes are allowed. */
const longBrand = 8
/** Letters that may follow a brand: "tiktoker", "redditors". */
const maxEnding = 3
/** Share of the longer word that two forms of it begin with. */
const minBeginning = 0.75
const maxKnown = 10_000

/** Corrects words that no scraper has to words that some have. */
export class Spelling {
  private readonly known = new Map<string, string>()
  private readonly brands: string[]

  /** `frequency` has the number of scrapers of each term, and `brands` the terms that name a site. */
  constructor(
    private readonly frequency: ReadonlyMap<string, number>,
    brands: ReadonlySet<string>,
  ) {
    this.brands = [...brands].filter((brand) => brand.length >= minWord)
  }

  /** Returns the term that a misspelt or lengthened one means, or the same term. */
  corrected(term: string): string {
    if (term.length < minWord || term.length > maxWord) return term
    const before = this.known.get(term)
    if (before !== undefined) return before
    const meant = this.brand(term) ?? this.ordinary(term) ?? term
    if (this.known.size < maxKnown) this.known.set(term, meant)
    return meant
  }

  private brand(term: string): string | undefined {
    return (
      this.brands.find(
        (brand) => term.startsWith(brand) && term.length <= brand.length + maxEnding,
      ) ?? this.brands.find((brand) => isWithin(term, brand, brand.length >= longBrand ? 2 : 1))
    )
  }

  private ordinary(term: string): string | undefined {
    if (term.length < minOrdinaryWord) return undefined
    let best: string | undefined
    let max = 0
    for (const [word, count] of this.frequency) {
      if (count <= max || word.length < minWord || word[0] !== term[0]) continue
      const longer = Math.max(term.length, word.length)
      const isForm = beginning(term, word) >= Math.max(minWord, minBeginning * longer)
      if (!isForm && !isWithin(term, word, 1)) continue
      best = word
      max = count
    }
    return best
  }
}

/**
 * Returns whether two words with the same first letter differ by at most this many insertions, deletions,
 * substitutions and swaps of neighbours.
 */
function isWithin(a: string, b: string, max: number): boolean {
  if (a[0] !== b[0] || Math.abs(a.length - b.length) > max) return false
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? before[j - 2]! + 1 : substituted
      row.push(Math.min(previous[j]! + 1, row[j - 1]! + 1, substituted, swapped))
    }
    before = previous
    previous = row
  }
  return previous[b.length]! <= max
}
