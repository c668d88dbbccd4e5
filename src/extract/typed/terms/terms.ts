import text from "./terms.json" with { type: "text" }

export interface Term {
  /** In words, lower case: `date posted`. */
  names: readonly string[]
  paths: readonly { type: string | null; steps: readonly string[] }[]
}

/**
 * Names of fields and their schema.org paths: comma-separated names, then paths in the order in which
 * they are tried. `Type:path` applies to nodes of that type only.
 */
const rows: Record<string, string> = JSON.parse(text as unknown as string)
const byName = new Map(
  Object.entries(rows).flatMap(([left, right]): [name: string, term: Term][] => {
    const names = left.split(", ")
    const paths = right.split(", ").map(readPath)
    return names.map((name) => [plainName(name), { names, paths }])
  }),
)

function readPath(written: string): Term["paths"][number] {
  const colon = written.indexOf(":")
  const type = colon < 0 ? null : written.slice(0, colon)
  return {
    type,
    steps: written
      .slice(colon + 1)
      .split(".")
      .map(plainName),
  }
}

/** `datePosted`, `date_posted` and `Date posted` are the same name. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}@]+/gu, "")
}

/** `datePosted` and `date_posted` as words: `date posted`. */
export function wordsOf(name: string): string {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()
}

/** Returns the term of a property's name; most names have none. */
export function termOf(name: string): Term | null {
  return byName.get(plainName(name)) ?? null
}

/** Names that any thing has: they do not identify its type. */
const general = new Set(
  "name title headline heading description summary url link website homepage image imageurl logo id type text date language tags keywords category".split(
    " ",
  ),
)
export const isGeneral = (name: string) => general.has(plainName(name))

/** The types of the entries of lists, by list name. */
const kinds: Record<string, string> = {
  Product: "product item good article",
  JobPosting: "job position opening vacancy posting",
  Event: "event concert show talk session",
  Recipe: "recipe",
  Article: "article post story news",
  Person: "person people member team staff employee speaker author",
  Organization: "organization organisation company business",
  Review: "review",
  Question: "question faq",
  Offer: "offer",
  Book: "book",
  Movie: "movie film",
  VideoObject: "video",
  Course: "course",
  Place: "place venue location",
}

/** The types that a name or a title speaks of: `jobPostings` of JobPosting. */
export function typesNamed(name: string): string[] {
  const words = wordsOf(name).split(" ")
  const singular = new Set(words.flatMap((word) => [word, singularOf(word)]))
  return Object.entries(kinds)
    .filter(
      ([type, list]) =>
        singular.has(type.toLowerCase()) || list.split(" ").some((word) => singular.has(word)),
    )
    .map(([type]) => type)
}

const singularOf = (word: string) =>
  word.endsWith("ies") ? `${word.slice(0, -3)}y` : word.endsWith("s") ? word.slice(0, -1) : word

/** A type of schema.org as one of the above: a MusicEvent is an Event. */
export function familyOf(written: string): string {
  const type = written.slice(0, 1).toUpperCase() + written.slice(1)
  if (/Event$|^Festival$/.test(type)) return "Event"
  if (/Article$|^BlogPosting$|^Report$/.test(type)) return "Article"
  if (/^(?:ProductGroup|IndividualProduct|ProductModel|Vehicle|Car)$/.test(type)) return "Product"
  if (/^(?:Corporation|NGO|\w*Organization|\w*Business|\w*Store|Restaurant|Hotel)$/.test(type))
    return "Organization"
  return type
}
