import { withTitle } from "../../extract/article/index.ts"
import {
  absoluteUrl,
  baseUrl,
  countWords,
  paragraphText,
  sha256,
} from "../../extract/core/index.ts"
import {
  codeLanguages,
  docsContent,
  docsGenerator,
  docsifyFile,
  docsifyLinks,
  docsifyRoute,
  docsModified,
  docsPath,
  docsScope,
  docsSection,
  docsTitles,
  editUrl,
  isDocsify,
  markdownDocument,
  navigationLinks,
  neighbourPages,
} from "../../extract/docs/index.ts"
import { canonicalUrl, completeUrl, normaliseUrl } from "../../extract/links/index.ts"
import { toMarkdown } from "../../extract/markdown/index.ts"
import { readSome, readSources } from "../../extract/metadata/index.ts"
import {
  documentTitle,
  headingText,
  headingUrl,
  readHeadings,
  readMeta,
} from "../../extract/page/index.ts"
import {
  type Context,
  defineScraper,
  type InputOf,
  inputs,
  items,
  once,
  orNull,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"
import { Crawl, type CrawlTarget, crawlable, startTargets } from "./crawl/crawl.ts"
import { sitemapIn, sitemapOptions } from "./page/sitemaps.ts"

const item = record({
  url: items.requiredText("Normalised URL of the page."),
  order: items.requiredInteger("Position in reading order, from 1."),
  depth: items.requiredInteger("Number of links from the start page."),
  title: items.text("Heading of the page, else its title without the site's name."),
  siteTitle: items.text("Title of the documentation."),
  breadcrumbs: items.texts("Titles on the path to the page, from the top."),
  section: items.text("Heading of the navigation group that lists the page."),
  headings: items.objects("Headings of the content, down to the fourth level.", {
    level: items.requiredInteger("Level of the heading, from 1 to 4."),
    text: items.requiredText("Text of the heading."),
    id: items.text("Fragment (ID) of the heading on the page."),
    url: items.text("URL of the page with the heading's fragment."),
  }),
  markdown: items.optionalText("The content as Markdown."),
  text: items.requiredText("The content as plain text."),
  codeBlocks: items.requiredInteger("Number of code blocks."),
  languages: items.texts("Languages of the code blocks."),
  wordCount: items.requiredInteger("Number of words of the text."),
  previous: items.text("URL of the previous page."),
  next: items.text("URL of the next page."),
  editUrl: items.text("URL to edit the page's source."),
  updatedAt: items.text("Time of the page's last change (ISO 8601)."),
  generator: items.text("Software that generated the documentation."),
  description: items.text("Description in the page's metadata."),
  language: items.text("Language, for example en."),
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
})

const input = {
  startUrl: inputs.text("URL of the page at which the crawl starts."),
  maxPages: inputs.count("Maximum pages, including those that fail", { max: 10_000, or: 100 }),
  pathPrefix: inputs.optionalText(
    "Path prefix of the pages to read, for example /docs/ (default: the folder of startUrl).",
  ),
  includeMarkdown: inputs.flag("Also return the content as Markdown.", true),
  onlyChanged: inputs.flag(
    "Return only pages that are new or changed since your last crawl with this option. Requires an account.",
  ),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "docs-crawler-scraper",
  name: "Documentation Crawler",
  tagline: "Crawl a documentation site into ordered, structured pages.",
  category: "developer",
  fetchMethods: ["http", "browser-http", "browser"],
  unverified: ["embedded state"],
  // One page at a time, so that the reading order is the order of the navigation.
  concurrency: 1,
  rateLimit: { "*": { perSecond: 5, concurrency: 2 } },
  input,
  item,
  example: { startUrl: "https://www.mkdocs.org/user-guide/", maxPages: 5 },
  probe: {
    input: { startUrl: "https://www.mkdocs.org/user-guide/", maxPages: 2 },
    expect: [
      "items.length equals 2",
      "items[*].markdown share 1",
      "items[*].wordCount gte 50",
      "items[*].title share 1",
      '?items[0].generator matches "mkdocs"',
    ],
  },
  targets: ({ startUrl }) => startTargets([startUrl]),
  maxItems: ({ maxPages }) => maxPages,
  identify: ({ url, startUrl, depth, written }) => ({
    input: written ?? url,
    url,
    startUrl,
    depth,
  }),

  async *scrape(target: CrawlTarget, ctx: Context<Input>) {
    const crawl = Crawl.of(ctx, () => rulesOf(ctx.input))
    if (target.sitemap === true) return followSitemap(target, crawl, ctx)
    const isStart = target.written !== undefined
    const isMadeOfMarkdown = (response: UpstreamResponse) => isStart && isDocsify(response.text())
    // Crawls that return only changes compare the dates of the sitemap.
    const dates = ctx.input.onlyChanged ? await sitemapOf(target.startUrl, ctx) : null
    const lastmod = dates?.get(target.url)
    const response = await crawl.open(lastmod ? { ...target, lastmod } : target, ctx, {
      documents: "files",
      types: ["text/markdown", "text/plain"],
      has: (response) => isMadeOfMarkdown(response) || crawlable.has(response),
    })
    if (response === null) {
      if (isStart && crawl.isSkipped(target)) await queueSitemap(target, crawl, ctx)
      return
    }
    const isMarkdown = typeof target.folder === "string"
    if (!isMarkdown) {
      if (isMadeOfMarkdown(response)) return followMarkdown(target, response.url, crawl, ctx)
      if (isCopy(target, response, crawl)) return
    }
    crawl.keep(target)
    const page = await (isMarkdown ? readMarkdown : readPage)(target, response, crawl, ctx)
    if (await crawl.isUnchanged(target, response, sha256(page.text), ctx)) return
    yield item.read({ ...page, order: crawl.positions })
  },
})

