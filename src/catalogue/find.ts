import { nearest } from "../base/nearest.ts"

/** A name that fits one scraper, or some that may have been meant, the likeliest first. */
export type Found = { slug: string } | { near: string[] }

const maxNear = 3
/** Longer names are no name of a scraper. */
const maxName = 100
/** Words that say nothing of which scraper is meant. */
const empty = new Set(["scraper", "the", "and", "for"])

/**
 * The scraper that a name means: its slug, or the words by which it alone is known (`pypi`,
 * `url-to-markdown`). The case does not matter.
 */
export function findSlug(name: string, slugs: readonly string[]): Found {
  const wanted = name.trim().toLowerCase().slice(0, maxName)
  if (slugs.includes(wanted)) return { slug: wanted }
  if (slugs.includes(`${wanted}-scraper`)) return { slug: `${wanted}-scraper` }
  const words = wordsOf(wanted)
  const fitting = slugs.filter((slug) => words.length > 0 && includesAll(slug.split("-"), words))
  if (fitting.length === 1) return { slug: fitting[0]! }
  const close = nearest(wanted, slugs)
  const alike = slugs.filter((slug) => words.some((word) => slug.split("-").includes(word)))
  return {
    near: [...new Set([...fitting, ...(close ? [close] : []), ...alike])].slice(0, maxNear),
  }
}

const wordsOf = (name: string) =>
  name.split(/[^a-z0-9]+/).filter((word) => word.length > 1 && !empty.has(word))

const includesAll = (words: readonly string[], wanted: readonly string[]) =>
  wanted.every((word) => words.includes(word))
