import { type Static, Type } from "@sinclair/typebox"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import {
  distinct,
  foldSpace,
  textList,
  textOrNull,
  titleOrNull,
  unseen,
} from "../../extract/text.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  textField,
  textsField,
} from "../fields.ts"
import { BadInput, busyIsRateLimit, Changed, NotFound } from "../outcome.ts"

const endpoint = "https://api.semanticscholar.org/graph/v1/paper/search"
const pageSize = 100
/** The search by relevance ends here; offset and limit together must stay below 1,000. */
const reach = 999
/** Above it the bulk search is used, which has no order and no summaries. */
const mostByRelevance = 1000

const fields = [
  "paperId", "corpusId", "externalIds", "url", "title", "abstract", "venue", "publicationVenue",
  "year", "referenceCount", "citationCount", "influentialCitationCount", "isOpenAccess",
  "openAccessPdf", "fieldsOfStudy", "s2FieldsOfStudy", "publicationTypes", "publicationDate",
  "journal", "authors", "tldr",
] // biome-ignore format: a list reads better dense

const input = inputObject({
  query: Type.String({ minLength: 1, description: "Plain words, without operators." }),
  yearRange: Type.Optional(
    Type.String({
      pattern: "^(?:\\d{4}|\\d{4}-|-\\d{4}|\\d{4}-\\d{4})$",
      description: "A year or a range: 2019, 2016-2020, 2010- or -2015.",
    }),
  ),
  fieldsOfStudy: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Fields of study, apart by commas, such as Computer Science,Medicine.",
    }),
  ),
  openAccessOnly: Type.Optional(
    Type.Boolean({ default: false, description: "Only papers with a free PDF." }),
  ),
  maxItems: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      default: 100,
      description: "Most papers; above 1,000 they come without order and summaries.",
    }),
  ),
})

interface Paper {
  paperId: string
  externalIds?: Record<string, unknown> | null
  authors?: { name?: string; authorId?: string | null }[] | null
  journal?: { name?: string; volume?: string; pages?: string } | null
  publicationVenue?: { name?: string } | null
  openAccessPdf?: { url?: string; status?: string | null } | null
  tldr?: { text?: string } | null
  s2FieldsOfStudy?: { category?: string }[] | null
  [field: string]: unknown
}

interface Page {
  total?: number
  next?: number
  token?: string | null
  data?: Paper[]
}

export default defineScraper({
  slug: "semantic-scholar-scraper",
  name: "Semantic Scholar",
  tagline: "Papers of Semantic Scholar with abstracts, citations, summaries and PDF links.",
  category: "research",
  tier: "free",
  input,
  item: itemObject({
    paperId: Type.String({ description: "Semantic Scholar's id." }),
    corpusId: integerField("Semantic Scholar's number."),
    url: Type.String({ description: "The paper at Semantic Scholar." }),
    doi: textField("DOI."),
    arxivId: textField("arXiv id."),
    pmid: textField("PubMed id."),
    pmcid: textField("PubMed Central id."),
    dblp: textField("DBLP key."),
    mag: textField("Microsoft Academic id."),
    acl: textField("ACL Anthology id."),
    title: textField("Title."),
    abstract: textField("Abstract; some publishers withhold it."),
    tldr: textField("Summary in one sentence, made by machine."),
    authors: Type.Array(
      itemObject({
        name: textField("Name."),
        authorId: textField("Semantic Scholar's id."),
        url: textField("The author's page."),
      }),
      { description: "Authors in their order." },
    ),
    publicationYear: integerField("Year of publication."),
    publicationDate: textField("YYYY-MM-DD."),
    venue: textField("Conference or journal."),
    journal: textField("Journal."),
    volume: textField("Volume."),
    pages: textField("Pages."),
    publicationTypes: textsField("Kinds of publication."),
    fieldsOfStudy: textsField("Fields of study."),
    citationCount: integerField("Papers that cite it."),
    influentialCitationCount: integerField("Papers on which it had much influence."),
    referenceCount: integerField("Works that it cites."),
    isOpenAccess: booleanField("It can be read without paying."),
    openAccessPdfUrl: textField("Free PDF."),
    openAccessStatus: textField("Kind of open access, such as GOLD."),
    query: Type.String({ description: "The query as it was asked for." }),
  }),
  example: { query: "graph neural networks", yearRange: "2020-", maxItems: 5 },
  pace: { "api.semanticscholar.org": { perSecond: 1, concurrency: 1 } },
  targets: ({ query }) => [query],
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    for await (const paper of papers(ctx, query)) {
      yield described(paper, query)
    }
  },
})

