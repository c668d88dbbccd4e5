import { allTexts, firstAttribute, firstText, htmlToText } from "../../extract/core/index.ts"
import { ApolloCache, JsonReader } from "../../extract/embedded/index.ts"
import { screenNode } from "../kit/index.ts"
import type { Book } from "./book.ts"

/**
 * Returns a book from the visible page and its JSON-LD, under the names of the page's state; undefined
 * if the page has no heading of a book.
 */
export function visibleBook(document: Document, id: string | undefined): Book | undefined {
  const node = screenNode(document, ["Book"])
  const title = firstText(document, 'h1[data-testid="bookTitle"]')
  const canonical = firstAttribute(document, 'link[rel="canonical"]', "href")
  const legacyId = id ?? /\/book\/show\/(\d+)/.exec(canonical ?? "")?.[1]
  if (!node || !title || !legacyId) return undefined
  const isbn = node.text("isbn")?.replaceAll("-", "") ?? ""
  const [mainAuthor, ...otherAuthors] = node.list("author").map((author) => ({
    role: null,
    node: { name: author.title("name"), webUrl: author.text("url") },
  }))
  const description = document.querySelector('[data-testid="description"] .Formatted')
  const published = firstText(document, 'p[data-testid="publicationInfo"]')
  const isFirst = /^First published\s/i.test(published ?? "")
  const publicationTime = timeIn(published)
  const stated = document.querySelector('p[data-testid="pagesFormat"]')?.textContent ?? ""
  return {
    cache: new ApolloCache({}),
    root: new JsonReader({
      legacyId,
      title,
      titleComplete: node.title("name"),
      webUrl: canonical,
      description: description?.innerHTML ?? null,
      'description({"stripped":true})': htmlToText(description?.innerHTML),
      imageUrl:
        node.text("image") ?? firstAttribute(document, 'meta[property="og:image"]', "content"),
      primaryContributorEdge: mainAuthor,
      secondaryContributorEdges: otherAuthors,
      bookGenres: allTexts(
        document,
        '[data-testid="genresList"] .BookPageMetadataSection__genreButton',
      ).map((name) => ({ genre: { name } })),
      details: {
        format: node.title("bookFormat") ?? /,\s*(\S.*)$/.exec(stated)?.[1] ?? null,
        numPages: node.integer("numberOfPages") ?? /^\s*(\d+) pages/.exec(stated)?.[1] ?? null,
        language: { name: node.title("inLanguage") },
        isbn: isbn.length === 10 ? isbn : null,
        isbn13: isbn.length === 13 ? isbn : null,
        publicationTime: isFirst ? null : publicationTime,
      },
      work: { details: { publicationTime: isFirst ? publicationTime : null } },
    }),
  }
}

/** Parses "First published May 26, 1989" and "Published January 1, 2011". */
function timeIn(text: string | null): number | null {
  const written = /(\p{L}+ \d{1,2}, \d{4})$/u.exec(text ?? "")?.[1]
  const time = Date.parse(`${written} UTC`)
  return Number.isNaN(time) ? null : time
}
