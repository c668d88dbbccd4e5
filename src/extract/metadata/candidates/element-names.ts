import { attributesOf, wordSet, words } from "../../core/index.ts"
import { type NamesOfPage, wordsOfName } from "../../page/index.ts"
import {
  authorNames,
  dateNames,
  nearAuthorNames,
  otherArticles,
  profileFolders,
} from "../text/words.ts"

/** A path to the page of a person. */
export const peopleAddress = new RegExp(
  [
    String.raw`\/(?:${words(profileFolders)}|u|auteur\w*|contributors?|writers?|columnists?)\/`,
    String.raw`\/(?:journalist\w*|redakteur\w*|firmas|about|by|channel)\/`,
    String.raw`[/?]@|\/~|[?&](?:author|u|user|uid)=|member\.php|action=profile`,
  ].join("|"),
  "i",
)

/** Words in the names of elements that contain people. */
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

/** The meanings of words that name an element, each a bit. */
export const nameMeaning = {
  author: 1,
  nearAuthor: 2,
  people: 4,
  otherArticles: 8,
  date: 16,
  comments: 32,
  aside: 64,
  quote: 128,
  /** By its item property only. */
  review: 256,
} as const

const tables: [bit: number, words: ReadonlySet<string>][] = [
  [nameMeaning.author, authorNames],
  [nameMeaning.nearAuthor, nearAuthorNames],
  [nameMeaning.people, peopleWords],
  [nameMeaning.otherArticles, otherArticles],
  [nameMeaning.date, dateNames],
  [nameMeaning.comments, commentWords],
  [nameMeaning.aside, asideWords],
  [nameMeaning.quote, quoteWords],
]
const statedBy = bitsByWord()

function bitsByWord(): ReadonlyMap<string, number> {
  const bits = new Map<string, number>()
  for (const [bit, words] of tables) {
    for (const word of words) bits.set(word, (bits.get(word) ?? 0) | bit)
  }
  return bits
}

export interface ElementNames {
  /** The words of its class, ID, item property, rel and test ID. */
  readonly words: readonly string[]
  readonly meanings: number
}

function namesOf(words: readonly string[]): ElementNames {
  let stated = 0
  for (const word of words) stated |= statedBy.get(word) ?? 0
  return { words, meanings: stated }
}

const isReview = /(?:^|\s)reviews?(?:\s|$)/

const nameless: ElementNames = { words: [], meanings: 0 }
const namedBy = ["class", "id", "itemprop", "rel", "data-testid"]
const maxName = 60

/** The names of a page's elements, cached because many elements share their classes. */
export class ElementNamesOfPage {
  private readonly known = new Map<string, ElementNames>()

  constructor(private readonly names: NamesOfPage) {}

  of(element: Element): ElementNames {
    const [classes, id, item, rel, testId] = attributesOf(element, namedBy)
    const byClass = classes ? this.called(classes) : nameless
    if (!id && !item && !rel && !testId) return byClass
    const all = [byClass, ...(id ? [this.called(id)] : [])]
    for (const value of [item, rel, testId]) {
      if (value) all.push(namesOf(wordsOfName(value.slice(0, maxName))))
    }
    const review = item && isReview.test(item) ? nameMeaning.review : 0
    return {
      words: all.flatMap(({ words }) => words),
      meanings: all.reduce((stated, one) => stated | one.meanings, review),
    }
  }

  /** Returns the names in a class attribute or an ID. */
  private called(written: string): ElementNames {
    let names = this.known.get(written)
    if (!names) {
      names = namesOf(this.names.of(written).flatMap(({ words }) => words))
      this.known.set(written, names)
    }
    return names
  }
}
