import { Type } from "@sinclair/typebox"
import {
  allTexts,
  firstAttribute,
  firstText,
  htmlToText,
  isoDate,
  numberOrNull,
} from "../../extract/core/index.ts"
import { ApolloCache, fieldKeys, JsonReader } from "../../extract/embedded/index.ts"
import { fragmentMarkdown } from "../../extract/markdown/index.ts"
import {
  field,
  itemObject,
  items,
  type Row,
  recordOf,
  required,
  screenNode,
  type UpstreamResponse,
} from "../kit/index.ts"

export type Book = { cache: ApolloCache; root: JsonReader }

/** Returns the requested book; the page's cache also contains other editions and books. */
export function bookOf(cache: ApolloCache, id: string | undefined): Book | undefined {
  const keys = fieldKeys(cache.query, "getBookByLegacyId")
  const requested = keys.find((key) => key.includes(`"${id}"`)) ?? keys[0]
  const root = [
    ...(requested ? [cache.at(cache.query, requested)] : []),
    ...cache.ofType("Book").filter((book) => id === undefined || book.text("legacyId") === id),
  ].find((book) => book.title("title") && book.text("legacyId"))
  return root && { cache, root }
}

const named = itemObject({ name: items.requiredText("Name."), url: items.text("URL of the page.") })

type BookParts = Row & { cache: ApolloCache } & Record<"book" | "stats" | "work", JsonReader>

