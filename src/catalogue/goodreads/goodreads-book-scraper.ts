import { unseen } from "../../extract/core/index.ts"
import { apolloCache, at, nextState } from "../../extract/embedded/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  EmptyShell,
  inputs,
  items,
  type Refusal,
  readOnce,
  unreadable,
} from "../kit/index.ts"
import { bookFields, bookOf, bookRecord, visibleBook } from "./book.ts"

/** Amazon's bot protection, which may refuse without a challenge page. */
const refusal: Refusal = { statuses: [403] }
/** Maximum retries for a page without its book, caused by an old layout or a slow backend. */
const retries = 3

export default defineScraper({
  slug: "goodreads-book-scraper",
  name: "Goodreads Books",
  tagline:
    "All facts about a Goodreads book: edition, work, authors, series, ratings, awards, top reviews.",
  notServed: ["full text", "search by subject"],
  category: "media",
  input: {
    books: inputs.texts("Book IDs, for example 45064996, or Goodreads URLs.", { max: 500 }),
    maxItems: inputs.count("Maximum books", { max: 500, or: 50 }),
  },
  item: { input: items.requiredText("Book as written in the input."), ...bookRecord.fields },
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
      throw new BadInput(`"${target}" is not a Goodreads book. Use a book ID or URL.`, {
        code: "invalid_input",
      })
    }
    const { response, book } = await bookPage(ctx, `https://www.goodreads.com${path}`)
    yield { input: target, ...bookFields(book, response) }
  },
})

async function bookPage(ctx: Context, url: string) {
  for (let attempt = 0; ; attempt++) {
    const pending = ctx.page(url, {
      has: (response) => bookIn(response) !== undefined,
      what,
      refusal,
      retries: 2,
      headers: { "accept-language": "en-US,en;q=0.9" },
      waitFor: "script#__NEXT_DATA__",
    })
    const response = await pending.catch((error) => {
      if (error instanceof EmptyShell) return error
      throw error
    })
    const isLast = attempt === retries
    const isShell = response instanceof EmptyShell
    if (!isShell) {
      const visible = () => visibleBook(response.document, bookId(response.url))
      const book = bookIn(response) ?? (isLast ? visible() : undefined)
      if (book) return { response, book }
    }
    if (isLast) throw unreadable(isShell ? response : response.explainMissing(what))
    await ctx.pause(2, "Goodreads returned a page without its book")
  }
}

const what = "the book"

const bookIn = readOnce(({ document, url }) => {
  const cache = apolloCache(at(nextState(document), "props", "pageProps", "apolloState"))
  return cache && bookOf(cache, bookId(url))
})

const bookId = (url: string) => /\/book\/show\/(\d+)/.exec(url)?.[1]

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