/**
 * Returns whether an earlier page has the same title and the same canonical URL, for example a page
 * of another version.
 */
function isCopy(target: CrawlTarget, { document, url }: UpstreamResponse, crawl: Crawl): boolean {
  const canonical = canonicalUrl(document, url)
  const href = canonical !== null && crawl.isInternal(canonical, target) ? canonical : url
  const key = `${normaliseUrl(href)} ${documentTitle(document)}`
  return crawl.firstWith(key, target.url) !== null
}

const rulesOf = ({ startUrl, pathPrefix, maxPages, onlyChanged }: Input) => ({
  maxPages,
  maxDepth: Number.POSITIVE_INFINITY,
  includeSubdomains: false,
  onlyChanged,
  admits: docsScope(completeUrl(startUrl) ?? "http://unknown", pathPrefix),
})

async function followNavigation(
  target: CrawlTarget,
  response: UpstreamResponse,
  crawl: Crawl,
  ctx: Context,
) {
  const base = baseUrl(response.document, response.url)
  const urls = navigationLinks(response.document)
    .map((link) => absoluteUrl(link.getAttribute("href"), base))
    .filter((url) => url !== null)
  await crawl.followAll(target, urls.map(normaliseUrl), response.url, ctx)
}

/** Returns the dates of the pages in the site's sitemap; none if it has no sitemap. */
function sitemapOf(startUrl: string, ctx: Context): Promise<Map<string, string | null>> {
  return once(ctx, "sitemap", async () => {
    const url = new URL("/sitemap.xml", completeUrl(startUrl)!).href
    const response = await orNull(ctx, "sitemap", () => ctx.get(url, sitemapOptions))
    const entries = [...((response && sitemapIn(response))?.urls() ?? [])]
    return new Map(entries.map((entry) => [normaliseUrl(entry.url), entry.lastmod]))
  })
}

/** Queues the sitemap after all pages that are queued now. */
async function queueSitemap(target: CrawlTarget, crawl: Crawl, ctx: Context): Promise<void> {
  const { written: _, ...rest } = target
  await ctx.follow({ ...rest, sitemap: true }, `sitemap after ${crawl.positions}`)
}

