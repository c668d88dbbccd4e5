import { Type } from "@sinclair/typebox"
import { isoDate } from "../../extract/dates.ts"
import { integerOrNull } from "../../extract/numbers.ts"
import { foldSpace, textOrNull, unseen } from "../../extract/text.ts"
import { parseXml, type XmlElement } from "../../extract/xml.ts"
import type { Answer, Context, RequestOptions } from "../context.ts"
import { defineScraper } from "../define.ts"
import {
  inputObject,
  integerField,
  itemObject,
  nullable,
  oneOf,
  textField,
  textsField,
} from "../fields.ts"
import { BadInput, busyIsRateLimit, Changed } from "../outcome.ts"

const endpoint = "https://export.arxiv.org/api/query"
const pageSize = 100
/** arXiv sometimes gives an empty page in the middle of a list; asked again, it is full. */
const triesForEmptyPage = 3

const atom = "http://www.w3.org/2005/Atom"
const arxiv = "http://arxiv.org/schemas/atom"
const openSearch = "http://a9.com/-/spec/opensearch/1.1/"

const sortFields = {
  relevance: "relevance",
  submitted: "submittedDate",
  updated: "lastUpdatedDate",
} as const

export default defineScraper({
  slug: "arxiv-scraper",
  name: "arXiv",
  tagline:
    "Search arXiv preprints by words, category or identifier and get full metadata with abstract and PDF link.",
  category: "research",
  tier: "free",
  input: inputObject({
    query: Type.String({
      minLength: 1,
      description:
        "Words, arXiv's query syntax (ti: au: abs: cat:, AND OR ANDNOT, quotes), or identifiers such as 1605.08386 and arxiv.org addresses.",
    }),
    category: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z-]+(\\.[A-Za-z-]+)?(\\.?\\*)?$",
        description: "Only this category, such as cs.LG, math.CO or cs.*.",
      }),
    ),
    sortBy: Type.Optional(
      oneOf(["relevance", "submitted", "updated"], {
        default: "relevance",
        description: "Best match first, or newest submission or newest version first.",
      }),
    ),
    maxItems: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2000, default: 100, description: "Most papers." }),
    ),
  }),
  item: itemObject({
    arxivId: Type.String({ description: "Identifier without version." }),
    version: integerField("Version of this record."),
    title: Type.String({ description: "Title; LaTeX is left as it is." }),
    abstract: textField("Abstract; LaTeX is left as it is."),
    authors: Type.Array(itemObject({ name: Type.String(), affiliation: nullable(Type.String()) }), {
      description: "Authors in their order.",
    }),
    primaryCategory: textField("Main category."),
    categories: textsField("All categories."),
    publishedAt: textField("When the first version was submitted (ISO 8601, UTC)."),
    updatedAt: textField("When this version was submitted (ISO 8601, UTC)."),
    doi: textField("DOI of the published article."),
    journalRef: textField("Where it was published."),
    comment: textField("The authors' comment, such as the number of pages."),
    url: Type.String({ description: "Abstract page." }),
    pdfUrl: Type.String({ description: "PDF." }),
    doiUrl: textField("Address of the DOI."),
    query: Type.String({ description: "The query as it was asked for." }),
  }),
  example: { query: "ti:diffusion AND cat:cs.LG", maxItems: 5 },
  pace: { "export.arxiv.org": { perSecond: 1 / 3, concurrency: 1 } },
  targets: (input) => [input.query],
  maxItems: (input) => input.maxItems,

  async *scrape(query, ctx) {
    const { category, sortBy = "relevance", maxItems = 100 } = ctx.input
    const ids = identifiers(query)
    const search = ids
      ? { id_list: ids.join(",") }
      : {
          search_query: category ? `(${query}) AND cat:${category}` : query,
          sortBy: sortFields[sortBy],
          sortOrder: "descending",
        }
    const seen = new Set<string>()
    for (let start = 0; seen.size < maxItems; ) {
      const { total, entries } = await filledPage(ctx, {
        ...search,
        start,
        max_results: ids ? pageSize : Math.min(pageSize, maxItems - seen.size),
      })
      const papers = entries.filter((entry) => !isPlaceholder(entry)).map(paper)
      const fresh = unseen(papers, seen, (one) => `${one.arxivId} ${one.version}`)
      for (const one of fresh) yield { ...one, query }
      start += entries.length
      if (fresh.length === 0 || start >= total) return
    }
  },
})

