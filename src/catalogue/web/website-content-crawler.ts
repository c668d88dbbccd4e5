import { Type } from "@sinclair/typebox"
import { mainContent, mainMarkdown, withHeading } from "../../extract/article/index.ts"
import { baseUrl, countWords, paragraphText, sha256 } from "../../extract/core/index.ts"
import { distinctAddresses, normaliseUrl } from "../../extract/links/index.ts"
import { toMarkdown } from "../../extract/markdown/index.ts"
import { readMetadata, readSources } from "../../extract/metadata/index.ts"
import { documentTitle, readHeadings } from "../../extract/page/index.ts"
import {
  actionsOf,
  type Context,
  checkActions,
  defineScraper,
  errorItem,
  field,
  type InputOf,
  inputs,
  items,
  pageUrls,
  provided,
  readingActionsInput,
  record,
  required,
  UnsupportedContent,
  type UpstreamResponse,
} from "../kit/index.ts"
import { Crawl, type CrawlTarget, startTargets } from "./crawl/crawl.ts"
import { pathInputs, pathRule } from "./options/crawl-paths.ts"
import * as pageAttributes from "./options/page-attributes.ts"
import { brandingField, brandingInput, brandingOf } from "./options/page-branding.ts"
import { changesField, changesInput, comparedPage } from "./options/page-changes.ts"
import * as pageRequest from "./options/page-request.ts"
import { documentField, fileOf } from "./page/documents.ts"
import { pageTypeField } from "./page/open.ts"
import { isHtml } from "./page/readable.ts"
import * as shots from "./page/shots.ts"
import { extracted, extractedField, extractInput, extractionOf } from "./page-extract.ts"
import { crawlFormats, formFields, pageForms } from "./page-forms.ts"
import * as pageParts from "./page-parts.ts"

const maxLinks = 500
const plainTypes = new Set(["text/plain", "text/markdown", "text/x-markdown"])

const item = record({
  url: required(field.text("target.url", "Normalised URL of the page.")),
  finalUrl: required(field.text("response.url", "URL after redirects.")),
  startUrl: required(field.text("target.startUrl", "Start URL of the crawl that found the page.")),
  referrer: items.text("URL of the page on which it was first found; null for start pages."),
  depth: required(field.integer("target.depth", "Number of links from the start page.")),
  statusCode: required(field.integer("response.status", "HTTP status of the response.")),
  contentType: items.requiredText("Media type of the response."),
  title: items.text("Title of the page, as written."),
  description: items.text("Description in the page's metadata."),
  author: items.text("Author; several authors are joined by commas."),
  publishedAt: items.text("Time of publication (ISO 8601)."),
  updatedAt: items.text("Time of the last change (ISO 8601)."),
  siteName: items.text("Name of the site."),
  language: items.text("Language, for example en or pt-BR."),
  imageUrl: items.text("URL of the page's main image."),
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  keywords: items.texts("Keywords of the meta tag."),
  headings: items.objects("Headings of the first three levels, in order.", {
    level: items.requiredInteger("Level of the heading, from 1 to 3."),
    text: items.requiredText("Text of the heading."),
  }),
  text: items.requiredText("Content as plain text with separate paragraphs."),
  pageType: pageTypeField,
  markdown: items.requiredText("Content as Markdown."),
  wordCount: items.requiredInteger("Number of words of the text."),
  linksInternal: items.requiredInteger("Number of different links within the site."),
  linksExternal: items.requiredInteger("Number of different links to other sites."),
  links: items.texts(`URLs of the links within the site, at most ${maxLinks}.`),
  contentHash: items.text("SHA-256 hash of the text; null without text."),
  duplicateOf: items.text("URL of an earlier page with the same text or canonical URL."),
  fetchedAt: items.requiredText("Time of reading (ISO 8601)."),
  document: documentField,
  html: formFields.html,
  rawHtml: formFields.rawHtml,
  images: formFields.images,
  metadata: formFields.metadata,
  ...shots.fileFields,
  branding: brandingField,
  changes: changesField,
  ...shots.actionFields,
  extracted: extractedField,
  attributes: pageAttributes.field,
})

