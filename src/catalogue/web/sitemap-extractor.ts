import { Type } from "@sinclair/typebox"
import { normaliseUrl } from "../../extract/links/index.ts"
import { readSitemap, type Sitemap, type SitemapUrl } from "../../extract/sitemap/index.ts"
import {
  type Answer,
  Blocked,
  Changed,
  type Context,
  type DataOptions,
  defineScraper,
  errorItem,
  identifyPage,
  inputObject,
  inputs,
  itemObject,
  NotFound,
  nullable,
  numberField,
  Outcome,
  openAddress,
  pageAddress,
  readOnce,
  TooLarge,
  textField,
} from "../kit/index.ts"

/** The protocol allows 50 MB; some files are larger. */
const maxFileBytes = 100 * 1024 * 1024
const deepestIndex = 5

/** Where sites keep a sitemap that their robots.txt does not name, the likeliest first. */
const usualPaths = [
  "/sitemap.xml",
  "/sitemap_index.xml",
  "/sitemap-index.xml",
  "/sitemap.xml.gz",
  "/sitemap_index.xml.gz",
  "/sitemap/sitemap-index.xml",
  "/sitemap/sitemap.xml",
  "/wp-sitemap.xml",
  "/sitemap1.xml",
  "/sitemap.txt",
  "/sitemap_news.xml",
  "/sitemap-news.xml",
  "/sitemaps.xml",
  "/.sitemap.xml",
]

const item = itemObject({
  url: Type.String({ description: "The page's address." }),
  lastmod: textField(
    "When it changed last, as written where that is a W3C date or time, else ISO 8601.",
  ),
  changefreq: textField("always, hourly, daily, weekly, monthly, yearly or never."),
  priority: numberField("From 0 to 1."),
  sitemapUrl: Type.String({ description: "The file that lists it." }),
  sitemapType: Type.String({ description: "urlset, rss, atom or text." }),
  parentSitemapUrl: textField("The index that names the file."),
  alternates: Type.Array(itemObject({ hreflang: Type.String(), href: Type.String() }), {
    description: "The page in other languages.",
  }),
  images: Type.Array(
    itemObject({
      url: Type.String(),
      title: nullable(Type.String()),
      caption: nullable(Type.String()),
    }),
    { description: "Pictures on the page." },
  ),
  videos: Type.Array(
    itemObject({
      title: nullable(Type.String()),
      thumbnailUrl: nullable(Type.String()),
      contentUrl: nullable(Type.String()),
      playerUrl: nullable(Type.String()),
      durationSeconds: numberField("Seconds."),
      publishedAt: nullable(Type.String()),
    }),
    { description: "Videos on the page." },
  ),
  news: nullable(
    itemObject(
      {
        name: textField("The publication."),
        language: nullable(Type.String()),
        publishedAt: nullable(Type.String()),
        title: nullable(Type.String()),
      },
      { description: "The entry of a news sitemap." },
    ),
  ),
})

interface QueuedFile {
  url: string
  parent: string | null
  depth: number
  /** Already fetched when it was found. */
  answer?: Answer
}

export default defineScraper({
  slug: "sitemap-extractor",
  name: "Sitemap URLs",
  tagline: "Every URL in a site's sitemaps, with dates, images and languages.",
  category: "web",
  tier: "free",
  input: inputObject({
    url: inputs.text("A sitemap, or any page or domain of a site whose sitemaps shall be found."),
    maxUrls: inputs.count("The most addresses to give; no further file is read after that.", {
      max: 1_000_000,
      or: 10_000,
    }),
  }),
  item,
  deprecated: {
    "videos.thumbnail": "thumbnailUrl",
    "videos.duration": "durationSeconds",
    "videos.published": "publishedAt",
    "news.published": "publishedAt",
  },
  example: { url: "https://www.sitemaps.org/sitemap.xml" },
  canary: {
    input: { url: "https://www.sitemaps.org/sitemap.xml" },
    expect: [
      "items.length gte 10",
      'items[*].url matches "^https?://www.sitemaps.org/"',
      "items[0].sitemapType share 1",
    ],
  },
  pace: { "*": { perSecond: 5, concurrency: 2 } },
  targets: (input) => [input.url],
  maxItems: (input) => input.maxUrls,
  identify: (target) => ({ input: target, sitemapUrl: identifyPage(target).url }),

  async *scrape(target, ctx) {
    const starting = await startingFiles(target, ctx)
    const seenFiles = new Set(starting.map((file) => normaliseUrl(file.url)))
    /** The next file is the last one. */
    const files = starting.toReversed()
    const seenUrls = new Set<string>()
    const { maxUrls } = ctx.input
    while (files.length > 0) {
      const file = files.pop()!
      const { url: sitemapUrl, parent: parentSitemapUrl } = file
      const failed = (outcome: Outcome) => errorItem(outcome, { input: target, sitemapUrl })
      let sitemap: Sitemap
      let statusCode: number
      try {
        const answer = file.answer ?? (await ctx.data(file.url, wanted))
        statusCode = answer.status
        sitemap = openSitemap(answer, file.url)
      } catch (error) {
        ctx.signal.throwIfAborted()
        if (!(error instanceof Outcome) || (parentSitemapUrl === null && starting.length === 1))
          throw error
        yield failed(error)
        continue
      }
      const children: QueuedFile[] = []
      for (const url of sitemap.children()) {
        const key = normaliseUrl(url)
        if (seenFiles.has(key) || file.depth >= deepestIndex) continue
        seenFiles.add(key)
        children.push({ url, parent: sitemapUrl, depth: file.depth + 1 })
      }
      for (const child of children.reverse()) files.push(child)
      for (const entry of sitemap.urls()) {
        if (seenUrls.has(entry.url)) continue
        seenUrls.add(entry.url)
        yield found(entry, sitemap, file)
        if (seenUrls.size >= maxUrls) return
      }
      if (sitemap.foreign) {
        const message = "The sitemap has entries, but no address could be read in them."
        yield failed(new Changed(message, { url: sitemapUrl, statusCode }))
      } else if (sitemap.cutOff) {
        const message = "The sitemap breaks off before its end."
        yield failed(new Changed(message, { url: sitemapUrl, statusCode }))
      }
    }
  },
})