async function* papers(ctx: Context<Static<typeof input>>, query: string): AsyncGenerator<Paper> {
  const { maxItems = 100, yearRange, fieldsOfStudy, openAccessOnly } = ctx.input
  const bulk = maxItems > mostByRelevance
  const common = {
    // A hyphen keeps a word from matching.
    query: query.replaceAll("-", " "),
    year: yearRange,
    fieldsOfStudy,
    openAccessPdf: openAccessOnly ? "" : undefined,
    fields: fields.filter((field) => !bulk || field !== "tldr").join(","),
  }
  const seen = new Set<string>()
  let offset: number | undefined = 0
  let token: string | null | undefined
  do {
    const answer: Answer = bulk
      ? await ask(ctx, `${endpoint}/bulk`, { ...common, token: token ?? undefined })
      : await ask(ctx, endpoint, { ...common, offset, limit: Math.min(pageSize, reach - offset!) })
    const page = answer.json<Page>()
    if (!Array.isArray(page?.data) && page?.total !== 0) throw answer.lacks("a list of papers")
    const data = page.data ?? []
    if (seen.size === 0 && data.length === 0 && page.total !== 0) {
      throw new Changed("Semantic Scholar counts papers and lists none of them.")
    }
    if (data.some((paper) => typeof paper?.paperId !== "string")) {
      throw new Changed("Semantic Scholar's answer holds a paper without id.")
    }
    const fresh = unseen(data, seen, (paper) => paper.paperId)
    yield* fresh
    token = page.token
    offset = page.next
    if (fresh.length === 0 || seen.size >= maxItems) return
  } while (bulk ? token : offset !== undefined && offset < reach)
}

async function ask(ctx: Context, url: string, query: RequestOptions["query"]): Promise<Answer> {
  const key = ctx.secret("SEMANTIC_SCHOLAR_API_KEY")
  const call = ctx.get(url, {
    query,
    headers: { accept: "application/json", ...(key ? { "x-api-key": key } : {}) },
    accept: [400, 404],
    // Without a key, all the world shares one pool of calls.
    retries: 4,
  })
  const answer = await busyIsRateLimit(call)
  if (answer.status < 400) return answer
  const said = /"(?:error|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(answer.text())?.[1]
  const message = `Semantic Scholar says: ${said ?? `status ${answer.status}`}`
  const details = { url: answer.url, statusCode: answer.status }
  throw answer.status === 404 ? new NotFound(message, details) : new BadInput(message, details)
}

function described(paper: Paper, query: string) {
  const ids = paper.externalIds ?? {}
  const pdf = paper.openAccessPdf
  return {
    paperId: paper.paperId,
    corpusId: integerOrNull(paper.corpusId ?? ids.CorpusId),
    url: textOrNull(paper.url) ?? `https://www.semanticscholar.org/paper/${paper.paperId}`,
    doi: textOrNull(ids.DOI),
    arxivId: textOrNull(ids.ArXiv),
    pmid: textOrNull(ids.PubMed),
    pmcid: textOrNull(ids.PubMedCentral),
    dblp: textOrNull(ids.DBLP),
    mag: textOrNull(ids.MAG),
    acl: textOrNull(ids.ACL),
    title: titleOrNull(paper.title),
    abstract: textOrNull(paper.abstract),
    tldr: textOrNull(paper.tldr?.text),
    authors: (paper.authors ?? []).map(({ name, authorId }) => ({
      name: textOrNull(name),
      authorId: textOrNull(authorId),
      url: authorId ? `https://www.semanticscholar.org/author/${authorId}` : null,
    })),
    publicationYear: integerOrNull(paper.year),
    publicationDate: textOrNull(paper.publicationDate),
    venue: textOrNull(paper.venue) ?? textOrNull(paper.publicationVenue?.name),
    journal: textOrNull(paper.journal?.name),
    volume: folded(paper.journal?.volume),
    pages: folded(paper.journal?.pages),
    publicationTypes: textList(paper.publicationTypes),
    fieldsOfStudy: distinct([
      ...textList(paper.fieldsOfStudy),
      ...(paper.s2FieldsOfStudy ?? []).flatMap((one) => textOrNull(one.category) ?? []),
    ]),
    citationCount: integerOrNull(paper.citationCount),
    influentialCitationCount: integerOrNull(paper.influentialCitationCount),
    referenceCount: integerOrNull(paper.referenceCount),
    isOpenAccess: booleanOrNull(paper.isOpenAccess),
    openAccessPdfUrl: textOrNull(pdf?.url),
    openAccessStatus: textOrNull(pdf?.status),
    query,
  }
}

/** Volumes and pages come with line breaks and runs of blanks around them. */
function folded(value: unknown): string | null {
  return textOrNull(foldSpace(textOrNull(value) ?? ""))
}
