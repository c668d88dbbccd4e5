import { absoluteUrl, textOf } from "./html.ts"
import type { PageSources } from "./metadata.ts"
import {
  isNode,
  type SchemaNode,
  textAt,
  valuesOf,
  valueText,
  valueUrl,
} from "./structured-data.ts"
import { foldSpace } from "./text.ts"

export interface Author {
  name: string
  /** Absolute address of the author's page. */
  url: string | null
}

const maxNameLength = 80
const maxAuthors = 20

/** The page's authors, from the surest source that names one; a publisher counts last. */
export function readAuthors(sources: PageSources, siteName: string | null): Author[] {
  let publishers: Author[] = []
  for (const source of [fromNodes, fromMeta, fromItemprop, fromLinks, fromByline, fromTwitter]) {
    const found = distinctNames(source(sources))
    const people = found.filter((one) => !isPublisher(one.name, sources, siteName))
    if (people.length > 0) return people.slice(0, maxAuthors)
    if (publishers.length === 0) publishers = found
  }
  return publishers.slice(0, maxAuthors)
}

function isPublisher(name: string, sources: PageSources, siteName: string | null): boolean {
  const { main, structured } = sources
  const same = (other: string | null) => other !== null && fold(other) === fold(name)
  return same(siteName) || (main !== null && same(textAt(structured, main, "publisher")))
}

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
    const authors = [
      ...valuesOf(structured, node, "author"),
      ...(node.author === undefined ? valuesOf(structured, node, "creator") : []),
    ].flatMap((value) => nodeAuthors(value, base))
    if (authors.length > 0) return authors
  }
  return []
}

function nodeAuthors(value: unknown, base: string): Author[] {
  const written = valueText(isNode(value) ? ((value as SchemaNode).name ?? value) : value)
  if (!written) return []
  const url = isNode(value) ? absoluteUrl(valueUrl(value), base) : null
  return names(written).map((name) => ({ name, url }))
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
    const authors = (meta.byName.get(name) ?? []).flatMap(names)
    if (authors.length > 0) return authors.map((one) => ({ name: one, url: null }))
  }
  return []
}

function fromItemprop(sources: PageSources): Author[] {
  const scopes = [...sources.document.querySelectorAll("[itemprop~=author]")]
  return scopes
    .filter((scope) => !isAboutOthers(scope))
    .flatMap((scope) => fromElement(scope.querySelector("[itemprop~=name]") ?? scope, sources))
}

function fromLinks(sources: PageSources): Author[] {
  const { document } = sources
  for (const selector of [
    "a[rel~=author]",
    ".author a, .authors a",
    'a[href*="/author/"], a[href*="/authors/"], a[href*="/auteur/"], a[href*="/autor/"], a[href*="/autore/"]',
  ]) {
    const authors = [...document.querySelectorAll(selector)]
      .filter((link) => !isAboutOthers(link))
      .flatMap((link) => fromElement(link, sources))
    if (authors.length > 0) return authors
  }
  return []
}

function fromByline(sources: PageSources): Author[] {
  for (const selector of [".byline", "[rel~=author], .byline-name, .author-name, .author"]) {
    for (const element of sources.document.querySelectorAll(selector)) {
      if (isAboutOthers(element)) continue
      const authors = fromElement(element, sources)
      if (authors.length > 0) return authors
    }
  }
  return []
}

function fromTwitter({ meta }: PageSources): Author[] {
  const handle = meta.byName.get("twitter:creator")?.[0]
  return handle ? names(handle).map((name) => ({ name, url: null })) : []
}

/** Comments, navigation and lists of other articles have authors of their own. */
function isAboutOthers(element: Element): boolean {
  return (
    element.closest(
      "nav, footer, aside, #comments, .comments, .comment, .comment-list, .comments-area, .related",
    ) !== null
  )
}

function fromElement(element: Element, { base }: PageSources): Author[] {
  const written = element.getAttribute("content") ?? textOf(element)
  if (!written) return []
  const url = absoluteUrl(element.closest("a[href]")?.getAttribute("href"), base)
  return names(written).map((name) => ({ name, url }))
}

/** Words that stand before a name, in the languages that bylines really use. */
const leading =
  /^(?:(?:written|posted|published|reviewed|story|text|words|photographs?|article) by|by|von|par|por|di|de|door|af|av|autor(?:in)?|author|auteur|autore|text|foto|fotos|redaktion)\s*[:：]?\s+/iu
const labels =
  /^(?:by|author|authors|admin|administrator|editor|editors|staff|guest|guest author|follow author|published by|posted by|redaktion|redacción|redaction|la rédaction|webmaster|unknown|anonymous|null|undefined|none|n\/a|個人|profile|share|more)$/i
const dateWords =
  /\b(?:\d{4}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\d{1,2}:\d{2}|january|february|march|april|june|july|august|september|october|november|december|ago|min read|updated|published|posted)\b.*$/iu

/** The names in a byline: "By A and B, Staff Writer | 4 May" gives A and B. */
export function names(written: string): string[] {
  const text = foldSpace(written.replace(/^\s*@/, ""))
  if (text === "" || text.length > maxNameLength * 4 || /^(?:https?:)?\/\//i.test(text)) return []
  if (labels.test(text)) return []
  const byline = text.replace(leading, "").split(/\s*[|•·–—]\s*/)[0]!
  return byline
    .split(/\s*(?:,|;|\/|&|\s(?:and|und|et|y|e|och|og|en)\s)\s*/iu)
    .map(cleanName)
    .filter((name) => name !== "")
}

const roles =
  /^(?:.*\b(?:writer|editor|reporter|correspondent|contributor|journalist|producer|staff|columnist|ph\.?d|md|jr|sr|inc|llc|redakteur(?:in)?|journaliste|editora?|photographer|ceo|cto|founder|professor|director)\b.*)$/iu

function cleanName(part: string): string {
  const name = part
    .replace(leading, "")
    .replace(/\s*[([].*$/, "")
    .replace(dateWords, "")
    .replace(/^[\s\-–—:.,|]+|[\s\-–—:,|]+$/g, "")
  const isName =
    name.length <= maxNameLength && /\p{L}/u.test(name) && !labels.test(name) && !roles.test(name)
  return isName && !/[<>{}=@]|https?:/i.test(name) ? name : ""
}
