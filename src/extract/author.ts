import { aboutOthers, bylineInText, cluster, namedElements } from "./byline.ts"
import { absoluteUrl } from "./html.ts"
import type { PageSources } from "./metadata.ts"
import { lineText } from "./page-text.ts"
import { isHandle, isOrganisation, isPersonName, namesIn } from "./person-names.ts"
import {
  isNode,
  type SchemaNode,
  textAt,
  valuesOf,
  valueText,
  valueUrl,
} from "./structured-data.ts"

export interface Author {
  name: string
  /** Absolute address of the author's page. */
  url: string | null
}

const maxAuthors = 20

/**
 * The page's authors, from the surest source that names one; the publisher and bare handles count
 * last.
 */
export function readAuthors(sources: PageSources, siteName: string | null): Author[] {
  let weak: Author[] = []
  for (const source of [fromNodes, fromMeta, fromItemprop, fromLinks, fromNames, fromText]) {
    const found = distinctNames(source(sources))
    const people = found.filter((one) =>
      isHandle(one.name) ? shown.has(source) : !isWeak(one.name, sources, siteName),
    )
    if (people.length > 0) return people.slice(0, maxAuthors)
    if (weak.length === 0) weak = found
  }
  return (weak.length > 0 ? weak : distinctNames(fromTwitter(sources))).slice(0, maxAuthors)
}

/** Companies, and what is called after the site: they count where nobody else is named. */
/** Sources that readers see: a handle there is the name that the author goes by. */
const shown = new Set<(sources: PageSources) => Author[]>([fromItemprop, fromLinks, fromNames])

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

function fromNodes({ main, webPage, structured, base }: PageSources): Author[] {
  for (const node of [main, webPage]) {
    if (!node) continue
    const stated = valuesOf(structured, node, "author")
    const values = stated.length > 0 ? stated : valuesOf(structured, node, "creator")
    const authors = values.flatMap((value) => nodeAuthors(value, base))
    if (authors.length > 0) return authors
  }
  return []
}

function nodeAuthors(value: unknown, base: string): Author[] {
  const written = valueText(isNode(value) ? ((value as SchemaNode).name ?? value) : value)
  if (!written) return []
  const url = isNode(value) ? absoluteUrl(valueUrl(value), base) : null
  return namesIn(written).map((name) => ({ name, url }))
}

const authorMetas = [
  "author",
  "article:author",
  "og:article:author",
  "article.author",
  "parsely-author",
  "dc.creator",
  "dcterms.creator",
  "sailthru.author",
  "citation_author",
  "byl",
]

function fromMeta({ meta }: PageSources): Author[] {
  for (const name of authorMetas) {
    // Not by itemprop: that may be the author of anything on the page.
    const tags = meta.tags.filter((tag) => [tag.name, tag.property].some((one) => is(one, name)))
    const authors = tags.flatMap((tag) => namesIn(tag.content ?? ""))
    if (authors.length > 0) return authors.map((one) => ({ name: one, url: null }))
  }
  return []
}

const is = (written: string | null, name: string) => written?.trim().toLowerCase() === name

function fromItemprop(sources: PageSources): Author[] {
  const scopes = [...sources.document.querySelectorAll("[itemprop~=author]")]
  return cluster(scopes.filter((scope) => !scope.closest(aboutOthers))).flatMap((scope) =>
    fromElement(scope.querySelector("[itemprop~=name]") ?? scope, sources),
  )
}

function fromLinks(sources: PageSources): Author[] {
  const { document } = sources
  for (const selector of [
    "a[rel~=author]",
    ".author a, .authors a",
    'a[href*="/author/"], a[href*="/authors/"], a[href*="/auteur/"], a[href*="/autor/"], a[href*="/autore/"]',
  ]) {
    const links = [...document.querySelectorAll(selector)]
    const named = links.filter((link) => !link.closest(aboutOthers) && lineText(link) !== "")
    const authors = cluster(named).flatMap((link) => fromElement(link, sources))
    if (authors.length > 0) return authors
  }
  return []
}

function fromNames(sources: PageSources): Author[] {
  return namedElements(sources.document)
    .flatMap((element) => fromElement(element, sources))
    .filter((author) => isPersonName(author.name) || isHandle(author.name))
}

const fromText = (sources: PageSources) =>
  bylineInText(sources.document).map((name) => ({ name, url: null }))

function fromTwitter({ meta }: PageSources): Author[] {
  const handle = meta.byName.get("twitter:creator")?.[0]
  return handle ? namesIn(handle).map((name) => ({ name, url: null })) : []
}

function fromElement(element: Element, { base }: PageSources): Author[] {
  const written = element.getAttribute("content") ?? lineText(element)
  const url = absoluteUrl(element.closest("a[href]")?.getAttribute("href"), base)
  return namesIn(written).map((name) => ({ name, url }))
}
