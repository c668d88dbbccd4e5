import { Type } from "@sinclair/typebox"
import { textOrNull, titleOrNull } from "../../extract/core/index.ts"
import {
  defineScraper,
  field,
  inputs,
  items,
  nullable,
  readRows,
  record,
  required,
} from "../kit/index.ts"
import { documents, type RegisterDocument, typeCodes } from "./federal-register.ts"

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description }))

const numberOrText = (description: string) =>
  nullable(Type.Union([Type.Integer(), Type.String()], { description }))

const facts = record({
  documentNumber: required(field.text("document_number", "Document number.")),
  title: field.title("title", "Title."),
  type: field.text("type", "Rule, Proposed Rule, Notice or Presidential Document."),
  subtype: field.text("subtype", "Subtype, for example Executive Order."),
  abstract: field.title("abstract", "Abstract."),
  action: field.title("action", "Action field of the document, as the agency filled it in."),
  dates: field.title("dates", "Dates field of the document, as the agency wrote it."),
  excerpt: field.text("excerpts", "Text around the search keywords.", withoutMarks),
  publicationDate: field.text("publication_date", "Day of publication (YYYY-MM-DD)."),
  effectiveDate: field.text("effective_on", "Day on which the document takes effect (YYYY-MM-DD)."),
  commentsCloseDate: field.text("comments_close_on", "Last day for comments (YYYY-MM-DD)."),
  signingDate: field.text(
    "signing_date",
    "Day on which the president signed the document (YYYY-MM-DD).",
  ),
  citation: field.text("citation", "Citation, for example 89 FR 12345."),
  volume: field.integer("volume", "Number of the Federal Register's volume."),
  startPage: field.integer("start_page", "Number of the first page."),
  endPage: field.integer("end_page", "Number of the last page."),
  pageCount: field.integer("page_length", "Number of pages."),
  agencies: field.objects("agencies", "Agencies that issued the document.", {
    name: field.text("name|raw_name", "Name."),
    rawName: field.text("raw_name", "Name, as printed."),
    id: field.integer("id", "ID of the agency."),
    slug: field.text("slug", "Name in URLs (slug)."),
    parentId: field.integer("parent_id", "ID of the parent agency."),
    url: field.text("url", "URL of the agency."),
  }),
  docketIds: field.texts("docket_ids", "IDs of the dockets."),
  rins: field.texts("regulation_id_numbers", "Regulation identifier numbers (RIN)."),
  topics: field.texts("topics", "Topics."),
  cfrReferences: field.objects(
    "cfr_references",
    "Affected parts of the Code of Federal Regulations.",
    {
      title: numberOrText("Number of the title of the Code of Federal Regulations."),
      part: numberOrText("Number of the part within the title."),
    },
  ),
  significant: field.boolean(
    "significant",
    "Whether the document is significant under Executive Order 12866.",
  ),
  commentsCount: field.integer(
    "regulations_dot_gov_info.comments_count",
    "Number of comments at regulations.gov.",
  ),
  regulationsGovDocumentId: field.text(
    "regulations_dot_gov_info.document_id",
    "ID of the document at regulations.gov.",
  ),
  executiveOrderNumber: field.text("executive_order_number", "Number of the executive order."),
  president: field.text("president.name|president", "President."),
  url: field.text("html_url", "URL of the document."),
  pdfUrl: field.text("pdf_url", "URL of the PDF."),
  publicInspectionPdfUrl: field.text(
    "public_inspection_pdf_url",
    "URL of the PDF as filed before publication.",
  ),
  rawTextUrl: field.text("raw_text_url", "URL of the plain text."),
  xmlUrl: field.text("full_text_xml_url", "URL of the XML version."),
  commentUrl: field.text("comment_url", "URL for comments."),
})

export default defineScraper({
  slug: "federal-register-scraper",
  name: "Federal Register",
  tagline:
    "US Federal Register documents: rules, proposed rules, notices and presidential documents.",
  notServed: ["laws of other countries", "court cases"],
  category: "data",
  input: {
    query: Type.Optional(inputs.text('Search words; "phrases", | for OR and - for NOT work.')),
    documentType: inputs.choice(typeCodes, "Document type.", "any"),
    agency: Type.Optional(
      inputs.text("Agency slug, for example environmental-protection-agency, or agency URL."),
    ),
    publishedAfter: day("Earliest publication date (YYYY-MM-DD)."),
    publishedBefore: day("Latest publication date (YYYY-MM-DD)."),
    maxItems: inputs.count("Maximum documents", { max: 20_000, or: 100 }),
  },
  item: { ...facts.fields, query: items.text("Search query.") },
  example: { query: "drinking water", documentType: "rule", maxItems: 5 },
  probe: {
    expect: [
      "items.length equals 5",
      "items[*].documentNumber share 1",
      "items[*].title share 1",
      "items[*].publicationDate share 1",
      'items[*].pdfUrl matches "^https://www.govinfo.gov/"',
      "items[*].agencies share 1",
    ],
  },
  rateLimit: { "www.federalregister.gov": { perSecond: 2, concurrency: 1 } },
  targets: ({ query }) => [{ input: query ?? null }],
  identify: (target) => ({ input: target.input }),
  maxItems: ({ maxItems }) => maxItems,

  async *scrape({ input: query }, ctx) {
    const { maxItems, publishedAfter: from, publishedBefore: to } = ctx.input
    const seen = new Set<string>()
    const read = (document: RegisterDocument) => {
      const item = { ...facts.read(document), query }
      // Document numbers were reused before 2016, so the URL identifies a document.
      const identity = textOrNull(document.html_url) ?? item.documentNumber
      if (seen.has(identity)) return null
      seen.add(identity)
      return item
    }
    for await (const item of readRows(documents({ from, to }, maxItems, ctx), read, ctx)) {
      yield item
      if (seen.size === maxItems) return
    }
  },
})

/** Removes the marks around each matching word. */
function withoutMarks(excerpts: string): string | null {
  return titleOrNull(excerpts.replace(/<\/?span\b[^<>]*>/gi, ""))
}
