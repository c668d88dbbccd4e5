import { textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  defineScraper,
  field,
  HttpError,
  inputs,
  items,
  NotFound,
  oneOf,
  parseError,
  type Row,
  record,
  required,
  ScrapeError,
  type UpstreamResponse,
  unreadable,
} from "../kit/index.ts"

const root = "https://v3.sg.media-imdb.com/suggestion"
const site = "https://www.imdb.com"

/** Types by the first letters of an ID, and the path of their pages. */
const kinds: Record<string, { type: "title" | "person" | "company" | "keyword"; path: string }> = {
  tt: { type: "title", path: "title" },
  nm: { type: "person", path: "name" },
  co: { type: "company", path: "company" },
  kw: { type: "keyword", path: "keyword" },
}

type Entry = Row & { id: string }

const castOf = (entry: Entry): string[] =>
  kindOf(entry)?.type === "title" ? (textOrNull(entry.s)?.split(", ") ?? []) : []

const suggestion = record({
  id: required(field.text("id", "IMDb's ID.")),
  url: required(field.text(urlOf, "URL of the page.")),
  title: required(field.text("l", "Title, or name of the person.")),
  kind: field.text("qid", "Type: movie, tvSeries, tvEpisode, short, videoGame …; null for people."),
  kindLabel: field.text("q", "Type, as displayed."),
  year: field.integer("y", "Year."),
  years: field.text("yr", "Years of a series, for example 2022-2024."),
  rank: field.integer("rank", "Popularity rank; 1 is the most popular."),
  subtitle: field.text("s", "Leading cast of a title, or the titles that a person is known for."),
  cast: field.texts(castOf, "Leading cast of a title."),
  // In old responses the image is a list.
  imageUrl: field.text("i.imageUrl|i.0", "URL of the image."),
  imageWidth: field.integer("i.width|i.1", "Width of the image in pixels."),
  imageHeight: field.integer("i.height|i.2", "Height of the image in pixels."),
  videosCount: field.integer("vt", "Number of videos; 0 if the response has none."),
})

export default defineScraper({
  slug: "imdb-search-scraper",
  name: "IMDb Search",
  tagline: "IMDb's own type-ahead search: films, series, people and games for a phrase.",
  notServed: ["ratings", "plot"],
  category: "media",
  input: {
    queries: inputs.texts("Search words, or IDs of titles (tt…) and people (nm…).", { max: 200 }),
    titlesOnly: inputs.flag("Whether to return only films, series and games."),
    maxResultsPerQuery: inputs.count("Maximum results per search; IMDb lists about 8", {
      max: 20,
      or: 8,
    }),
  },
  item: {
    type: oneOf(["title", "person", "company", "keyword", "other"], {
      description: "Type of the result.",
    }),
    query: items.requiredText("Search query as written in the input."),
    position: items.requiredInteger("Position in IMDb's response, from 1."),
    ...suggestion.fields,
  },
  example: { queries: ["blade runner"], titlesOnly: true },
  probe: {
    expect: [
      "items.length gte 3",
      'items[*].id equals "tt0083658"',
      'items[*].title matches "blade runner"',
      "items[*].year share 0.8",
    ],
  },
  rateLimit: { "media-imdb.com": { perSecond: 2, concurrency: 2 } },
  pages: { ofTarget: 1 },
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { titlesOnly, maxResultsPerQuery } = ctx.input
    const path = `${titlesOnly ? "titles/" : ""}x/${encodeURIComponent(query.trim())}.json`
    const response = await ctx
      .get(`${root}/${path}`, { query: { includeVideos: 0 } })
      .catch((error) => {
        if (!(error instanceof NotFound || error instanceof HttpError)) throw error
        const { url, statusCode } = error
        const message = `IMDb cannot search for "${query}" (status ${statusCode}).`
        throw new BadInput(message, { url, statusCode })
      })
    const body = suggestionsIn(response)
    // A response without results has an empty list or none.
    const isList = Array.isArray(body?.d) || (body?.d === undefined && body?.q !== undefined)
    if (!isList) throw parseError("IMDb's response is not a list of suggestions.", response)
    const entries = body.d ?? []
    if (entries.length === 0) ctx.log(`IMDb has no suggestions for "${query}".`)
    let provided = 0
    const isReadable = (entry: Entry) => typeof entry?.id === "string" && textOrNull(entry.l)
    if (entries.length > 0 && !entries.some(isReadable))
      throw parseError("The entries of IMDb's response have no ID or title.", response)
    for (const [index, entry] of entries.filter(isReadable).entries()) {
      if (titlesOnly && !entry.id.startsWith("tt")) continue
      if (++provided > maxResultsPerQuery) return
      const type = kindOf(entry)?.type ?? ("other" as const)
      yield { query, position: index + 1, type, ...suggestion.read(entry) }
    }
  },
})

/** @throws Changed (`parse_error`) */
function suggestionsIn(response: UpstreamResponse) {
  try {
    return response.json<{ d?: Entry[]; q?: string; v?: number }>()
  } catch (error) {
    throw error instanceof ScrapeError ? unreadable(error) : error
  }
}

const kindOf = ({ id }: Entry) => kinds[id.slice(0, 2)]

function urlOf(entry: Entry): string {
  const kind = kindOf(entry)
  return kind ? `${site}/${kind.path}/${entry.id}/` : new URL(entry.id, site).href
}
