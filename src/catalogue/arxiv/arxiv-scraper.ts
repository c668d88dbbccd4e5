import {
  foldSpace,
  integerOrNull,
  parseXml,
  textOrNull,
  type XmlElement,
} from "../../extract/core/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  type RequestOptions,
  readRows,
  recordOf,
  required,
  type UpstreamResponse,
} from "../kit/index.ts"

const endpoint = "https://export.arxiv.org/api/query"
const pageSize = 100
/** arXiv sometimes returns an empty page within a list; a repeated request returns it in full. */
const triesForEmptyPage = 3

const atom = "http://www.w3.org/2005/Atom"
const arxiv = "http://arxiv.org/schemas/atom"
const openSearch = "http://a9.com/-/spec/opensearch/1.1/"

const sortFields = {
  relevance: "relevance",
  submitted: "submittedDate",
  updated: "lastUpdatedDate",
} as const

const child =
  (name: string, namespace = atom) =>
  (element: XmlElement) =>
    textOrNull(foldSpace(element.first(name, namespace)?.text ?? ""))

const paper = recordOf<XmlElement>()({
  arxivId: required(field.text((entry) => nameOf(entry).id, "arXiv ID without the version.")),
  version: field.integer((entry) => nameOf(entry).version, "Version of this record."),
  title: required(field.text(child("title"), "Title, with LaTeX source.")),
  abstract: field.text(child("summary"), "Abstract, with LaTeX source."),
  authors: field.objects(
    (entry) => entry.all("author", atom).filter(child("name")),
    "Authors in order.",
    {
      name: required(field.text(child("name"), "Name of the author.")),
      affiliation: field.text(child("affiliation", arxiv), "Institution of the author."),
    },
  ),
  primaryCategory: field.text(
    (entry) => entry.first("primary_category", arxiv)?.attribute("term"),
    "Main category.",
  ),
  categories: field.texts(
    (entry) => entry.all("category", atom).map((category) => category.attribute("term")),
    "Categories.",
  ),
  publishedAt: field.time(
    child("published"),
    "Time of submission of the first version (ISO 8601, UTC).",
  ),
  updatedAt: field.time(child("updated"), "Time of submission of this version (ISO 8601, UTC)."),
  doi: field.text(child("doi", arxiv), "DOI of the published article."),
  journalRef: field.text(child("journal_ref", arxiv), "Journal reference."),
  comment: field.text(
    child("comment", arxiv),
    "Authors' comment, for example the number of pages.",
  ),
  url: required(
    field.text(
      (entry) => link(entry, "rel", "alternate") ?? `https://arxiv.org/abs/${nameOf(entry).whole}`,
      "URL of the abstract page.",
    ),
  ),
  pdfUrl: required(
    field.text(
      (entry) => link(entry, "title", "pdf") ?? `https://arxiv.org/pdf/${nameOf(entry).whole}`,
      "URL of the PDF.",
    ),
  ),
  doiUrl: field.text((entry) => link(entry, "title", "doi"), "URL of the DOI."),
})

