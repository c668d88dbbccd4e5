import { assertScrapeError, type Context, type UpstreamResponse } from "../../kit/index.ts"
import { sitemapIn, sitemapOptions } from "../page/sitemaps.ts"
import type { CrawlRules, CrawlTarget } from "./crawl-rules.ts"

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
    await followEntries(crawl, target, await ctx.get(href, sitemapOptions), ctx)
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
  const sitemap = sitemapIn(response)
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
