import { ForeignWords, foreignStopWords, plainText, segmentsOf } from "./search-foreign.ts"
import stopWordsText from "./stop-words.txt" with { type: "text" }
import synonyms from "./synonyms.txt" with { type: "text" }

/** Words without a meaning for the search: of questions, of politeness, of scraping itself. */
const stopWords = new Set(plainText(stopWordsText).trim().split(/\s+/))

const isStopWord = (word: string) => stopWords.has(word) || foreignStopWords.has(word)

const stems = new Map<string, string>()
const maxStems = 20_000

/** Returns a word without its endings: crude, but the same for needs as for questions. */
function stem(word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  let form = word.replace(/iz(?=e|ing|ation)/, "is")
  if (form.length > 3) form = form.replace(/ies$/, "y").replace(/(ch|sh|x|ss)es$/, "$1")
  if (form.length > 3) form = form.replace(/(?<![sui])s$/, "")
  if (form.length > 5) form = form.replace(/ing$/, "")
  if (form.length > 4) form = form.replace(/ed$/, "")
  if (form.length > 5) form = form.replace(/ly$/, "")
  if (form.length > 3) form = form.replace(/e$/, "")
  form = form.replace(/([bdgmnprt])\1$/, "$1")
  if (stems.size < maxStems) stems.set(word, form)
  return form
}

const stemmed = (text: string) => text.split(" ").map(stem).join(" ")

const stopStems = new Set([...stopWords].map(stem))

interface Vocabulary {
  /** Terms of English words and of their stems. */
  english: ReadonlyMap<string, string>
  foreign: ForeignWords
  /** How many words the longest phrase has that begins with a word. */
  phraseLengths: ReadonlyMap<string, number>
}

let loaded: Vocabulary | undefined
/** Returns the words of the search, which are read when they are first needed. */
const vocabulary = (): Vocabulary => (loaded ??= readVocabulary())

function readVocabulary(): Vocabulary {
  const english = readSynonyms()
  const foreign = new ForeignWords(
    english,
    (term) => english.get(term) ?? english.get(stem(term)) ?? stem(term),
  )
  const phraseLengths = new Map<string, number>()
  for (const keys of [english.keys(), foreign.keys()]) {
    for (const key of keys) {
      const end = key.indexOf(" ")
      if (end < 0) continue
      const first = key.slice(0, end)
      const length = key.split(" ").length
      if (length > (phraseLengths.get(first) ?? 1)) phraseLengths.set(first, length)
    }
  }
  return { english, foreign, phraseLengths }
}

/**
 * Returns the terms of English words and of their stems. Each line of `synonyms.txt` has a term before
 * the colon, and after it the words and phrases of the same meaning.
 */
function readSynonyms(): Map<string, string> {
  const terms = new Map<string, string>()
  for (const line of synonyms.trim().split("\n")) {
    const [term, others = ""] = line.split(": ") as [string, string?]
    for (const other of [term, ...others.split(", ")]) {
      const short = stemmed(other)
      // "inn" would make "in" a hotel, and "takings" would make "takes" a box office.
      const forms = isStopWord(short) || stopStems.has(short) ? [other] : [other, short]
      for (const form of forms) if (!terms.has(form)) terms.set(form, stem(term))
    }
  }
  return terms
}

/** Returns the terms of a word or phrase as it is, several separated by spaces. */
function exactTerm(words: string): string | undefined {
  const { english, foreign } = vocabulary()
  return english.get(words) ?? foreign.get(words)
}

/** Phrases such as "in the past few days" ask for what is recent, not for a history. */
const recently =
  /\b(?:in|over|during|from|within) the (?:last|past) (?:few|couple of) (?:hours|days)\b/g

/** "the last three months" is "last months". */
const spans = /\b(last|past|previous) (?:\d+|few|two|three|four|five|six|seven|ten|twelve) (\w)/g

/** Characters of a text that are looked at. */
const maxText = 2000

/**
 * Returns what a text is about: its words without endings, synonyms and set phrases as one term each,
 * without words that say nothing. Pass `isKnown` for a query: words that are not known are compared
 * with forms and compounds of foreign words then.
 */
export function termsOf(text: string, isKnown?: (term: string) => boolean): string[] {
  const plain = plainText(text.slice(0, maxText))
    .replace(/['’]s\b/g, "")
    .replace(recently, " ")
    .replace(spans, "$1 $2")
  const runs = plain.match(/[\p{L}\p{N}ー]+/gu) ?? []
  const words = runs.flatMap((run) => segmentsOf(run, isSegment))
  const matches: string[] = []
  const { foreign } = vocabulary()
  const isForeign =
    isKnown !== undefined && foreign.isForeign(words.filter((word) => !isEnglish(word, isKnown)))
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at)
    const word = words[at]!
    const unsure = isForeign ? foreign.ofUnsure(word) : undefined
    if (phrase === 1 && unsure !== undefined) matches.push(...unsure.split(" ").filter(Boolean))
    else if (phrase > 1) matches.push(...phraseTerm(words.slice(at, at + phrase))!.split(" "))
    else if (exactTerm(word) !== undefined) matches.push(...exactTerm(word)!.split(" "))
    else if (!isStopWord(word) && word.length > 1 && !/^\d+$/.test(word))
      matches.push(...wordTerms(word, isForeign, isKnown).split(" "))
    at += phrase
  }
  return matches
}

function isEnglish(word: string, isKnown: (term: string) => boolean): boolean {
  const { english } = vocabulary()
  const short = stem(word)
  return english.has(word) || stopWords.has(word) || english.has(short) || isKnown(short)
}

const isSegment = (word: string) => exactTerm(word) !== undefined || isStopWord(word)

/** Returns the terms of a single word. */
function wordTerms(word: string, isForeign: boolean, isKnown?: (term: string) => boolean): string {
  const { english, foreign } = vocabulary()
  const stemOfWord = stem(word)
  const own = english.get(stemOfWord)
  if (own !== undefined) return own
  if (isKnown === undefined || isKnown(stemOfWord)) return stemOfWord
  const known = (part: string) => exactTerm(part) ?? (isKnown(stem(part)) ? stem(part) : undefined)
  const other = foreign.ofStem(word) ?? foreign.ofCompound(word, isForeign, known)
  if (other !== undefined) return other
  return (isForeign ? (foreign.ofForm(word) ?? foreign.ofHead(word)) : undefined) ?? stemOfWord
}

/** Returns the terms of several words that are one phrase. */
function phraseTerm(words: readonly string[]): string | undefined {
  const { english, foreign } = vocabulary()
  const phrase = words.join(" ")
  return exactTerm(phrase) ?? english.get(stemmed(phrase)) ?? foreign.ofStem(phrase)
}

/** How many words from a place on are one term. */
function phraseAt(words: readonly string[], at: number): number {
  const { phraseLengths } = vocabulary()
  const first = words[at]!
  const max = Math.max(phraseLengths.get(first) ?? 1, phraseLengths.get(stem(first)) ?? 1)
  for (let length = Math.min(max, words.length - at); length > 1; length--) {
    if (phraseTerm(words.slice(at, at + length)) !== undefined) return length
  }
  return 1
}
