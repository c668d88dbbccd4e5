import { Type } from "@sinclair/typebox"
import { integerOrNull } from "../../extract/numbers.ts"
import { textOrNull } from "../../extract/text.ts"
import type { Answer } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, oneOf, textField, textsField } from "../fields.ts"
import { inputs } from "../inputs.ts"
import { BadInput, HttpError, NotFound, Outcome } from "../outcome.ts"
import { parseError, unreadable } from "../parse-error.ts"

const root = "https://v3.sg.media-imdb.com/suggestion"
const site = "https://www.imdb.com"

/** What an id's first letters stand for, and the path of its pages. */
const kinds: Record<string, { type: "title" | "person" | "company" | "keyword"; path: string }> = {
  tt: { type: "title", path: "title" },
  nm: { type: "person", path: "name" },
  co: { type: "company", path: "company" },
  kw: { type: "keyword", path: "keyword" },
}

interface Entry {
  id: string
  l?: string
  q?: string
  qid?: string
  s?: string
  y?: number
  yr?: string
  rank?: number
  vt?: number
  i?: { imageUrl?: string; width?: number; height?: number } | [string, number, number]
}

export default defineScraper({
  slug: "imdb-search-scraper",
  name: "IMDb Search",
  tagline: "IMDb's own type-ahead search: films, series, people and games for a phrase.",
  category: "media",
  tier: "free",
  input: inputObject({
    queries: inputs.texts("Words, or ids of titles (tt…) and people (nm…).", { max: 200 }),
    titlesOnly: inputs.flag("Films, series and games alone."),
    maxResultsPerQuery: inputs.count("Most results a query; IMDb gives about 8.", {
      max: 20,
      or: 8,
    }),
  }),
  item: itemObject({
    type: oneOf(["title", "person", "company", "keyword", "other"], {
      description: "What was found.",
    }),
    query: Type.String({ description: "The query." }),
    position: Type.Integer({ description: "Place in IMDb's answer, from 1." }),
    id: Type.String({ description: "IMDb's id." }),
    url: Type.String({ description: "The page." }),
    title: Type.String({ description: "Title, or the person's name." }),
    kind: textField("movie, tvSeries, tvEpisode, short, videoGame …; null for people."),
    kindLabel: textField("The kind in words."),
    year: integerField("Year."),
    years: textField("Years of a series, such as 2022-2024."),
    rank: integerField("Popularity: the smaller, the more popular."),
    subtitle: textField("Leading cast of a title, or what a person is known for."),
    cast: textsField("Leading cast of a title."),
    imageUrl: textField("Picture."),
    imageWidth: integerField("Its width in pixels."),
    imageHeight: integerField("Its height in pixels."),
    videoCount: integerField("Videos, where they are told."),
  }),
  example: { queries: ["blade runner"], titlesOnly: true },
  pace: { "media-imdb.com": { perSecond: 2, concurrency: 2 } },
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { titlesOnly, maxResultsPerQuery } = ctx.input
    const path = `${titlesOnly ? "titles/" : ""}x/${encodeURIComponent(query.trim())}.json`
    const answer = await ctx
      .get(`${root}/${path}`, { query: { includeVideos: 0 } })
      .catch((error) => {
        if (!(error instanceof NotFound || error instanceof HttpError)) throw error
        throw new BadInput(`IMDb cannot search for "${query}" (status ${error.statusCode}).`, {
          url: error.url,
          statusCode: error.statusCode,
        })
      })
    const body = suggestionsIn(answer)
    // Nothing found comes as an empty list, or without one.
    if (
      typeof body !== "object" ||
      body === null ||
      (!Array.isArray(body.d) && body.q === undefined)
    ) {
      throw parseError("IMDb's answer is no list of suggestions.", answer)
    }
    const entries = body.d ?? []
    if (entries.length === 0) ctx.log(`IMDb suggests nothing for "${query}".`)
    let given = 0
    const isReadable = (entry: Entry) => typeof entry?.id === "string" && textOrNull(entry.l)
    if (entries.length > 0 && !entries.some(isReadable)) {
      throw parseError("The entries of IMDb's answer have no id or title.", answer)
    }
    for (const [index, entry] of entries.entries()) {
      if (!isReadable(entry)) continue
      if (titlesOnly && !entry.id.startsWith("tt")) continue
      if (++given > maxResultsPerQuery) return
      yield { query, position: index + 1, ...fields(entry) }
    }
  },
})

/** @throws Changed (`parse_error`) */
function suggestionsIn(answer: Answer) {
  try {
    return answer.json<{ d?: Entry[]; q?: string; v?: number }>()
  } catch (error) {
    throw error instanceof Outcome ? unreadable(error) : error
  }
}

function fields(entry: Entry) {
  const known = kinds[entry.id.slice(0, 2)]
  const subtitle = textOrNull(entry.s)
  const image = Array.isArray(entry.i)
    ? { imageUrl: entry.i[0], width: entry.i[1], height: entry.i[2] }
    : entry.i
  return {
    type: known?.type ?? ("other" as const),
    id: entry.id,
    url: known ? `${site}/${known.path}/${entry.id}/` : new URL(entry.id, site).href,
    title: entry.l!,
    kind: textOrNull(entry.qid),
    kindLabel: textOrNull(entry.q),
    year: integerOrNull(entry.y),
    years: textOrNull(entry.yr),
    rank: integerOrNull(entry.rank),
    subtitle,
    cast: known?.type === "title" && subtitle ? subtitle.split(", ") : [],
    imageUrl: textOrNull(image?.imageUrl),
    imageWidth: integerOrNull(image?.width),
    imageHeight: integerOrNull(image?.height),
    videoCount: integerOrNull(entry.vt),
  }
}
