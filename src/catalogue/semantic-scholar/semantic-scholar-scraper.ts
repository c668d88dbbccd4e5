import { Type } from "@sinclair/typebox"
import { distinct, foldSpace, objectList, textList, textOrNull } from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  NotFound,
  type RequestOptions,
  type Row,
  readRows,
  record,
  required,
} from "../kit/index.ts"

const site = "https://www.semanticscholar.org"
const endpoint = "https://api.semanticscholar.org/graph/v1/paper/search"
const pageSize = 100
/** Maximum position of a hit by relevance: offset and limit together must stay below 1,000. */
const reach = 999
/** Above this number, the bulk search is used. It has no order and no summaries. */
const maxByRelevance = 1000

const fields = [
  "paperId", "corpusId", "externalIds", "url", "title", "abstract", "venue", "publicationVenue",
  "year", "referenceCount", "citationCount", "influentialCitationCount", "isOpenAccess",
  "openAccessPdf", "fieldsOfStudy", "s2FieldsOfStudy", "publicationTypes", "publicationDate",
  "journal", "authors", "tldr",
] // biome-ignore format: a list reads better dense

const input = {
  query: inputs.text("Search words without operators, for example graph neural networks."),
  yearRange: inputs.optionalText(
    "Publication year or range, for example 2019, 2016-2020, 2010- or -2015.",
    { pattern: "^(?:\\d{4}|\\d{4}-|-\\d{4}|\\d{4}-\\d{4})$" },
  ),
  fieldsOfStudy: Type.Optional(
    inputs.text("Comma-separated fields of study, for example Computer Science,Medicine."),
  ),
  openAccessOnly: inputs.flag("Whether to return only papers with a free PDF."),
  maxItems: inputs.count("Maximum papers; above 1,000 they are unsorted and lack summaries", {
    max: 10_000,
    or: 100,
  }),
}

type Paper = Row & { paperId: string; s2FieldsOfStudy?: { category?: string }[] | null }

type Page = { total?: number; next?: number; token?: string | null; data?: Paper[] }

const paperUrl = ({ url, paperId }: Paper): string => textOrNull(url) ?? `${site}/paper/${paperId}`

const facts = record({
  paperId: required(field.text("paperId", "Semantic Scholar ID of the paper.")),
  corpusId: field.integer("corpusId|externalIds.CorpusId", "Semantic Scholar's corpus ID."),
  url: required(field.text(paperUrl, "URL of the paper on Semantic Scholar.")),
  doi: field.text("externalIds.DOI", "DOI of the paper."),
  arxivId: field.text("externalIds.ArXiv", "arXiv ID."),
  pmid: field.text("externalIds.PubMed", "PubMed ID."),
  pmcid: field.text("externalIds.PubMedCentral", "PubMed Central ID."),
  dblp: field.text("externalIds.DBLP", "DBLP key."),
  mag: field.text("externalIds.MAG", "Microsoft Academic ID."),
  acl: field.text("externalIds.ACL", "ACL Anthology ID."),
  title: field.title("title", "Title of the paper."),
  abstract: field.text("abstract", "Abstract; null if the publisher withholds it."),
  tldr: field.text("tldr.text", "Machine-generated summary in one sentence."),
  authors: field.objects("authors", "Authors in the order of the paper.", {
    name: field.text("name", "Name of the author."),
    authorId: field.text("authorId", "Semantic Scholar ID of the author."),
    url: field.text("authorId", "URL of the author's page.", (id) => `${site}/author/${id}`),
  }),
  publicationYear: field.integer("year", "Year of publication."),
  publicationDate: field.text("publicationDate", "Date of publication (YYYY-MM-DD)."),
  venue: field.text("venue|publicationVenue.name", "Conference or journal."),
  journal: field.text("journal.name", "Name of the journal."),
  volume: field.text("journal.volume", "Volume of the journal.", foldSpace),
  pages: field.text("journal.pages", "Page range, for example 12-19.", foldSpace),
  publicationTypes: field.texts("publicationTypes", "Kinds of publication."),
  fieldsOfStudy: field.texts(fieldsOfStudy, "Fields of study."),
  citationCount: field.integer("citationCount", "Number of papers that cite this paper."),
  influentialCitationCount: field.integer(
    "influentialCitationCount",
    "Number of papers on which this paper had much influence.",
  ),
  referenceCount: field.integer("referenceCount", "Number of works that this paper cites."),
  isOpenAccess: field.boolean("isOpenAccess", "Whether the paper can be read free of charge."),
  openAccessPdfUrl: field.text("openAccessPdf.url", "URL of the free PDF."),
  openAccessStatus: field.text("openAccessPdf.status", "Kind of open access, for example GOLD."),
})

