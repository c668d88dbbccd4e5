import { nearest } from "../base/nearest.ts"

/** A scraper, or several that the caller may mean, the likeliest first. */
export type Found = { slug: string } | { near: string[] }

const maxNear = 3
/** Longer names are never names of a scraper. */
const maxName = 100
/** Shorter words are compared exactly, because many are within two changes of another word. */
const minMisspelt = 5
/** Words that many names have. */
const empty = new Set(["scraper", "the", "and", "for"])

/**
 * Returns the scraper that a name means: its slug, or words that only its slug has (`pypi`,
 * `url-to-markdown`), in any case.
 */
export function findSlug(name: string, slugs: readonly string[]): Found {
  const wanted = name.trim().toLowerCase().slice(0, maxName)
  if (slugs.includes(wanted)) return { slug: wanted }
  if (slugs.includes(`${wanted}-scraper`)) return { slug: `${wanted}-scraper` }
  const words = wordsOf(wanted)
  const fitting = slugs.filter((slug) => words.length > 0 && includesAll(partsOf(slug), words))
  if (fitting.length === 1) return { slug: fitting[0]! }
  const close = nearest(wanted, slugs) ?? nearestShort(wanted, slugs)
  const likely = [...fitting, ...(close ? [close] : []), ...withAnyOf(words, slugs)]
  const near = likely.length > 0 ? likely : withAnyOf(corrected(words, slugs), slugs)
  return { near: [...new Set(near)].slice(0, maxNear) }
}

/** Returns the slug that is nearest without its ending: `amazn-product` is a slip of `amazon-product`. */
function nearestShort(name: string, slugs: readonly string[]): string | undefined {
  const short = slugs.map((slug) => slug.replace(/-scraper$/, ""))
  const close = nearest(name, short)
  return close === undefined ? undefined : slugs[short.indexOf(close)]
}

const withAnyOf = (words: readonly string[], slugs: readonly string[]) =>
  slugs.filter((slug) => partsOf(slug).some((part) => words.includes(part)))

/** Returns the nearest words of slugs, for words that may be misspelt. */
function corrected(words: readonly string[], slugs: readonly string[]): string[] {
  const known = [...new Set(slugs.flatMap(partsOf))]
  return words.flatMap((word) => (word.length < minMisspelt ? [] : (nearest(word, known) ?? [])))
}

const partsOf = (slug: string) => slug.split(/[-_]/)

const wordsOf = (name: string) =>
  name.split(/[^a-z0-9]+/).filter((word) => word.length > 1 && !empty.has(word))

const includesAll = (words: readonly string[], wanted: readonly string[]) =>
  wanted.every((word) => words.includes(word))
