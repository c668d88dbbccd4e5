import { Type } from "@sinclair/typebox"
import { decodeEntities, foldSpace, objectList, textOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  contactEmail,
  cursor,
  defineScraper,
  discontinued,
  doiOf,
  field,
  type InputOf,
  inputs,
  items,
  NotFound,
  type RequestOptions,
  type Row,
  readRows,
  recordOf,
  required,
  UpstreamError,
} from "../kit/index.ts"

const endpoint = "https://api.crossref.org/works"
const pageSize = 1000

const types = [
  "any", "journal-article", "book", "book-chapter", "proceedings-article", "posted-content",
  "dataset", "report", "dissertation", "monograph", "reference-entry", "peer-review", "standard",
] as const // biome-ignore format: a list reads better dense

const sortFields = {
  relevance: "relevance",
  published: "published",
  updated: "updated",
  cited: "is-referenced-by-count",
  references: "references-count",
} as const

const person = {
  given: field.text("given", "Given names."),
  family: field.text("family", "Family name."),
  name: field.text("name", "Name of a group."),
  orcid: field.text("ORCID", "ORCID iD.", (address) =>
    address.replace(/^https?:\/\/orcid\.org\//, ""),
  ),
  sequence: field.text("sequence", "Position in the author list: first or additional."),
  affiliation: field.texts("affiliation.*.name", "Names of the person's institutions."),
}

const optionalYear = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 9999, description }))

const input = {
  query: inputs.text("Search words, or one DOI."),
  filterType: inputs.choice(types, "Type of work.", "any"),
  fromYear: optionalYear("Earliest publication year, for example 2020."),
  untilYear: optionalYear("Latest publication year, for example 2024."),
  sort: inputs.choice(
    sortFields,
    "Sort order: best match, newest, last updated, most cited or most references.",
    "relevance",
  ),
  maxItems: inputs.count("Maximum works", { max: 10_000, or: 100 }),
}

interface Work extends Row {
  DOI: string
  link?: { URL?: string; "content-type"?: string }[]
}

const work = recordOf<Work>()({
  doi: required(field.text("DOI", "DOI.")),
  url: required(
    field.text(({ URL, DOI }) => textOrNull(URL) ?? `https://doi.org/${DOI}`, "URL of the DOI."),
  ),
  title: field.text("title.0", "Title, without markup.", plainTitle),
  subtitle: field.text("subtitle.0", "Subtitle, without markup.", plainTitle),
  type: field.text("type", "Type of work, for example journal-article."),
  publisher: field.text("publisher", "Publisher."),
  language: field.text("language", "Language."),
  source: field.text("source", "Registry of the record."),
  containerTitle: field.text(
    "container-title.0",
    "Title of the journal, book or proceedings.",
    plainTitle,
  ),
  authors: field.objects("author", "Authors in order.", person),
  editors: field.objects("editor", "Editors.", person),
  publicationDate: field.text(
    publicationDateOf,
    "Date of publication, as precise as known: YYYY, YYYY-MM or YYYY-MM-DD.",
  ),
  publicationYear: field.integer(
    (row) => publicationDateOf(row)?.slice(0, 4),
    "Year of publication.",
  ),
  createdAt: field.time("created.date-time", "Time of registration of the DOI (ISO 8601, UTC)."),
  indexedAt: field.time("indexed.date-time", "Time of indexing of the record (ISO 8601, UTC)."),
  abstract: field.text("abstract", "Abstract as plain text.", plainAbstract),
  volume: field.text("volume", "Volume of the journal, for example 12."),
  issue: field.text("issue", "Issue."),
  page: field.text("page", "Pages."),
  articleNumber: field.text("article-number", "Article number."),
  issn: field.texts("ISSN", "ISSNs of the journal."),
  isbn: field.texts("ISBN", "ISBNs of the book."),
  // Crossref announced the removal in March 2024, and no response has contained them since.
  subjects: field.of(discontinued(items.texts("Subjects.")), () => []),
  citationCount: field.integer("is-referenced-by-count", "Number of works that cite this work."),
  referenceCount: field.integer("references-count", "Number of works that this work cites."),
  funders: field.objects("funder", "Funders.", {
    name: field.text("name", "Name."),
    doi: field.text("DOI", "DOI of the funder."),
    awards: field.texts("award", "Numbers of the grants."),
  }),
  licenseUrl: field.text("license.0.URL", "Licence."),
  pdfUrl: field.text(pdfOf, "URL of the PDF; null if the publisher provides none."),
  relevanceScore: field.number("score", "Relevance score for the query."),
})

