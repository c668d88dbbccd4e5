import foreignWords from "./foreign-words.txt" with { type: "text" }

/** Letters that a stem may lack: cases, possessives and plurals. */
const maxEnding = 6
const minStem = 3
/** Shorter parts of compounds are parts of too many words. */
const minPart = 4
const minCompound = 8
const maxParts = 3
const maxWord = 40
/** Letters between the parts of a compound: "domaininhaber", "bewertungsportal", "prijzenlijst". */
const linking = ["", "s", "n", "en", "es", "e"]
/** Share of the longer word that two forms of it begin with, and the minimum length of both. */
const minBeginning = 0.8
const minForm = 6
/** Letters that two forms of a word begin with at least: their bucket. */
const bucketLength = 5

const folded: Record<string, string> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", đ: "d" }
/** Scripts that are written without spaces, or with particles attached to the words. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u
/** Scripts of names and nouns: what is unknown in them is a word, in Hiragana it is grammar. */
const nouns = /[\p{Script=Han}\p{Script=Katakana}ー]/u
const maxSegment = 30

/** Returns a text in lower case, without accents and with Latin letters for ligatures. */
export const plainText = (text: string) =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßłøæœıđ]/g, (letter) => folded[letter]!)

/** Terms of words in other languages than English. */
export class ForeignWords {
  private readonly exact = new Map<string, string>()
  private readonly stems = new Map<string, string>()
  /** Words by their first letters. */
  private readonly buckets = new Map<string, string[]>()

  /** `ownTerm` returns the search's term of a word on the left side of the file. */
  constructor(ownTerm: (word: string) => string) {
    for (const line of foreignWords.split("\n")) {
      const colon = line.indexOf(": ")
      if (colon < 0 || line.startsWith("#")) continue
      const own = line.slice(0, colon).split(" ").map(ownTerm).join(" ")
      for (const written of line.slice(colon + 2).split(", ")) this.add(written, own)
    }
  }

  private add(written: string, own: string): void {
    const word = /[^ -~]/.test(written) ? plainText(written) : written
    if (word.endsWith("*")) {
      const stem = word.slice(0, -1)
      if (!this.stems.has(stem)) this.stems.set(stem, own)
      return
    }
    if (this.exact.has(word)) return
    this.exact.set(word, own)
    if (word.length < minForm || word.includes(" ") || spaceless.test(word)) return
    const start = word.slice(0, bucketLength)
    const bucket = this.buckets.get(start)
    if (bucket) bucket.push(word)
    else this.buckets.set(start, [word])
  }

  /** Words and phrases as they are, with their terms, separated by spaces. */
  entries(): Iterable<[word: string, terms: string]> {
    return this.exact
  }

  /** Returns the terms of a word that begins with a known stem. */
  ofStem(word: string): string | undefined {
    if (word.length > maxWord) return undefined
    const min = Math.max(minStem, word.length - maxEnding)
    for (let length = word.length; length >= min; length--) {
      const own = this.stems.get(word.slice(0, length))
      if (own !== undefined) return own
    }
    return undefined
  }

  /** Returns the terms of another form of a known word: "bewertete" of "bewertet". */
  ofForm(word: string): string | undefined {
    if (word.length < minForm || word.length > maxWord) return undefined
    let best: string | undefined
    let longest = 0
    for (const known of this.buckets.get(word.slice(0, bucketLength)) ?? []) {
      const same = beginning(word, known)
      if (same <= longest || same < minBeginning * Math.max(word.length, known.length)) continue
      best = known
      longest = same
    }
    return best === undefined ? undefined : this.exact.get(best)
  }

  /**
   * Returns the terms of a compound's parts, of which at least one is a known foreign word:
   * "hotelbewertungen". `known` returns the term of another part.
   */
  ofCompound(
    word: string,
    known: (part: string) => string | undefined,
    parts = maxParts,
  ): string | undefined {
    if (word.length < minCompound || word.length > maxWord || parts < 2) return undefined
    for (let at = minPart; at <= word.length - minPart; at++) {
      const last = word.slice(at)
      const foreign = this.exact.get(last) ?? this.ofStem(last)
      const lastTerms = foreign ?? known(last)
      if (lastTerms === undefined) continue
      for (const link of linking) {
        const first = word.slice(0, at - link.length)
        if (first.length < minPart || !word.startsWith(link, first.length)) continue
        const foreignFirst = this.exact.get(first) ?? this.ofCompound(first, known, parts - 1)
        const firstTerms = foreignFirst ?? (foreign === undefined ? undefined : known(first))
        if (firstTerms !== undefined) return `${firstTerms} ${lastTerms}`
      }
    }
    return undefined
  }
}

/** Returns how many letters two words begin with. */
export function beginning(a: string, b: string): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

/**
 * Returns the words of a text that has no spaces: the longest known ones from the left, and what is
 * between them if it may be a name.
 */
export function segmentsOf(text: string, isKnown: (word: string) => boolean): string[] {
  if (!spaceless.test(text)) return [text]
  const words: string[] = []
  let unknown = ""
  const flush = () => {
    if (unknown.length > 1) words.push(unknown)
    unknown = ""
  }
  for (let at = 0; at < text.length; ) {
    const known = longestAt(text, at, isKnown)
    if (known) {
      flush()
      words.push(known)
      at += known.length
      continue
    }
    const letter = text[at]!
    const isWritten = nouns.test(letter) || !spaceless.test(letter)
    if (!isWritten || (unknown && spaceless.test(unknown[0]!) !== spaceless.test(letter))) flush()
    if (isWritten) unknown += letter
    at++
  }
  flush()
  return words
}

function longestAt(text: string, at: number, isKnown: (word: string) => boolean) {
  if (!spaceless.test(text[at]!)) return undefined
  for (let length = Math.min(maxSegment, text.length - at); length > 0; length--) {
    const word = text.slice(at, at + length)
    if (isKnown(word)) return word
  }
  return undefined
}
