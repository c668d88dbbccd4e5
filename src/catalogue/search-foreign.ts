import stopWordsText from "./foreign-stop-words.txt" with { type: "text" }
import foreignWords from "./foreign-words.txt" with { type: "text" }

/** Letters that a stem may lack: cases, possessives and plurals. */
const maxEnding = 6
const minStem = 3
/** Shorter parts of compounds are parts of too many words. */
const minPart = 4
/** Minimum length of the last part if nothing else says that a query is not English. */
const minLastPart = 5
const minCompound = 8
const maxParts = 3
/** Minimum lengths of an unknown compound's beginning and of the known word at its end. */
const minModifier = 4
const minHead = 5
const maxWord = 40
/** Letters between the parts of a compound: "domaininhaber", "bewertungsportal", "prijzenlijst". */
const linking = ["", "s", "n", "en", "es", "e"]
/** Share of the longer word that two forms of it begin with, and the minimum length of both. */
const minBeginning = 0.85
const minForm = 7
/** Letters that two forms of a word begin with at least: their bucket. */
const bucketLength = 6

const folded: Record<string, string> = { ß: "ss", ł: "l", ø: "o", æ: "ae", œ: "oe", ı: "i", đ: "d" }
/** Scripts that are written without spaces, or with particles attached to the words. */
const spaceless = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]/u
/** Scripts of names and nouns: what is unknown in them is a word, in Hiragana it is grammar. */
const nouns = /[\p{Script=Han}\p{Script=Katakana}ー]/u
/** First code unit of Korean letters, after which the other scripts without spaces follow. */
const firstSpaceless = 0x1100
/** Returns whether a plain text may have letters of a script without spaces. */
export function isSpaceless(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= firstSpaceless) return true
  return false
}
const hangul = /\p{Script=Hangul}/u
const runs = new RegExp(
  `\\p{Script=Hangul}+|(?:(?!\\p{Script=Hangul})${spaceless.source})+|(?:(?!${spaceless.source}).)+`,
  "gu",
)
const maxSegment = 30

/** Returns a text in lower case, without accents and with Latin letters for ligatures. */
export function plainText(text: string): string {
  const lower = text.toLowerCase()
  // Descriptions and goals, thousands at the first search, have no other letters.
  if (!/[\u0080-\uffff]/.test(lower)) return lower
  return lower
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[ßłøæœıđ]/g, (letter) => folded[letter]!)
}

const smallWords = plainText(stopWordsText).trim().split(/\s+/)
/** Words of other languages without a meaning for the search. */
export const foreignStopWords: ReadonlySet<string> = new Set(
  smallWords.filter((word) => !word.endsWith("?")),
)

/** Terms of words in other languages than English. */
export class ForeignWords {
  private readonly exact = new Map<string, string>()
  private readonly stems = new Map<string, string>()
  /** Terms of words that are also English ones of another meaning; empty for stop words. */
  private readonly unsure = new Map<string, string>()
  /** Words by their first letters. */
  private readonly buckets = new Map<string, string[]>()

  /** `english` has the terms of English words, and `ownTerm` returns the term of any of them. */
  constructor(
    private readonly english: ReadonlyMap<string, string>,
    ownTerm: (word: string) => string,
  ) {
    for (const line of plainText(foreignWords).split("\n")) {
      const colon = line.indexOf(": ")
      if (colon < 0 || line.startsWith("#")) continue
      const own = line.slice(0, colon).split(" ").map(ownTerm).join(" ")
      for (const written of line.slice(colon + 2).split(", ")) this.add(written, own)
    }
    for (const word of smallWords) if (word.endsWith("?")) this.unsure.set(word.slice(0, -1), "")
  }

  private add(written: string, own: string): void {
    if (written.endsWith("?")) {
      this.unsure.set(written.slice(0, -1), own)
      return
    }
    const isStem = written.endsWith("*")
    const word = isStem ? written.slice(0, -1) : written
    const isCompact = isSpaceless(word)
    if ((isStem || (isCompact && word.includes(" "))) && !this.stems.has(word)) {
      this.stems.set(word, own)
    }
    if ((isStem && !isCompact) || this.exact.has(word) || this.english.has(word)) return
    this.exact.set(word, own)
    if (word.length < minForm || word.includes(" ") || isCompact) return
    const start = word.slice(0, bucketLength)
    const bucket = this.buckets.get(start)
    if (bucket) bucket.push(word)
    else this.buckets.set(start, [word])
  }

