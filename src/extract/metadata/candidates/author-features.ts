import { absoluteUrl } from "../../core/index.ts"
import type { PageSources } from "../page-sources.ts"
import { LineDates } from "./line-dates.ts"
import type { PageLines } from "./lines.ts"
import { NameFeatures, nameFeatureNames } from "./name-features.ts"
import { pageFeatureNames, pageFeatures } from "./page-features.ts"
import { PeopleOfPage } from "./people-of-page.ts"
import type { Candidate } from "./scorer.ts"
import { foldName, linkAround } from "./shown-authors.ts"
import { unshown, VisibleFeatures, visibleFeatureNames } from "./shown-features.ts"
import type { Author } from "./stated-authors.ts"
import { wordsAround, wordsOfText } from "./surroundings.ts"

/** A name at one position; the same name may have others. */
export interface AuthorCandidate extends Candidate, Author {
  key: string
  /** The names stated together: by one source, or in one line. */
  group: string
  /** Whether its line is a list of names after "by", and it is one of them. */
  isListed: boolean
}

/** Kinds of words: names of the elements around it, further out, the text before and after, its own. */
export const authorWordKinds = 5

export const authorFeatureNames = [...nameFeatureNames, ...visibleFeatureNames, ...pageFeatureNames]

/** Every name on a page that might be its author's, described; those that are stated come first. */
export function authorCandidates(
  sources: PageSources,
  page: PageLines,
  siteName: string | null,
): AuthorCandidate[] {
  const people = new PeopleOfPage(sources, page)
  const dates = new LineDates(page)
  const ofName = new NameFeatures(people, sources, siteName)
  const ofVisible = new VisibleFeatures(people, sources, dates)
  const ofPage = pageFeatures(sources, people, dates)
  const stated = people.stated.map(({ name, url, kind }): AuthorCandidate => {
    const key = foldName(name)
    return {
      key,
      name,
      url,
      group: kind,
      isListed: false,
      features: [...ofName.of(key, name), ...unshown, ...ofPage],
      words: [[], [], [], [], wordsOfText(name)],
    }
  })
  const visible = people.visible.map((one): AuthorCandidate => {
    const key = foldName(one.name)
    const link = linkAround(one.context)
    const { inner, outer } = wordsAround(one.context)
    return {
      key,
      name: one.name,
      url: absoluteUrl(link?.getAttribute("href"), sources.base),
      group: `line ${one.line}`,
      isListed: one.isListed,
      features: [...ofName.of(key, one.name), ...ofVisible.of(one, key, link), ...ofPage],
      words: [
        inner,
        outer,
        ofVisible.textBefore(one),
        ofVisible.textAfter(one),
        wordsOfText(one.name),
      ],
    }
  })
  return [...stated, ...visible].filter(({ key }) => key !== "")
}