export default defineScraper({
  slug: "semantic-scholar-scraper",
  name: "Semantic Scholar",
  tagline: "Papers of Semantic Scholar with abstracts, citations, summaries and PDF links.",
  category: "research",
  input,
  item: { ...facts.fields, query: items.requiredText("Query as written in the input.") },
  example: { query: "graph neural networks", yearRange: "2020-", maxItems: 5 },
  probe: {
    input: { query: "graph neural networks", maxItems: 3 },
    expect: [
      "items.length equals 3",
      'items[*].paperId matches "^[0-9a-f]{40}$"',
      "items[*].title share 1",
      "items[*].citationCount share 1",
      "items[*].authors share 1",
    ],
  },
  rateLimit: { "api.semanticscholar.org": { perSecond: 1, concurrency: 1 } },
  targets: ({ query }) => [query],
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    yield* readRows(papers(ctx, query), (paper) => ({ ...facts.read(paper), query }), ctx)
  },
})

function papers(ctx: Context<InputOf<typeof input>>, query: string): AsyncGenerator<Paper> {
  const { maxItems, yearRange, openAccessOnly } = ctx.input
  const bulk = maxItems > maxByRelevance
  const common = {
    // A word with a hyphen matches nothing.
    query: query.replaceAll("-", " "),
    year: yearRange,
    fieldsOfStudy: ctx.input.fieldsOfStudy,
    openAccessPdf: openAccessOnly ? "" : undefined,
    fields: fields.filter((name) => !bulk || name !== "tldr").join(","),
  }
  const byRelevance = async (offset = 0) => {
    const limit = Math.min(pageSize, reach - offset)
    const { rows, next } = await pageOf(ctx, endpoint, { ...common, offset, limit })
    return { rows, next: next !== undefined && next < reach ? next : null }
  }
  const inBulk = async (token?: string) => {
    const page = await pageOf(ctx, `${endpoint}/bulk`, { ...common, token })
    return { rows: page.rows, next: page.token }
  }
  const options = { cap: maxItems, keyOf: ({ paperId }: Paper) => paperId }
  return bulk ? cursor(inBulk, options) : cursor(byRelevance, options)
}

async function pageOf(ctx: Context, url: string, query: NonNullable<RequestOptions["query"]>) {
  const response = await request(ctx, url, query)
  const { data, total, next, token } = response.json<Page>() ?? {}
  if (!Array.isArray(data) && total !== 0) throw response.explainMissing("a list of papers")
  const rows = data ?? []
  if (!query.offset && !query.token && rows.length === 0 && total !== 0) {
    throw new Changed("Semantic Scholar's response counts papers but lists none.")
  }
  return { rows, next, token }
}

async function request(ctx: Context, url: string, query: RequestOptions["query"]) {
  const key = ctx.secret("SEMANTIC_SCHOLAR_API_KEY")
  const call = ctx.get(url, {
    query,
    headers: { accept: "application/json", ...(key ? { "x-api-key": key } : {}) },
    accept: [400, 404],
    // Requests without a key share one rate limit worldwide.
    retries: 4,
  })
  const response = await busyIsRateLimit(call)
  if (response.status < 400) return response
  const stated = /"(?:error|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(response.text())?.[1]
  const message = `Semantic Scholar rejects the request: ${stated ?? `status ${response.status}`}`
  throw response.status === 404
    ? new NotFound(message, { response })
    : new BadInput(message, { response })
}

function fieldsOfStudy(paper: Paper): string[] {
  const byMachine = objectList(paper.s2FieldsOfStudy).flatMap(
    ({ category }) => textOrNull(category) ?? [],
  )
  return distinct([...textList(paper.fieldsOfStudy), ...byMachine])
}
