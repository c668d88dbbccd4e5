import { absoluteUrl, lineText } from "../core/index.ts"
import type { MetaTags } from "../page/index.ts"
import { isNode, type SchemaNode, valuesOf, valueText, valueUrl } from "../structured/index.ts"
import { cluster, mostElements, namedElements } from "./byline.ts"
import { authorLabel } from "./byline-words.ts"
import { othersOn } from "./other-articles.ts"
import type { PageSources } from "./page-sources.ts"
import { isAuthorName, isOrganisation, isPersonName, namesIn } from "./person-names.ts"
import { authorFolders, peopleFolders } from "./words.ts"

/** Where a page's markup names authors; each source gives all that it names, `[]` for none. */

export interface Author {
  name: string
  /** Absolute address of the author's page. */
  url: string | null
}

export function fromNode(node: SchemaNode | null, { structured, base }: PageSources): Author[] {
  if (!node) return []
  const stated = valuesOf(structured, node, "author")
  const values = stated.length > 0 ? stated : valuesOf(structured, node, "creator")
  return values.flatMap((value) => nodeAuthors(value, base))
}

function nodeAuthors(value: unknown, base: string): Author[] {
  const written = valueText(isNode(value) ? ((value as SchemaNode).name ?? value) : value)
  if (!written) return []
  const address = isNode(value) ? valueUrl(value) : null
  // A fragment names a node of the data, and no page.
  const url = address?.startsWith("#") ? null : absoluteUrl(address, base)
  return namesIn(written).map((name) => ({ name, url }))
}

const authorMetas = [
  "author",
  "authors",
  "article:author",
  "article:author_name",
  "article:author:name",
  "og:article:author",
  "article.author",
  "parsely-author",
  "dc.creator",
  "dc:creator",
  "dcterms.creator",
  "dcterms:creator",
  "dcsext.author",
  "sailthru.author",
  "citation_author",
  "byl",
  "shareaholic:article_author_name",
]

export function fromMeta({ meta }: PageSources): Author[] {
  const contents = authorContents(meta)
  for (const name of authorMetas) {
    const authors: string[] = []
    for (const content of contents.get(name) ?? []) {
      authors.push(...namesIn(libraryMetas.has(name) ? givenNameFirst(content) : content))
      if (authors.length >= mostElements) break
    }
    if (authors.length > 0) return authors.map((author) => ({ name: author, url: null }))
  }
  return fromLabelledMeta(meta)
}

/** What metas that may name authors say. Not by itemprop: that may be the author of anything on the page. */
function authorContents({ tags }: MetaTags): Map<string, string[]> {
  const contents = new Map(authorMetas.map((name) => [name, [] as string[]]))
  for (const { name, property, content } of tags) {
    for (const own of new Set([plain(name), plain(property)]))
      contents.get(own)?.push(content ?? "")
  }
  return contents
}

const plain = (written: string | null) => written?.trim().toLowerCase() ?? ""

/** Metas of libraries, a name in each, may have the family name first: "Lee, Ann". */
const libraryMetas = new Set(["citation_author", "dc.creator", "dcterms.creator"])

const givenNameFirst = (name: string) =>
  isOrganisation(name) ? name : name.replace(/^\s*([^\s,]+),\s*([^,]+)$/, "$2 $1")

/** The rows of a link's preview: `twitter:label1` "Written by", `twitter:data1` the name. */
function fromLabelledMeta({ byName }: MetaTags): Author[] {
  for (const row of [1, 2]) {
    const [label, value] = ["label", "data"].map((part) => byName.get(`twitter:${part}${row}`)?.[0])
    if (label && value && authorLabel.test(label.trim()))
      return namesIn(value).map((name) => ({ name, url: null }))
  }
  return []
}

/** Microdata, RDFa Lite and what Drupal writes. */
const authorProperties =
  '[itemprop~=author], [property~=author], [property~="schema:author"], ' +
  '[rel~="schema:author"], [rel~="sioc:has_creator"]'
const nameProperties =
  '[itemprop~=name], [property~=name], [property~="schema:name"], [property~="foaf:name"]'

export function fromItemprop(sources: PageSources): Author[] {
  return firstTogether(authorProperties, sources).flatMap((scope) =>
    fromElement(scope.querySelector(nameProperties) ?? scope, sources),
  )
}

/** Of links to a folder: one pattern, as a selector of a page's many links asks each for each folder. */
const linksInto = (folders: Set<string>, ...others: string[]) =>
  new RegExp([...[...folders].map((folder) => `/${RegExp.escape(folder)}/`), ...others].join("|"))
const authorLinks = linksInto(authorFolders)
const peopleLinks = linksInto(peopleFolders, String.raw`\?author=`)

const anyElement = (_: Element) => true
const isLinkInto = (pattern: RegExp) => (element: Element) =>
  pattern.test(element.getAttribute("href")!)

export function fromLinks(sources: PageSources): Author[] {
  const ways: [selector: string, test?: (element: Element) => boolean][] = [
    ["a[rel~=author]"],
    [".author a, .authors a"],
    ["a[href]", isLinkInto(authorLinks)],
  ]
  for (const [selector, test] of ways) {
    const authors = firstTogether(selector, sources, test).flatMap((link) =>
      fromElement(link, sources),
    )
    if (authors.length > 0) return authors
  }
  return []
}

export function fromPeopleFolders(sources: PageSources): Author[] {
  return firstTogether("a[href]", sources, isLinkInto(peopleLinks))
    .flatMap((link) => fromElement(link, sources))
    .filter(({ name }) => isPersonName(name))
}

/** The first elements with text that are about the page itself. */
function firstTogether(
  selector: string,
  { document, pageUrl }: PageSources,
  test = anyElement,
): Element[] {
  const isAboutOthers = othersOn(document, pageUrl)
  const all = [...document.querySelectorAll(selector)].filter(test).slice(0, mostElements)
  return cluster(all.filter((element) => writtenIn(element) !== "" && !isAboutOthers(element)))
}

export function fromNames(sources: PageSources): Author[] {
  return namedElements(sources.document, sources.pageUrl)
    .flatMap((element) => fromElement(element, sources))
    .filter(({ name }) => isAuthorName(name))
}

/** The account of whoever made the page, where it is not that of the site. */
export function fromTwitter({ meta }: PageSources): Author[] {
  const [handle, site] = ["twitter:creator", "twitter:site"].map(
    (name) => meta.byName.get(name)?.[0],
  )
  return handle && handle.toLowerCase() !== site?.toLowerCase()
    ? namesIn(handle).map((name) => ({ name, url: null }))
    : []
}

function fromElement(element: Element, { base }: PageSources): Author[] {
  const written = writtenIn(element)
  const url = absoluteUrl(element.closest("a[href]")?.getAttribute("href"), base)
  return namesIn(written).map((name) => ({ name, url }))
}

/** The text of an element, or the person named by a link around a picture. */
function writtenIn(element: Element): string {
  const written = element.getAttribute("content") ?? lineText(element)
  if (written !== "") return written
  const title = element.getAttribute("title") ?? element.querySelector("img")?.getAttribute("alt")
  const names = namesIn(title ?? "")
  return names.every(isPersonName) ? names.join(", ") : ""
}
