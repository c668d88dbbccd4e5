import { ForeignWords, foreignStopWords, plainText, segmentsOf } from "./search-foreign.ts"
import stopWordsText from "./stop-words.txt" with { type: "text" }
import synonyms from "./synonyms.txt" with { type: "text" }

/** Words without a meaning for the search: of questions, of politeness, of scraping itself. */
const stopWords = new Set(plainText(stopWordsText).trim().split(/\s+/))

const isStopWord = (word: string) => stopWords.has(word) || foreignStopWords.has(word)

/** Returns a word without its endings: crude, but the same for needs as for questions. */
function stem(word: string): string {
  let form = word.replace(/iz(?=e|ing|ation)/, "is")
  if (form.length > 3) form = form.replace(/ies$/, "y").replace(/(ch|sh|x|ss)es$/, "$1")
  if (form.length > 3) form = form.replace(/(?<![sui])s$/, "")
  if (form.length > 5) form = form.replace(/ing$/, "")
  if (form.length > 4) form = form.replace(/ed$/, "")
  if (form.length > 5) form = form.replace(/ly$/, "")
  if (form.length > 3) form = form.replace(/e$/, "")
  return form.replace(/([bdgmnprt])\1$/, "$1")
}

const stemmed = (text: string) => text.split(" ").map(stem).join(" ")

const stopStems = new Set([...stopWords].map(stem))

/**
 * Terms by their stems, several separated by spaces. Each line of `synonyms.txt` has a term before the
 * colon, and after it the words and phrases of the same meaning.
 */
const terms = new Map<string, string>()
/** Those of English words and their stems: a foreign word is no stem of an English one. */
const english = new Map<string, string>()
const foreign = readWords()

function readWords(): ForeignWords {
  for (const line of synonyms.trim().split("\n")) {
    const [term, others = ""] = line.split(": ") as [string, string?]
    for (const other of [term, ...others.split(", ")]) {
      const short = stemmed(other)
      // "inn" would make "in" a hotel, and "takings" would make "takes" a box office.
      const forms = isStopWord(short) || stopStems.has(short) ? [other] : [other, short]
      for (const form of forms) if (!english.has(form)) english.set(form, stem(term))
    }
  }
  for (const [word, own] of english) terms.set(word, own)
  const words = new ForeignWords(
    english,
    (term) => english.get(term) ?? english.get(stem(term)) ?? stem(term),
  )
  for (const [word, own] of words.entries()) if (!terms.has(word)) terms.set(word, own)
  return words
}

const maxPhrase = [...terms.keys()].reduce((max, key) => Math.max(max, key.split(" ").length), 1)

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
  const isForeign =
    isKnown !== undefined && foreign.isForeign(words.filter((word) => !isEnglish(word, isKnown)))
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at)
    const word = words[at]!
    const unsure = isForeign ? foreign.ofUnsure(word) : undefined
    if (phrase === 1 && unsure !== undefined) matches.push(...unsure.split(" ").filter(Boolean))
    else if (phrase > 1) matches.push(...termOf(words.slice(at, at + phrase))!.split(" "))
    else if (terms.has(word)) matches.push(...terms.get(word)!.split(" "))
    else if (!isStopWord(word) && word.length > 1 && !/^\d+$/.test(word))
      matches.push(...wordTerms(word, isForeign, isKnown).split(" "))
    at += phrase
  }
  return matches
}

const isEnglish = (word: string, isKnown: (term: string) => boolean) =>
  english.has(word) || stopWords.has(word) || english.has(stem(word)) || isKnown(stem(word))

const isSegment = (word: string) => terms.has(word) || isStopWord(word)

/** Returns the terms of a single word. */
function wordTerms(word: string, isForeign: boolean, isKnown?: (term: string) => boolean): string {
  const stemOfWord = stem(word)
  const own = english.get(stemOfWord)
  if (own !== undefined) return own
  if (isKnown === undefined || isKnown(stemOfWord)) return stemOfWord
  const known = (part: string) => terms.get(part) ?? (isKnown(stem(part)) ? stem(part) : undefined)
  const other = foreign.ofStem(word) ?? foreign.ofCompound(word, isForeign, known)
  if (other !== undefined) return other
  return (isForeign ? (foreign.ofForm(word) ?? foreign.ofHead(word)) : undefined) ?? stemOfWord
}

const termOf = (words: readonly string[]) =>
  terms.get(words.join(" ")) ??
  english.get(words.map(stem).join(" ")) ??
  foreign.ofStem(words.join(" "))

/** How many words from a place on are one term. */
function phraseAt(words: readonly string[], at: number): number {
  for (let length = Math.min(maxPhrase, words.length - at); length > 1; length--) {
    if (termOf(words.slice(at, at + length)) !== undefined) return length
  }
  return 1
}
