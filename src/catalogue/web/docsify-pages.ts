import { countWords, paragraphText } from "../../extract/core/index.ts"
import {
  codeLanguages,
  docsifyFile,
  docsifyLinks,
  docsifyRoute,
  docsTitles,
  markdownDocument,
} from "../../extract/docs/index.ts"
import { readHeadings, readMeta } from "../../extract/page/index.ts"
import { type Context, orNull, type UpstreamResponse } from "../kit/index.ts"
import type { Crawl, CrawlTarget } from "./crawl/crawl.ts"

/**
 * Follows the pages of a site that a script renders from Markdown files: those to which its sidebar
 * links.
 */
export async function followMarkdown(target: CrawlTarget, url: string, crawl: Crawl, ctx: Context) {
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
export async function readMarkdown(
  target: CrawlTarget,
  response: UpstreamResponse,
  crawl: Crawl,
  ctx: Context<{ includeMarkdown: boolean }>,
) {
  const folder = String(target.folder)
  const markdown = response.text().replace(/\r\n?/g, "\n").trim()
  const document = markdownDocument(markdown)
  const content = document.body
  for (const file of docsifyLinks(markdown, folder)) {
    await crawl.follow(file, { ...target, referrer: response.url }, ctx, target.depth + 1)
  }
  const url = docsifyRoute(response.url, folder)
  const text = paragraphText(content)
  return {
    url,
    depth: target.depth,
    title: docsTitles(document, content, readMeta(document)).title,
    breadcrumbs: new URL(response.url).pathname.split("/").filter(Boolean).slice(0, -1),
    headings: readHeadings(content, 4).map((heading) => ({ ...heading, url })),
    markdown: ctx.input.includeMarkdown ? `${markdown}\n` : undefined,
    text,
    codeBlocks: content.getElementsByTagName("pre").length,
    languages: codeLanguages(content),
    wordCount: countWords(text),
    generator: "docsify",
  }
}
