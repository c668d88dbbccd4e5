import { textAt } from "../structured/index.ts"
import {
  besideAuthorLink,
  copyrightHolder,
  creditedInHeader,
  licensor,
  signature,
} from "./author-marks.ts"
import {
  type Author,
  fromItemprop,
  fromLinks,
  fromMeta,
  fromNames,
  fromNode,
  fromPeopleFolders,
  fromTwitter,
} from "./author-sources.ts"
import { bylineInText } from "./byline.ts"
import type { PageSources } from "./page-sources.ts"
import { isHandle, isOrganisation, isPerson, isPersonName, namesIn } from "./person-names.ts"

const maxAuthors = 20

type Source = (sources: PageSources) => Author[]

/** The most reliable first. Yoast's `WebPage` names whoever filed the page, hence so late. */
const sureness: Source[] = [
  (sources) => fromNode(sources.main, sources),
  fromMeta,
  fromItemprop,
  fromLinks,
  fromNames,
  fromPeopleFolders,
  fromText,
  named(besideAuthorLink),
  named(creditedInHeader),
  (sources) => fromNode(sources.webPage, sources),
  named(signature),
  named(licensor),
]

/** Sources that readers see: a handle there is the name that the author goes by. */
const shown = new Set<Source>([fromItemprop, fromLinks, fromNames, fromText])

/**
 * The page's authors, from the surest source that names one; the publisher, offices and bare
 * handles count last, those first that readers see.
 */
export function readAuthors(sources: PageSources, siteName: string | null): Author[] {
  let hidden: Author[] = []
  let visible: Author[] = []
  for (const source of sureness) {
    const found = withoutPlaces(distinctNames(source(sources)))
    // A name that readers see may well be the site's owner.
    const sure = found.filter(
      ({ name }) =>
        (shown.has(source) && isPerson(name)) ||
        !(isHandle(name) || isWeak(name, sources, siteName)),
    )
    const people =
      sure.length === 0 && shown.has(source) ? found.filter(({ name }) => isHandle(name)) : sure
    if (people.length > 0) {
      const owner = people.every(({ name }) => isHandle(name)) ? named(licensor)(sources) : []
      return (owner.length > 0 ? owner : people).slice(0, maxAuthors)
    }
    if (!shown.has(source)) hidden = hidden.length > 0 ? hidden : found
    else if (visible.length === 0) visible = found
  }
  const last = [() => visible, () => hidden, named(copyrightHolder), fromTwitter]
  for (const source of last) {
    const found = distinctNames(source(sources))
    if (found.length > 0) return found.slice(0, maxAuthors)
  }
  return []
}

/** "Example Press, Hamburg, Germany" is an address: words alone after a company are places. */
const withoutPlaces = (authors: Author[]) =>
  authors.length > 1 && isOrganisation(authors[0]!.name)
    ? authors.filter(({ name }) => /\s/.test(name) || isOrganisation(name))
    : authors

/** Companies, and names that are the site's own: they count only if nobody else is named. */
function isWeak(name: string, sources: PageSources, siteName: string | null): boolean {
  const { main, structured, pageUrl } = sources
  if (isOrganisation(name)) return true
  const names = [siteName, main && textAt(structured, main, "publisher")]
  if (names.some((other) => other !== null && isPartOf(name, other))) return true
  const host = fold(new URL(pageUrl).hostname.replace(/^www\./, "").split(".")[0]!)
  return !isPersonName(name) && host.length > 3 && fold(name).includes(host)
}

/** "Jobs" is a part of the site's name "Jobs & Hire". */
const isPartOf = (name: string, other: string) =>
  fold(name) === fold(other) || namesIn(other).some((part) => fold(part) === fold(name))

const fold = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "")

function distinctNames(authors: Author[]): Author[] {
  const known = new Map<string, Author>()
  for (const author of authors) {
    const key = fold(author.name)
    if (key !== "" && !known.has(key)) known.set(key, author)
  }
  return [...known.values()]
}

function fromText(sources: PageSources): Author[] {
  return named(({ document, pageUrl }) => bylineInText(document, pageUrl))(sources)
}

/** A source of names alone. */
function named(source: (sources: PageSources) => string[]): Source {
  return (sources) => source(sources).map((name) => ({ name, url: null }))
}
