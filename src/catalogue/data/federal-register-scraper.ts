import { Type } from "@sinclair/typebox"
import { at } from "../../extract/embedded.ts"
import { booleanOrNull, integerOrNull } from "../../extract/numbers.ts"
import { decodeEntities, foldSpace, textList, textOrNull, titleOrNull } from "../../extract/text.ts"
import { defineScraper } from "../define.ts"
import {
  booleanField,
  inputObject,
  integerField,
  itemObject,
  nullable,
  oneOf,
  textField,
  textsField,
} from "../fields.ts"
import { Changed } from "../outcome.ts"
import { documents, type RegisterDocument } from "./federal-register.ts"

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