const input = {
  startUrls: pageUrls(1000, "Page or sitemap URLs to start from"),
  maxPages: inputs.count("Maximum pages over all start URLs, including those that fail", {
    max: 10_000,
    or: 50,
  }),
  maxDepth: inputs.count(
    "Maximum number of links from a start page to a page; 0 reads only the start pages",
    { min: 0, max: 20, or: 3 },
  ),
  includeSubdomains: inputs.flag("Also follow links to the site's subdomains."),
  modifiedSince: Type.Optional(
    Type.String({
      description:
        "Time of an earlier crawl (ISO 8601); pages with an older lastmod in the sitemap are skipped.",
      pattern: String.raw`^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$`,
    }),
  ),
  onlyChanged: inputs.flag(
    "Return only pages that are new or changed since your last crawl with this option. Requires an account.",
  ),
  followNofollow: inputs.flag("Also follow links marked rel=nofollow."),
  includeDocuments: inputs.flag(
    "Also follow links to documents: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF.",
  ),
  formats: crawlFormats,
  ...shots.optionInputs,
  ...pathInputs,
  mainContentOnly: pageParts.mainContentInput,
  includeSelectors: pageParts.inputFields.includeSelectors,
  excludeSelectors: pageParts.inputFields.excludeSelectors,
  allowExternalLinks: inputs.flag(
    "Also follow links to other sites; only excludePaths applies there.",
  ),
  ignoreSimilarUrls: inputs.flag(
    "Treat URLs that differ only in http or https, www, a trailing slash or index.html as one page.",
  ),
  delaySeconds: provided(
    Type.Number({
      minimum: 0,
      maximum: 60,
      default: 0,
      description: "Delay between pages in seconds (0-60, default 0).",
    }),
    0,
  ),
  attributes: pageAttributes.input,
  actions: readingActionsInput,
  renderScripts: pageParts.inputFields.renderScripts,
  headers: pageRequest.inputFields.headers,
  country: pageRequest.inputFields.country,
  errorPages: pageRequest.inputFields.errorPages,
  extract: extractInput,
  includeBranding: brandingInput,
  changes: changesInput,
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "website-content-crawler",
  name: "Website Content Crawler",
  tagline: "Crawl a website and get clean text and Markdown of every page.",
  notServed: ["one page only"],
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  unverified: ["embedded state"],
  input,
  item,
  example: { startUrls: ["https://example.com"], maxPages: 5 },
  probe: {
    input: { startUrls: ["https://example.com"], maxPages: 1 },
    expect: [
      "items.length equals 1",
      "items[0].statusCode equals 200",
      'items[0].text matches "example domain"',
      "items[0].wordCount gte 10",
    ],
  },
  rateLimit: { "*": { perSecond: 5, concurrency: 2 } },
  targets: (input) => {
    shots.check(input)
    checkActions(input.actions)
    pageAttributes.check(input.attributes)
    pageRequest.checkHeaders(input)
    pageParts.check(input)
    pathRule(input)
    extractionOf(input.extract)
    return startTargets(input.startUrls)
  },
  maxItems: (input) => input.maxPages,
  identify: ({ url, startUrl, referrer, depth, written }) => ({
    input: written ?? url,
    url,
    startUrl,
    referrer,
    depth,
  }),

  async *scrape(target: CrawlTarget, ctx) {
    const extraction = extractionOf(ctx.input.extract)
    if (extraction?.byModel) ctx.requireModel()
    const crawl = Crawl.of(ctx, () => rulesOf(ctx.input))
    const shotOptions = shots.optionsOf(ctx.input)
    const response = await crawl.open(target, ctx, {
      documents: "files",
      types: ["*"],
      errorPages: ctx.input.errorPages,
      forAccounts: ctx.input.changes && "changes",
      scripted: ctx.input.renderScripts,
      ...actionsOf(ctx.input),
      // Headers that identify the user are for the site that the user named.
      ...(isOwnHost(target) ? pageRequest.headersOf(ctx.input) : {}),
      ...shotOptions,
    })
    if (response === null) return
    const isPage = isHtml(response)
    if (!isPage && !plainTypes.has(response.contentType) && !pageRequest.isPlainError(response)) {
      crawl.keep(target)
      const { url, startUrl, referrer, depth } = target
      const { contentType } = response
      const message = `The response is ${contentType || "of unknown type"}, not a page of text.`
      const fields = { url, startUrl, referrer, depth, contentType }
      yield errorItem(new UnsupportedContent(message, { response }), fields)
      return
    }
    const attributes = isPage ? pageAttributes.valuesOf(response, ctx.input.attributes) : {}
    const branding = isPage ? await brandingOf(response, ctx) : {}
    const actionResults = await shots.keepActionResults(response, ctx)
    const page = isPage ? await readPage(target, response, crawl, ctx) : readText(response)
    crawl.keep(target)
    const { canonicalUrl, text, markdown } = page
    const contentHash = text === "" ? null : sha256(text)
    if (await crawl.isUnchanged(target, response, contentHash, ctx)) return
    const isOwn = canonicalUrl !== null && crawl.isInternal(canonicalUrl, target)
    const href = normaliseUrl(isOwn ? canonicalUrl : response.url)
    const sameAddress = crawl.firstWith(`address ${href}`, target.url)
    const sameText = contentHash && crawl.firstWith(`text ${contentHash}`, target.url)
    const mainContentOnly = ctx.input.mainContentOnly && ctx.input.includeSelectors.length === 0
    const typed = extraction && (await extracted(extraction, response, markdown, ctx))
    const compared = await comparedPage(
      { url: target.url, markdown, status: response.status, data: typed?.data },
      ctx,
    )
    yield item.read({
      ...(isPage ? pageForms(response, markdown, { ...ctx.input, mainContentOnly }) : {}),
      target,
      referrer: target.referrer,
      response,
      contentType: response.file?.contentType ?? response.contentType,
      ...page,
      ...fileOf(response),
      wordCount: countWords(text),
      contentHash,
      duplicateOf: sameAddress ?? (sameText || null),
      fetchedAt: ctx.now().toISOString(),
      ...attributes,
      ...(await shots.keep(response, shotOptions, ctx)),
      ...branding,
      ...actionResults,
      ...compared.fields,
      extracted: typed ?? undefined,
    })
    await compared.keep()
  },
})

