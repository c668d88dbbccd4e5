import { attributesOf, wordSet } from "../../core/index.ts"
import { wordsOfName, wordsOfNames } from "../../page/index.ts"
import { authorNames, besideAuthors, dateNames, otherArticles } from "../words.ts"

/** What elements with names of people may be called. */
const peopleWords = wordSet(`
  user username userinfo poster member nick nickname owner creator profile contributor name person
  people team staff credit credits meta by source info headline entry signature vcard fn persona
  expert blogger reporter redaktion
`)
const commentWords = wordSet(`
  comment comments reply replies response responses discussion kommentare kommentar commentlist
`)
const asideWords = wordSet(`
  sidebar aside widget widgets rail footer nav menu navigation breadcrumb newsletter promo teaser
  card cards
`)
const quoteWords = wordSet("quote statement testimonial")

/** What the words that name an element say of it, each a bit. */
export const says = {
  author: 1,
  besideAuthor: 2,
  people: 4,
  otherArticles: 8,
  date: 16,
  comments: 32,
  aside: 64,
  quote: 128,
} as const

const tables: [bit: number, words: ReadonlySet<string>][] = [
  [says.author, authorNames],
  [says.besideAuthor, besideAuthors],
  [says.people, peopleWords],
  [says.otherArticles, otherArticles],
  [says.date, dateNames],
  [says.comments, commentWords],
  [says.aside, asideWords],
  [says.quote, quoteWords],
]
const saidBy = new Map<string, number>()
for (const [bit, words] of tables) {
  for (const word of words) saidBy.set(word, (saidBy.get(word) ?? 0) | bit)
}

export interface PlaceNames {
  /** Of its class, id, item property, rel and test id. */
  readonly words: readonly string[]
  readonly says: number
}

const nameless: PlaceNames = { words: [], says: 0 }
const namedBy = ["class", "id", "itemprop", "rel", "data-testid"]
const longestName = 60

/** The names of the elements of one page, where the same classes stand on many. */
export class NamesOfPage {
  private readonly byClass = new Map<string, PlaceNames>()

  of(element: Element): PlaceNames {
    const values = attributesOf(element, namedBy)
    const [names, id] = [values[0] ?? "", values[1] ?? ""]
    if (id !== "" || values[2] || values[3] || values[4]) {
      return namesOf(wordsOfNames(names, id), values.slice(2))
    }
    if (names === "") return nameless
    let known = this.byClass.get(names)
    if (!known) {
      known = namesOf(wordsOfNames(names, ""), [])
      this.byClass.set(names, known)
    }
    return known
  }
}

function namesOf(
  ofNames: readonly (readonly string[])[],
  others: readonly (string | undefined)[],
): PlaceNames {
  const words = ofNames.flat()
  for (const value of others) {
    if (value) words.push(...wordsOfName(value.slice(0, longestName)))
  }
  let said = 0
  for (const word of words) said |= saidBy.get(word) ?? 0
  return { words, says: said }
}
