import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { booleanOrNull, integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { distinct, textList, textOrNull, titleOrNull, unseen } from "../../extract/text.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  numberField,
  oneOf,
  textField,
  textsField,
} from "../fields.ts"
import { BadInput, busyIsRateLimit, Changed, NotFound, RateLimited } from "../outcome.ts"
import { abstractOf, awardsOf, bareId, countriesOf, type Work } from "./openalex-work.ts"
import { contactEmail, doiOf } from "./scholarly.ts"

const endpoint = "https://api.openalex.org/works"
/** Each call costs of the day's allowance, so a page is always a full one. */
const pageSize = 100

const sortFields = {
  relevance: "relevance_score:desc",
  cited: "cited_by_count:desc",
  newest: "publication_date:desc",
  oldest: "publication_date:asc",
} as const

const input = inputObject({
  query: Type.String({
    minLength: 1,
    description:
      "Words (AND, OR, NOT and quotes work), or an OpenAlex id or DOI for that one work.",
  }),
  filter: Type.Optional(
    Type.String({
      minLength: 1,
      description:
        "OpenAlex filters, such as publication_year:2024,type:article; a comma means AND.",
    }),
  ),
  sort: Type.Optional(
    oneOf(["relevance", "cited", "newest", "oldest"], {
      default: "relevance",
      description: "What comes first.",
    }),
  ),
  maxItems: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: "Most works." }),
  ),
})

export default defineScraper({
  slug: "openalex-scraper",
  name: "OpenAlex",
  tagline: "Scholarly works of OpenAlex with authors, topics, citations and open access links.",
  category: "research",
  tier: "free",
  input,
  item: itemObject({
    openalexId: Type.String({ description: "OpenAlex id, such as W2741809807." }),
    url: Type.String({ description: "The work at OpenAlex." }),
    doi: textField("DOI."),
    pmid: textField("PubMed id."),
    pmcid: textField("PubMed Central id, with PMC."),
    mag: textField("Microsoft Academic id."),
    title: textField("Title."),
    abstract: textField("Abstract."),
    publicationDate: textField("YYYY-MM-DD."),
    publicationYear: integerField("Year of publication."),
    type: textField("Kind of work, such as article."),
    language: textField("Language (ISO 639)."),
    authors: Type.Array(
      itemObject({
        name: textField("Name."),
        openalexId: textField("OpenAlex id."),
        orcid: textField("ORCID iD."),
        position: textField("first, middle or last."),
        isCorresponding: booleanField("Letters go to this author."),
        institutions: Type.Array(Type.String()),
        countries: Type.Array(Type.String()),
      }),
      { description: "Authors in their order; lists give the first 100." },
    ),
    sourceName: textField("Journal, repository or book series."),
    sourceType: textField("Kind of source."),
    issn: textField("Linking ISSN of the source."),
    publisher: textField("Publisher or host of the source."),
    volume: textField("Volume."),
    issue: textField("Issue."),
    firstPage: textField("First page."),
    lastPage: textField("Last page."),
    citationCount: integerField("Works that cite it."),
    referenceCount: integerField("Works that it cites."),
    fwci: numberField("Citations against the mean of its field."),
    isOpenAccess: booleanField("It can be read without paying."),
    openAccessStatus: textField("diamond, gold, green, hybrid, bronze or closed."),
    openAccessUrl: textField("Where it can be read."),
    pdfUrl: textField("PDF of the best free copy."),
    landingPageUrl: textField("Page of the work at its source."),
    license: textField("Licence of the best free copy."),
    primaryTopic: textField("Main topic."),
    topics: textsField("Topics."),
    keywords: textsField("Keywords."),
    concepts: textsField("Concepts; OpenAlex fills them no longer."),
    funders: textsField("Who paid for it."),
    awards: Type.Array(
      itemObject({ funder: textField("Funder."), awardId: textField("Number of the award.") }),
      { description: "Awards and grants." },
    ),
    isRetracted: booleanField("It was retracted."),
    isParatext: booleanField("It is a cover, a table of contents or the like."),
    referencedWorks: textsField("OpenAlex ids of the works it cites."),
    countsByYear: Type.Array(itemObject({ year: Type.Integer(), citationCount: Type.Integer() }), {
      description: "Citations by year.",
    }),
    relevanceScore: numberField("How well it fits the query."),
    updatedAt: textField("When the record was updated (ISO 8601, UTC)."),
    query: Type.String({ description: "The query as it was asked for." }),
  }),
  example: { query: "open access citation advantage", maxItems: 5 },
  pace: { "api.openalex.org": { perSecond: 5, concurrency: 1 } },
  targets: ({ query }) => [query],
  // The address that was asked holds the operator's key and mail address.
  identify: (query) => ({ input: query, url: undefined }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    const id = singleWork(query)
    if (id) {
      const answer = await ask(ctx, `${endpoint}/${id}`, {}, query)
      yield described(answer.json<Work>(), query)
      return
    }
    for await (const work of search(ctx, query)) {
      yield described(work, query)
    }
  },
})

/** The path of one work, when the query names one. */
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

