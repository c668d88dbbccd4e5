import { isPersonName } from "../text/person-names.ts"
import type { AuthorCandidate } from "./author-features.ts"
import type { DateCandidate } from "./date-features.ts"
import type { Author, StatedAuthor } from "./stated-authors.ts"

/**
 * Minimum chance of the author, and of further authors, chosen by cross-validation. A higher one misses
 * more authors that pages name; a lower one invents more that they do not name.
 */
const minAuthor = 0.4
/**
 * The same for pages that usually have no author: shops, lists, services, references. Their data or marks
 * have to state the name, because lines of their text name authors of other pages.
 */
const minOnOthers = 0.8
const minBeside = 0.8
const minDate = 0.15
const minStatedDate = 0.7
/** The same for those whom the page states as one list. */
const minStated = 0.5
/** And for those of one byline, "Posted by annlee, Bo and Cy": who is listed with its author is one. */
const minListed = 0.1
const lists: ReadonlySet<string> = new Set<StatedAuthor["kind"]>([
  "main node",
  "meta author",
  "meta of library",
  "meta of article",
])
const maxAuthors = 20

interface Named extends Author {
  key: string
  chance: number
  order: number
  groups: Set<string>
  /** The bylines that list it with others. */
  bylines: Set<string>
}

/** From this many people on whom lines of their own name as authors, a page lists other pages. */
const manyMarked = 3

/** The name of a blog, not of the person who writes it: "Ann's Blog". */
const blogName = /\b(?:blog|website|homepage)$/i
/** An account of the software that made the page: `annlee42`, `bo-agency`. */
const accountName = /^(?=.*[\d-])[\p{Ll}\d_.-]+$/u

/**
 * Returns the likeliest name and further stated ones; none if no name is likely. `isWritten` is called
 * if a name is likely but not certain or stated: it returns whether pages of the type have an author.
 * `isThread` is called if a page marks several people as authors, as lists do as well.
 */
export function chooseAuthors(
  candidates: AuthorCandidate[],
  chances: number[],
  isWritten: () => boolean,
  isThread: () => boolean = () => false,
): Author[] {
  const names = new Map<string, Named>()
  for (const [order, { key, name, url, group, isListed }] of candidates.entries()) {
    const chance = chances[order]!
    const known = names.get(key) ?? {
      ...{ key, name, url, chance, order },
      ...{ groups: new Set(), bylines: new Set() },
    }
    names.set(key, known)
    known.groups.add(group)
    if (isListed) known.bylines.add(group)
    known.url ??= url
    known.chance = Math.max(known.chance, chance)
  }
  const people = [...names.values()].filter((one) => !isNoAuthor(one))
  const sorted = people.sort((a, b) => b.chance - a.chance || a.order - b.order)
  const [first] = sorted
  if (!first || first.chance < minAuthor) return []
  if (!(first.chance >= minOnOthers && isStated(first)) && !isWritten()) return []
  if (!isOfData(first) && first.groups.has("marked") && marked(people) && !isThread()) return []
  const stored = [first]
  for (const one of sorted.slice(1, maxAuthors)) {
    if (one.chance < minBesideOf(first, one)) continue
    const isSame = stored.some(({ key }) => key.includes(one.key) || one.key.includes(key))
    const isAdjacent = [...one.groups].some((group) => first.groups.has(group))
    const isAlike = isPersonName(one.name) || !isPersonName(first.name)
    if (!isSame && isAdjacent && isAlike) stored.push(one)
  }
  return stored.sort((a, b) => a.order - b.order).map(({ name, url }) => ({ name, url }))
}

/** Returns whether a name is that of a blog, or an account that no reader sees. */
const isNoAuthor = ({ name, groups }: Named) =>
  blogName.test(name) ||
  (accountName.test(name) && ![...groups].some((group) => group.startsWith("line ")))

const isOfData = ({ groups }: Named) => [...groups].some((group) => / node$|^meta /.test(group))

const marked = (names: readonly Named[]) =>
  names.filter(({ name, groups }) => groups.has("marked") && isPersonName(name)).length >=
  manyMarked

/** Returns whether a name is in the page's data or marks, and not only in lines of its text. */
const isStated = ({ groups }: Named) =>
  [...groups].some((group) => !group.startsWith("line ") && group !== "copyright")

function minBesideOf(first: Named, { groups, bylines }: Named): number {
  if ([...bylines].some((byline) => first.bylines.has(byline))) return minListed
  return [...groups].some((group) => lists.has(group) && first.groups.has(group))
    ? minStated
    : minBeside
}

/** Returns the day that the page's data states, if it is likely; else the likeliest day. */
export function chooseDate(candidates: DateCandidate[], chances: number[]): string | null {
  const stated = candidates.findIndex(({ isOwn }) => isOwn)
  if (stated >= 0 && chances[stated]! >= minStatedDate) return candidates[stated]!.value
  // If a page states both, the day of its last change is not the day of its publication.
  const published = daysReported(candidates, "published")
  const modified = published.size > 0 ? daysReported(candidates, "modified") : published
  let best = -1
  for (const [at, chance] of chances.entries()) {
    const day = candidates[at]!.key
    if (modified.has(day) && !published.has(day)) continue
    if (chance >= minDate && chance > (chances[best] ?? 0)) best = at
  }
  const day = candidates[best]?.key
  return candidates.find(({ key }) => key === day)?.value ?? null
}

const daysReported = (candidates: DateCandidate[], as: "published" | "modified") =>
  new Set(candidates.flatMap(({ key, reported }) => (reported === as ? [key] : [])))