export default defineScraper({
  slug: "crossref-scraper",
  name: "Crossref",
  tagline: "Scholarly works and their metadata from the Crossref DOI registry.",
  notServed: ["abstract", "full text"],
  category: "research",
  input,
  item: { ...work.fields, query: items.requiredText("Query as written in the input.") },
  example: { query: "coral reef bleaching", filterType: "journal-article", maxItems: 5 },
  probe: {
    expect: [
      "items.length equals 5",
      'items[*].doi matches "^10\\\\."',
      "items[*].title share 1",
      "items[*].publicationYear share 0.8",
      "items[*].authors share 0.6",
    ],
  },
  rateLimit: { "api.crossref.org": { perSecond: 2, concurrency: 1 } },
  pages: { rows: 1000 },
  targets: ({ query }) => [query],
  // The request URL contains the operator's email address.
  identify: (query) => ({ input: query, url: undefined }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    const doi = doiOf(query)
    if (doi) {
      const response = await request(ctx, `${endpoint}/${encodeURIComponent(doi)}`, {})
      yield { ...readWork(response.json<{ message?: Work }>()?.message), query }
      return
    }
    yield* readRows(search(ctx, query), (match) => ({ ...readWork(match), query }), ctx)
  },
})

function search(ctx: Context<InputOf<typeof input>>, query: string): AsyncGenerator<Work> {
  const { filterType, fromYear, untilYear, sort, maxItems } = ctx.input
  const filter = [
    ...(filterType === "any" ? [] : [`type:${filterType}`]),
    ...(fromYear === undefined ? [] : [`from-pub-date:${year(fromYear)}`]),
    ...(untilYear === undefined ? [] : [`until-pub-date:${year(untilYear)}`]),
  ]
  // Crossref's own cursor, which may be the same on all pages.
  let place = maxItems > pageSize ? "*" : undefined
  let provided = 0
  const page = async (number = 1) => {
    const response = await request(ctx, endpoint, {
      query,
      rows: Math.min(pageSize, maxItems),
      sort: sortFields[sort],
      order: "desc",
      filter: filter.length > 0 ? filter.join(",") : undefined,
      cursor: place,
    })
    const { message } = response.json<{
      message?: { items?: Work[]; "total-results"?: number; "next-cursor"?: string }
    }>()
    const items = message?.items
    if (!Array.isArray(items)) throw response.explainMissing("a list of works")
    if (number === 1 && items.length === 0 && message?.["total-results"] !== 0) {
      throw new Changed("Crossref's response counts works but lists none.")
    }
    provided += items.filter((item) => item?.DOI).length
    place = place && message?.["next-cursor"]
    const whole = provided >= (message?.["total-results"] ?? Number.POSITIVE_INFINITY)
    return { rows: items, next: place && !whole ? number + 1 : null }
  }
  return cursor(page, { cap: maxItems, keyOf: ({ DOI }) => DOI })
}

async function request(ctx: Context, url: string, query: RequestOptions["query"]) {
  const token = ctx.secret("CROSSREF_PLUS_TOKEN")
  const call = ctx.get(url, {
    query: { ...query, mailto: contactEmail(ctx) },
    headers: {
      accept: "application/json",
      ...(token ? { "crossref-plus-api-token": `Bearer ${token}` } : {}),
    },
    accept: [400, 404],
  })
  const response = await busyIsRateLimit(call)
  if (response.status < 400) return response
  const messages = [...response.text().matchAll(/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
  const text = messages.map((match) => match[1]).join(" ") || response.text().trim()
  const reason = text.startsWith("<") ? `status ${response.status}` : text.slice(0, 300)
  const message = `Crossref reports: ${reason}`
  const details = { statusCode: response.status }
  if (response.status === 400) throw new BadInput(message, details)
  if (response.text().includes("cursor-invalid")) throw new UpstreamError(message, details)
  throw new NotFound(message, details)
}

const year = (value: unknown) => String(value).padStart(4, "0")

function readWork(published: Work | undefined) {
  if (!published || !textOrNull(published.DOI)) {
    throw new Changed("Crossref's response has a work without a DOI.")
  }
  return work.read(published)
}

function pdfOf({ link }: Work): string | undefined {
  return objectList(link).find((file) => file["content-type"] === "application/pdf")?.URL
}

/** Returns a date as precise as the record: a year, a month or a day. */
function publicationDateOf(work: Work): string | null {
  const { published, issued } = work
  for (const date of [published, work["published-print"], work["published-online"], issued]) {
    const parts = at<unknown[]>(date, "date-parts", 0)
    if (!Array.isArray(parts)) continue
    const [first, ...rest] = parts
    if (!first) continue
    const others = rest.filter((part) => part).map((part) => String(part).padStart(2, "0"))
    return [year(first), ...others].join("-")
  }
  return null
}

// Matches only text that looks like a tag: titles also contain "p < 0.05".
const tag = /<\/?[a-z][^<>]*>/gi

/** Returns a title on one line without its markup (`<i>`, `<sub>`, MathML). */
function plainTitle(value: unknown): string | null {
  if (typeof value !== "string") return null
  return textOrNull(foldSpace(decodeEntities(value.replace(tag, ""))))
}

/** Returns an abstract without its HTML or JATS tags; blank lines separate its paragraphs. */
function plainAbstract(value: unknown): string | null {
  if (typeof value !== "string") return null
  const paragraphs = value
    .replace(/<\/(?:jats:)?(?:p|title|sec|list-item|li)\s*>/gi, "\u0000")
    .replace(tag, "")
    .split("\u0000")
    .map((paragraph) => foldSpace(decodeEntities(paragraph)))
  return textOrNull(paragraphs.filter(Boolean).join("\n\n"))
}
