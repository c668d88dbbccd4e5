import { elementsNamed } from "../core/index.ts"

/** A `<meta>` element of a page. */
export interface MetaTag {
  name: string | null
  property: string | null
  httpEquiv: string | null
  itemprop: string | null
  charset: string | null
  content: string | null
}

export interface MetaTags {
  /** All of them, in document order, as written. */
  tags: MetaTag[]
  /** Non-empty contents by each lower-case word of `name`, `property` and `itemprop`. */
  byName: Map<string, string[]>
}

/** Metas that a name list is kept for: `property="dc:title og:title"` describes both. */
export function readMeta(document: Document): MetaTags {
  const tags: MetaTag[] = []
  const byName = new Map<string, string[]>()
  for (const element of elementsNamed(document, "meta")) {
    const tag: MetaTag = {
      name: element.getAttribute("name"),
      property: element.getAttribute("property"),
      httpEquiv: element.getAttribute("http-equiv"),
      itemprop: element.getAttribute("itemprop"),
      charset: element.getAttribute("charset"),
      content: element.getAttribute("content") ?? element.getAttribute("value"),
    }
    tags.push(tag)
    if (tag.content === null || tag.content.trim() === "") continue
    for (const name of namesOf(tag)) {
      const contents = byName.get(name)
      if (contents) contents.push(tag.content)
      else byName.set(name, [tag.content])
    }
  }
  return { tags, byName }
}

/** The lower-case words by which a meta is known; a `name` with spaces is also known as a whole. */
export function namesOf(tag: MetaTag): Set<string> {
  const names = new Set<string>()
  for (const written of [tag.name, tag.property, tag.itemprop]) {
    const text = (written ?? "").trim().toLowerCase()
    if (text === "") continue
    names.add(text)
    for (const word of text.split(/\s+/)) names.add(word)
  }
  return names
}

/** The first content of the first of these names that has one, as written. */
export function metaContent(meta: MetaTags, ...names: string[]): string | null {
  for (const name of names) {
    const content = meta.byName.get(name)?.[0]
    if (content !== undefined) return content
  }
  return null
}
