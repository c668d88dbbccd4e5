import { htmlToText, integerOrNull, textOrNull } from "../../extract/core/index.ts"
import {
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import { languagePattern, mediawiki, pageUrl, wikipediaRateLimit } from "./mediawiki.ts"

const maxPage = 500
/** MediaWiki does not return results after this position. */
const maxHits = 10_000

type Hit = { title: string; language: string; totalHits: number | null; suggestion: string | null }

const result = record({
  pageId: required(field.integer("pageid", "ID of the page.")),
  title: required(field.text("title", "Title of the article.")),
  url: field.of(items.requiredText("URL of the article."), ({ language, title }: Hit) =>
    pageUrl(language, title),
  ),
  snippet: field.text("snippet", "Text around the match, as plain text.", htmlToText),
  snippetHtml: field.text("snippet", "Text around the match, as HTML with the match highlighted."),
  wordCount: field.integer("wordcount", "Number of words on the page."),
  lengthBytes: field.integer("size", "Size of the page's source, in bytes."),
  updatedAt: field.time("timestamp", "Time of the page's last edit (ISO 8601, UTC)."),
})

export default defineScraper({
  slug: "wikipedia-search-scraper",
  name: "Wikipedia Search",
  tagline: "Wikipedia search results with snippets, sizes and edit dates.",
  notServed: ["article text"],
  category: "search",
  input: {
    queries: inputs.texts(
      'Search words, for example alan turing; intitle:, incategory: and "phrases" work.',
      { max: 100 },
    ),
    language: inputs.textOr("Wikipedia language code, for example en, de or simple.", "en", {
      pattern: languagePattern,
    }),
    resultsPerQuery: inputs.count("Maximum results per search", { max: 500, or: 10 }),
  },
  item: {
    query: items.requiredText("Query as written in the input."),
    position: items.requiredInteger("Position in the results, from 1."),
    ...result.fields,
    totalHits: items.integer("Total number of results."),
    suggestion: items.text("Other spelling that Wikipedia suggests."),
    language: items.requiredText("Language code of the Wikipedia, for example en."),
  },
  example: { queries: ["web scraping"], resultsPerQuery: 5 },
  probe: {
    expect: [
      "items.length equals 5",
      'items[*].title equals "Web scraping"',
      "items[0].totalHits gte 10",
      "items[*].snippet share 0.8",
    ],
  },
  rateLimit: wikipediaRateLimit,
  pages: { rows: 500, cap: "resultsPerQuery" },
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { language, resultsPerQuery } = ctx.input
    let position = 0
    const page = async (offset = 0) => {
      const body = await search(query, language, offset, resultsPerQuery - position, ctx)
      const { hits, totalHits, suggestion } = readHits(body.query)
      if (suggestion) ctx.log(`Wikipedia suggests "${suggestion}" for "${query}".`)
      const next = Number(body.continue?.sroffset)
      return {
        rows: hits.map((hit) => ({ ...hit, language, totalHits, suggestion })),
        next: next > offset && next < maxHits ? next : null,
      }
    }
    const hits = cursor(page, {
      cap: resultsPerQuery,
      keyOf: ({ title }) => (typeof title === "string" ? title : null),
    })
    const read = (hit: Hit) => {
      const { totalHits, suggestion } = hit
      const facts = result.read(hit)
      return { query, position: ++position, ...facts, totalHits, suggestion, language }
    }
    yield* readRows(hits, read, ctx)
  },
})

function search(query: string, language: string, offset: number, wanted: number, ctx: Context) {
  const parameters = {
    list: "search",
    srsearch: query,
    srlimit: Math.min(maxPage, wanted),
    srprop: "size|wordcount|timestamp|snippet",
    srinfo: "totalhits|suggestion",
    ...(offset > 0 ? { sroffset: offset } : {}),
  }
  return mediawiki(language, parameters, ctx)
}

function readHits(query: Record<string, unknown>) {
  const hits = query.search
  const info = (query.searchinfo ?? {}) as { totalhits?: number; suggestion?: string }
  if (!Array.isArray(hits)) throw new Changed("Wikipedia's response has no search results.")
  const totalHits = integerOrNull(info.totalhits)
  if (hits.length === 0 && totalHits !== 0 && totalHits !== null)
    throw new Changed(`Wikipedia counts ${totalHits} results but lists none.`)
  return { hits: hits as { title: string }[], totalHits, suggestion: textOrNull(info.suggestion) }
}
