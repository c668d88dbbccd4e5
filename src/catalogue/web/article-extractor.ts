import {
  type Article,
  articleImages,
  articleLinks,
  articleVideos,
  cleanHtml,
  readArticle,
} from "../../extract/article/index.ts"
import {
  countWords,
  cutAtWord,
  foldSpace,
  readingMinutes,
  titleOrNull,
  unseen,
} from "../../extract/core/index.ts"
import {
  breadcrumbs,
  keywordsOf,
  type PageSources,
  readAuthors,
  readMetadata,
  readSources,
} from "../../extract/metadata/index.ts"
import { documentTitle, linkOf, metaContent } from "../../extract/page/index.ts"
import { textAt, typesOf, valuesOf } from "../../extract/structured/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  defineScraper,
  EmptyShell,
  field,
  inputs,
  items,
  orNull,
  pageUrls,
  record,
  toPageUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import {
  identifyPage,
  imageFields,
  linkFields,
  openWithPosts,
  pageFacts,
  pageFields,
  pageTypeField,
} from "./page/open.ts"

/** Minimum characters of an article. Shorter pages are home pages, app shells or challenges. */
const minText = 120
/** Characters below which the AMP version of the page may have more text. */
const littleText = 250
const excerptLength = 200

const item = record({
  ...pageFields,
  canonicalUrl: items.text("Canonical URL in the page's metadata."),
  title: items.text("Title, without the site's name."),
  author: items.text("Author; several authors are joined by commas."),
  authors: items.objects("Authors, one entry each.", {
    name: items.requiredText("Name of the author."),
    url: items.text("URL of the author's page or profile."),
  }),
  publishedAt: items.text("Time of publication (ISO 8601); a date if the page has no time."),
  published: field.text("publishedAt", "Same as `publishedAt`."),
  updatedAt: items.text("Time of the last change (ISO 8601)."),
  siteName: items.text("Name of the site."),
  language: items.text("Language, for example en or pt-BR."),
  description: items.text("Description in the page's metadata."),
  imageUrl: items.text("URL of the article's main image."),
  section: items.text("Section of the site to which the article belongs."),
  tags: items.texts("Tags and keywords of the article."),
  text: items.requiredText(
    "Text of the article, with a line for each paragraph, heading and list item.",
  ),
  excerpt: items.requiredText(
    "Description of the article, or the beginning of its text if it has none.",
  ),
  wordCount: items.requiredInteger("Number of words of the text."),
  readingTimeMinutes: items.requiredInteger("Reading time in minutes."),
  images: items.objects("Images in the article, with their captions.", imageFields),
  videos: items.texts("URLs of videos in the article."),
  links: items.objects("Links in the article.", linkFields),
  isPaywalled: items.boolean(
    "Whether the page states that it is not free; null if it states nothing.",
  ),
  type: items.text("Type in structured data or Open Graph, for example NewsArticle."),
  pageType: pageTypeField,
  html: items.optionalText("The article as HTML without scripts."),
})

export default defineScraper({
  slug: "article-extractor",
  name: "Article Extractor",
  tagline: "Turn any news or blog URL into clean article text with author, date and image.",
  notServed: ["many pages of a site"],
  category: "news",
  fetchMethods: ["http", "browser-http", "browser"],
  unverified: ["embedded state"],
  input: {
    urls: pageUrls(1000, "Article URLs"),
    includeHtml: inputs.flag("Include the article as HTML."),
  },
  item,
  example: { urls: ["https://en.wikipedia.org/wiki/Web_scraping"] },
  probe: {
    expect: [
      "items.length equals 1",
      'items[0].title matches "web scraping"',
      "items[0].wordCount gte 1000",
      'items[0].language equals "en"',
      'items[0].text matches "data scraping"',
    ],
  },
  targets: (input) => input.urls,
  identify: identifyPage,

  async *scrape(target, ctx) {
    const page = await ctx.escalate(toPageUrl(target), (ctx) => readPage(target, ctx))
    const { sources, article } = page
    const { main, meta } = sources
    const metadata = readMetadata(sources)
    yield item.read({
      ...page,
      ...pageFacts(page),
      ...metadata,
      ...article,
      authors: readAuthors(sources, metadata.siteName),
      section: sectionOf(sources),
      tags: tagsOf(sources),
      excerpt: metadata.description ?? cutAtWord(foldSpace(article.text), excerptLength),
      wordCount: countWords(article.text),
      readingTimeMinutes: readingMinutes(article.text),
      images: articleImages(article.root, article.pageUrl),
      videos: articleVideos(article.root, article.pageUrl),
      links: articleLinks(article.root, article.pageUrl),
      type: (main && typesOf(main)[0]) || metaContent(meta, "og:type")?.trim() || null,
      html: ctx.input.includeHtml ? cleanHtml(article.root) : undefined,
    })
  },
})