  /** Returns the terms of a word or phrase as it is, separated by spaces. */
  get(words: string): string | undefined {
    return this.exact.get(words)
  }

  /** Words and phrases of the file, and stems. */
  *keys(): Iterable<string> {
    yield* this.exact.keys()
    yield* this.stems.keys()
  }

  /** Returns whether words are not English: one that only another language has, or two small ones. */
  isForeign(words: readonly string[]): boolean {
    let small = 0
    for (const word of words) {
      if (this.exact.has(word) || this.ofStem(word) !== undefined) return true
      if (foreignStopWords.has(word) && ++small > 1) return true
    }
    return false
  }

  /** Returns the terms that a word has in foreign texts only, empty for stop words. */
  ofUnsure(word: string): string | undefined {
    return this.unsure.get(word)
  }

  /** Returns the terms of a word that begins with a known stem, or of a phrase whose last word does. */
  ofStem(word: string): string | undefined {
    if (word.length > maxWord) return undefined
    const min = Math.max(minStem, word.length - maxEnding, word.lastIndexOf(" ") + 2)
    for (let length = word.length; length >= min; length--) {
      const own = this.stems.get(word.slice(0, length))
      if (own !== undefined) return own
    }
    return undefined
  }

  /** Returns the terms of the known word that an unknown compound ends with: "Krimipodcasts". */
  ofHead(word: string): string | undefined {
    if (word.length > maxWord) return undefined
    for (let at = minModifier; at <= word.length - minHead; at++) {
      const own = this.exact.get(word.slice(at)) ?? this.english.get(word.slice(at))
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
   * "hotelbewertungen". `known` returns the term of another part. It is the last part if the query may
   * be English.
   */
  ofCompound(
    word: string,
    isForeign: boolean,
    known: (part: string) => string | undefined,
    parts = maxParts,
  ): string | undefined {
    if (word.length < minCompound || word.length > maxWord || parts < 2) return undefined
    for (let at = minPart; at <= word.length - minPart; at++) {
      const last = word.slice(at)
      const foreign = this.exact.get(last) ?? this.ofStem(last)
      if (!isForeign && (foreign === undefined || last.length < minLastPart)) continue
      const lastTerms = foreign ?? known(last)
      if (lastTerms === undefined) continue
      for (const link of linking) {
        const first = word.slice(0, at - link.length)
        if (first.length < minPart || !word.startsWith(link, first.length)) continue
        const unsure = isForeign ? this.unsure.get(first) || undefined : undefined
        const foreignFirst =
          this.exact.get(first) ?? unsure ?? this.ofCompound(first, true, known, parts - 1)
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
  if (!isSpaceless(text)) return [text]
  const words: string[] = []
  for (const run of text.match(runs) ?? []) {
    if (!spaceless.test(run)) words.push(run)
    else if (hangul.test(run)) words.push(...koreanWords(run, isKnown))
    else words.push(...wordsWithin(run, isKnown))
  }
  return words
}

/** Returns the known words that a Korean word begins with: particles follow them. */
function koreanWords(run: string, isKnown: (word: string) => boolean): string[] {
  const words: string[] = []
  let at = 0
  for (let known: string | undefined; at < run.length; at += known.length) {
    known = longestAt(run, at, isKnown)
    if (known === undefined) break
    words.push(known)
  }
  return words.length > 0 ? words : [run]
}

function wordsWithin(run: string, isKnown: (word: string) => boolean): string[] {
  const words: string[] = []
  let unknown = ""
  const flush = () => {
    if (unknown.length > 1) words.push(unknown)
    unknown = ""
  }
  for (let at = 0; at < run.length; ) {
    const known = longestAt(run, at, isKnown)
    if (known !== undefined) {
      flush()
      words.push(known)
    } else if (nouns.test(run[at]!)) unknown += run[at]
    else flush()
    at += known?.length ?? 1
  }
  flush()
  return words
}

function longestAt(text: string, at: number, isKnown: (word: string) => boolean) {
  for (let length = Math.min(maxSegment, text.length - at); length > 0; length--) {
    const word = text.slice(at, at + length)
    if (isKnown(word)) return word
  }
  return undefined
}
