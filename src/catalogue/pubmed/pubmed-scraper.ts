import { distinct, parseXml, textList, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  contactEmail,
  defineScraper,
  errorItem,
  inputs,
  items,
  NotFound,
  RateLimited,
  type RequestOptions,
  type Row,
  readRows,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { article, readArticle } from "./article.ts"

const utilities = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
/** Number of articles per request. */
const groupSize = 200

/** The sort orders, as the API names them. */
const sorts = { relevance: "relevance", date: "pub_date", author: "Author", journal: "JournalName" }

type SearchResponse = Row & { esearchresult?: Row & { idlist?: string[]; errorlist?: Row } }

export default defineScraper({
  slug: "pubmed-scraper",
  name: "PubMed",
  tagline: "PubMed articles with abstract, authors, journal, identifiers and MeSH terms.",
  notServed: ["medical advice"],
  category: "research",
  input: {
    query: inputs.text(
      "PubMed query (field tags in brackets, AND, OR, NOT), or comma-separated PMIDs.",
    ),
    sort: inputs.choice(sorts, "Sort order of the articles.", "relevance"),
    maxItems: inputs.count("Maximum articles", { max: 9999, or: 100 }),
  },
  item: { ...article.fields, query: items.requiredText("Query as written in the input.") },
  example: { query: "crispr[Title] AND review[Publication Type]", maxItems: 5 },
  probe: {
    input: { query: "crispr[Title] AND review[Publication Type]", maxItems: 3 },
    expect: [
      "items.length equals 3",
      'items[*].pmid matches "^\\\\d+$"',
      "items[*].title share 1",
      "items[*].journal share 1",
      "items[*].authors share 0.6",
      "?items[*].abstract share 0.6",
    ],
  },
  rateLimit: { "eutils.ncbi.nlm.nih.gov": { perSecond: 3, concurrency: 1 } },
  targets: ({ query }) => [query],
  // The requested URL contains the operator's API key and email address.
  identify: (query) => ({ input: query, url: undefined }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    const named = /^\s*\d+(?:[,\s]+\d+)*\s*$/.test(query)
    const ids = named ? distinct(query.trim().split(/[,\s]+/)) : await search(query, ctx)
    const wanted = ids.slice(0, ctx.input.maxItems)
    for (let start = 0; start < wanted.length; start += groupSize) {
      const group = wanted.slice(start, start + groupSize)
      const articles = await fetchArticles(group, ctx)
      if (articles.size === 0 && !named)
        throw new Changed("PubMed's search finds articles, but its response contains none of them.")
      for (const id of group) {
        const match = articles.get(id)
        if (match) {
          yield { ...match, query }
          continue
        }
        const missing = new NotFound(`No such article on PubMed: ${id}.`)
        if (wanted.length === 1) throw missing
        if (named) yield errorItem(missing, { input: id })
        else ctx.log(missing.message, "warning")
      }
    }
  },
})

async function search(
  query: string,
  ctx: Context<{ sort: keyof typeof sorts; maxItems: number }>,
): Promise<string[]> {
  const { sort, maxItems } = ctx.input
  const response = await request(ctx, "esearch.fcgi", {
    term: query,
    retmode: "json",
    retstart: 0,
    retmax: maxItems,
    sort: sorts[sort],
  })
  const { error, esearchresult: result } = response.json<SearchResponse>()
  const problem = textOrNull(result?.ERROR) ?? textOrNull(error)
  if (problem) throw refusal(problem, response)
  if (!Array.isArray(result?.idlist)) throw response.explainMissing("a list of PMIDs")
  const unknown = Object.values(result.errorlist ?? {}).flatMap(textList)
  if (unknown.length > 0) ctx.log(`PubMed does not recognize: ${unknown.join(", ")}.`, "warning")
  if (result.idlist.length === 0 && result.count !== "0")
    throw new Changed("PubMed's response counts articles but lists none.")
  return result.idlist
}

type Articles = Map<string, ReturnType<typeof readArticle>>

/** Returns the articles with these IDs, by ID. */
async function fetchArticles(ids: string[], ctx: Context): Promise<Articles> {
  const query = { id: ids.join(","), retmode: "xml" }
  let response = await request(ctx, "efetch.fcgi", query)
  // PubMed occasionally refuses a valid list of IDs once.
  if (response.status === 400) response = await request(ctx, "efetch.fcgi", query)
  if (response.status === 400) {
    const reason = response.text().trim().slice(0, 200)
    if (/no correct IDs|ID list is empty|cannot get document/i.test(reason)) return new Map()
    throw new UpstreamError(`PubMed reports: ${reason}`, { statusCode: 400 })
  }
  const set = parseXml(response.text())
  if (set?.name !== "PubmedArticleSet") throw response.explainMissing("a set of articles")
  const records = [...set.all("PubmedArticle"), ...set.all("PubmedBookArticle")]
  if (records.length === 0 && set.elements().length > 0) throw response.explainMissing("articles")
  const articles = await Array.fromAsync(readRows(records, readArticle, ctx))
  return new Map(articles.map((read) => [read.pmid, read]))
}

function request(ctx: Context, path: string, query: RequestOptions["query"]) {
  const call = ctx.get(`${utilities}/${path}`, {
    query: {
      db: "pubmed",
      ...query,
      tool: "trawl",
      email: contactEmail(ctx),
      api_key: ctx.secret("NCBI_API_KEY"),
    },
    accept: [400],
  })
  return busyIsRateLimit(call)
}

function refusal(problem: string, response: UpstreamResponse) {
  const message = `PubMed reports: ${problem}`
  const details = { statusCode: response.status }
  if (/rate limit/i.test(problem)) return new RateLimited(message, null, details)
  return /backend|server|unavailable|time.?out|maintenance|internal/i.test(problem)
    ? new UpstreamError(message, details)
    : new BadInput(message, details)
}
