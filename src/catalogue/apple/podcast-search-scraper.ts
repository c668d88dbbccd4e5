import { distinct, objectList } from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  defineScraper,
  field,
  inputs,
  items,
  NotFound,
  RateLimited,
  type RequestOptions,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"

const api = "https://itunes.apple.com"
/** About 20 requests per minute are allowed; Apple answers further ones with 403. */
const quotaSeconds = 60

const podcast = record({
  podcastId: required(field.integer("collectionId|trackId", "Apple's ID of the podcast.")),
  title: field.title("collectionName|trackName", "Title."),
  author: field.title("artistName", "Name of the author."),
  authorId: field.integer("artistId", "Apple's ID of the author."),
  authorUrl: field.text("artistViewUrl", "URL of the author's page."),
  url: field.text("collectionViewUrl|trackViewUrl", "URL of the podcast's page."),
  feedUrl: field.text("feedUrl", "URL of the RSS feed; null for shows that only Apple offers."),
  imageUrl: field.text("artworkUrl600|artworkUrl100|artworkUrl60", "URL of the largest artwork."),
  episodeCount: field.integer("trackCount", "Number of episodes."),
  lastEpisodeAt: field.time("releaseDate", "Time of the newest episode (ISO 8601, UTC)."),
  // The field's name says milliseconds, but the directory stores seconds in it.
  lastEpisodeDurationSeconds: field.integer(
    "trackTimeMillis",
    "Duration of the newest episode in seconds.",
  ),
  primaryGenre: field.text("primaryGenreName", "Main genre, in the storefront's language."),
  genres: field.texts("genres", "Genres, in the storefront's language."),
  genreIds: field.texts("genreIds", "Apple's IDs of the genres."),
  explicit: field.flag(
    (row: Row) => row.collectionExplicitness === "explicit",
    "Whether the show is marked explicit.",
  ),
  contentRating: field.text("contentAdvisoryRating", "Content rating: Clean or Explicit."),
  country: field.text("country", "Country of the storefront (three letters)."),
  currency: field.text("currency", "Currency of the price."),
  price: field.number("collectionPrice", "Price in the currency of `currency`."),
})

export default defineScraper({
  slug: "podcast-search-scraper",
  name: "Podcast Search",
  tagline: "Find podcasts in Apple's directory with their RSS feed URLs.",
  notServed: ["episodes"],
  category: "media",
  input: {
    queries: inputs.texts("Search words, or podcast IDs or podcasts.apple.com URLs.", { max: 200 }),
    maxResultsPerQuery: inputs.count("Maximum podcasts per search", { max: 200, or: 50 }),
    country: inputs.textOr("Two-letter storefront code, for example us or gb.", "us", {
      pattern: "^[A-Za-z]{2}$",
    }),
  },
  item: {
    query: items.requiredText("Query as written in the input."),
    position: items.requiredInteger("Position among the query's results, from 1."),
    ...podcast.fields,
  },
  example: { queries: ["history of rome"], maxResultsPerQuery: 5 },
  probe: {
    expect: [
      "items.length equals 5",
      'items[*].title matches "history of rome"',
      "items[*].feedUrl share 0.8",
      "items[*].episodeCount share 0.8",
      'items[*].currency only "USD"',
    ],
  },
  rateLimit: { "itunes.apple.com": { perSecond: 1 / 3, concurrency: 1 } },
  targets: ({ queries }) => distinct(queries),

  async *scrape(query, ctx) {
    const { maxResultsPerQuery: limit, country } = ctx.input
    const id = podcastId(query)
    const search = { term: query, media: "podcast", entity: "podcast", country, limit }
    const value = id
      ? await request(ctx, "/lookup", { id, entity: "podcast", country })
      : await request(ctx, "/search", search)
    // A lookup of an artist ID returns the artist, too.
    const podcasts = objectList(value).filter(
      (result) => (result.kind ?? "podcast") === "podcast" && result.wrapperType !== "artist",
    )
    if (id && podcasts.length === 0) throw new NotFound(`Apple lists no podcast "${query}".`)
    if (value.length > 0 && podcasts.length === 0) {
      throw new Changed("Apple's response to a podcast search contains no podcasts.")
    }
    let position = 0
    for await (const facts of readRows(podcasts, podcast.read, ctx)) {
      if (++position > limit) return
      yield { query, position, ...facts }
    }
  },
})

function podcastId(query: string): string | undefined {
  const text = query.trim()
  if (/^\d+$/.test(text)) return text
  return /^(?:https?:\/\/)?(?:podcasts|itunes)\.apple\.com\/.*\/id(\d+)/i.exec(text)?.[1]
}

async function request(ctx: Context, path: string, query: RequestOptions["query"]): Promise<Row[]> {
  const options: RequestOptions = { query, accept: [400, 403] }
  let response = await busyIsRateLimit(ctx.get(`${api}${path}`, options))
  if (response.status === 403) {
    await ctx.pause(quotaSeconds, "Apple's limit of requests per minute is used up.")
    response = await busyIsRateLimit(ctx.get(`${api}${path}`, options))
  }
  if (response.status === 403) {
    const message = "Apple limits the rate of requests (status 403)."
    throw new RateLimited(message, quotaSeconds, { response })
  }
  const { results, resultCount, errorMessage } = response.json<{
    resultCount?: number
    results?: Row[]
    errorMessage?: string
  }>()
  if (errorMessage || response.status === 400) {
    throw new BadInput(`Apple reports: ${errorMessage ?? "bad request"}`, { response })
  }
  if (!Array.isArray(results)) throw response.explainMissing("a list of podcasts")
  if (results.length === 0 && resultCount !== 0) {
    throw new Changed("Apple's response counts podcasts but lists none.")
  }
  return results
}
