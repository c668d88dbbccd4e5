import { Type } from "@sinclair/typebox"
import {
  actionsInput,
  checkActions,
  defineScraper,
  emptyWith,
  entriesOfObject,
  inputs,
  items,
  pageUrls,
  record,
  shotForms,
} from "../kit/index.ts"
import { detailItem, itemFields, openList, pageParts } from "./field-pages.ts"
import {
  cellSchema,
  checkRows,
  fieldsOfList,
  ownFields,
  withoutDetail,
} from "./options/page-fields.ts"
import {
  checkListing,
  detailPages,
  keyOf,
  listingInputs,
  newRows,
  nextListPage,
  type PageTarget,
  pagePosition,
} from "./options/page-listing.ts"
import { checkCookies, checkHeaders, cookiesInput, requestInputs } from "./options/page-request.ts"
import { documentField } from "./page/documents.ts"
import { identifyPage, pageFacts, pageFields } from "./page/open.ts"
import { checkShots, formatsInput, shotFields, shotInputs } from "./page/shots.ts"
import { extractedField, extractInput, extractionOf } from "./page-extract.ts"
import { partInputs } from "./page-parts.ts"

const item = record({
  ...pageFields,
  data: Type.Record(
    Type.String(),
    Type.Union([
      Type.String(),
      Type.Number(),
      Type.Null(),
      Type.Array(Type.Union([Type.String(), Type.Number()])),
      Type.Array(Type.Record(Type.String(), cellSchema)),
    ]),
    {
      description: "Your fields in their order: a text, a number, null, a list of them, or rows.",
    },
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
  ...shotFields,
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
  formats: formatsInput(shotForms, "Files to make of the page: screenshot, pdf."),
  ...shotInputs,
  ...listingInputs,
  headers: requestInputs.headers,
  cookies: cookiesInput,
  country: requestInputs.country,
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
  example: {
    urls: ["https://example.com"],
    fields: ["title: h1", "[]links: a @href"],
  },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].data.title equals "Example Domain"',
      "items[0].data.links.length gte 1",
      "items[0].missing.length equals 0",
    ],
  },
  targets: (input): PageTarget[] => {
    checkActions(input.actions)
    const hasExtraction = extractionOf(input.extract) !== null
    const fields = fieldsOfList(input, hasExtraction)
    checkRows(input.rows)
    checkShots(input)
    checkHeaders(input)
    checkCookies(input)
    checkListing(input, fields, hasExtraction)
    return input.urls
  },
  identify(target) {
    if (typeof target === "string") return identifyPage(target)
    const { url, startUrl, listUrl } = target
    return { input: startUrl, url, ...(listUrl !== undefined && { listUrl }) }
  },
  ownFields: ({ fields = [], detail, extract, rows }) =>
    ownFields({ fields, detail }, rows ? undefined : extract?.schema),

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
    const { page, startUrl } = pagePosition(target)
    const rows = newRows(opened.rows, target)
    if (rows.length === 0 && page > 1) {
      ctx.log(`Page ${page} of ${startUrl} has no new rows. The list ends before it.`)
      return
    }
    const facts = { ...pageFacts(opened), ...(input.nextPage !== undefined && { page }) }
    if (input.detail) {
      for (const row of rows) {
        const pages = detailPages(row, input.detail.link, { startUrl, response: opened.response })
        for (const one of pages) await ctx.follow(one)
        if (pages.length > 0) continue
        yield item.read({ ...facts, ...itemFields(withoutDetail(row, input.detail.fields)) })
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
    const next = nextListPage(input, target, opened)
    if (next) await ctx.follow(next, keyOf(next))
  },
})
