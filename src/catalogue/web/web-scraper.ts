import { Type } from "@sinclair/typebox"
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
  actionsInput,
  Changed,
  type Context,
  checkActions,
  defineScraper,
  emptyWith,
  entriesOfObject,
  type InputOf,
  inputs,
  items,
  NotFound,
  type PageOptions,
  pageUrls,
  readOnce,
  record,
  shotForms,
  type UpstreamResponse,
} from "../kit/index.ts"
import * as listing from "./options/page-listing.ts"
import * as pageRequest from "./options/page-request.ts"
import { documentField, fileOf } from "./page/documents.ts"
import { identifyPage, openPage, pageFacts, pageFields, requireWhole } from "./page/open.ts"
import { challengeOf, isReadable } from "./page/readable.ts"
import * as shots from "./page/shots.ts"
import {
  bySchema,
  type Extraction,
  extracted,
  extractedField,
  extractInput,
  extractionOf,
} from "./page-extract.ts"
import { inputFields as partInputs } from "./page-parts.ts"

const item = record({
  ...pageFields,
  data: Type.Record(
    Type.String(),
    Type.Union([
      ...listing.cellSchema.anyOf,
      Type.Array(Type.Record(Type.String(), listing.cellSchema)),
    ]),
    { description: "Your fields in their order: a text, a number, null, a list of them, or rows." },
  ),
  missing: items.texts("Names of fields without a match; in rows for example `rows[2].price`."),
  warnings: Type.Optional(items.texts("Warnings about values of the fields.")),
  page: items.optionalInteger("With nextPage: number of the page, from 1."),
  listUrl: items.optionalText("With detail: URL of the page that links to this one."),
  pageInfo: Type.Optional(
    items.requiredObject("With includePageInfo: facts on the page.", {
      title: items.text("Title of the page, as written."),
      description: items.text("Meta description of the page."),
      language: items.text("Declared language of the page."),
      canonicalUrl: items.text("Canonical URL in the page's metadata."),
      contentType: items.text("Media type of the response."),
      contentLength: items.requiredInteger("Number of bytes of the response after decompression."),
      fetchedAt: items.requiredText("Time of reading (ISO 8601)."),
    }),
  ),
  extracted: extractedField,
  document: documentField,
  html: items.optionalText("HTML source of the page, decoded."),
  ...shots.fileFields,
})

const input = {
  urls: pageUrls(1000),
  fields: Type.Array(Type.String(), {
    maxItems: 1000,
    [entriesOfObject]: true,
    [emptyWith]: "extract",
    description:
      "One field per entry: `name: selector` for text, `name: selector @attr` for an attribute, `[]name:` for all matches, `rows: .card { name: h3, price: .cost }` for rows that belong together. Also @html, @outerHtml, @ownText, @count; a final @number or @date parses one. Omit it if you use extract.",
  }),
  rows: inputs.optionalText(
    "CSS selector of rows, for example .card. Each row becomes an item, in which the fields are searched.",
    { minLength: 1, maxLength: 1000 },
  ),
  extract: extractInput,
  actions: actionsInput,
  formats: shots.formatsInput(shotForms, "Files to make of the page: screenshot, pdf."),
  ...shots.optionInputs,
  ...listing.inputFields,
  headers: pageRequest.inputFields.headers,
  cookies: pageRequest.cookiesInput,
  country: pageRequest.inputFields.country,
  renderScripts: partInputs.renderScripts,
  includeHtml: inputs.flag("Include the HTML source of the page."),
  includeBoxes: inputs.flag(
    "With screenshot and includeHtml: add the attribute `data-trawl-box` to visible elements of `html`: left, top, width and height in pixels of the page.",
  ),
  includePageInfo: inputs.flag("Include title, description, language and other facts of the page."),
}

export default defineScraper({
  slug: "web-scraper",
  name: "Web Scraper",
  tagline: "Pull your own fields from any page with CSS selectors.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  input,
  item,
  example: { urls: ["https://example.com"], fields: ["title: h1", "[]links: a @href"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].data.title equals "Example Domain"',
      "items[0].data.links.length gte 1",
      "items[0].missing.length equals 0",
    ],
  },
  targets: (input): listing.PageTarget[] => {
    checkActions(input.actions)
    const hasExtraction = extractionOf(input.extract) !== null
    const fields = listing.fieldsOfList(input, hasExtraction)
    listing.checkRows(input.rows)
    shots.check(input)
    pageRequest.checkHeaders(input)
    pageRequest.checkCookies(input)
    listing.check(input, fields, hasExtraction)
    return input.urls
  },
  identify(target) {
    if (typeof target === "string") return identifyPage(target)
    const { url, startUrl } = target
    return { input: startUrl, url, ...(target.kind === "detail" && { listUrl: target.listUrl }) }
  },
  ownFields: ({ fields = [], detail, extract, rows }) =>
    listing.ownFields({ fields, detail }, rows ? undefined : extract?.schema),

  async *scrape(target, ctx) {
    const { input } = ctx
    const extraction = extractionOf(input.extract)
    if (extraction?.byModel) ctx.requireModel()
    if (typeof target !== "string" && target.kind === "detail") {
      yield item.read(await detailItem(target, extraction, ctx))
      return
    }
    const opened = await openList(target, extraction, ctx)
    if (opened === null) return
    const { page, startUrl } = listing.pagePosition(target)
    const rows = listing.newRows(opened.rows, target)
    if (rows.length === 0 && page > 1) {
      ctx.log(`Page ${page} of ${startUrl} has no new rows. The list ends before it.`)
      return
    }
    const facts = { ...pageFacts(opened), ...(input.nextPage !== undefined && { page }) }
    if (input.detail) {
      for (const row of rows) {
        const pages = listing.detailPages(row, input.detail.link, {
          startUrl,
          response: opened.response,
        })
        for (const one of pages) await ctx.follow(one)
        if (pages.length > 0) continue
        yield item.read({
          ...facts,
          ...itemFields(listing.withoutDetail(row, input.detail.fields)),
        })
      }
    } else {
      const [first = { data: {}, missing: [], warnings: [] }, ...others] = rows
      // The first item of a page has the parts of the whole page.
      yield item.read({
        ...facts,
        ...itemFields(first),
        ...(await pageParts(opened, extraction, ctx)),
      })
      for (const row of others) yield item.read({ ...facts, ...itemFields(row) })
    }
    const next = listing.nextListPage(input, target, opened)
    if (next) await ctx.follow(next, listing.keyOf(next))
  },
})