const rulesOf = ({ includeDocuments, followNofollow, modifiedSince, ...input }: Input) => ({
  ...input,
  documents: includeDocuments,
  nofollow: followNofollow,
  modifiedSince: modifiedSince === undefined ? undefined : Date.parse(modifiedSince),
  admits: pathRule(input),
  // Only excludePaths applies to other sites.
  ...(input.allowExternalLinks && {
    admitsExternal: pathRule({ ...input, includePaths: [], urlPattern: undefined }),
  }),
})

const isOwnHost = ({ url, startUrl }: CrawlTarget) =>
  plainHost(url) === plainHost(startUrl) || url === startUrl

const plainHost = (url: string) => URL.parse(url)?.host.replace(/^www\./, "")

async function readPage(
  target: CrawlTarget,
  response: UpstreamResponse,
  crawl: Crawl,
  ctx: Context<Input>,
) {
  const { document, url } = response
  const { mainContentOnly, includeSelectors } = ctx.input
  const metadata = readMetadata(readSources(document, url))
  // Links are read before parts of the page are removed.
  const links = distinctAddresses(await crawl.followLinks(target, response, ctx), url)
  if (pageParts.has(ctx.input)(response)) pageParts.keep(document, ctx.input)
  else document.body.replaceChildren()
  // Parts that the caller selected are not reduced to the main content.
  const isChosen = includeSelectors.length > 0
  const main = mainContentOnly && !isChosen && !response.file ? mainContent(document, url) : null
  const root = main?.root ?? document.body
  const markdown = main
    ? mainMarkdown(main, document, url)
    : toMarkdown(root, baseUrl(document, url))
  const internal = links.filter((link) => crawl.isInternal(link, target))
  if (internal.length === 0 && target.depth === 0) await crawl.followSitemap(target, response, ctx)
  return {
    ...metadata,
    title: documentTitle(document),
    headings: readHeadings(document, 3).map(({ level, text }) => ({ level, text })),
    text: paragraphText(root),
    pageType: main?.pageType ?? null,
    markdown:
      response.file || isChosen ? markdown : withHeading(markdown, document, metadata.title),
    linksInternal: internal.length,
    linksExternal: links.length - internal.length,
    links: internal.slice(0, maxLinks),
  }
}

function readText(response: UpstreamResponse) {
  const written = pageRequest.isPlainError(response)
    ? pageRequest.errorText(response)
    : response.text()
  const text = written.replace(/\r\n?/g, "\n").trim()
  return {
    title: /^#\s+(.+?)\s*#*$/m.exec(text)?.[1],
    canonicalUrl: null,
    text,
    markdown: `${text}\n`,
    linksInternal: 0,
    linksExternal: 0,
    links: [],
  }
}
