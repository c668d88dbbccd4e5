import { wordSet } from "../../extract/core/index.ts"
import { readSitemap, type Sitemap } from "../../extract/sitemap/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  type DataOptions,
  NotFound,
  type RequestOptions,
  readOnce,
  ScrapeError,
  TooLarge,
  toPageUrl,
  type UpstreamResponse,
} from "../kit/index.ts"
import { openUrl } from "./page/open.ts"

/** The protocol allows 50 MB; some files are larger. */
const maxFileBytes = 100 * 1024 * 1024
export const deepestIndex = 5

/** Usual paths of sitemaps that robots.txt does not list, the likeliest first. */
export const usualPaths: readonly string[] = [
  ...wordSet(`
    /sitemap.xml /sitemap_index.xml /sitemap-index.xml /sitemap.xml.gz /sitemap_index.xml.gz
    /sitemap/sitemap-index.xml /sitemap/sitemap.xml /wp-sitemap.xml /sitemap1.xml /sitemap.txt
    /sitemap_news.xml /sitemap-news.xml /sitemaps.xml /.sitemap.xml
  `),
]

interface Search {
  request?: () => RequestOptions
  paths?: readonly string[]
}

export interface SitemapFile {
  url: string
  parent: string | null
  depth: number
  /** The response, if the file was requested when it was found. */
  response?: UpstreamResponse
}

/** @throws Changed (`not_a_sitemap`) | TooLarge */
export function openSitemap(response: UpstreamResponse, url: string): Sitemap {
  const sitemap = sitemapIn(response)
  if (sitemap) return sitemap
  throw new Changed(`${url} is not a sitemap.`, { code: "not_a_sitemap", response })
}

/** Returns the reason why entries of a sitemap are missing; null if none are. */
export function problemOf(sitemap: Sitemap): string | null {
  if (sitemap.foreign) return "The sitemap has entries, but none of them has a readable URL."
  return sitemap.cutOff ? "The sitemap ends before its closing tag. Entries may be missing." : null
}

const sitemapIn = readOnce((response): Sitemap | null => {
  const contentType = response.headers.get("content-type") ?? ""
  const url = response.requestedUrl
  try {
    return readSitemap(response.bytes, url, { contentType, maxBytes: maxFileBytes })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = `${url} decompresses to more than ${maxFileBytes / 1024 / 1024} MB.`
    throw new TooLarge(message, { url, response })
  }
})

export const sitemapRequest: DataOptions = {
  has: (response) => sitemapIn(response) !== null,
  what: "a sitemap",
  headers: { accept: "application/xml, text/xml;q=0.9, */*;q=0.5" },
  maxBytes: maxFileBytes,
}

/**
 * Returns the URL itself if it looks like a sitemap, else the sitemaps in robots.txt, else a usual
 * path. Throws NotFound (`no_sitemap`) if there is none.
 * @param request Options of each request, in addition to those that find sitemaps.
 */
export async function startingFiles(
  written: string,
  ctx: Context,
  { request = () => ({}), paths = usualPaths }: Search = {},
): Promise<SitemapFile[]> {
  const href = new URL(toPageUrl(written))
  if (looksLikeSitemap(href)) {
    const { url, response } = await openUrl(written, ctx, { ...sitemapRequest, ...request() })
    return [{ url: url.replace(/#.*$/s, ""), parent: null, depth: 0, response }]
  }
  // Without a scheme in the input, http is tried, too.
  const site = /^\s*https?:/i.test(written) ? href.origin : href.host
  const options = { accept: "any" as const, retries: 1, ...request() }
  const robots = await openUrl(`${site}/robots.txt`, ctx, options)
  const named = robots.response.status === 200 ? sitemapLines(robots.response) : []
  if (named.length > 0) return named.map((url) => ({ url, parent: null, depth: 0 }))
  return [await guessedFile(new URL(robots.response.url).origin, ctx, request, paths)]
}

export function looksLikeSitemap(url: URL): boolean {
  const name = url.pathname.split("/").at(-1) ?? ""
  if (/^robots\.txt$/i.test(name)) return false
  return /\.xml(?:\.gz)?$|\.txt$|sitemap/i.test(name) || /sitemap/i.test(url.search)
}

function sitemapLines(robots: UpstreamResponse): string[] {
  const lines = robots.text().matchAll(/^[^\S\n]*sitemap[^\S\n]*:[^\S\n]*(\S+)/gim)
  const addresses = [...lines].flatMap((line) => URL.parse(line[1]!, robots.url)?.href ?? [])
  return [...new Set(addresses.filter((url) => /^https?:/.test(url)))]
}

/** Returns the first usual path with a sitemap. Throws NotFound (`no_sitemap`) if there is none. */
async function guessedFile(
  origin: string,
  ctx: Context,
  request: () => RequestOptions,
  paths: readonly string[],
): Promise<SitemapFile> {
  for (const path of paths) {
    const url = `${origin}${path}`
    try {
      const response = await ctx.data(url, { ...sitemapRequest, retries: 0, ...request() })
      if (sitemapIn(response)) return { url, parent: null, depth: 0, response }
    } catch (error) {
      ctx.signal.throwIfAborted()
      // A challenge blocks all of the paths.
      if (!(error instanceof ScrapeError) || error instanceof Blocked) throw error
    }
  }
  const message = `${origin} lists no sitemap in robots.txt, and has none at ${paths.join(", ")}.`
  throw new NotFound(message, { code: "no_sitemap", url: origin })
}
