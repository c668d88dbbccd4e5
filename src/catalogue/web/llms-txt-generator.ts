import { foldSpace, textOf } from "../../extract/core/index.ts"
import {
  firstSentence,
  groupPages,
  type LlmsPage,
  pageTitle,
  sharedTitlePart,
  shortened,
  writeLlmsFull,
  writeLlmsTxt,
} from "../../extract/docs/index.ts"
import { completeUrl, mayFollow, type PageLink, pageLinks } from "../../extract/links/index.ts"
import { type PageSources, readSome, readSources } from "../../extract/metadata/index.ts"
import { documentTitle, metaContent } from "../../extract/page/index.ts"
import { nodesOfType, textAt } from "../../extract/structured/index.ts"
import { type Context, defineScraper, type InputOf, inputs, items, record } from "../kit/index.ts"
import { ifAvailable, openPage } from "./page/open.ts"
import { readable } from "./page/readable.ts"
import { folderOf, type ReadPage, SiteReader } from "./site-reader.ts"

const maxFullText = 2_000_000

const indexRecord = record({
  siteUrl: items.requiredText("URL of the site, ending in a slash."),
  title: items.requiredText("Name of the site."),
  description: items.text("Description of the site."),
  llmsTxt: items.requiredText("Content of the llms.txt file."),
  llmsFullTxt: items.requiredText("Content of the llms-full.txt file: all pages as Markdown."),
  llmsFullTruncated: items.requiredBoolean("Whether llms-full.txt was cut off at 2 MB."),
  sections: items.objects("Sections of llms.txt with their links.", {
    name: items.requiredText("Name of the section."),
    links: items.objects("Links of the section.", {
      title: items.requiredText("Title of the page."),
      url: items.requiredText("URL of the page."),
      description: items.text("Description of the page, else the first sentence of its text."),
    }),
  }),
  pageCount: items.requiredInteger("Number of pages that were read, including the home page."),
  failed: items.objects("Pages that could not be read.", {
    url: items.requiredText("URL of the page."),
    error: items.requiredObject("Reason why the page could not be read.", {
      code: items.requiredText("Code of the error, for example timeout."),
      message: items.requiredText("Message of the error."),
    }),
  }),
  existingLlmsTxt: items.text("URL of the llms.txt that the site already has."),
  generatedAt: items.requiredText("Time of generation (ISO 8601)."),
})

const input = {
  siteUrl: inputs.text(
    "Domain or URL of the site, for example example.com; with a path, only pages below it are read.",
  ),
  maxPages: inputs.count("Maximum pages, including the home page", { max: 1000, or: 50 }),
  siteDescription: inputs.optionalText(
    "Summary of the site (default: the description in the home page's metadata).",
  ),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "llms-txt-generator",
  name: "llms.txt Generator",
  tagline: "Write a ready llms.txt (and llms-full.txt) for a website.",
  category: "web",
  fetchMethods: ["http", "browser-http", "browser"],
  rateLimit: { "*": { perSecond: 5, concurrency: 2 } },
  input,
  item: indexRecord,
  example: { siteUrl: "https://www.mkdocs.org", maxPages: 10 },
  probe: {
    input: { siteUrl: "https://www.mkdocs.org", maxPages: 3 },
    expect: [
      "items.length equals 1",
      'items[0].title matches "mkdocs"',
      "items[0].pageCount gte 2",
      'items[0].llmsTxt matches "^# "',
      "items[0].failed.length lte 1",
    ],
  },
  targets: ({ siteUrl }) => [siteUrl],
  maxItems: () => 1,
  identify: (target) => ({ input: target, siteUrl: folderOf(completeUrl(target) ?? target) }),

  async *scrape(target, ctx) {
    const { response: home } = await openPage(target, ctx, readable)
    const { maxPages, siteDescription } = ctx.input
    const siteUrl = folderOf(completeUrl(target)!)
    const homeLinks = pageLinks(home.document, home.url).filter((link) => mayFollow(link))
    const reader = new SiteReader(home, ctx)
    await reader.readAll(homeLinks, maxPages)
    const sources = readSources(home.document, home.url)
    const title = siteTitle(sources, reader.titles)
    const stated = siteDescription?.trim() || readSome(sources, "description").description
    const description = stated ?? firstSentence(reader.pages[0]!.text)
    const pages = reader.pages.map((page) => listed(page, title, stated))
    const sections = groupPages(pages.slice(1), folderOf(home.url), navigationLabels(homeLinks))
    const full = writeLlmsFull(title, pages, maxFullText)
    yield indexRecord.read({
      siteUrl,
      title,
      description,
      llmsTxt: writeLlmsTxt(title, description ?? "", sections),
      llmsFullTxt: full.text,
      llmsFullTruncated: full.truncated,
      sections,
      pageCount: reader.pages.length,
      failed: reader.failed,
      existingLlmsTxt: await existingFile(home.url, ctx),
      generatedAt: ctx.now().toISOString(),
    })
  },
})

function siteTitle({ meta, structured, document, pageUrl }: PageSources, titles: string[]): string {
  const named = metaContent(meta, "og:site_name")
  if (named) return foldSpace(named)
  for (const type of ["WebSite", "Organization"]) {
    const node = nodesOfType(structured, type)[0]
    const name = node && textAt(structured, node, "name")
    if (name) return name
  }
  return sharedTitlePart(titles) ?? documentTitle(document) ?? new URL(pageUrl).host
}

/** Returns an entry of the lists. The site's description does not describe a page. */
function listed(page: ReadPage, site: string, siteDescription: string | null): LlmsPage {
  const title = pageTitle(page.title, site, page.url)
  const isSiteTitle = title.toLowerCase() === site.toLowerCase()
  const own = page.description !== siteDescription ? page.description : null
  return {
    url: page.url,
    title: isSiteTitle ? (page.heading ?? title) : title,
    description: own ? shortened(own) : firstSentence(page.text),
    markdown: page.markdown,
  }
}

/** Returns the names of folders on the home page: the texts of links such as `/docs/`. */
function navigationLabels(links: PageLink[]): Map<string, string> {
  const labels = new Map<string, string>()
  for (const { url, element } of links) {
    const parts = new URL(url).pathname.split("/").filter(Boolean)
    const text = textOf(element)
    if (parts.length === 1 && text && text.length <= 30 && !labels.has(parts[0]!)) {
      labels.set(parts[0]!, text)
    }
  }
  return labels
}

async function existingFile(homeUrl: string, ctx: Context<Input>): Promise<string | null> {
  const url = new URL("/llms.txt", homeUrl).href
  const response = await ifAvailable(ctx, () => ctx.get(url, { retries: 0 }))
  const isFile =
    response !== null && !/html/.test(response.contentType) && /^\s*\ufeff?# /.test(response.text())
  return isFile ? response.url : null
}
