import { type Static, Type } from "@sinclair/typebox"
import { at } from "../../extract/embedded.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { decodeEntities, foldSpace, textList, textOrNull, titleOrNull } from "../../extract/text.ts"
import {
  type Answer,
  booleanField,
  type Context,
  defineScraper,
  inputObject,
  integerField,
  itemObject,
  nullable,
  oneOf,
  textField,
  textsField,
} from "../define.ts"
import { BadInput, Blocked, Changed } from "../outcome.ts"

const endpoint = "https://www.federalregister.gov/api/v1/documents.json"
const pageSize = 100
/** A query reaches no further than so many documents; more need narrower dates. */
const reach = 2000
const firstDay = "1994-01-01"

const fields = [
  "document_number", "title", "type", "subtype", "abstract", "excerpts", "action", "dates",
  "publication_date", "effective_on", "comments_close_on", "signing_date", "citation", "volume",
  "start_page", "end_page", "page_length", "agencies", "docket_ids", "regulation_id_numbers",
  "cfr_references", "topics", "significant", "executive_order_number", "president",
  "presidential_document_number", "html_url", "pdf_url", "json_url", "body_html_url",
  "raw_text_url", "full_text_xml_url", "public_inspection_pdf_url", "comment_url",
  "regulations_dot_gov_info", "toc_subject", "correction_of",
] // biome-ignore format: a list reads better dense

const typeCodes = {
  any: undefined,
  rule: "RULE",
  "proposed-rule": "PRORULE",
  notice: "NOTICE",
  presidential: "PRESDOCU",
} as const

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description }))

const input = inputObject({
  query: Type.Optional(
    Type.String({ minLength: 1, description: 'Words; "phrases", | for or, - for not.' }),
  ),
  documentType: Type.Optional(
    oneOf(["any", "rule", "proposed-rule", "notice", "presidential"], {
      default: "any",
      description: "Kind of document.",
    }),
  ),
  agency: Type.Optional(
    Type.String({
      minLength: 1,
      description: "Slug of an agency, such as environmental-protection-agency, or its address.",
    }),
  ),
  publishedAfter: day("Published on this day or later (YYYY-MM-DD)."),
  publishedBefore: day("Published on this day or before (YYYY-MM-DD)."),
  maxItems: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 20_000, default: 100, description: "Most documents." }),
  ),
})

interface Agency {
  raw_name?: string
  name?: string
  id?: number
  slug?: string
  parent_id?: number | null
  url?: string
}

interface RegisterDocument {
  document_number: string
  html_url?: string
  agencies?: Agency[]
  cfr_references?: { title?: number | string; part?: number | string }[]
  [field: string]: unknown
}

interface Page {
  count: number
  documents: RegisterDocument[]
}

interface Dates {
  from?: string | undefined
  to?: string | undefined
}

