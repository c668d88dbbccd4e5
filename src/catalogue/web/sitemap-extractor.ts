import { normaliseUrl } from "../../extract/links/index.ts"
import type { Sitemap } from "../../extract/sitemap/index.ts"
import {
  assertScrapeError,
  Changed,
  defineScraper,
  errorItem,
  inputs,
  items,
  record,
  type ScrapeError,
} from "../kit/index.ts"
import { identifyPage } from "./page/open.ts"
import { mapSite } from "./site-map.ts"
import * as sitemapFiles from "./sitemap-files.ts"

const item = record({
  url: items.requiredText("URL of the page."),
  title: items.text("Title of the page, from the sitemap, a feed, a link or the page itself."),
  lastmod: items.text(
    "Time of the last change, as written if it is a W3C date or time, else ISO 8601.",
  ),
  changefreq: items.text(
    "Change frequency: always, hourly, daily, weekly, monthly, yearly or never.",
  ),
  priority: items.number("Priority in the sitemap, from 0 to 1."),
  sitemapUrl: items.requiredText(
    "URL of the file that lists the page, or of the page with a link to it.",
  ),
  sitemapType: items.requiredText(
    "Format of the file: urlset, rss, atom or text; in a map also json (a feed) and page (a link).",
  ),
  parentSitemapUrl: items.text("URL of the sitemap index that lists the file."),
  alternates: items.objects("Versions of the page in other languages.", {
    hreflang: items.requiredText("Language of the version, for example en-GB or x-default."),
    href: items.requiredText("URL of the version."),
  }),
  images: items.objects("Images on the page.", {
    url: items.requiredText("URL of the image."),
    title: items.text("Title of the image."),
    caption: items.text("Caption of the image."),
  }),
  videos: items.objects("Videos on the page.", {
    title: items.text("Title of the video."),
    thumbnailUrl: items.text("URL of the preview image."),
    contentUrl: items.text("URL of the video file."),
    playerUrl: items.text("URL of a player for the video."),
    durationSeconds: items.number("Duration in seconds."),
    publishedAt: items.text(
      "Time of publication, as written if it is a W3C date or time, else ISO 8601.",
    ),
  }),
  news: items.object("Data of a news sitemap.", {
    name: items.text("Name of the publication."),
    language: items.text("Language of the publication, for example en."),
    publishedAt: items.text(
      "Time of publication, as written if it is a W3C date or time, else ISO 8601.",
    ),
    title: items.text("Title of the news article."),
  }),
})

export default defineScraper({
  slug: "sitemap-extractor",
  name: "Sitemap URLs",
  tagline: "Every URL in a site's sitemaps, with dates, images and languages.",
  notServed: ["page contents"],
  category: "web",
  fetchMethods: ["http"],
  input: {
    url: inputs.text("Sitemap URL, or a URL or domain of a site whose sitemaps to find."),
    maxUrls: inputs.count("Maximum URLs to return; no other file is read after that", {
      max: 1_000_000,
      or: 10_000,
    }),
    mode: inputs.choice(
      ["sitemaps", "map"],
      "`sitemaps`: all entries of the sitemaps. `map`: the site's URLs and titles within seconds, from sitemaps, feeds and the home page, or a shallow crawl if there is no sitemap.",
      "sitemaps",
    ),
    search: inputs.optionalText(
      "For mode map: words in any order. Only URLs with one of them in the URL or title are returned, best match first.",
      { maxLength: 500 },
    ),
    includeSubdomains: inputs.flag("For mode map: include URLs of the site's other subdomains."),
  },
  item,
  example: { url: "https://www.sitemaps.org/sitemap.xml" },
  probe: {
    expect: [
      "items.length gte 10",
      'items[*].url matches "^https?://www.sitemaps.org/"',
      "items[0].sitemapType share 1",
    ],
  },
  rateLimit: { "*": { perSecond: 5, concurrency: 2 } },
  targets: (input) => [input.url],
  maxItems: (input) => input.maxUrls,
  identify: (target) => ({ input: target, sitemapUrl: identifyPage(target).url }),

  async *scrape(target, ctx) {
    if (ctx.input.mode === "map") return yield* mapSite(target, ctx)
    const starting = await sitemapFiles.startingFiles(target, ctx)
    const seenFiles = new Set(starting.map((file) => normaliseUrl(file.url)))
    /** A stack: the last file is read next. */
    const files = starting.toReversed()
    const seenUrls = new Set<string>()
    const { maxUrls } = ctx.input
    while (files.length > 0) {
      const file = files.pop()!
      const { url: sitemapUrl, parent: parentSitemapUrl } = file
      const failed = (error: ScrapeError) => errorItem(error, { input: target, sitemapUrl })
      let sitemap: Sitemap
      let statusCode: number
      try {
        const response = file.response ?? (await ctx.data(file.url, sitemapFiles.sitemapRequest))
        statusCode = response.status
        sitemap = sitemapFiles.openSitemap(response, file.url)
      } catch (error) {
        assertScrapeError(error, ctx)
        if (parentSitemapUrl === null && starting.length === 1) throw error
        yield failed(error)
        continue
      }
      const children: sitemapFiles.SitemapFile[] = []
      for (const url of sitemap.children()) {
        const key = normaliseUrl(url)
        if (seenFiles.has(key) || file.depth >= sitemapFiles.deepestIndex) continue
        seenFiles.add(key)
        children.push({ url, parent: sitemapUrl, depth: file.depth + 1 })
      }
      for (const child of children.reverse()) files.push(child)
      for (const entry of sitemap.urls()) {
        if (seenUrls.has(entry.url)) continue
        seenUrls.add(entry.url)
        yield item.read({ ...entry, sitemapUrl, sitemapType: sitemap.type, parentSitemapUrl })
        if (seenUrls.size >= maxUrls) return
      }
      const problem = sitemapFiles.problemOf(sitemap)
      if (problem) yield failed(new Changed(problem, { url: sitemapUrl, statusCode }))
    }
  },
})