export const bookRecord = recordOf<BookParts>()({
  id: required(field.trimmed("book.legacyId", "Goodreads' ID of the edition.")),
  url: required(field.text("url", "URL of the book.")),
  title: required(field.title("book.title", "Title.")),
  titleComplete: field.title("book.titleComplete|node.name", "Title with the series in brackets."),
  originalTitle: field.title("work.details.originalTitle", "Title of the first edition."),
  authors: field.objects(
    ({ cache, book }) => authors(cache, book),
    "Authors and contributors, main author first.",
    {
      id: field.text("id", "Goodreads' ID of the person."),
      name: required(field.text("name", "Name.")),
      url: field.text("url", "URL of the person."),
      role: field.title("edge.role", "Author, Translator, Illustrator, Narrator …"),
      isGoodreadsAuthor: field.boolean(
        "person.isGrAuthor",
        "Whether the person is a Goodreads Author.",
      ),
    },
  ),
  series: field.objects("series", "Series that the book belongs to.", {
    title: required(field.text("title", "Series.")),
    position: field.title("entry.userPosition", "Position in the series, for example 1 or 1-3."),
    url: field.trimmed("series.webUrl", "URL of the series."),
  }),
  description: field.text("description", "Description as plain text."),
  descriptionHtml: field.trimmed("book.description", "Description as HTML."),
  descriptionMarkdown: field.text("descriptionMarkdown", "Description as Markdown."),
  imageUrl: field.trimmed("book.imageUrl|node.image|node.image.url", "URL of the cover image."),
  genres: field.texts("genres", "Genres."),
  format: field.title("details.format", "Paperback, Kindle Edition …"),
  pages: field.integer("details.numPages", "Number of pages."),
  publisher: field.title("details.publisher", "Publisher."),
  language: field.title("details.language.name", "Language, for example English."),
  publicationDate: field.text("publicationDate", "Publication day of this edition (YYYY-MM-DD)."),
  firstPublishedDate: field.text(
    "firstPublishedDate",
    "Publication day of the first edition (YYYY-MM-DD).",
  ),
  isbn: field.trimmed("details.isbn", "ISBN-10."),
  isbn13: field.trimmed("details.isbn13", "ISBN-13."),
  asin: field.trimmed("details.asin", "Amazon's ID (ASIN); may be the ISBN-10 of another edition."),
  rating: field.number(
    "stats.averageRating|node.aggregateRating.ratingValue",
    "Average rating of all editions (0-5).",
  ),
  ratingCount: field.integer(
    "stats.ratingsCount|node.aggregateRating.ratingCount",
    "Number of ratings.",
  ),
  reviewCount: field.integer(
    "stats.textReviewsCount|node.aggregateRating.reviewCount",
    "Number of reviews with text.",
  ),
  ratingsDistribution: field.of(
    Type.Array(Type.Integer(), {
      description: "Numbers of ratings with one, two, three, four and five stars.",
    }),
    ({ stats }) =>
      (stats.value<unknown[]>("ratingsCountDist") ?? []).map(
        (_, index) => stats.integer("ratingsCountDist", index) ?? 0,
      ),
  ),
  reviewLanguages: field.objects("reviewLanguages", "Number of reviews by language.", {
    code: required(field.text("code", "Language (ISO 639-1).")),
    count: required(field.integer("count", "Number of reviews.")),
  }),
  awards: field.objects("awards", "Awards.", {
    name: required(field.text("name", "Award.")),
    url: field.trimmed("award.webUrl", "URL of the award."),
    year: field.integer("year", "Year."),
    category: field.title("award.category", "Category."),
    designation: field.text("designation", "WINNER, NOMINEE …"),
  }),
  places: field.of(
    Type.Array(named, { description: "Places in which the book is set." }),
    ({ work }) => namedOf(work, "places"),
  ),
  characters: field.of(Type.Array(named, { description: "Characters." }), ({ work }) =>
    namedOf(work, "characters"),
  ),
  workId: field.trimmed("work.legacyId", "Goodreads' ID of the work, which all editions share."),
  workUrl: field.trimmed("work.details.webUrl", "URL of the work."),
  editionsUrl: field.trimmed("work.editions.webUrl", "URL of the list of editions."),
  quotesCount: field.integer(({ work }) => countOf(work, "quotes"), "Number of quotes."),
  questionsCount: field.integer(
    ({ work }) => countOf(work, "questions"),
    "Number of readers' questions.",
  ),
  authorBio: field.text("authorBio", "About the first author, as plain text."),
  reviews: field.objects(
    ({ cache }) => reviews(cache),
    "Reviews that the page contains, about 30; empty for older pages.",
    {
      id: field.trimmed("review.id", "ID."),
      url: field.trimmed("shelving.webUrl", "URL of the review."),
      rating: field.integer("rating", "Number of stars (1-5); null if none were given."),
      text: field.trimmed("review.text", "Text without markup.", htmlToText),
      likesCount: field.integer("review.likeCount", "Number of likes."),
      commentsCount: field.integer("review.commentCount", "Number of comments."),
      createdAt: field.text("createdAt", "Time of writing (ISO 8601, UTC)."),
      updatedAt: field.text("updatedAt", "Time of the last change (ISO 8601, UTC)."),
      spoiler: field.boolean("review.spoilerStatus", "Whether the review reveals the plot."),
      reviewer: required(
        field.object("reviewer", "Reader who wrote the review.", {
          id: field.trimmed("legacyId|id", "Goodreads' ID of the reader."),
          name: field.title("name", "Name."),
          url: field.trimmed("webUrl", "URL of the reader."),
          followersCount: field.integer("followersCount", "Number of followers."),
          reviewCount: field.integer("textReviewsCount", "Number of reviews written."),
        }),
      ),
      tags: field.texts("tags", "Shelves on which the reader put the book."),
    },
  ),
})