type PageContext = Context<InputOf<typeof input>>

/**
 * Returns a page of a list and its rows; null if a URL pattern leads to a page after the last one.
 * Throws Changed if no row matches.
 */
async function openList(
  target: string | listing.ListPage,
  extraction: Extraction | null,
  ctx: PageContext,
) {
  const { input } = ctx
  const { rows: selector, nextPage, detail } = input
  const fields = listing.fieldsOfList(input, extraction !== null)
  const read = readOnce(({ document, url }) =>
    listing.namingFields(() => {
      const base = baseUrl(document, url)
      return selector === undefined
        ? [readFields(fields, document, base)]
        : readRowFields(selector, fields, document, base)
    }),
  )
  const hasFields = (response: UpstreamResponse) =>
    read(response).some(({ data }) => !listing.isEmpty(data))
  const { page, clicks, startUrl } = listing.pagePosition(target)
  const byPattern = listing.isPattern(nextPage)
  const click = { type: "click" as const, selector: nextPage }
  const actions = [...(input.actions ?? []), ...Array.from({ length: clicks }, () => click)]
  const href = typeof target === "string" ? target : target.url
  const options = {
    ...pageRequest.optionsOf(input, href, startUrl),
    ...(actions.length > 0 && { actions }),
    ...(clicks > 0 && { forAccounts: "nextPage" }),
    robots: page > 1 && !byPattern,
    // The parts of the whole page are taken from the detail pages.
    ...(detail ? {} : pictured(input)),
  }
  try {
    const opened = await open(href, ctx, options, hasFields, detail ? null : extraction)
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
async function detailItem(
  target: listing.DetailPage,
  extraction: Extraction | null,
  ctx: PageContext,
) {
  const { input } = ctx
  const options = { mayBeEmpty: extraction !== null, input: "detail.fields" }
  const fields = listing.checkedFields(input.detail?.fields ?? [], options)
  const read = readOnce(({ document, url }) =>
    listing.namingFields(
      () => readFields(fields, document, baseUrl(document, url)),
      "detail.fields",
    ),
  )
  const hasFields = (response: UpstreamResponse) => !listing.isEmpty(read(response).data)
  const request = pageRequest.optionsOf(input, target.url, target.startUrl)
  const page = { ...request, robots: true, ...pictured(input) }
  const opened = await open(target.url, ctx, page, hasFields, extraction)
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
function pictured(input: PageContext["input"]): PageOptions {
  const { screenshot, ...others } = shots.optionsOf(input)
  if (!screenshot) return others
  return { ...others, screenshot: { ...screenshot, boxes: input.includeBoxes } }
}

async function open(
  url: string,
  ctx: PageContext,
  options: PageOptions,
  hasFields: (response: UpstreamResponse) => boolean,
  extraction: Extraction | null,
) {
  const field = extraction?.byModel ? null : extraction?.field
  const hasTyped = readOnce(
    (response) =>
      field && bySchema(field, response, false).missing.length !== field.properties.length,
  )
  const opened = await openPage(url, ctx, {
    documents: "all",
    ...options,
    has: (response) =>
      challengeOf(response) === null &&
      (extraction?.byModel
        ? isReadable(response)
        : hasFields(response) || hasTyped(response) === true),
    what: "any of the fields",
    ...(ctx.input.renderScripts && { scripted: true }),
  })
  return { ...opened, options }
}

/** Returns the requested parts of the whole page: typed data, files, source and facts. */
async function pageParts(
  { response, options }: Awaited<ReturnType<typeof open>>,
  extraction: Extraction | null,
  ctx: PageContext,
) {
  const { includeHtml, includePageInfo } = ctx.input
  const text = extraction?.byModel
    ? pageMarkdown(response.document, response.url, true).markdown
    : ""
  return {
    extracted: extraction ? await extracted(extraction, response, text, ctx) : undefined,
    ...fileOf(response),
    pageInfo: includePageInfo ? pageInfo(response, ctx.now()) : undefined,
    html: includeHtml ? (response.shots?.screenshot?.boxedHtml ?? response.text()) : undefined,
    ...(await shots.keep(response, options, ctx)),
  }
}

const itemFields = ({ warnings, ...data }: FieldData) => ({
  ...data,
  warnings: warnings.length > 0 ? warnings : undefined,
})

function pageInfo(response: UpstreamResponse, now: Date) {
  const { document } = response
  return {
    title: documentTitle(document),
    description: textOrNull(foldSpace(metaContent(readMeta(document), "description") ?? "")),
    language: textOrNull(document.documentElement.getAttribute("lang")),
    canonicalUrl: canonicalUrl(document, response.url),
    contentType: textOrNull(response.file?.contentType ?? response.contentType),
    contentLength: response.bytes.length,
    fetchedAt: now.toISOString(),
  }
}
