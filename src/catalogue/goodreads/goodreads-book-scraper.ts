import { Type } from "@sinclair/typebox"
import { unseen } from "../../extract/core/index.ts"
import { apolloCache, at, nextState } from "../../extract/embedded/index.ts"
import {
  BadInput,
  booleanField,
  type Context,
  defineScraper,
  EmptyShell,
  inputObject,
  inputs,
  integerField,
  itemObject,
  numberField,
  type Refusal,
  readOnce,
  textField,
  textsField,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"
import { type Book, bookFields, bookOf } from "./book.ts"

const site = "https://www.goodreads.com"
/** Amazon's bot protection, which may refuse without its challenge page. */
const refusal: Refusal = { statuses: [403] }
/** Asked again when the page comes without its book: an old layout, or a back end that was late. */
const retries = 3

const named = itemObject({ name: Type.String({ description: "Name." }), url: textField("Page.") })

const item = itemObject({
  input: Type.String({ description: "Book as written in the input." }),
  id: Type.String({ description: "Goodreads' number of the edition." }),
  url: Type.String({ description: "The book's page." }),
  title: Type.String({ description: "Title." }),
  titleComplete: textField("Title with the series in brackets."),
  originalTitle: textField("Title of the first edition."),
  authors: Type.Array(
    itemObject({
      id: textField("Goodreads' number of the person."),
      name: Type.String({ description: "Name." }),
      url: textField("The person's page."),
      role: textField("Author, Translator, Illustrator, Narrator …"),
      isGoodreadsAuthor: booleanField("Whether the person takes part in Goodreads."),
    }),
    { description: "Authors and contributors, the first one first." },
  ),
  series: Type.Array(
    itemObject({
      title: Type.String({ description: "Series." }),
      position: textField("Place in it, such as 1 or 1-3."),
      url: textField("The series' page."),
    }),
    { description: "Series that the book belongs to." },
  ),
  description: textField("Description, plain."),
  descriptionHtml: textField("Description as HTML."),
  descriptionMarkdown: textField("Description as Markdown."),
  imageUrl: textField("Cover."),
  genres: textsField("Genres."),
  format: textField("Paperback, Kindle Edition …"),
  pages: integerField("Pages."),
  publisher: textField("Publisher."),
  language: textField("Language, such as English."),
  publicationDate: textField("Day of this edition."),
  firstPublishedDate: textField("Day of the first edition."),
  isbn: textField("ISBN-10."),
  isbn13: textField("ISBN-13."),
  asin: textField("Amazon's number; may be the ISBN-10 of another edition."),
  rating: numberField("Average rating, of 5, over all editions."),
  ratingCount: integerField("Ratings."),
  reviewCount: integerField("Reviews with text."),
  ratingsDistribution: Type.Array(Type.Integer(), {
    description: "Ratings with one, two … five stars.",
  }),
  reviewLanguages: Type.Array(
    itemObject({
      code: Type.String({ description: "Language (ISO 639-1)." }),
      count: Type.Integer({ description: "Reviews." }),
    }),
    { description: "Reviews by language." },
  ),
  awards: Type.Array(
    itemObject({
      name: Type.String({ description: "Award." }),
      url: textField("The award's page."),
      year: integerField("Year."),
      category: textField("Category."),
      designation: textField("WINNER, NOMINEE …"),
    }),
    { description: "Awards." },
  ),
  places: Type.Array(named, { description: "Setting of the book." }),
  characters: Type.Array(named, { description: "Characters." }),
  workId: textField("Goodreads' number of the work, which all editions share."),
  workUrl: textField("The work's page."),
  editionsUrl: textField("List of the editions."),
  quotesCount: integerField("Quotes."),
  questionsCount: integerField("Questions of readers."),
  authorBio: textField("About the first author, plain."),
  reviews: Type.Array(
    itemObject({
      id: textField("Id."),
      url: textField("The review's page."),
      rating: integerField("Stars; null when none were given."),
      text: textField("Text, plain."),
      likesCount: integerField("Likes."),
      commentsCount: integerField("Comments."),
      createdAt: textField("When it was written (ISO 8601, UTC)."),
      updatedAt: textField("When it was last changed (ISO 8601, UTC)."),
      spoiler: booleanField("Whether it reveals the plot."),
      reviewer: itemObject({
        id: textField("Goodreads' number of the reader."),
        name: textField("Name."),
        url: textField("The reader's page."),
        followersCount: integerField("Followers."),
        reviewCount: integerField("Reviews written."),
      }),
      tags: textsField("Shelves that the reader put the book on."),
    }),
    { description: "The reviews that the page carries, about 30; none in older pages." },
  ),
})

export default defineScraper({
  slug: "goodreads-book-scraper",
  name: "Goodreads Books",
  tagline:
    "A Goodreads book in full: edition, work, authors, series, ratings, awards, top reviews.",
  serves: [
    "rating and reviews of a book",
    "series of a novel",
    "book on Goodreads",
    "what readers think of a book",
    "what do readers think of a novel",
    "how is a book rated by readers",
    "is a novel worth reading",
    "reader opinions and stars of a book",
    "pages, genre and first publication of a book",
    "what comes next in a book series",
    "what readers say about a novel",
  ],
  notServed: ["full text", "search by subject"],
  category: "media",
  tier: "free",
  input: inputObject({
    books: inputs.texts("Book IDs, for example 45064996, or Goodreads URLs.", {
      max: 500,
    }),
    maxItems: inputs.count("Maximum books", { max: 500, or: 50 }),
  }),
  item,
  example: { books: ["45064996"] },
  probe: {
    input: { books: ["5107"] },
    expect: [
      "items.length equals 1",
      'items[0].title matches "catcher in the rye"',
      "items[0].authors.length gte 1",
      "items[0].rating gte 3",
      "items[0].ratingCount gte 3000000",
      "items[0].pages gte 100",
      "?items[0].genres.length gte 3",
      "?items[0].reviews.length gte 1",
    ],
  },
  rateLimit: { "www.goodreads.com": { perSecond: 1, concurrency: 2 } },
  fetchMethods: ["http", "browser-http", "browser"],
  targets: (input) =>
    unseen(input.books, new Set(), (book) => bookPath(book) ?? book).slice(0, input.maxItems),

  async *scrape(target, ctx) {
    const path = bookPath(target)
    if (!path) {
      throw new BadInput(`"${target}" is not a Goodreads book number or URL.`, {
        code: "invalid_input",
      })
    }
    const { response, book } = await bookPage(ctx, `${site}${path}`)
    yield { input: target, ...bookFields(book, response) }
  },
})

async function bookPage(
  ctx: Context,
  url: string,
): Promise<{ response: UpstreamResponse; book: Book }> {
  for (let attempt = 0; ; attempt++) {
    const asking = ctx.page(url, {
      has: (response) => bookIn(response) !== undefined,
      what,
      refusal,
      retries: 2,
      headers: { "accept-language": "en-US,en;q=0.9" },
      waitFor: "script#__NEXT_DATA__",
    })
    const response = await asking.catch((error) => {
      if (error instanceof EmptyShell) return error
      throw error
    })
    const isShell = response instanceof EmptyShell
    const book = isShell ? undefined : bookIn(response)
    if (!isShell && book) return { response, book }
    if (attempt === retries) throw unreadable(isShell ? response : response.explainMissing(what))
    await ctx.pause(2, "Goodreads gave a page without its book")
  }
}

const what = "the book"

const bookIn = readOnce(({ document, url }) => {
  const cache = apolloCache(at(nextState(document), "props", "pageProps", "apolloState"))
  return cache && bookOf(cache, bookId(url))
})

function bookId(url: string): string | undefined {
  return /\/book\/show\/(\d+)/.exec(url)?.[1]
}

function bookPath(target: string): string | undefined {
  const text = target.trim()
  if (/^\d+$/.test(text)) return `/book/show/${text}`
  const match =
    /^(?:(?:https?:)?\/\/)?(?:[\w-]+\.)?goodreads\.com\/(?:[a-z]{2}\/)?book\/(?:(show)\/(\d+)|isbn\/([\dXx-]{10,17})(?![\w-]))/i.exec(
      text,
    )
  if (!match) return undefined
  return match[1] ? `/book/show/${match[2]}` : `/book/isbn/${match[3]!.replaceAll("-", "")}`
}
