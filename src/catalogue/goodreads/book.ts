import { htmlToText, isoDate, numberOrNull } from "../../extract/core/index.ts"
import { type ApolloCache, fieldKeys, type JsonReader } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import { imageOf, screenNode, type UpstreamResponse } from "../kit/index.ts"

export interface Book {
  cache: ApolloCache
  root: JsonReader
}

/** The book that the page was asked for, among other editions and books in its cache. */
export function bookOf(cache: ApolloCache, id: string | undefined): Book | undefined {
  const keys = fieldKeys(cache.query, "getBookByLegacyId")
  const requested = keys.find((key) => key.includes(`"${id}"`)) ?? keys[0]
  const found = [
    ...(requested ? [cache.at(cache.query, requested)] : []),
    ...cache.ofType("Book").filter((book) => id === undefined || book.text("legacyId") === id),
  ]
  const root = found.find((book) => book.title("title") && book.text("legacyId"))
  return root && { cache, root }
}

export function bookFields({ cache, root: book }: Book, response: UpstreamResponse) {
  const work = cache.at(book, "work")
  const stats = work.in("stats")
  const details = book.in("details")
  const node = screenNode(response.document, ["Book"])
  const id = book.text("legacyId")!
  return {
    id,
    url: book.text("webUrl") ?? `https://www.goodreads.com/book/show/${id}`,
    title: book.title("title")!,
    titleComplete: book.title("titleComplete") ?? node?.title("name") ?? null,
    originalTitle: work.title("details", "originalTitle"),
    authors: authors(cache, book),
    series: book.list("bookSeries").flatMap((entry) => {
      const series = cache.at(entry, "series")
      const title = series.title("title")
      return title
        ? [{ title, position: entry.title("userPosition"), url: series.text("webUrl") }]
        : []
    }),
    description:
      book.text('description({"stripped":true})') ?? htmlToText(book.text("description")),
    descriptionHtml: book.text("description"),
    descriptionMarkdown: fragmentMarkdown(book.text("description"), "https://www.goodreads.com/"),
    imageUrl: book.text("imageUrl") ?? (node ? imageOf(node) : null),
    genres: book
      .list("bookGenres")
      .flatMap((genre) => cache.at(genre, "genre").title("name") ?? []),
    format: details.title("format"),
    pages: details.integer("numPages"),
    publisher: details.title("publisher"),
    language: details.title("language", "name"),
    publicationDate: dayOf(details.value("publicationTime")),
    firstPublishedDate: dayOf(work.value("details", "publicationTime")),
    isbn: details.text("isbn"),
    isbn13: details.text("isbn13"),
    asin: details.text("asin"),
    rating: stats.number("averageRating") ?? node?.number("aggregateRating", "ratingValue") ?? null,
    ratingCount:
      stats.integer("ratingsCount") ?? node?.integer("aggregateRating", "ratingCount") ?? null,
    reviewCount:
      stats.integer("textReviewsCount") ?? node?.integer("aggregateRating", "reviewCount") ?? null,
    ratingsDistribution: (stats.value<unknown[]>("ratingsCountDist") ?? []).map(
      (_, index) => stats.integer("ratingsCountDist", index) ?? 0,
    ),
    reviewLanguages: stats.list("textReviewsLanguageCounts").flatMap((language) => {
      const code = language.text("isoLanguageCode")
      return code ? [{ code, count: language.integer("count") ?? 0 }] : []
    }),
    awards: work.list("details", "awardsWon").flatMap((award) => {
      const name = award.title("name")
      if (!name) return []
      return {
        name,
        url: award.text("webUrl"),
        year: yearOf(award.value("awardedAt")),
        category: award.title("category"),
        designation: award.title("designation") ?? standing(award.flag("hasWon")),
      }
    }),
    places: namedOf(work, "places"),
    characters: namedOf(work, "characters"),
    workId: work.text("legacyId"),
    workUrl: work.text("details", "webUrl"),
    editionsUrl: work.text("editions", "webUrl"),
    quotesCount: countOf(work, "quotes"),
    questionsCount: countOf(work, "questions"),
    authorBio: htmlToText(cache.at(book, "primaryContributorEdge", "node").text("description")),
    reviews: reviews(cache),
  }
}

function authors(cache: ApolloCache, book: JsonReader) {
  const edges = [book.in("primaryContributorEdge"), ...book.list("secondaryContributorEdges")]
  return edges.flatMap((edge) => {
    const person = cache.at(edge, "node")
    const name = person.title("name")
    if (!name) return []
    const url = person.text("webUrl")
    return {
      id: person.text("legacyId") ?? /\/author\/show\/(\d+)/.exec(url ?? "")?.[1] ?? null,
      name,
      url,
      role: edge.title("role"),
      isGoodreadsAuthor: person.flag("isGrAuthor"),
    }
  })
}

function namedOf(work: JsonReader, list: string) {
  return work.list("details", list).flatMap((entry) => {
    const name = entry.title("name")
    return name ? [{ name, url: entry.text("webUrl") }] : []
  })
}

function countOf(work: JsonReader, field: string): number | null {
  for (const key of fieldKeys(work, field)) {
    const count = work.integer(key, "totalCount")
    if (count !== null) return count
  }
  return null
}

function standing(hasWon: boolean | null): string | null {
  return hasWon === null ? null : hasWon ? "WINNER" : "NOMINEE"
}

function reviews(cache: ApolloCache) {
  const listed = fieldKeys(cache.query, "getReviews").flatMap((key) =>
    cache.list(cache.query, key, "edges").map((edge) => cache.at(edge, "node")),
  )
  const all = listed.length > 0 ? listed : cache.ofType("Review")
  return all.map((review) => {
    const reader = cache.at(review, "creator")
    const shelving = cache.at(review, "shelving")
    return {
      id: review.text("id"),
      url: shelving.text("webUrl"),
      rating: review.integer("rating") || null,
      text: htmlToText(review.text("text")),
      likesCount: review.integer("likeCount"),
      commentsCount: review.integer("commentCount"),
      createdAt: timeOf(review.value("createdAt")),
      updatedAt: timeOf(review.value("updatedAt")),
      spoiler: review.flag("spoilerStatus"),
      reviewer: {
        id: reader.text("legacyId") ?? reader.text("id"),
        name: reader.title("name"),
        url: reader.text("webUrl"),
        followersCount: reader.integer("followersCount"),
        reviewCount: reader.integer("textReviewsCount"),
      },
      tags: shelving
        .list("taggings")
        .flatMap((tagging) => cache.at(tagging, "tag").title("name") ?? []),
    }
  })
}

/** Times are milliseconds, also those near 1970 and long before. */
function timeOf(milliseconds: unknown): string | null {
  const number = numberOrNull(milliseconds)
  return number === null ? null : isoDate(new Date(number))
}

function dayOf(milliseconds: unknown): string | null {
  return timeOf(milliseconds)?.split("T")[0] ?? null
}

function yearOf(milliseconds: unknown): number | null {
  const year = /^[+-]?\d+/.exec(timeOf(milliseconds) ?? "")?.[0]
  return year ? Number(year) : null
}
