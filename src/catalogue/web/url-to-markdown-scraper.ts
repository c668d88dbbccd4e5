import { Type } from "@sinclair/typebox"
import {
  frontMatter,
  markdownFigures,
  pageMarkdown,
  withHeading,
} from "../../extract/article/index.ts"
import { baseUrl } from "../../extract/core/index.ts"
import { toMarkdown } from "../../extract/markdown/index.ts"
import { readMetadata, readSources } from "../../extract/metadata/index.ts"
import {
  actionsOf,
  Changed,
  checkActions,
  defineScraper,
  inputs,
  isErrorPage,
  items,
  type PageOptions,
  pageUrls,
  readingActionsInput,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import * as pageAttributes from "./options/page-attributes.ts"
import { brandingField, brandingInput, brandingOf } from "./options/page-branding.ts"
import { changesField, changesInput, comparedPage } from "./options/page-changes.ts"
import * as pageRequest from "./options/page-request.ts"
import { documentField, documentParts, fileOf } from "./page/documents.ts"
import {
  identifyPage,
  openWithPosts,
  pageFacts,
  pageFields,
  pageTypeField,
  withScripts,
} from "./page/open.ts"
import { isReported } from "./page/readable.ts"
import * as shots from "./page/shots.ts"
import { extracted, extractedField, extractInput, extractionOf } from "./page-extract.ts"
import { formFields, formInputs, pageForms } from "./page-forms.ts"
import * as pageParts from "./page-parts.ts"

const item = record({
  ...pageFields,
  title: items.text("Title of the page, without the site's name."),
  author: items.text("Author; several authors are joined by commas."),
  publishedAt: items.text("Time of publication (ISO 8601)."),
  siteName: items.text("Name of the site."),
  language: items.text("Language, for example en or pt-BR."),
  description: items.text("Description in the page's metadata."),
  imageUrl: items.text("URL of the page's main image."),
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  pageType: pageTypeField,
  markdown: items.requiredText("The page as GitHub-flavoured Markdown."),
  wordCount: items.requiredInteger("Number of words of the Markdown, without front matter."),
  charCount: items.requiredInteger("Number of characters of the Markdown, without front matter."),
  tokenEstimate: items.requiredInteger("Approximate number of tokens for a language model."),
  linkCount: items.requiredInteger("Number of links in the Markdown."),
  imageCount: items.requiredInteger("Number of images in the Markdown."),
  fetchedAt: items.requiredText("Time of reading (ISO 8601)."),
  contentType: items.requiredText("Media type of the response."),
  document: documentField,
  extracted: extractedField,
  ...formFields,
  attributes: pageAttributes.field,
  branding: brandingField,
  changes: changesField,
  ...shots.fileFields,
  ...shots.actionFields,
})

const plainTypes = ["text/markdown", "text/x-markdown", "text/plain"]

export default defineScraper({
  slug: "url-to-markdown-scraper",
  name: "URL to Markdown",
  tagline: "Any web page as clean Markdown, ready for a language model.",
  notServed: ["whole websites"],
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  unverified: ["embedded state"],
  input: {
    urls: pageUrls(1000),
    mainContentOnly: pageParts.mainContentInput,
    splitPages: inputs.flag(
      "For a document such as a PDF: return one item per page, slide, sheet or chapter.",
    ),
    documentPages: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: "Maximum PDF pages to read (1-1000).",
      }),
    ),
    ...formInputs,
    attributes: pageAttributes.input,
    includeBranding: brandingInput,
    changes: changesInput,
    ...shots.optionInputs,
    extract: extractInput,
    actions: readingActionsInput,
    ...pageParts.inputFields,
    ...pageRequest.inputFields,
    includeFrontMatter: inputs.flag(
      "Start the Markdown with a YAML block of title, source, author and dates.",
    ),
  },
  item,
  example: { urls: ["https://example.com"] },
  probe: {
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].markdown matches "example domain"',
      "items[0].linkCount gte 1",
      "items[0].fetchedAt fresh 1",
    ],
  },
  targets: (input) => {
    checkActions(input.actions)
    pageAttributes.check(input.attributes)
    pageRequest.checkHeaders(input)
    pageParts.check(input)
    shots.check(input)
    extractionOf(input.extract)
    return input.urls
  },
  identify: identifyPage,

  async *scrape(target, ctx) {
    const isThere = pageParts.has(ctx.input)
    const shotOptions = shots.optionsOf(ctx.input)
    const extraction = extractionOf(ctx.input.extract)
    if (extraction?.byModel) ctx.requireModel()
    const options: PageOptions = {
      documents: "all",
      documentPages: ctx.input.documentPages,
      ...actionsOf(ctx.input),
      ...pageRequest.headersOf(ctx.input),
      types: plainTypes,
      errorPages: ctx.input.errorPages,
      robots: ctx.input.obeyRobots,
      forAccounts: ctx.input.changes && "changes",
      has: (response) =>
        plainTypes.includes(response.contentType) ||
        pageRequest.isWantedError(response, ctx.input) ||
        (isReported(response) && isThere(response)),
      what: "any text, or an element that matches the selectors",
      ...pageParts.openOptions(ctx.input),
      ...shotOptions,
    }
    const opened = await openWithPosts(target, ctx, options)
    const { url } = opened
    const response = await withScripts(opened.response, ctx, options)
    const { includeFrontMatter, splitPages } = ctx.input
    const isError = isErrorPage(response)
    const isPlain = plainTypes.includes(response.contentType) || pageRequest.isPlainError(response)
    const hasAll = isPlain || isThere(response)
    // An error page has its own content. If it does not have the requested part, the result is
    // empty.
    if (isError && !hasAll) response.document.body.replaceChildren()
    else if (!hasAll) throw response.explainMissing("an element that matches the selectors")
    // Parts that the caller selected are not reduced to the main content.
    const mainContentOnly = ctx.input.mainContentOnly && ctx.input.includeSelectors.length === 0
    const attributes = isPlain ? {} : pageAttributes.valuesOf(response, ctx.input.attributes)
    const branding = isPlain ? {} : await brandingOf(response, ctx)
    const page = isPlain ? fromText(response) : fromPage(response, mainContentOnly, ctx.input)
    const fetchedAt = ctx.now().toISOString()
    const { title, author, publishedAt } = page.metadata
    const front = includeFrontMatter
      ? frontMatter({ title, sourceUrl: url, author, published: publishedAt, fetchedAt })
      : ""
    const { document } = fileOf(response)
    const parts = splitPages ? documentParts(response) : []
    const files = {
      ...(await shots.keep(response, shotOptions, ctx)),
      ...(await shots.keepActionResults(response, ctx)),
    }
    const texts = parts.length > 0 ? parts.map((part) => toMarkdown(part, url)) : [page.markdown]
    const typed = extraction ? await extracted(extraction, response, page.markdown, ctx) : undefined
    const compared = await comparedPage(
      { url, markdown: page.markdown, status: response.status, data: typed?.data },
      ctx,
    )
    /** Fields that belong to the whole page, so that only its first item has them. */
    const whole = {
      ...pageForms(response, page.markdown, { ...ctx.input, mainContentOnly }),
      ...attributes,
      ...files,
      ...branding,
      extracted: typed,
      ...compared.fields,
    }
    for (const [index, markdown] of texts.entries()) {
      yield item.read({
        ...pageFacts({ url, response }),
        ...page.metadata,
        pageType: page.pageType,
        markdown: front + markdown,
        ...markdownFigures(markdown),
        fetchedAt,
        contentType: response.file?.contentType ?? response.contentType,
        ...(index === 0 && whole),
        document: document && parts.length > 0 ? { ...document, page: index + 1 } : document,
      })
    }
    await compared.keep()
  },
})