/**
 * Returns the page and its article, read by one fetch method. The article of an app shell may be in
 * its data, or in its AMP version.
 */
async function readPage(target: string, ctx: Context) {
  const { url, response } = await openWithPosts(target, ctx)
  refuseConsent(response)
  const sources = readSources(response.document, response.url)
  const isPaywalled = paywall(sources)
  const article = await articleOf(response, sources, isPaywalled, ctx)
  return { url, response, sources, isPaywalled, article }
}

/** Throws Blocked if the response requests consent instead of showing the page. */
function refuseConsent(response: UpstreamResponse): void {
  const { hostname } = new URL(response.url)
  const title = documentTitle(response.document) ?? ""
  if (!/^consent\./.test(hostname) && !/^before you continue\b/i.test(title)) return
  const message = `${hostname} requests consent before it returns the page.`
  throw new Blocked(message, null, { response })
}

async function articleOf(
  response: UpstreamResponse,
  sources: PageSources,
  isPaywalled: boolean | null,
  ctx: Context,
): Promise<Article> {
  let article = readArticle(sources)
  if (article.text.length < littleText && isPaywalled !== true) {
    article = (await ampArticle(response, ctx, article.text.length)) ?? article
  }
  if (article.text.length >= minText) return article
  const scrapeError = response.explainMissing("an article")
  if (scrapeError instanceof EmptyShell) throw scrapeError
  throw new Changed("The page has no article.", { code: "no_article", response })
}

/** Returns the article of the page's AMP version if it has more text. */
async function ampArticle(response: UpstreamResponse, ctx: Context, length: number) {
  const url = linkOf(response.document, "amphtml", response.url)
  if (url === null || url === response.url) return null
  const amp = await orNull(ctx, "AMP version", () => ctx.page(url, { retries: 0 }))
  const article = amp && readArticle(readSources(amp.document, amp.url))
  return article && article.text.length > length ? article : null
}

function paywall({ main, webPage, structured }: PageSources): boolean | null {
  for (const node of [main, webPage]) {
    const free = node && textAt(structured, node, "isAccessibleForFree")
    if (free) return /^(?:false|no|.*\/false)$/i.test(free)
  }
  return null
}

function sectionOf({ main, structured, meta, document }: PageSources): string | null {
  const stated = main && textAt(structured, main, "articleSection")
  if (stated) return stated
  const tag = metaContent(meta, "article:section", "og:article:section")
  if (tag) return foldSpace(tag)
  const path = breadcrumbs(document, structured)
  return path.length > 1 ? (path.length > 2 ? path.at(-2)! : path[1]!) : null
}

function tagsOf({ main, structured, meta, document }: PageSources): string[] {
  const split = (text: string) => text.split(/(?<!\s)\s*[,;]\s*/)
  const stated = main ? valuesOf(structured, main, "keywords") : []
  const lists = [
    stated.flatMap((value) => split(titleOrNull(value) ?? "")),
    meta.byName.get("article:tag") ?? meta.byName.get("og:article:tag") ?? [],
    keywordsOf(meta),
    [...document.querySelectorAll("a[rel~=tag]")].map((link) => link.textContent ?? ""),
  ]
  const tags = lists.flat().flatMap((tag) => split(titleOrNull(tag) ?? ""))
  const written = tags.filter((tag) => /[\p{L}\p{N}]/u.test(tag))
  return unseen(written, new Set(), (tag) => tag.toLowerCase())
}
