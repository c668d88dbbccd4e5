import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { htmlToText, textOrNull } from "../../extract/text.ts"
import type { Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, integerField, itemObject, textField } from "../fields.ts"
import { Changed } from "../outcome.ts"
import { languagePattern, mediawiki, pageUrl, wikipediaPace } from "./mediawiki.ts"

const largestPage = 500
/** MediaWiki refuses to look further. */
const mostHits = 10_000

interface Hit {
  title: string
  pageid: number
  size?: number
  wordcount?: number
  snippet?: string
  timestamp?: string
}

export default defineScraper({
  slug: "wikipedia-search-scraper",
  name: "Wikipedia Search",
  tagline: "Wikipedia search results with snippets, sizes and edit dates.",
  category: "search",
  tier: "free",
  input: inputObject({
    queries: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Searches; intitle:, incategory: and "phrases" are understood.',
    }),
    language: Type.Optional(
      Type.String({
        pattern: languagePattern,
        default: "en",
        description: "Language of the Wikipedia, such as en, de or simple.",
      }),
    ),
    resultsPerQuery: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 500, default: 10, description: "Most results a query." }),
    ),
  }),
  item: itemObject({
    query: Type.String({ description: "The query." }),
    position: Type.Integer({ description: "Place in the results, from 1." }),
    pageId: Type.Integer({ description: "Id of the page." }),
    title: Type.String({ description: "Title." }),
    url: Type.String({ description: "The page." }),
    snippet: textField("Words around the match, as plain text."),
    snippetHtml: textField("The same with the match marked."),
    wordCount: integerField("Words of the page."),
    lengthBytes: integerField("Size of the page's source."),
    updatedAt: textField("When the page was last edited (ISO 8601, UTC)."),
    totalHits: integerField("Results in all."),
    suggestion: textField("Another spelling that Wikipedia suggests."),
    language: Type.String({ description: "Language of the Wikipedia." }),
  }),
  example: { queries: ["web scraping"], resultsPerQuery: 5 },
  pace: wikipediaPace,
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { language = "en", resultsPerQuery = 10 } = ctx.input
    let position = 0
    for (let offset: number | null = 0; offset !== null && position < resultsPerQuery; ) {
      const body = await search(query, language, offset, resultsPerQuery - position, ctx)
      const { hits, totalHits, suggestion } = readHits(body.query)
      if (suggestion) ctx.log(`Wikipedia suggests "${suggestion}" for "${query}".`)
      for (const hit of hits) {
        if (position >= resultsPerQuery) return
        yield {
          query,
          position: ++position,
          ...hitFields(hit, language),
          totalHits,
          suggestion,
          language,
        }
      }
      const next = Number(body.continue?.sroffset)
      offset = hits.length > 0 && next > offset && next < mostHits ? next : null
    }
  },
})

function search(query: string, language: string, offset: number, wanted: number, ctx: Context) {
  const parameters = {
    list: "search",
    srsearch: query,
    srlimit: Math.min(largestPage, wanted),
    srprop: "size|wordcount|timestamp|snippet",
    srinfo: "totalhits|suggestion",
    ...(offset > 0 ? { sroffset: offset } : {}),
  }
  return mediawiki(language, parameters, ctx)
}

function readHits(query: Record<string, unknown>) {
  const hits = query.search
  const info = (query.searchinfo ?? {}) as { totalhits?: number; suggestion?: string }
  if (!Array.isArray(hits)) throw new Changed("Wikipedia's answer holds no search results.")
  const totalHits = integerOrNull(info.totalhits)
  if (hits.length === 0 && totalHits !== 0 && totalHits !== null) {
    throw new Changed(`Wikipedia counts ${totalHits} results and lists none of them.`)
  }
  if (hits.some((hit) => typeof hit?.title !== "string" || typeof hit.pageid !== "number")) {
    throw new Changed("A result of Wikipedia's search has no title or page id.")
  }
  return { hits: hits as Hit[], totalHits, suggestion: textOrNull(info.suggestion) }
}

function hitFields(hit: Hit, language: string) {
  return {
    pageId: hit.pageid,
    title: hit.title,
    url: pageUrl(language, hit.title),
    snippet: htmlToText(hit.snippet),
    snippetHtml: textOrNull(hit.snippet),
    wordCount: integerOrNull(hit.wordcount),
    lengthBytes: integerOrNull(hit.size),
    updatedAt: isoDate(hit.timestamp),
  }
}
