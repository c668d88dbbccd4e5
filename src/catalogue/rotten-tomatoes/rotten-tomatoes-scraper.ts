import { plainText, unseen } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  inputs,
  items,
  NotFound,
  type Refusal,
  readPage,
  ScrapeError,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"
import { firstResultPath } from "./lists.ts"
import { titleFields, titleOf } from "./rotten-tomatoes.ts"

const site = "https://www.rottentomatoes.com"

const refusal: Refusal = { statuses: [403], sign: /<title>\s*Access Denied/i }
const headers = { "accept-language": "en-US,en;q=0.9" }

export default defineScraper({
  slug: "rotten-tomatoes-scraper",
  name: "Rotten Tomatoes",
  tagline: "Tomatometer, Popcornmeter and film facts for any Rotten Tomatoes title.",
  category: "media",
  input: {
    movies: inputs.texts(
      "www.rottentomatoes.com URLs, paths (tv/severance), film slugs (matrix), or search words.",
      { max: 500 },
    ),
    maxItems: inputs.count("Maximum titles", { max: 500, or: 50 }),
  },
  item: { input: items.requiredText("Title as written in the input."), ...titleFields },
  example: { movies: ["matrix"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].title matches "matrix"',
      "items[0].year equals 1999",
      "items[0].tomatometer gte 75",
      "items[0].criticsReviewCount gte 100",
      "items[0].popcornmeter gte 70",
      "?items[0].synopsis share 1",
      "?items[0].genres.length gte 1",
    ],
  },
  rateLimit: { "www.rottentomatoes.com": { perSecond: 1, concurrency: 1 } },
  fetchMethods: ["http", "browser-http", "browser"],
  // A search for the title, and its page.
  pages: { ofTarget: 2 },
  targets: (input) =>
    unseen(input.movies, new Set(), (movie) => titlePath(movie) ?? movie).slice(0, input.maxItems),

  async *scrape(target, ctx) {
    if (!titlePath(target) && /:\/\/|^www\./i.test(target))
      throw new BadInput(`"${target}" is not a URL of a title on www.rottentomatoes.com.`)
    const url = `${site}/${titlePath(target) ?? (await search(ctx, target.trim()))}`
    const read = (response: UpstreamResponse) => {
      const title = titleOf(response)
      if (title || !reportsMissing(response)) return title
      const details = { url, statusCode: response.status }
      return new NotFound("No such title on Rotten Tomatoes.", details)
    }
    const options = { what: "the title's scorecard", waitFor: "script#media-scorecard-json" }
    yield { input: target, ...(await readable(ctx, url, read, options)) }
  },
})

const reportsMissing = ({ document }: UpstreamResponse) =>
  /^\s*404\b/.test(plainText(document.querySelector("h1")) ?? "")

const readable: typeof readPage = (ctx, url, read, options) =>
  readPage(ctx, url, read, { refusal, headers, ...options }).catch((error) => {
    throw error instanceof ScrapeError ? unreadable(error) : error
  })

/** Returns the path of the first film in a search for these words. */
async function search(ctx: Context, words: string): Promise<string> {
  const url = `${site}/search?search=${encodeURIComponent(words)}`
  const list = "search-page-result"
  const read = ({ document, url }: UpstreamResponse) => {
    const match = firstResultPath(document, words)
    const path = match && titlePath(new URL(match, site).href)
    if (match) return path ? { path } : null
    const isEmpty =
      document.querySelector(list) !== null ||
      /no results|couldn['’]t find/i.test(plainText(document.body) ?? "")
    return isEmpty
      ? new NotFound(`No film found on Rotten Tomatoes for "${words}".`, { url })
      : null
  }
  const { path } = await readable(ctx, url, read, { what: "the search results", waitFor: list })
  return path
}

/** Returns the path of a title: m/…, tv/… or tv/…/s01; undefined for words and other URLs. */
function titlePath(target: string): string | undefined {
  const text = target.trim()
  const match =
    /^(?:(?:(?:https?:)?\/\/)?(?:[\w-]+\.)?rottentomatoes\.com)?\/?(m|movie|tv)\/([^/?#\s]+)(\/s\d[\d.]*)?/i.exec(
      text,
    )
  if (!match) return /^[a-z0-9_-]+$/.test(text) ? `m/${text}` : undefined
  const kind = match[1]!.toLowerCase() === "tv" ? "tv" : "m"
  return `${kind}/${match[2]}${kind === "tv" ? (match[3] ?? "").toLowerCase() : ""}`
}
