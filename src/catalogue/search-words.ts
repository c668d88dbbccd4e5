import foreignWords from "./foreign-words.txt" with { type: "text" }
import stopWordsText from "./stop-words.txt" with { type: "text" }
import synonyms from "./synonyms.txt" with { type: "text" }

/** Words without a meaning for the search: of questions, of politeness, of scraping itself. */
const stopWords = new Set(stopWordsText.trim().split(/\s+/))

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

/**
 * Terms by their stems. Each line of `synonyms.txt` has a term before the colon, and after it the words
 * and phrases of the same meaning.
 */
const terms = termsAlike()

function termsAlike(): Map<string, string> {
  const byKey = new Map<string, string>()
  for (const line of synonyms.trim().split("\n")) {
    const [term, others = ""] = line.split(": ") as [string, string?]
    for (const other of [term, ...others.split(", ")]) {
      const short = stemmed(other)
      // "inn" would make "in" a hotel.
      const forms = stopWords.has(short) ? [other] : [other, short]
      for (const form of forms) if (!byKey.has(form)) byKey.set(form, stem(term))
    }
  }
  // German, Spanish, French, Portuguese and Italian words, without accents.
  for (const line of foreignWords.trim().split("\n")) {
    const [term = "", words = ""] = line.split(": ")
    const own = byKey.get(term) ?? byKey.get(stem(term)) ?? stem(term)
    for (const word of words.split(", ")) if (!byKey.has(word)) byKey.set(word, own)
  }
  return byKey
}

const maxPhrase = Math.max(...[...terms.keys()].map((key) => key.split(" ").length))

/** Phrases such as "in the past few days" ask for what is recent, not for a history. */
const recently =
  /\b(?:in|over|during|from|within) the (?:last|past) (?:few|couple of) (?:hours|days)\b/g

/** "the last three months" is "last months". */
const spans = /\b(last|past|previous) (?:\d+|few|two|three|four|five|six|seven|ten|twelve) (\w)/g

/** Characters of a text that are looked at. */
const maxText = 2000

/**
 * Returns what a text is about: its words without endings, synonyms and set phrases as one term each,
 * without words that say nothing.
 */
export function termsOf(text: string): string[] {
  const plain = text
    .slice(0, maxText)
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/['’]s\b/g, "")
    .replace(recently, " ")
    .replace(spans, "$1 $2")
  const words = plain.match(/[\p{L}\p{N}]+/gu) ?? []
  const matches: string[] = []
  for (let at = 0; at < words.length; ) {
    const phrase = phraseAt(words, at)
    const word = words[at]!
    if (phrase > 1) matches.push(termOf(words.slice(at, at + phrase))!)
    else if (terms.has(word)) matches.push(terms.get(word)!)
    else if (!stopWords.has(word) && word.length > 1 && !/^\d+$/.test(word))
      matches.push(termOf([word]) ?? stem(word))
    at += phrase
  }
  return matches
}

const termOf = (words: readonly string[]) =>
  terms.get(words.join(" ")) ?? terms.get(words.map(stem).join(" "))

/** How many words from a place on are one term. */
function phraseAt(words: readonly string[], at: number): number {
  for (let length = Math.min(maxPhrase, words.length - at); length > 1; length--) {
    if (termOf(words.slice(at, at + length)) !== undefined) return length
  }
  return 1
}
