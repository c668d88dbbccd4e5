import { type Static, Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { integerOrNull, numberOrNull } from "../../extract/numbers.ts"
import { textList, textOrNull, unseen } from "../../extract/text.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  numberField,
  oneOf,
  textField,
  textsField,
} from "../fields.ts"
import { BadInput, busyIsRateLimit, Changed, NotFound, UpstreamError } from "../outcome.ts"
import { contactEmail, doiOf, plainAbstract, plainTitle } from "./scholarly.ts"

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

const person = itemObject({
  given: textField("Given names."),
  family: textField("Family name."),
  name: textField("Name of a group."),
  orcid: textField("ORCID iD."),
  sequence: textField("first or additional."),
  affiliation: Type.Array(Type.String()),
})

const input = inputObject({
  query: Type.String({ minLength: 1, description: "Words, or a DOI for that one work." }),
  filterType: Type.Optional(oneOf(types, { default: "any", description: "Kind of work." })),
  fromYear: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9999, description: "Published in this year or later." }),
  ),
  untilYear: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 9999, description: "Published in this year or before." }),
  ),
  sort: Type.Optional(
    oneOf(["relevance", "published", "updated", "cited", "references"], {
      default: "relevance",
      description:
        "What comes first: best match, newest, latest change, most cited, most references.",
    }),
  ),
  maxItems: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 100, description: "Most works." }),
  ),
})

interface DateParts {
  "date-parts"?: (number | null)[][]
  "date-time"?: string
}

interface Person {
  given?: string
  family?: string
  name?: string
  ORCID?: string
  sequence?: string
  affiliation?: { name?: string }[]
}

interface Work {
  DOI: string
  title?: string[]
  subtitle?: string[]
  author?: Person[]
  editor?: Person[]
  published?: DateParts
  "published-print"?: DateParts
  "published-online"?: DateParts
  issued?: DateParts
  created?: DateParts
  indexed?: DateParts
  "container-title"?: string[]
  funder?: { name?: string; DOI?: string; award?: string[] }[]
  license?: { URL?: string }[]
  link?: { URL?: string; "content-type"?: string }[]
  [field: string]: unknown
}

export default defineScraper({
  slug: "crossref-scraper",
  name: "Crossref",
  tagline: "Scholarly works and their metadata from the Crossref DOI registry.",
  category: "research",
  tier: "free",
  input,
  item: itemObject({
    doi: Type.String({ description: "DOI." }),
    url: Type.String({ description: "Address of the DOI." }),
    title: textField("Title, without markup."),
    subtitle: textField("Subtitle, without markup."),
    type: textField("Kind of work, such as journal-article."),
    publisher: textField("Publisher."),
    language: textField("Language."),
    source: textField("Registry of the record."),
    containerTitle: textField("Journal, book or proceedings."),
    authors: Type.Array(person, { description: "Authors in their order." }),
    editors: Type.Array(person, { description: "Editors." }),
    publicationDate: textField("YYYY, YYYY-MM or YYYY-MM-DD, as far as known."),
    publicationYear: integerField("Year of publication."),
    createdAt: textField("When the DOI was registered (ISO 8601, UTC)."),
    indexedAt: textField("When the record was indexed (ISO 8601, UTC)."),
    abstract: textField("Abstract as plain text."),
    volume: textField("Volume."),
    issue: textField("Issue."),
    page: textField("Pages."),
    articleNumber: textField("Article number."),
    issn: textsField("ISSNs of the journal."),
    isbn: textsField("ISBNs of the book."),
    subjects: textsField("Subjects."),
    citationCount: integerField("Works that cite it."),
    referenceCount: integerField("Works that it cites."),
    funders: Type.Array(
      itemObject({
        name: textField("Name."),
        doi: textField("DOI of the funder."),
        awards: Type.Array(Type.String()),
      }),
      { description: "Who paid for it." },
    ),
    licenseUrl: textField("Licence."),
    pdfUrl: textField("PDF, where the publisher names one."),
    relevanceScore: numberField("How well it fits the query."),
    query: Type.String({ description: "The query as it was asked for." }),
  }),
  example: { query: "coral reef bleaching", filterType: "journal-article", maxItems: 5 },
  pace: { "api.crossref.org": { perSecond: 2, concurrency: 1 } },
  targets: ({ query }) => [query],
  // The address that was asked names the operator's mail address.
  identify: (query) => ({ input: query, url: undefined }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    const doi = doiOf(query)
    if (doi) {
      const answer = await ask(ctx, `${endpoint}/${encodeURIComponent(doi)}`, {})
      yield work(answer.json<{ message?: Work }>()?.message, query)
      return
    }
    for await (const found of search(ctx, query)) yield work(found, query)
  },
})

