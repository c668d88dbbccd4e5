import { integerOrNull } from "../../extract/core/index.ts"
import { at } from "../../extract/embedded/index.ts"
import {
  BadInput,
  busyIsRateLimit,
  Changed,
  type Context,
  Forbidden,
  type UpstreamResponse,
} from "../kit/index.ts"

const pageSize = 100
/** Maximum documents of a query; narrower dates reach the others. */
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

export const typeCodes = {
  any: undefined,
  rule: "RULE",
  "proposed-rule": "PRORULE",
  notice: "NOTICE",
  presidential: "PRESDOCU",
} as const

export interface RegisterDocument {
  document_number: string
  html_url?: string
  [field: string]: unknown
}

export interface Dates {
  from?: string | undefined
  to?: string | undefined
}

/** Search conditions other than the dates. */
interface Search {
  query?: string
  documentType: keyof typeof typeCodes
  agency?: string
}

type Register = Context<Search>

/** Yields the documents of a date range, which is halved if it has too many to list. */
export async function* documents(
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

/** Returns two ranges, the newer first, or null if the range is a single day. */
function halved({ from = firstDay, to }: Dates, ctx: Register): [Dates, Dates] | null {
  const [start, stop] = [dayNumber(from), dayNumber(to ?? ctx.now().toISOString().slice(0, 10))]
  if (stop <= start) return null
  const middle = Math.floor((start + stop) / 2)
  return [
    { from: dayText(middle + 1), to },
    { from, to: dayText(middle) },
  ]
}

const dayNumber = (text: string) => Date.parse(`${text}T00:00:00Z`) / 86_400_000
const dayText = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)

async function pageOf({ from, to }: Dates, page: number, perPage: number, ctx: Register) {
  const { query, documentType, agency } = ctx.input
  const call = ctx.data("https://www.federalregister.gov/api/v1/documents.json", {
    what: "a list of documents",
    // The Federal Register redirects IP addresses that it has blocked to a captcha.
    refusal: {
      vendor: "Federal Register",
      address: /^https?:\/\/unblock\./i,
      sign: /<title>[^<]*Request Access/i,
    },
    // The Federal Register asks clients with many requests to wait.
    retries: 3,
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
    accept: [400, 403, 422],
  })
  const response = await busyIsRateLimit(call)
  if (response.status === 403) {
    throw new Forbidden("The Federal Register refused the request (status 403).", { response })
  }
  if (response.status >= 400) throw notAccepted(response)
  const { results, ...body } = response.json<{ count?: number; results?: RegisterDocument[] }>()
  const count = integerOrNull(body.count)
  // A response without documents has no list either.
  const listed = Array.isArray(results) ? results : count === 0 ? [] : null
  if (count === null || !listed) throw response.explainMissing("a list of documents")
  if (page === 1 && count > 0 && listed.length === 0) {
    throw new Changed("The Federal Register's response counts documents but lists none.")
  }
  return { count, documents: listed }
}

const agencySlug = (agency: string): string =>
  agency
    .trim()
    .replace(/^https?:\/\/(?:www\.)?federalregister\.gov\/agencies\//i, "")
    .replace(/[/?#].*$/s, "")

/** `{"errors": {"conditions[agencies][]": "…"}}` */
function notAccepted(response: UpstreamResponse): BadInput {
  let stated = `status ${response.status}`
  try {
    const reasons = Object.entries(at<Record<string, unknown>>(response.json(), "errors") ?? {})
    stated = reasons.map(([name, why]) => `${name} ${why}`).join("; ") || stated
  } catch {
    // The reason is a page; the status says enough.
  }
  return new BadInput(`The Federal Register reports: ${stated}`, { response })
}