function found(entry: SitemapUrl, sitemap: Sitemap, file: QueuedFile) {
  const { alternates, images, videos, news, ...rest } = entry
  return {
    ...rest,
    sitemapUrl: file.url,
    sitemapType: sitemap.type,
    parentSitemapUrl: file.parent,
    alternates,
    images,
    videos,
    news,
  }
}

/** @throws Changed (`not_a_sitemap`) | TooLarge */
function openSitemap(answer: Answer, url: string): Sitemap {
  const sitemap = sitemapIn(answer)
  if (sitemap) return sitemap
  throw new Changed(`${url} is not a sitemap.`, {
    code: "not_a_sitemap",
    url: answer.url,
    statusCode: answer.status,
  })
}

const sitemapIn = readOnce((answer): Sitemap | null => {
  const contentType = answer.headers.get("content-type") ?? ""
  const url = answer.requestedUrl
  try {
    return readSitemap(answer.bytes, url, { contentType, maxBytes: maxFileBytes })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new TooLarge(`${url} unpacks to more than ${maxFileBytes / 1024 / 1024} MB.`, {
      url,
      statusCode: answer.status,
    })
  }
})

const wanted: DataOptions = {
  has: (answer) => sitemapIn(answer) !== null,
  what: "a sitemap",
  headers: { accept: "application/xml, text/xml;q=0.9, */*;q=0.5" },
  maxBytes: maxFileBytes,
}

/** The address itself when it looks like a sitemap, else what robots.txt names, else a usual path. */
async function startingFiles(written: string, ctx: Context): Promise<QueuedFile[]> {
  const address = new URL(pageAddress(written))
  if (looksLikeSitemap(address)) {
    const { url, answer } = await openAddress(written, ctx, wanted)
    return [{ url: url.replace(/#.*$/s, ""), parent: null, depth: 0, answer }]
  }
  const robots = await openAddress(robotsAddress(written), ctx, { accept: "any", retries: 1 })
  const named = robots.answer.status === 200 ? sitemapLines(robots.answer) : []
  if (named.length > 0) return named.map((url) => ({ url, parent: null, depth: 0 }))
  return [await guessedFile(new URL(robots.answer.url).origin, ctx)]
}

function looksLikeSitemap(address: URL): boolean {
  const name = address.pathname.split("/").at(-1) ?? ""
  if (/^robots\.txt$/i.test(name)) return false
  return /\.xml(?:\.gz)?$|\.txt$|sitemap/i.test(name) || /sitemap/i.test(address.search)
}

/** Written with a scheme only where the caller wrote one, so that http can be tried too. */
function robotsAddress(written: string): string {
  const { origin, host } = new URL(pageAddress(written))
  return `${/^\s*https?:/i.test(written) ? origin : host}/robots.txt`
}

function sitemapLines(robots: Answer): string[] {
  const lines = robots.text().matchAll(/^[^\S\n]*sitemap[^\S\n]*:[^\S\n]*(\S+)/gim)
  const addresses = [...lines].flatMap((line) => URL.parse(line[1]!, robots.url)?.href ?? [])
  return [...new Set(addresses.filter((address) => /^https?:/.test(address)))]
}

/** The first usual path that holds a sitemap. @throws NotFound (`no_sitemap`) when none does. */
async function guessedFile(origin: string, ctx: Context): Promise<QueuedFile> {
  for (const path of usualPaths) {
    const url = `${origin}${path}`
    try {
      const answer = await ctx.data(url, { ...wanted, retries: 0 })
      if (sitemapIn(answer)) return { url, parent: null, depth: 0, answer }
    } catch (error) {
      ctx.signal.throwIfAborted()
      // A wall stands before all of them.
      if (!(error instanceof Outcome) || error instanceof Blocked) throw error
    }
  }
  throw new NotFound(
    `${origin} names no sitemap in robots.txt, and none is at ${usualPaths.join(", ")}.`,
    { code: "no_sitemap", url: origin },
  )
}
