import { Type } from "@sinclair/typebox"
import {
  foldSpace,
  integerOrNull,
  numberOrNull,
  textList,
  textOrNull,
} from "../../extract/core/index.ts"
import {
  BadInput,
  Changed,
  type Context,
  cursor,
  defineScraper,
  field,
  inputs,
  items,
  type Row,
  readRows,
  record,
} from "../kit/index.ts"
import { filingFolder, filingIndex, requestSec, secRateLimit } from "./sec.ts"

const pageSize = 100
/** Maximum number of hits that EDGAR's search returns. */
const reach = 10_000
const firstDay = "2001-01-01"
const day = { pattern: "^\\d{4}-\\d{2}-\\d{2}$" }

type Filter = { forms?: string; startDate?: string; endDate?: string }

type Hit = { _id: string; _score?: number | null; _source: Row }

interface SearchResponse {
  /** Older responses have the count as a number. */
  hits?: { total?: { value?: number } | number; hits?: Hit[] }
}

const texts = (name: string, description: string) =>
  field.texts((source: Row) => textsOf(source[name]), description)

const filed = record({
  form: field.text("form|form_type", "Form type of the filing."),
  rootForms: field.texts(
    (source: Row) => textsOf(source.root_forms ?? source.root_form),
    "Form types without the suffix of amendments.",
  ),
  fileType: field.text("file_type", "Type of the document, for example EX-99.1."),
  fileDescription: field.text("file_description", "Description of the document by the filer."),
  sequence: field.integer("sequence", "Position of the document in the filing."),
  filedDate: field.text("file_date", "Day of the filing (YYYY-MM-DD)."),
  periodEnding: field.text("period_ending", "End of the reported period (YYYY-MM-DD)."),
})

const codes = record({
  ciks: texts("ciks", "CIKs of all companies and persons of the filing."),
  sics: texts("sics", "Industry codes (SIC)."),
  fileNumbers: texts("file_num", "SEC file numbers."),
  filmNumbers: texts("film_num", "Film numbers."),
  businessLocations: texts("biz_locations", "Locations of business."),
  businessStates: texts("biz_states", "States of business."),
  incorporationStates: texts("inc_states", "States of incorporation."),
  items: texts("items", "Item numbers of an 8-K, for example 2.02."),
})

export default defineScraper({
  slug: "sec-filings-scraper",
  name: "SEC Filings",
  tagline: "Full-text search over SEC EDGAR filings with links to the documents.",
  notServed: ["numbers from statements"],
  category: "finance",
  input: {
    query: Type.String({
      description:
        'Search words ("phrases", OR, -not and wild*cards work), or an accession number.',
    }),
    forms: Type.Optional(
      inputs.text(
        "Comma-separated form types as EDGAR writes them, for example 10-K,8-K,DEF 14A,4.",
      ),
    ),
    startDate: inputs.optionalText("Earliest filing date (YYYY-MM-DD).", day),
    endDate: inputs.optionalText("Latest filing date (YYYY-MM-DD).", day),
    maxItems: inputs.count("Maximum documents", { max: reach, or: 100 }),
  },
  item: {
    accessionNumber: items.requiredText("Accession number of the filing."),
    documentId: items.requiredText("Accession number of the filing and file name of the document."),
    fileName: items.requiredText("File name of the document."),
    ...filed.fields,
    companyName: items.text("First company or person of the filing."),
    tickers: items.texts("Tickers of the first company."),
    cik: items.text("CIK of the first company, ten digits."),
    companies: items.objects("All companies and persons of the filing.", {
      name: items.requiredText("Name of the company or person."),
      tickers: items.texts("Tickers of the company; empty if it has none."),
      cik: items.text("CIK of the company or person, ten digits."),
    }),
    ...codes.fields,
    score: items.number("Relevance score for the query."),
    url: items.requiredText("URL of the document in its readable form."),
    filingIndexUrl: items.requiredText("URL of the filing's index page."),
    query: items.requiredText("Query as written in the input."),
  },
  example: { query: '"climate risk"', forms: "10-K", startDate: "2024-01-01", maxItems: 5 },
  probe: {
    input: { query: '"climate risk"', forms: "10-K", startDate: "2024-01-01", maxItems: 3 },
    expect: [
      "items.length equals 3",
      'items[*].form matches "10-K"',
      "items[*].filedDate share 1",
      "items[*].companyName share 1",
      'items[*].url matches "^https://www.sec.gov/"',
    ],
  },
  rateLimit: secRateLimit,
  pages: { rows: 100 },
  targets: ({ query }) => [query],
  maxItems: ({ maxItems }) => maxItems,

  async *scrape(query, ctx) {
    const { maxItems, forms, startDate, endDate } = ctx.input
    if (query.trim() === "" && !forms && !startDate && !endDate) {
      throw new BadInput(
        "No search words, form types or dates. Set `query`, `forms`, `startDate` or `endDate`.",
      )
    }
    const page = async (from = 0) => {
      const { total, hits } = await search(query, from, ctx)
      const next = from + pageSize
      const more = hits.length === pageSize && next < Math.min(total, reach)
      return { rows: hits, next: more ? next : null }
    }
    const hits = cursor(page, { cap: maxItems, keyOf: ({ _id }: Hit) => _id })
    yield* readRows(hits, (hit) => documentOf(hit, query), ctx)
  },
})

