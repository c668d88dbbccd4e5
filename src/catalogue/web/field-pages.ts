import { pageMarkdown } from "../../extract/article/index.ts"
import { baseUrl, foldSpace, textOrNull } from "../../extract/core/index.ts"
import { canonicalUrl } from "../../extract/links/index.ts"
import {
  documentTitle,
  type FieldData,
  metaContent,
  readFields,
  readMeta,
  readRowFields,
} from "../../extract/page/index.ts"
import {
  Changed,
  type Context,
  NotFound,
  type PageAction,
  type PageOptions,
  type RenderedResponse,
  readOnce,
  type UpstreamResponse,
} from "../kit/index.ts"
import { checkedFields, fieldsOfList, isEmpty, namingFields } from "./options/page-fields.ts"
import {
  type DetailPage,
  isPattern,
  type ListingInput,
  type ListPage,
  pagePosition,
} from "./options/page-listing.ts"
import { type PageRequestOptions, requestOf } from "./options/page-request.ts"
import { fileOf } from "./page/documents.ts"
import { openPage, pageFacts, requireWhole } from "./page/open.ts"
import { challengeOf, isReadable } from "./page/readable.ts"
import { keepShots, type ShotInputs, shotsOf } from "./page/shots.ts"
import { bySchema, type Extraction, extracted } from "./page-extract.ts"

/** Input of scrapers that open pages and read fields of them. */
interface FieldsInput extends ListingInput, PageRequestOptions, ShotInputs {
  actions?: PageAction[] | undefined
  includeHtml: boolean
  includeBoxes: boolean
  renderScripts: boolean
  includePageInfo: boolean
}

type PageContext = Context<FieldsInput>

interface OpenedPage {
  url: string
  response: RenderedResponse
  /** Options of the files that the input requests of the page. */
  shots: PageOptions
}

export interface OpenedList extends OpenedPage {
  rows: FieldData[]
}

/**
 * Returns a page of a list and its rows; null if a URL pattern leads to a page after the last one.
 * Throws Changed if no row matches.
 */
export async function openList(
  target: string | ListPage,
  extraction: Extraction | null,
  ctx: PageContext,
): Promise<OpenedList | null> {
  const { input } = ctx
  const { rows: selector, nextPage, detail } = input
  const fields = fieldsOfList(input, extraction !== null)
  const read = readOnce(({ document, url }) =>
    namingFields(() => {
      const base = baseUrl(document, url)
      return selector === undefined
        ? [readFields(fields, document, base)]
        : readRowFields(selector, fields, document, base)
    }),
  )
  const hasFields = (response: UpstreamResponse) =>
    read(response).some(({ data }) => !isEmpty(data))
  const { page, clicks, startUrl } = pagePosition(target)
  const byPattern = isPattern(nextPage)
  const click = { type: "click" as const, selector: nextPage }
  const actions = [...(input.actions ?? []), ...Array.from({ length: clicks }, () => click)]
  const href = typeof target === "string" ? target : target.url
  const options = {
    ...requestOf(input, href, startUrl),
    ...(actions.length > 0 && { actions }),
    ...(clicks > 0 && { forAccounts: "nextPage" }),
    robots: page > 1 && !byPattern,
  }
  try {
    const opened = await open(href, ctx, options, {
      hasFields,
      // The parts of the whole page are taken from the detail pages.
      extraction: detail ? null : extraction,
      shots: detail ? {} : pictured(input),
    })
    const { response } = opened
    if ((detail || !extraction) && !hasFields(response)) {
      requireWhole(response)
      if (selector !== undefined || page > 1) {
        throw response.explainMissing(`a row that "${selector ?? "fields"}" finds`)
      }
    }
    return { ...opened, rows: read(response) }
  } catch (error) {
    const isEnd = error instanceof NotFound || error instanceof Changed
    if (page === 1 || !byPattern || !isEnd) throw error
    ctx.log(`Page ${page} of ${startUrl} has no rows. The list ends before it.`)
    return null
  }
}