export default defineScraper({
  slug: "federal-register-scraper",
  name: "Federal Register",
  tagline:
    "US Federal Register documents: rules, proposed rules, notices and presidential documents.",
  category: "data",
  tier: "free",
  input,
  item: itemObject({
    documentNumber: Type.String({ description: "Number of the document." }),
    title: textField("Title."),
    type: textField("Rule, Proposed Rule, Notice or Presidential Document."),
    subtype: textField("Such as Executive Order."),
    abstract: textField("Abstract."),
    action: textField("What the agency does by it."),
    dates: textField("Dates, in the agency's words."),
    excerpt: textField("Text around the words that were searched for."),
    publicationDate: textField("Day of publication (YYYY-MM-DD)."),
    effectiveDate: textField("Day on which it takes effect."),
    commentsCloseDate: textField("Last day for comments."),
    signingDate: textField("Day on which the president signed it."),
    citation: textField("Citation, such as 89 FR 12345."),
    volume: integerField("Volume."),
    startPage: integerField("First page."),
    endPage: integerField("Last page."),
    pageCount: integerField("Pages."),
    agencies: Type.Array(
      itemObject({
        name: textField("Name."),
        rawName: textField("Name as printed."),
        id: integerField("Number."),
        slug: textField("Name in addresses."),
        parentId: integerField("Number of the agency it belongs to."),
        url: textField("Page."),
      }),
      { description: "Agencies that issued it." },
    ),
    docketIds: textsField("Dockets."),
    rins: textsField("Regulation identifier numbers."),
    topics: textsField("Topics."),
    cfrReferences: Type.Array(
      itemObject({
        title: nullable(Type.Union([Type.Integer(), Type.String()])),
        part: nullable(Type.Union([Type.Integer(), Type.String()])),
      }),
      { description: "Parts of the Code of Federal Regulations that it concerns." },
    ),
    significant: booleanField("Significant under Executive Order 12866."),
    commentCount: integerField("Comments at regulations.gov."),
    regulationsGovDocumentId: textField("Its id at regulations.gov."),
    executiveOrderNumber: textField("Number of the executive order."),
    president: textField("President."),
    url: textField("The document's page."),
    pdfUrl: textField("PDF."),
    publicInspectionPdfUrl: textField("PDF as filed before publication."),
    rawTextUrl: textField("Plain text."),
    xmlUrl: textField("XML."),
    commentUrl: textField("Where to comment."),
    query: textField("The words that were searched for."),
  }),
  example: { query: "drinking water", documentType: "rule", maxItems: 5 },
  pace: { "www.federalregister.gov": { perSecond: 2, concurrency: 1 } },
  targets: ({ query }) => [{ input: query ?? null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input: query }, ctx) {
    const { maxItems = 100, publishedAfter: from, publishedBefore: to } = ctx.input
    const seen = new Set<string>()
    for await (const document of documents({ from, to }, maxItems, ctx)) {
      if (!document?.document_number) {
        throw new Changed("The Federal Register's answer holds a document without number.")
      }
      // Numbers were used again before 2016; the address is the identity.
      const identity = document.html_url ?? document.document_number
      if (seen.has(identity)) continue
      seen.add(identity)
      yield { ...described(document), query }
      if (seen.size === maxItems) return
    }
  },
})

type Register = Context<Static<typeof input>>

/** The documents of a span of dates, which is halved while it holds more than can be reached. */
async function* documents(
  dates: Dates,
  wanted: number,
  ctx: Register,
): AsyncGenerator<RegisterDocument> {
  const perPage = Math.min(pageSize, wanted)
  const first = await pageOf(dates, 1, perPage, ctx)
  const halves = first.count > reach && wanted > reach ? halved(dates, ctx) : null
  if (halves) {
    for (const half of halves) yield* documents(half, wanted, ctx)
    return
  }
  yield* first.documents
  const last = Math.min(first.count, reach, wanted + pageSize)
  for (let page = 2; (page - 1) * perPage < last; page++) {
    const { documents } = await pageOf(dates, page, perPage, ctx)
    if (documents.length === 0) return
    yield* documents
  }
}

/** Two spans, the newer first; null when there is but one day. */
function halved({ from = firstDay, to }: Dates, ctx: Register): [Dates, Dates] | null {
  const end = to ?? ctx.now().toISOString().slice(0, 10)
  const [start, stop] = [dayNumber(from), dayNumber(end)]
  if (stop <= start) return null
  const middle = Math.floor((start + stop) / 2)
  return [
    { from: dayText(middle + 1), to },
    { from, to: dayText(middle) },
  ]
}

const dayNumber = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000
const dayText = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