export function bookFields({ cache, root: book }: Book, response: UpstreamResponse) {
  const work = cache.at(book, "work")
  const stats = work.in("stats")
  const details = book.in("details")
  return bookRecord.read({
    book,
    work,
    details,
    cache,
    stats,
    node: screenNode(response.document, ["Book"]),
    url: book.text("webUrl") ?? `https://www.goodreads.com/book/show/${book.text("legacyId")}`,
    series: book.list("bookSeries").flatMap((entry) => {
      const series = cache.at(entry, "series")
      const title = series.title("title")
      return title ? [{ entry, series, title }] : []
    }),
    description:
      book.text('description({"stripped":true})') ?? htmlToText(book.text("description")),
    descriptionMarkdown: fragmentMarkdown(book.text("description"), "https://www.goodreads.com/"),
    genres: book
      .list("bookGenres")
      .flatMap((genre) => cache.at(genre, "genre").title("name") ?? []),
    publicationDate: dayOf(details.value("publicationTime")),
    firstPublishedDate: dayOf(work.value("details", "publicationTime")),
    reviewLanguages: stats.list("textReviewsLanguageCounts").flatMap((language) => {
      const code = language.text("isoLanguageCode")
      return code ? [{ code, count: language.integer("count") ?? 0 }] : []
    }),
    awards: work.list("details", "awardsWon").flatMap((award) => {
      const name = award.title("name")
      if (!name) return []
      const hasWon = award.flag("hasWon")
      return {
        award,
        name,
        year: yearOf(award.value("awardedAt")),
        designation:
          award.title("designation") ?? (hasWon === null ? null : hasWon ? "WINNER" : "NOMINEE"),
      }
    }),
    authorBio: htmlToText(cache.at(book, "primaryContributorEdge", "node").text("description")),
  })
}

function authors(cache: ApolloCache, book: JsonReader) {
  const edges = [book.in("primaryContributorEdge"), ...book.list("secondaryContributorEdges")]
  return edges.flatMap((edge) => {
    const person = cache.at(edge, "node")
    const name = person.title("name")
    if (!name) return []
    const url = person.text("webUrl")
    return {
      edge,
      person,
      id: person.text("legacyId") ?? /\/author\/show\/(\d+)/.exec(url ?? "")?.[1] ?? null,
      name,
      url,
    }
  })
}

const namedOf = (work: JsonReader, list: string) =>
  work.list("details", list).flatMap((entry) => {
    const name = entry.title("name")
    return name ? [{ name, url: entry.text("webUrl") }] : []
  })

function countOf(work: JsonReader, field: string): number | null {
  for (const key of fieldKeys(work, field)) {
    const count = work.integer(key, "totalCount")
    if (count !== null) return count
  }
  return null
}

function reviews(cache: ApolloCache) {
  const listed = fieldKeys(cache.query, "getReviews").flatMap((key) =>
    cache.list(cache.query, key, "edges").map((edge) => cache.at(edge, "node")),
  )
  return (listed.length > 0 ? listed : cache.ofType("Review")).map((review) => {
    const reader = cache.at(review, "creator")
    const shelving = cache.at(review, "shelving")
    return {
      review,
      shelving,
      rating: review.integer("rating") || null,
      createdAt: timeOf(review.value("createdAt")),
      updatedAt: timeOf(review.value("updatedAt")),
      reviewer: reader,
      tags: shelving
        .list("taggings")
        .flatMap((tagging) => cache.at(tagging, "tag").title("name") ?? []),
    }
  })
}

/** Times are in milliseconds, also those near or before 1970. */
function timeOf(milliseconds: unknown): string | null {
  const number = numberOrNull(milliseconds)
  return number === null ? null : isoDate(new Date(number))
}

const dayOf = (milliseconds: unknown) => timeOf(milliseconds)?.split("T")[0] ?? null

function yearOf(milliseconds: unknown): number | null {
  const year = /^[+-]?\d+/.exec(timeOf(milliseconds) ?? "")?.[0]
  return year ? Number(year) : null
}

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
  // "First published May 26, 1989" or "Published January 1, 2011".
  const time = Date.parse(`${/(\p{L}+ \d{1,2}, \d{4})$/u.exec(published ?? "")?.[1]} UTC`)
  const publicationTime = Number.isNaN(time) ? null : time
  const stated = document.querySelector('p[data-testid="pagesFormat"]')?.textContent ?? ""
  const bookGenresSelector = '[data-testid="genresList"] .BookPageMetadataSection__genreButton'
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
      bookGenres: allTexts(document, bookGenresSelector).map((name) => ({ genre: { name } })),
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