async function search(query: string, from: number, ctx: Context<Filter>) {
  const { forms, startDate, endDate } = ctx.input
  const dated = startDate !== undefined || endDate !== undefined
  const response = await requestSec(ctx, "https://efts.sec.gov/LATEST/search-index", {
    query: {
      q: query.trim().replace(/^(\d{10})(\d{2})(\d{6})$/, "$1-$2-$3"),
      forms: forms?.split(",").map(foldSpace).join(","),
      dateRange: dated ? "custom" : undefined,
      startdt: dated ? (startDate ?? firstDay) : undefined,
      enddt: dated ? (endDate ?? ctx.now().toISOString().slice(0, 10)) : undefined,
      from,
    },
    // EDGAR's search often fails and recovers at once.
    retries: 3,
  })
  const { total: counted, hits } = response.json<SearchResponse>().hits ?? {}
  const total = integerOrNull(typeof counted === "object" ? counted?.value : counted)
  if (!Array.isArray(hits) || total === null) throw response.explainMissing("a list of documents")
  if (from === 0 && hits.length === 0 && total > 0)
    throw new Changed("The SEC's response counts documents but lists none.")
  return { total, hits }
}

function documentOf({ _id, _score, _source: source }: Hit, query: string) {
  const [adsh, ...file] = textOrNull(_id)?.split(":") ?? []
  const accessionNumber = textOrNull(source?.adsh) ?? adsh
  const ciks = textsOf(source?.ciks)
  const companies = textsOf(source?.display_names).map(companyOf)
  const owner = ciks[0] ?? companies[0]?.cik
  if (!accessionNumber || file.length === 0 || !owner)
    throw new Changed("The SEC's response has a document without a number, file or company.")
  const fileName = file.join(":")
  const folder = filingFolder(owner, accessionNumber)
  const readable = textOrNull(source.xsl)
  return {
    accessionNumber,
    documentId: _id,
    fileName,
    ...filed.read(source),
    companyName: companies[0]?.name ?? null,
    tickers: companies[0]?.tickers ?? [],
    cik: companies[0]?.cik ?? owner,
    companies,
    ...codes.read(source),
    score: numberOrNull(_score),
    url: `${folder}/${readable ? `${readable}/` : ""}${fileName}`,
    filingIndexUrl: filingIndex(owner, accessionNumber),
    query,
  }
}

/** Returns a list; older responses have a single string here. */
const textsOf = (value: unknown) => (typeof value === "string" ? [value] : textList(value))

/**
 * Parses `NAME  (TICK, TICK2)  (CIK 0000016875)`; persons have no tickers. Two spaces distinguish
 * the tickers from brackets in the name, as in `INK CORP (DE)`.
 */
function companyOf(visible: string) {
  const gap = /\s{2}\(CIK/.test(visible) ? "\\s{2,}" : "\\s+"
  const form = `^(.*?)(?<!\\s)(?:${gap}\\(([A-Z0-9][A-Z0-9., -]*)\\))?\\s*\\(CIK\\s+(\\d+)\\)\\s*$`
  const [, name = visible, tickers, cik] = new RegExp(form).exec(visible) ?? []
  return {
    name: foldSpace(name),
    tickers: tickers?.split(/,\s*/) ?? [],
    cik: cik?.padStart(10, "0") ?? null,
  }
}