function fromPage(
  response: UpstreamResponse,
  mainContentOnly: boolean,
  parts: pageParts.KeptParts,
) {
  const { document, url } = response
  const metadata = readMetadata(readSources(document, url))
  pageParts.keep(document, parts)
  if (response.file) {
    return { metadata, pageType: null, markdown: toMarkdown(document.body, baseUrl(document, url)) }
  }
  const { markdown, pageType } = pageMarkdown(document, url, mainContentOnly)
  const isNothing = markdown === "" && metadata.title === null
  if (isNothing && !isErrorPage(response)) throw response.explainMissing("any content")
  if (parts.includeSelectors.length > 0) return { metadata, pageType, markdown }
  return { metadata, pageType, markdown: withHeading(markdown, document, metadata.title) }
}

/** Returns the content of a text response. Markdown from the server stays as it is. */
function fromText(response: UpstreamResponse) {
  const isError = isErrorPage(response)
  const written = isError ? pageRequest.errorText(response) : response.text()
  const text = written.replace(/\r\n?/g, "\n").trimEnd()
  if (text.trim() === "" && !isError) {
    const message = "The response is empty. Open the URL in a browser to see why."
    throw new Changed(message, { url: response.url })
  }
  const title = /^#\s+(.+?)\s*#*$/m.exec(text)?.[1] ?? null
  const metadata = { title, author: null, publishedAt: null }
  return { metadata, pageType: null, markdown: `${text}\n` }
}