const identifier = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/

/** The identifiers that a query consists of; null when it is a search. */
function identifiers(query: string): string[] | null {
  const explicit = /^id:\s*(\S.*)$/i.exec(query.trim())
  if (explicit) return explicit[1]!.split(/[,\s]+/)
  const ids = query
    .trim()
    .split(/[,\s]+/)
    .map((word) =>
      word
        .replace(/^(?:https?:\/\/)?(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i, "")
        .replace(/^arxiv:/i, "")
        .replace(/[?#].*$/, "")
        .replace(/(?:\.pdf)?\/?$/i, ""),
    )
  return ids.every((id) => identifier.test(id)) ? ids : null
}

interface Page {
  total: number
  entries: XmlElement[]
}

async function filledPage(ctx: Context, query: RequestOptions["query"] & object): Promise<Page> {
  for (let attempt = 1; ; attempt++) {
    const page = readFeed(await busyIsRateLimit(ctx.get(endpoint, { query, accept: [400] })))
    const start = Number(query.start)
    if (page.entries.length > 0 || page.total <= start) return page
    if (attempt < triesForEmptyPage) continue
    if (start === 0) {
      throw new Changed(`arXiv counts ${page.total} papers and lists none of them.`)
    }
    ctx.log(`arXiv gave no papers after the first ${start} of ${page.total}.`, "warning")
    return page
  }
}

function readFeed(answer: Answer): Page {
  const feed = parseXml(answer.text())
  const entries = feed?.all("entry", atom) ?? []
  const error = entries.find((entry) => /\/api\/errors/.test(field(entry, "id") ?? ""))
  if (error) {
    throw new BadInput(`arXiv says: ${field(error, "summary") ?? "the query has an error"}.`, {
      url: answer.url,
      statusCode: answer.status,
    })
  }
  const total = integerOrNull(feed?.first("totalResults", openSearch)?.text)
  if (feed?.name !== "feed" || total === null) throw answer.lacks("an Atom feed of papers")
  return { total, entries }
}

/** For an identifier that it does not know, arXiv may give an entry with nothing else in it. */
function isPlaceholder(entry: XmlElement): boolean {
  return ["title", "summary", "published"].every((name) => field(entry, name) === null)
}

function paper(entry: XmlElement) {
  const address = /\/abs\/(.+?)(?:v(\d+))?$/.exec(field(entry, "id") ?? "")
  const title = field(entry, "title")
  if (!address || !title) throw new Changed("An entry of arXiv's feed has no identifier or title.")
  const [, arxivId, version] = address
  const name = version ? `${arxivId}v${version}` : arxivId!
  return {
    arxivId: arxivId!,
    version: integerOrNull(version),
    title,
    abstract: field(entry, "summary"),
    authors: entry.all("author", atom).flatMap((author) => {
      const person = field(author, "name")
      return person ? [{ name: person, affiliation: field(author, "affiliation", arxiv) }] : []
    }),
    primaryCategory: entry.first("primary_category", arxiv)?.attribute("term") ?? null,
    categories: entry.all("category", atom).flatMap((one) => one.attribute("term") ?? []),
    publishedAt: isoDate(field(entry, "published")),
    updatedAt: isoDate(field(entry, "updated")),
    doi: field(entry, "doi", arxiv),
    journalRef: field(entry, "journal_ref", arxiv),
    comment: field(entry, "comment", arxiv),
    url: link(entry, "rel", "alternate") ?? `https://arxiv.org/abs/${name}`,
    pdfUrl: link(entry, "title", "pdf") ?? `https://arxiv.org/pdf/${name}`,
    doiUrl: link(entry, "title", "doi"),
  }
}

function field(element: XmlElement, name: string, namespace = atom): string | null {
  return textOrNull(foldSpace(element.first(name, namespace)?.text ?? ""))
}

function link(entry: XmlElement, attribute: string, value: string): string | null {
  const found = entry.all("link", atom).find((one) => one.attribute(attribute) === value)
  return found?.attribute("href") ?? null
}
