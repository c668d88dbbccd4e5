import { absoluteUrl, attributesOf, elementsAmong, lineText } from "../../core/index.ts"
import { findObjects } from "../../embedded/index.ts"
import { documentTitle } from "../../page/index.ts"
import {
  isNode,
  isOfType,
  type SchemaNode,
  textAt,
  valuesOf,
  valueText,
  valueUrl,
} from "../../structured/index.ts"
import type { PageSources } from "../page-sources.ts"
import { authorLabel } from "../text/byline-words.ts"
import { isOrganisation, isPerson, namesIn } from "../text/person-names.ts"
import type { PageLines } from "./lines.ts"

/** Names that the head of a page and its data state. */

export interface Author {
  name: string
  /** Absolute URL of the author's page. */
  url: string | null
}

export const statedKinds = [
  "main node",
  "page node",
  "other node",
  "meta author",
  "meta of article",
  "meta of library",
  "other meta",
  "preview label",
  "preview account",
  "marked",
  "copyright",
] as const

export interface StatedAuthor extends Author {
  kind: (typeof statedKinds)[number]
  /** Its position among those that the source states, and their number. */
  rank: number
  size: number
}

/** Limit the work on one page. */
const maxOfSource = 20
const maxNodes = 30
const maxMetas = 500

export function statedAuthors(sources: PageSources, page: PageLines): StatedAuthor[] {
  const stated: StatedAuthor[] = []
  const add = (kind: StatedAuthor["kind"], authors: Author[]) => {
    const limited = authors.slice(0, maxOfSource)
    for (const [rank, author] of limited.entries()) {
      stated.push({ ...author, kind, rank, size: limited.length })
    }
  }
  if (sources.main) add("main node", authorsOfNode(sources.main, sources))
  for (const [kind, authors] of metaAuthors(sources)) add(kind, authors)
  add("marked", markedAuthors(sources))
  if (sources.webPage) add("page node", authorsOfNode(sources.webPage, sources))
  for (const authors of otherNodes(sources)) add("other node", authors)
  add("copyright", copyrightHolder(sources, page))
  return stated
}

function authorsOfNode(node: SchemaNode, { structured, base }: PageSources): Author[] {
  const stated = valuesOf(structured, node, "author")
  const values = stated.length > 0 ? stated : valuesOf(structured, node, "creator")
  return values.slice(0, maxOfSource).flatMap((value) => {
    const written = valueText(isNode(value) ? ((value as SchemaNode).name ?? value) : value)
    if (!written) return []
    const href = isNode(value) ? valueUrl(value) : null
    // A fragment names a node of the data, and no page.
    const url = href?.startsWith("#") ? null : absoluteUrl(href, base)
    return namesIn(written).map((name) => ({ name, url }))
  })
}

/** Yields all others that the data names as an author, and the people in it. */
function* otherNodes(sources: PageSources): Generator<Author[]> {
  const { structured, main, webPage } = sources
  const isPerson = (node: object) => isOfType(node as SchemaNode, "Person")
  const roots = structured.jsonLd.map(({ data }) => data)
  // Authors of reviews, comments and answers are not authors of the page.
  const others = new Set<unknown>()
  let seen = 0
  for (const node of findObjects(roots, (one) => "author" in one || isPerson(one))) {
    if (node === main || node === webPage || others.has(node)) continue
    if (++seen > maxNodes) return
    if (isOfType(node as SchemaNode, "Comment", "Review", "Answer")) {
      for (const value of valuesOf(structured, node as SchemaNode, "author")) others.add(value)
    } else if (isPerson(node))
      yield plain(namesIn(textAt(structured, node as SchemaNode, "name") ?? ""))
    else yield authorsOfNode(node as SchemaNode, sources)
  }
}

const metaKinds: [kind: StatedAuthor["kind"], names: RegExp][] = [
  ["meta of library", /^(?:citation_author|dc[.:]creator|dcterms[.:]creator)$/],
  ["meta author", /^authors?$/],
  ["meta of article", /^(?:og:)?article[:.]author/],
  ["other meta", /author|creator|^byl$|writer/],
]