async function pageOf(
  { from, to }: Dates,
  page: number,
  perPage: number,
  ctx: Register,
): Promise<Page> {
  const { query, documentType = "any", agency } = ctx.input
  const answer = await ctx.get(endpoint, {
    query: {
      per_page: perPage,
      page,
      order: query ? "relevance" : "newest",
      "conditions[term]": query,
      "conditions[type][]": typeCodes[documentType],
      "conditions[agencies][]": agency && agencySlug(agency),
      "conditions[publication_date][gte]": from,
      "conditions[publication_date][lte]": to,
      "fields[]": fields,
    },
    headers: { accept: "application/json" },
    accept: [400, 422],
  })
  if (answer.status >= 400) throw refusal(answer)
  if (
    /^https?:\/\/unblock\./i.test(answer.url) ||
    /<title>[^<]*Request Access/i.test(answer.text())
  ) {
    throw new Blocked("The Federal Register has blocked this address.", "Federal Register", {
      url: answer.url,
      statusCode: answer.status,
    })
  }
  const { count, results } = answer.json<{ count?: number; results?: RegisterDocument[] }>()
  // Without any document, there is no list either.
  const listed = Array.isArray(results) ? results : count === 0 ? [] : null
  if (typeof count !== "number" || !listed) throw answer.lacks("a list of documents")
  if (page === 1 && count > 0 && listed.length === 0) {
    throw new Changed("The Federal Register counts documents and lists none of them.")
  }
  return { count, documents: listed }
}

function agencySlug(agency: string): string {
  return agency
    .trim()
    .replace(/^https?:\/\/(?:www\.)?federalregister\.gov\/agencies\//i, "")
    .replace(/[/?#].*$/s, "")
}

/** `{"errors": {"conditions[agencies][]": "…"}}` */
function refusal(answer: Answer): BadInput {
  let said = `status ${answer.status}`
  try {
    const errors = at<Record<string, unknown>>(answer.json(), "errors") ?? {}
    said =
      Object.entries(errors)
        .map(([name, why]) => `${name} ${why}`)
        .join("; ") || said
  } catch {
    // The reason is a page; the status says enough.
  }
  return new BadInput(`The Federal Register says: ${said}`, {
    url: answer.url,
    statusCode: answer.status,
  })
}

function described(document: RegisterDocument) {
  return {
    documentNumber: document.document_number,
    title: titleOrNull(document.title),
    type: textOrNull(document.type),
    subtype: textOrNull(document.subtype),
    abstract: titleOrNull(document.abstract),
    action: titleOrNull(document.action),
    dates: titleOrNull(document.dates),
    excerpt: excerptOf(document.excerpts),
    publicationDate: textOrNull(document.publication_date),
    effectiveDate: textOrNull(document.effective_on),
    commentsCloseDate: textOrNull(document.comments_close_on),
    signingDate: textOrNull(document.signing_date),
    citation: textOrNull(document.citation),
    volume: integerOrNull(document.volume),
    startPage: integerOrNull(document.start_page),
    endPage: integerOrNull(document.end_page),
    pageCount: integerOrNull(document.page_length),
    agencies: (document.agencies ?? []).map((agency) => ({
      name: textOrNull(agency.name) ?? textOrNull(agency.raw_name),
      rawName: textOrNull(agency.raw_name),
      id: integerOrNull(agency.id),
      slug: textOrNull(agency.slug),
      parentId: integerOrNull(agency.parent_id),
      url: textOrNull(agency.url),
    })),
    docketIds: textList(document.docket_ids),
    rins: textList(document.regulation_id_numbers),
    topics: textList(document.topics),
    cfrReferences: (document.cfr_references ?? []).map(({ title, part }) => ({
      title: title ?? null,
      part: part ?? null,
    })),
    significant: booleanOrNull(document.significant),
    commentCount: integerOrNull(at(document, "regulations_dot_gov_info", "comments_count")),
    regulationsGovDocumentId: textOrNull(at(document, "regulations_dot_gov_info", "document_id")),
    executiveOrderNumber: textOrNull(document.executive_order_number),
    president: textOrNull(at(document, "president", "name") ?? document.president),
    url: textOrNull(document.html_url),
    pdfUrl: textOrNull(document.pdf_url),
    publicInspectionPdfUrl: textOrNull(document.public_inspection_pdf_url),
    rawTextUrl: textOrNull(document.raw_text_url),
    xmlUrl: textOrNull(document.full_text_xml_url),
    commentUrl: textOrNull(document.comment_url),
  }
}

/** Without the marks around each word of the term. */
function excerptOf(value: unknown): string | null {
  const text = textOrNull(value)?.replace(/<\/?span\b[^<>]*>/gi, "")
  return textOrNull(foldSpace(decodeEntities(text ?? "")))
}