/** Follows the pages that only the sitemap lists, after all linked pages were read. */
async function followSitemap(target: CrawlTarget, crawl: Crawl, ctx: Context): Promise<void> {
  if (ctx.shared.get("pages before sitemap") !== crawl.positions) {
    ctx.shared.set("pages before sitemap", crawl.positions)
    await ctx.follow(target, `sitemap after ${crawl.positions}, again`)
    return
  }
  for (const url of (await sitemapOf(target.startUrl, ctx)).keys()) {
    const { sitemap: _, ...from } = target
    await crawl.follow(url, from, ctx, target.depth + 1)
  }
}

/** Headings contain link signs, such as ¶, that are not part of their text. */
function withoutPermalinks(content: Element): Element {
  const copy = content.cloneNode(true) as Element
  for (const heading of copy.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    heading.textContent = headingText(heading)
  }
  return copy
}

/** Returns the fields that are read alike from a page and from a Markdown file. */
function contentFacts(content: Element, readable = content) {
  const text = paragraphText(readable)
  return {
    text,
    codeBlocks: content.getElementsByTagName("pre").length,
    languages: codeLanguages(content),
    wordCount: countWords(text),
  }
}

/** Follows the links of a page, and returns its content. */
async function readPage(
  target: CrawlTarget,
  response: UpstreamResponse,
  crawl: Crawl,
  ctx: Context<Input>,
) {
  const { document } = response
  const lastmods = await sitemapOf(target.startUrl, ctx)
  if (target.written !== undefined) await followNavigation(target, response, crawl, ctx)
  await crawl.followLinks(target, response, ctx)
  if (target.written !== undefined) await queueSitemap(target, crawl, ctx)
  const url = normaliseUrl(response.url)
  const sources = readSources(document, url)
  const content = response.file ? document.body : docsContent(document, url)
  const { title, siteTitle } = docsTitles(document, content, sources.meta)
  const markdown = () => withTitle(toMarkdown(content, baseUrl(document, url)), title)
  return {
    ...readSome(sources, "description", "language", "canonicalUrl"),
    url,
    depth: target.depth,
    title,
    siteTitle,
    breadcrumbs: docsPath(sources),
    section: docsSection(document, url),
    headings: readHeadings(content, 4).map((heading) => ({
      ...heading,
      url: headingUrl(heading, url),
    })),
    markdown: ctx.input.includeMarkdown ? markdown() : undefined,
    ...contentFacts(content, withoutPermalinks(content)),
    ...neighbourPages(document, url),
    editUrl: editUrl(document, url),
    updatedAt: docsModified(sources) ?? lastmods.get(url) ?? null,
    generator: docsGenerator(sources),
  }
}

/** Follows the pages in the sidebar of a site that a script renders from Markdown files. */
async function followMarkdown(target: CrawlTarget, url: string, crawl: Crawl, ctx: Context) {
  const folder = new URL(".", url).href
  const sidebar = await orNull(ctx, "sidebar", () =>
    ctx.get(`${folder}_sidebar.md`, { retries: 0 }),
  )
  const files = sidebar === null ? [] : docsifyLinks(sidebar.text(), folder)
  for (const file of [docsifyFile("/", folder), ...files]) {
    await crawl.follow(file, { ...target, folder, referrer: url }, ctx, target.depth)
  }
}

/** Returns a page of such a site, read from its Markdown file. */
async function readMarkdown(
  target: CrawlTarget,
  response: UpstreamResponse,
  crawl: Crawl,
  ctx: Context<Input>,
) {
  const folder = String(target.folder)
  const markdown = response.text().replace(/\r\n?/g, "\n").trim()
  const document = markdownDocument(markdown)
  const content = document.body
  for (const file of docsifyLinks(markdown, folder)) {
    await crawl.follow(file, { ...target, referrer: response.url }, ctx, target.depth + 1)
  }
  const url = docsifyRoute(response.url, folder)
  return {
    url,
    depth: target.depth,
    title: docsTitles(document, content, readMeta(document)).title,
    breadcrumbs: new URL(response.url).pathname.split("/").filter(Boolean).slice(0, -1),
    headings: readHeadings(content, 4).map((heading) => ({ ...heading, url })),
    markdown: ctx.input.includeMarkdown ? `${markdown}\n` : undefined,
    ...contentFacts(content),
    generator: "docsify",
  }
}