function metaAuthors({ meta }: PageSources): Map<StatedAuthor["kind"], Author[]> {
  const byKind = new Map<StatedAuthor["kind"], Author[]>()
  const add = (kind: StatedAuthor["kind"], names: string[]) => {
    if (names.length > 0) byKind.set(kind, [...(byKind.get(kind) ?? []), ...plain(names)])
  }
  // Not by itemprop: that may be the author of anything on the page.
  for (const { name, property, content } of meta.tags.slice(0, maxMetas)) {
    for (const written of [name, property]) {
      const own = written?.trim().toLowerCase() ?? ""
      const kind = own.startsWith("twitter:")
        ? null
        : metaKinds.find(([, names]) => names.test(own))
      if (!kind || !content) continue
      add(kind[0], namesIn(kind[0] === "meta of library" ? givenNameFirst(content) : content))
    }
  }
  for (const row of [1, 2]) {
    const [label, value] = ["label", "data"].map(
      (part) => meta.byName.get(`twitter:${part}${row}`)?.[0],
    )
    if (label && value && authorLabel.test(label.trim())) add("preview label", namesIn(value))
  }
  // The account of the page's creator, if it is not the site's.
  const [handle, site] = ["twitter:creator", "twitter:site"].map(
    (name) => meta.byName.get(name)?.[0],
  )
  if (handle && handle.toLowerCase() !== site?.toLowerCase()) {
    add("preview account", namesIn(handle))
  }
  return byKind
}

const marks = ["itemprop", "property", "rel", "title", "href"]

/** Returns whether an element marks an author: microdata, RDFa Lite, Drupal's markup, and links. */
function isOfAuthor(element: Element): boolean {
  const [item, property, rel, title, href] = attributesOf(element, marks)
  return (
    (item !== undefined && authorItem.test(item)) ||
    (property !== undefined && authorProperty.test(property)) ||
    (rel !== undefined && authorRel.test(rel)) ||
    (title !== undefined && element.localName === "a" && href?.includes("/author/") === true)
  )
}

const authorItem = /(?:^|\s)author(?:\s|$)/
const authorProperty = /(?:^|\s)(?:schema:)?author(?:\s|$)/
const authorRel = /(?:^|\s)(?:(?:schema:)?author|sioc:has_creator)(?:\s|$)/i
/** The names and attributes of such elements. */
const marked = { names: [], attributes: ["itemprop", "property", "rel", "title"] }

const nameProperties =
  '[itemprop~=name], [property~=name], [property~="schema:name"], [property~="foaf:name"]'
/** Comments, reviews and hidden elements. */
const notOfPage =
  "[itemprop~=comment], [itemtype*=Comment], #comments, .comments, .comment, [itemprop~=review], template"
const maxMarked = 120

function markedAuthors({ document, base }: PageSources): Author[] {
  const authors: Author[] = []
  for (const scope of elementsAmong(document, marked, isOfAuthor)) {
    if (authors.length >= maxOfSource) break
    // A link of the head has the title of a page about the authors.
    if (scope.localName === "link" || scope.closest(notOfPage)) continue
    const element = scope.querySelector(nameProperties) ?? scope
    // A link around a portrait has the name in its title.
    const written =
      (element.getAttribute("content") ?? lineText(element)) ||
      (element.getAttribute("title") ?? "")
    if (written.length > maxMarked) continue
    const url = absoluteUrl(element.closest("a[href]")?.getAttribute("href"), base)
    for (const name of namesIn(written)) {
      if (!authors.some((other) => other.name === name)) authors.push({ name, url })
    }
  }
  return authors
}

/** With a year or the word; a sign and a name only are an image credit. */
const year = String.raw`(?:19|20)\d\d(?:\s*[-–]\s*\d{2,4})?`
const copyrightSign = String.raw`(?:©|\(c\))`
const copyrightLine = new RegExp(
  [
    String.raw`(?:${copyrightSign}\s*${year}|copyright(?:\s*${copyrightSign})?(?:\s*${year})?)`,
    String.raw`(?:\s*[,-]|\s+(?:by|bei|von|par|por))?\s+`,
    String.raw`(\p{Lu}[^|•·,.©\d]{3,40}?)\s*(?:$|[|•·,.©])`,
  ].join(""),
  "iu",
)
const maxCopyright = 200

/** The owner of a personal site, whose title and copyright line name one person; as the title has it. */
function copyrightHolder({ document }: PageSources, { lines }: PageLines): Author[] {
  const title = documentTitle(document)
  if (title === null) return []
  for (const { text } of lines) {
    if (text.length > maxCopyright || !/©|\(c\)|copyright/i.test(text)) continue
    const name = copyrightLine.exec(text)?.[1] ?? ""
    const at = isPerson(name) ? title.toLowerCase().indexOf(name.toLowerCase()) : -1
    if (at >= 0) return plain([title.slice(at, at + name.length)])
  }
  return []
}

/** Metas of libraries, a name in each, may have the family name first: "Lee, Ann". */
const givenNameFirst = (name: string) =>
  isOrganisation(name) ? name : name.replace(/^\s*([^\s,]+),\s*([^,]+)$/, "$2 $1")

const plain = (names: string[]): Author[] => names.map((name) => ({ name, url: null }))