/** Returns the item of a detail page: the fields of its row in the list, and its own. */
export async function detailItem(
  target: DetailPage,
  extraction: Extraction | null,
  ctx: PageContext,
) {
  const { input } = ctx
  const lines = input.detail?.fields ?? []
  const fields = checkedFields(lines, {
    mayBeEmpty: extraction !== null,
    input: "detail.fields",
  })
  const read = readOnce(({ document, url }) =>
    namingFields(() => readFields(fields, document, baseUrl(document, url)), "detail.fields"),
  )
  const hasFields = (response: UpstreamResponse) => !isEmpty(read(response).data)
  const options = { ...requestOf(input, target.url, target.startUrl), robots: true }
  const shots = pictured(input)
  const opened = await open(target.url, ctx, options, { hasFields, extraction, shots })
  const { response } = opened
  if (!extraction && !hasFields(response)) {
    requireWhole(response)
    throw response.explainMissing("any field of detail.fields")
  }
  const { data, missing, warnings } = read(response)
  return {
    ...pageFacts(opened),
    listUrl: target.listUrl,
    ...itemFields({
      data: { ...target.data, ...data },
      missing: [...target.missing, ...missing],
      warnings,
    }),
    ...(await pageParts(opened, extraction, ctx)),
  }
}

/** Returns the files that the input requests of a page, and whether to add positions. */
function pictured(input: FieldsInput): PageOptions {
  const { screenshot, ...others } = shotsOf(input)
  if (!screenshot) return others
  return { ...others, screenshot: { ...screenshot, boxes: input.includeBoxes } }
}

interface Wanted {
  hasFields(response: UpstreamResponse): boolean
  extraction: Extraction | null
  shots: PageOptions
}

async function open(
  url: string,
  ctx: PageContext,
  options: PageOptions,
  { hasFields, extraction, shots }: Wanted,
): Promise<OpenedPage> {
  const field = extraction?.byModel ? null : (extraction?.field ?? null)
  const typed = readOnce((response) => field && bySchema(field, response, false))
  const hasTyped = (response: UpstreamResponse) =>
    extraction !== null && typed(response)?.missing.length !== field?.properties.length
  const opened = await openPage(url, ctx, {
    documents: "all",
    ...options,
    has: (response) =>
      challengeOf(response) === null &&
      (extraction?.byModel ? isReadable(response) : hasFields(response) || hasTyped(response)),
    what: "any of the fields",
    ...shots,
    ...(ctx.input.renderScripts && { scripted: true }),
  })
  return { ...opened, shots }
}

/** Returns the requested parts of the whole page: typed data, files, source and facts. */
export async function pageParts(
  { response, shots }: OpenedPage,
  extraction: Extraction | null,
  ctx: PageContext,
) {
  const text = extraction?.byModel
    ? pageMarkdown(response.document, response.url, true).markdown
    : ""
  return {
    ...(extraction ? { extracted: await extracted(extraction, response, text, ctx) } : {}),
    ...fileOf(response),
    ...(ctx.input.includePageInfo ? { pageInfo: pageInfo(response, ctx.now()) } : {}),
    ...(ctx.input.includeHtml
      ? { html: response.shots?.screenshot?.boxedHtml ?? response.text() }
      : {}),
    ...(await keepShots(response, shots, ctx)),
  }
}

export const itemFields = ({ warnings, ...data }: FieldData) => ({
  ...data,
  ...(warnings.length > 0 && { warnings }),
})

function pageInfo(response: UpstreamResponse, now: Date) {
  const { document } = response
  const description = metaContent(readMeta(document), "description")
  return {
    title: documentTitle(document),
    description: description === null ? null : textOrNull(foldSpace(description)),
    language: textOrNull(document.documentElement.getAttribute("lang")),
    canonicalUrl: canonicalUrl(document, response.url),
    contentType: textOrNull(response.file?.contentType ?? response.contentType),
    contentLength: response.bytes.length,
    fetchedAt: now.toISOString(),
  }
}