async function* search(ctx: Context<Static<typeof input>>, query: string): AsyncGenerator<Work> {
  const { filterType = "any", fromYear, untilYear, sort = "relevance", maxItems = 100 } = ctx.input
  const filter = [
    filterType === "any" ? null : `type:${filterType}`,
    fromYear === undefined ? null : `from-pub-date:${year(fromYear)}`,
    untilYear === undefined ? null : `until-pub-date:${year(untilYear)}`,
  ].filter((one) => one !== null)
  const seen = new Set<string>()
  let cursor = maxItems > pageSize ? "*" : undefined
  do {
    const answer = await ask(ctx, endpoint, {
      query,
      rows: Math.min(pageSize, maxItems),
      sort: sortFields[sort],
      order: "desc",
      filter: filter.length > 0 ? filter.join(",") : undefined,
      cursor,
    })
    const { message } = answer.json<{
      message?: { items?: Work[]; "total-results"?: number; "next-cursor"?: string }
    }>()
    const items = message?.items
    if (!Array.isArray(items)) throw answer.lacks("a list of works")
    if (seen.size === 0 && items.length === 0 && message?.["total-results"] !== 0) {
      throw new Changed("Crossref counts works and lists none of them.")
    }
    const fresh = unseen(items, seen, (one) => one.DOI)
    yield* fresh
    const whole = seen.size >= (message?.["total-results"] ?? Number.POSITIVE_INFINITY)
    cursor = cursor && fresh.length > 0 && !whole ? message?.["next-cursor"] : undefined
  } while (cursor && seen.size < maxItems)
}

async function ask(ctx: Context, url: string, query: RequestOptions["query"]): Promise<Answer> {
  const token = ctx.secret("CROSSREF_PLUS_TOKEN")
  const call = ctx.get(url, {
    query: { ...query, mailto: contactEmail(ctx) },
    headers: {
      accept: "application/json",
      ...(token ? { "crossref-plus-api-token": `Bearer ${token}` } : {}),
    },
    accept: [400, 404],
  })
  const answer = await busyIsRateLimit(call)
  if (answer.status < 400) return answer
  const message = `Crossref says: ${reason(answer)}`
  const details = { statusCode: answer.status }
  if (answer.status === 400) throw new BadInput(message, details)
  if (answer.text().includes("cursor-invalid")) throw new UpstreamError(message, details)
  throw new NotFound(message, details)
}

function reason(answer: Answer): string {
  const messages = [...answer.text().matchAll(/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g)]
  const text = messages.map((match) => match[1]).join(" ") || answer.text().trim()
  return text.startsWith("<") ? `status ${answer.status}` : text.slice(0, 300)
}

const year = (value: number) => String(value).padStart(4, "0")

function work(found: Work | undefined, query: string) {
  const doi = textOrNull(found?.DOI)
  if (!found || !doi) throw new Changed("Crossref's answer holds a work without DOI.")
  const publicationDate = publicationDateOf(found)
  return {
    doi,
    url: textOrNull(found.URL) ?? `https://doi.org/${doi}`,
    title: plainTitle(found.title?.[0]),
    subtitle: plainTitle(found.subtitle?.[0]),
    type: textOrNull(found.type),
    publisher: textOrNull(found.publisher),
    language: textOrNull(found.language),
    source: textOrNull(found.source),
    containerTitle: plainTitle(found["container-title"]?.[0]),
    authors: (found.author ?? []).map(personOf),
    editors: (found.editor ?? []).map(personOf),
    publicationDate,
    publicationYear: integerOrNull(publicationDate?.slice(0, 4)),
    createdAt: isoDate(found.created?.["date-time"]),
    indexedAt: isoDate(found.indexed?.["date-time"]),
    abstract: plainAbstract(found.abstract),
    volume: textOrNull(found.volume),
    issue: textOrNull(found.issue),
    page: textOrNull(found.page),
    articleNumber: textOrNull(found["article-number"]),
    issn: textList(found.ISSN),
    isbn: textList(found.ISBN),
    subjects: textList(found.subject),
    citationCount: integerOrNull(found["is-referenced-by-count"]),
    referenceCount: integerOrNull(found["references-count"]),
    funders: (found.funder ?? []).map((funder) => ({
      name: textOrNull(funder.name),
      doi: textOrNull(funder.DOI),
      awards: textList(funder.award),
    })),
    licenseUrl: textOrNull(found.license?.[0]?.URL),
    pdfUrl: textOrNull(found.link?.find((link) => link["content-type"] === "application/pdf")?.URL),
    relevanceScore: numberOrNull(found.score),
    query,
  }
}

function personOf(one: Person) {
  return {
    given: textOrNull(one.given),
    family: textOrNull(one.family),
    name: textOrNull(one.name),
    orcid: textOrNull(one.ORCID?.replace(/^https?:\/\/orcid\.org\//, "")),
    sequence: textOrNull(one.sequence),
    affiliation: (one.affiliation ?? []).flatMap((place) => textOrNull(place.name) ?? []),
  }
}

/** As precise as the record: a year, a month or a day. */
function publicationDateOf(found: Work): string | null {
  const { published, issued } = found
  for (const date of [published, found["published-print"], found["published-online"], issued]) {
    const [first, ...rest] = date?.["date-parts"]?.[0] ?? []
    if (!first) continue
    const parts = rest.filter((part) => part).map((part) => String(part).padStart(2, "0"))
    return [year(first), ...parts].join("-")
  }
  return null
}