async function* search(ctx: Context<Static<typeof input>>, query: string): AsyncGenerator<Work> {
  const { filter, sort = "relevance", maxItems = 100 } = ctx.input
  const seen = new Set<string>()
  let cursor: string | null | undefined = "*"
  while (cursor && seen.size < maxItems) {
    const parameters = { search: query, filter, sort: sortFields[sort], per_page: pageSize, cursor }
    const answer: Answer = await ask(ctx, endpoint, parameters, query)
    const { meta, results } = answer.json<{
      meta?: { count?: number; next_cursor?: string | null }
      results?: Work[]
    }>()
    if (!Array.isArray(results)) throw answer.lacks("a list of works")
    if (seen.size === 0 && results.length === 0 && meta?.count !== 0) {
      throw new Changed("OpenAlex counts works and lists none of them.")
    }
    const fresh = unseen(results, seen, (work) => work.id)
    yield* fresh
    // The last page, too, comes with a cursor, behind which there is nothing.
    const whole = typeof meta?.count === "number" && seen.size >= meta.count
    cursor = fresh.length > 0 && !whole ? meta?.next_cursor : null
  }
}

async function ask(
  ctx: Context,
  url: string,
  parameters: NonNullable<RequestOptions["query"]>,
  query: string,
): Promise<Answer> {
  const call = ctx.get(url, {
    query: { ...parameters, api_key: ctx.secret("OPENALEX_API_KEY"), mailto: contactEmail(ctx) },
    headers: { accept: "application/json" },
    accept: [400, 403, 404, 429],
  })
  const answer = await busyIsRateLimit(call)
  const { status } = answer
  if (status < 400) return answer
  const details = { statusCode: status }
  if (status === 404) throw new NotFound(`OpenAlex has no work "${query}" (not found).`, details)
  const said = /"message"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(answer.text())?.[1]
  if (status === 400) throw new BadInput(`OpenAlex says: ${said ?? "bad request"}`, details)
  const advice = ctx.secret("OPENALEX_API_KEY") ? "" : " Setting OPENALEX_API_KEY allows more."
  const reason = status === 403 ? "too many requests" : "the day's allowance is spent"
  throw new RateLimited(`OpenAlex says: ${said ?? reason}${advice}`, null, details)
}

function described(work: Work, query: string) {
  const openalexId = bareId(work?.id)
  if (!openalexId?.startsWith("W")) throw new Changed("OpenAlex' answer holds a work without id.")
  const { ids, biblio, open_access: access, best_oa_location: best } = work
  const place = work.primary_location
  return {
    openalexId,
    url: work.id,
    doi: textOrNull((ids?.doi ?? textOrNull(work.doi))?.replace(/^https?:\/\/doi\.org\//i, "")),
    pmid: bareId(ids?.pmid),
    pmcid: bareId(ids?.pmcid)?.replace(/^(?:PMC)?/i, "PMC") ?? null,
    mag: textOrNull(ids?.mag),
    title: titleOrNull(work.display_name) ?? titleOrNull(work.title),
    abstract: abstractOf(work.abstract_inverted_index),
    publicationDate: textOrNull(work.publication_date),
    publicationYear: integerOrNull(work.publication_year),
    type: textOrNull(work.type),
    language: textOrNull(work.language),
    authors: (work.authorships ?? []).map((one) => ({
      name: textOrNull(one.author?.display_name) ?? textOrNull(one.raw_author_name),
      openalexId: bareId(one.author?.id),
      orcid: bareId(one.author?.orcid),
      position: textOrNull(one.author_position),
      isCorresponding: booleanOrNull(one.is_corresponding),
      institutions: names(one.institutions),
      countries: countriesOf(one),
    })),
    sourceName: textOrNull(place?.source?.display_name),
    sourceType: textOrNull(place?.source?.type),
    issn: textOrNull(place?.source?.issn_l),
    publisher: textOrNull(place?.source?.host_organization_name),
    volume: textOrNull(biblio?.volume),
    issue: textOrNull(biblio?.issue),
    firstPage: textOrNull(biblio?.first_page),
    lastPage: textOrNull(biblio?.last_page),
    citationCount: integerOrNull(work.cited_by_count),
    referenceCount: integerOrNull(work.referenced_works_count),
    fwci: numberOrNull(work.fwci),
    isOpenAccess: booleanOrNull(access?.is_oa),
    openAccessStatus: textOrNull(access?.oa_status),
    openAccessUrl: textOrNull(access?.oa_url),
    pdfUrl: textOrNull(best?.pdf_url),
    landingPageUrl: textOrNull(place?.landing_page_url),
    license: textOrNull(best?.license),
    primaryTopic: textOrNull(work.primary_topic?.display_name),
    topics: names(work.topics),
    keywords: names(work.keywords),
    concepts: names(work.concepts),
    funders: distinct([
      ...names(work.funders),
      ...awardsOf(work).flatMap((one) => one.funder ?? []),
    ]),
    awards: awardsOf(work),
    isRetracted: booleanOrNull(work.is_retracted),
    isParatext: booleanOrNull(work.is_paratext),
    referencedWorks: textList(work.referenced_works).flatMap((one) => bareId(one) ?? []),
    countsByYear: (work.counts_by_year ?? []).flatMap(({ year, cited_by_count: count }) =>
      typeof year === "number" && typeof count === "number" ? [{ year, citationCount: count }] : [],
    ),
    relevanceScore: numberOrNull(work.relevance_score),
    updatedAt: isoDate(work.updated_date),
    query,
  }
}

/** Keywords of older records have their word under `keyword`. */
function names(
  list: { display_name?: string | null; keyword?: string | null }[] | null | undefined,
): string[] {
  return (list ?? []).flatMap(
    (one) => textOrNull(one.display_name) ?? textOrNull(one.keyword) ?? [],
  )
}
