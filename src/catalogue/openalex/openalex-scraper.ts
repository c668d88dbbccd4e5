import { Type } from "@sinclair/typebox"
import { integerOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  contactEmail,
  cursor,
  defineScraper,
  doiOf,
  inputs,
  NotFound,
  RateLimited,
  type RequestOptions,
  readRows,
  type UpstreamResponse,
} from "../kit/index.ts"
import { plainId, type Work, work } from "./work.ts"

const endpoint = "https://api.openalex.org/works"
/** Each call costs credits of OpenAlex's daily quota, so the scraper requests full pages. */
const pageSize = 100

const sortFields = {
  relevance: "relevance_score:desc",
  cited: "cited_by_count:desc",
  newest: "publication_date:desc",
  oldest: "publication_date:asc",
} as const

type Search = { filter?: string; sort: keyof typeof sortFields; maxItems: number }

export default defineScraper({
  slug: "openalex-scraper",
  name: "OpenAlex",
  tagline: "Scholarly works of OpenAlex with authors, topics, citations and open access links.",
  notServed: ["full text"],
  category: "research",
  input: {
    query: inputs.text("Search words (AND, OR, NOT and quotes work), or one OpenAlex ID or DOI."),
    filter: Type.Optional(
      inputs.text(
        "OpenAlex filters, for example publication_year:2024,type:article; a comma means AND.",
      ),
    ),
    sort: inputs.choice(sortFields, "Sort order of the works.", "relevance"),
    maxItems: inputs.count("Maximum works", { max: 10_000, or: 100 }),
  },
  item: work,
  example: { query: "open access citation advantage", maxItems: 5 },
  probe: {
    input: { query: "open access citation advantage", maxItems: 3 },
    expect: [
      "items.length equals 3",
      'items[*].openalexId matches "W\\\\d+$"',
      "items[*].title share 1",
      "items[*].citationCount share 1",
      "items[*].authors share 0.3",
    ],
  },
  // OpenAlex gives a thousand credits a day since February 2026. A search costs ten.
  rateLimit: {
    "api.openalex.org": {
      perSecond: 5,
      concurrency: 1,
      quota: { requests: 100, hours: 24, without: "OPENALEX_API_KEY" },
    },
  },
  pages: { rows: 100 },
  targets: ({ query }) => [query],
  // The requested URL contains the operator's API key and email address.
  identify: (query) => ({ input: query, url: undefined }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    const id = singleWork(query)
    if (id) {
      const response = await request(ctx, `${endpoint}/${id}`, {}, query)
      yield readWork(response.json<Work>(), query)
      return
    }
    yield* readRows(search(ctx, query), (match) => readWork(match, query), ctx)
  },
})

/** Returns the path of one work if the query names one. */
function singleWork(query: string): string | null {
  const text = query.trim()
  const id =
    /^(?:(?:https?:\/\/)?(?:[a-z]+\.)?openalex\.org\/(?:works\/)?)?(W\d+)\/?(?:[?#].*)?$/i.exec(
      text,
    )
  if (id) return id[1]!.toUpperCase()
  const other = /^(pmid|pmcid):\s*(\w+)$/i.exec(text)
  if (other) return `${other[1]!.toLowerCase()}:${other[2]}`
  const doi = doiOf(text)
  return doi && `doi:${encodeURIComponent(doi).replaceAll("%2F", "/")}`
}

function search(ctx: Context<Search>, query: string): AsyncGenerator<Work> {
  const { filter, sort, maxItems } = ctx.input
  let provided = 0
  const page = async (from = "*") => {
    const parameters = { search: query, filter, sort: sortFields[sort], per_page: pageSize }
    const response = await request(ctx, endpoint, { ...parameters, cursor: from }, query)
    const { meta, results } = response.json<{
      meta?: { count?: number; next_cursor?: string | null }
      results?: Work[]
    }>()
    if (!Array.isArray(results)) throw response.explainMissing("a list of works")
    if (from === "*" && results.length === 0 && meta?.count !== 0)
      throw new Changed("OpenAlex's response counts works but lists none.")
    provided += results.filter((match) => match?.id).length
    // The last page also has a cursor, but no page follows.
    const whole = provided >= (integerOrNull(meta?.count) ?? Number.POSITIVE_INFINITY)
    return { rows: results, next: whole ? null : meta?.next_cursor }
  }
  return cursor(page, { cap: maxItems, keyOf: ({ id }) => id })
}

async function request(
  ctx: Context,
  url: string,
  parameters: NonNullable<RequestOptions["query"]>,
  query: string,
): Promise<UpstreamResponse> {
  const call = ctx.get(url, {
    query: { ...parameters, api_key: ctx.secret("OPENALEX_API_KEY"), mailto: contactEmail(ctx) },
    headers: { accept: "application/json" },
    accept: [400, 403, 404, 429],
  })
  const response = await busyIsRateLimit(call)
  const { status } = response
  if (status < 400) return response
  const details = { statusCode: status }
  if (status === 404)
    throw new NotFound(`No such work on OpenAlex: "${query}" (not found).`, details)
  const stated = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(response.text())?.[1]
  if (status === 400) throw new BadInput(`OpenAlex reports: ${stated ?? "bad request"}`, details)
  const advice = ctx.secret("OPENALEX_API_KEY")
    ? ""
    : " The operator can set OPENALEX_API_KEY for a higher limit."
  const reason = status === 403 ? "too many requests" : "the daily quota is used up"
  throw new RateLimited(`OpenAlex reports: ${stated ?? reason}${advice}`, null, details)
}

function readWork(published: Work, query: string) {
  if (!plainId(published?.id)?.startsWith("W"))
    throw new Changed("OpenAlex's response has a work without an ID.")
  return work.read({ ...published, query })
}
