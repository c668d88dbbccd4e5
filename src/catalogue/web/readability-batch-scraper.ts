import { type ReaderView, readerView } from "../../extract/article/index.ts"
import {
  countWords,
  cutAtWord,
  foldSpace,
  readingMinutes,
  textOrNull,
} from "../../extract/core/index.ts"
import { pageDate, readSome, readSources } from "../../extract/metadata/index.ts"
import { documentTitle } from "../../extract/page/index.ts"
import {
  type Context,
  defineScraper,
  type InputOf,
  inputs,
  items,
  once,
  pageUrls,
  record,
  TooLarge,
  type UpstreamResponse,
} from "../kit/index.ts"
import { identifyPage, openWithPosts, pageFacts, pageFields } from "./page/open.ts"
import { reported } from "./page/readable.ts"

const item = record({
  ...pageFields,
  readable: items.requiredBoolean("Whether the page looks like an article."),
  title: items.text("Title of the page."),
  byline: items.text("Line with the author's name, as written."),
  siteName: items.text("Name of the site."),
  excerpt: items.text("Description of the page, else its first paragraph."),
  language: items.text("Declared language."),
  dir: items.text("Writing direction: ltr or rtl."),
  publishedAt: items.text("Time of publication (ISO 8601)."),
  imageUrl: items.text("URL of the article's main image."),
  text: items.requiredText("Text with a line for each block, cut off at maxTextChars."),
  length: items.requiredInteger("Number of characters of the whole text."),
  truncated: items.requiredBoolean("Whether the text was cut off."),
  wordCount: items.requiredInteger("Number of words of the whole text."),
  readingTimeMinutes: items.requiredInteger("Reading time of the whole text in minutes."),
})

const input = {
  urls: pageUrls(5000),
  maxTextChars: inputs.count("Maximum characters of the text; 0 for no maximum", {
    min: 0,
    max: 1_000_000,
    or: 20_000,
  }),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "readability-batch-scraper",
  name: "Reader View Batch",
  tagline: "Reader-mode text for many URLs at once.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  unverified: ["embedded state"],
  concurrency: 10,
  rateLimit: { "*": { concurrency: 2 } },
  input,
  item,
  example: { urls: ["https://en.wikipedia.org/wiki/Readability"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].readable equals true",
      'items[0].title matches "readability"',
      "items[0].wordCount gte 1000",
    ],
  },
  // A URL that is in the list twice has two items, so the index is part of the target.
  targets: ({ urls }) => urls.map((url, index) => ({ input: url, index })),
  identify: (target) => identifyPage(target.input),

  async *scrape(target, ctx) {
    yield await sharedRead(target.input, ctx)
  },
})

/** Returns the result of a URL. If it is in the list several times, it is requested once. */
async function sharedRead(input: string, ctx: Context<Input>) {
  const { urls } = ctx.input
  if (urls.indexOf(input) === urls.lastIndexOf(input)) return read(input, ctx)
  const key = `read ${input}`
  return once(ctx, key, () =>
    read(input, ctx).catch((error) => {
      ctx.shared.delete(key)
      throw error
    }),
  )
}

async function read(written: string, ctx: Context<Input>) {
  const { url, response } = await openWithPosts(written, ctx, { ...reported, documents: "files" })
  const { document } = response
  const view = viewOf(response)
  const { maxTextChars } = ctx.input
  const text = maxTextChars === 0 ? view.text : cutAtWord(view.text, maxTextChars)
  return item.read({
    ...view,
    ...pageFacts({ url, response }),
    title: view.title ?? documentTitle(document),
    byline: view.byline && foldSpace(view.byline),
    language: textOrNull(document.documentElement.getAttribute("lang")),
    publishedAt: pageDate(view.published),
    ...readSome(readSources(document, response.url), "imageUrl"),
    text,
    length: [...view.text].length,
    truncated: text.length < view.text.length,
    wordCount: countWords(view.text),
    readingTimeMinutes: readingMinutes(view.text),
  })
}

function viewOf(response: UpstreamResponse): ReaderView {
  try {
    return readerView(response.document, response.url)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new TooLarge(error.message, { response })
  }
}
