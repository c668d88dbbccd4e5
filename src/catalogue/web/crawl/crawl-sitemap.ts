import { readSitemap } from "../../../extract/sitemap/index.ts"
import { assertScrapeError, type Context, type UpstreamResponse } from "../../kit/index.ts"
import type { CrawlRules, CrawlTarget } from "./crawl-rules.ts"

const maxSitemapBytes = 50 * 1024 * 1024
const maxSitemapUrls = 10_000

interface SitemapCrawl {
  readonly rules: CrawlRules
  follow(
    url: string,
    from: CrawlTarget,
    ctx: Context,
    depth: number,
    lastmod?: string,
  ): Promise<boolean>
}

/** Follows the URLs of the site's sitemap, for start pages whose links only a script adds. */
export async function followSitemap(
  crawl: SitemapCrawl,
  target: CrawlTarget,
  { url }: Pick<UpstreamResponse, "url">,
  ctx: Context,
): Promise<void> {
  const href = new URL("/sitemap.xml", url).href
  try {
    const sitemap = await ctx.get(href, {
      maxBytes: maxSitemapBytes,
      retries: 0,
      robots: true,
    })
    await followEntries(crawl, target, sitemap, ctx)
  } catch (error) {
    assertScrapeError(error, ctx)
    ctx.log(`No sitemap at ${href}: ${error.message}`)
  }
}

/** Follows the URLs of a sitemap. Returns false if the response is not a sitemap. */
export async function followEntries(
  crawl: SitemapCrawl,
  target: CrawlTarget,
  response: UpstreamResponse,
  ctx: Context,
): Promise<boolean> {
  const contentType = response.headers.get("content-type") ?? ""
  const sitemap = readSitemap(response.bytes, response.url, {
    contentType,
    maxBytes: maxSitemapBytes,
  })
  if (!sitemap) return false
  let count = 0
  const from = { ...target, referrer: response.url }
  for (const url of sitemap.children()) {
    const { written: _, ...child } = from
    await ctx.follow({ ...child, url, sitemap: true }, url)
  }
  const { modifiedSince } = crawl.rules
  for (const entry of sitemap.urls()) {
    const modified = Date.parse(entry.lastmod ?? "")
    if (modifiedSince !== undefined && modified < modifiedSince) continue
    await crawl.follow(entry.url, from, ctx, target.depth, entry.lastmod ?? undefined)
    if (++count >= maxSitemapUrls) break
  }
  return true
}