export default defineScraper({
  slug: "arxiv-scraper",
  name: "arXiv",
  tagline:
    "Search arXiv preprints by keywords, category or identifier and get full metadata with abstract and PDF link.",
  notServed: ["citations"],
  category: "research",
  input: {
    query: inputs.text(
      "Search words, arXiv query syntax (ti: au: abs: cat:, AND OR ANDNOT, quotes), or IDs such as 1605.08386 or arxiv.org URLs.",
    ),
    category: inputs.optionalText(
      "Only papers of this category, for example cs.LG, math.CO or cs.*.",
      { pattern: "^[A-Za-z-]+(\\.[A-Za-z-]+)?(\\.?\\*)?$" },
    ),
    sortBy: inputs.choice(
      sortFields,
      "Sort order: best match, newest submission or newest version.",
      "relevance",
    ),
    maxItems: inputs.count("Maximum papers", { max: 2000, or: 100 }),
  },
  item: { ...paper.fields, query: items.requiredText("Query as written in the input.") },
  example: { query: "ti:diffusion AND cat:cs.LG", maxItems: 5 },
  probe: {
    input: { query: "au:vaswani AND ti:attention", maxItems: 5 },
    expect: [
      "items.length gte 1",
      'items[*].arxivId matches "1706\\\\.03762"',
      "items[*].title share 1",
      "items[*].abstract share 1",
      "items[*].authors share 1",
    ],
  },
  rateLimit: { "export.arxiv.org": { perSecond: 1 / 3, concurrency: 1 } },
  targets: (input) => [input.query],
  maxItems: (input) => input.maxItems,

  async *scrape(query, ctx) {
    const { category, sortBy, maxItems } = ctx.input
    const ids = identifiers(query)
    const search = ids
      ? { id_list: ids.join(",") }
      : {
          search_query: category ? `(${query}) AND cat:${category}` : query,
          sortBy: sortFields[sortBy],
          sortOrder: "descending",
        }
    let provided = 0
    const known = new Set<string>()
    const page = async (start = 0) => {
      const left = ids ? pageSize : Math.min(pageSize, maxItems - provided)
      const { total, entries } = await filledPage(ctx, { ...search, start, max_results: left })
      const next = start + entries.length
      const papers = entries.filter((entry) => !isPlaceholder(entry))
      const rows = await Array.fromAsync(readRows(papers, paper.read, ctx))
      return { rows, next: next < total ? next : null }
    }
    const papers = cursor(page, {
      cap: maxItems,
      keyOf: ({ arxivId, version }) => `${arxivId} ${version}`,
    })
    for await (const match of papers) {
      provided++
      known.add(match.arxivId)
      yield { ...match, query }
    }
    const missing = (ids ?? []).filter((id) => !known.has(id.replace(/v\d+$/, "")))
    if (missing.length > 0 && provided < maxItems) {
      ctx.log(`arXiv has no paper with the identifier ${missing.join(", ")}.`, "warning")
    }
  },
})

const identifier = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?$/

/** Returns the IDs that a query consists of, or null if the query is a search. */
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

async function filledPage(ctx: Context, query: RequestOptions["query"] & object) {
  for (let attempt = 1; ; attempt++) {
    const page = readFeed(await busyIsRateLimit(ctx.get(endpoint, { query, accept: [400] })))
    const start = Number(query.start)
    if (page.entries.length > 0 || page.total <= start) return page
    if (attempt < triesForEmptyPage) continue
    if (start === 0) throw new Changed(`arXiv counts ${page.total} papers but lists none.`)
    ctx.log(`arXiv returned no papers after the first ${start} of ${page.total}.`, "warning")
    return page
  }
}

function readFeed(response: UpstreamResponse) {
  const feed = parseXml(response.text())
  const entries = feed?.all("entry", atom) ?? []
  const error = entries.find((entry) => /\/api\/errors/.test(child("id")(entry) ?? ""))
  if (error) {
    const reason = child("summary")(error) ?? "the query has an error"
    throw new BadInput(`arXiv reports: ${reason}.`, { response })
  }
  const total = integerOrNull(feed?.first("totalResults", openSearch)?.text)
  if (feed?.name !== "feed" || total === null)
    throw response.explainMissing("an Atom feed of papers")
  return { total, entries }
}

/** For an unknown ID, arXiv may return an entry with no other fields. */
const isPlaceholder = (entry: XmlElement): boolean =>
  ["title", "summary", "published"].every((name) => child(name)(entry) === null)

/** Returns the ID at the end of an entry's URL, with and without its version. */
function nameOf(entry: XmlElement) {
  const [, whole, id, version] = /\/abs\/((.+?)(?:v(\d+))?)$/.exec(child("id")(entry) ?? "") ?? []
  return { whole, id, version }
}

function link(entry: XmlElement, attribute: string, value: string): string | null {
  const match = entry.all("link", atom).find((element) => element.attribute(attribute) === value)
  return match?.attribute("href") ?? null
}
