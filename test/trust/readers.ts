import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { scraperBySlug } from "../../src/catalogue/index.ts"
import { readHostile } from "../hostile/read-hostile.ts"
import { mutated, random } from "./mutate.ts"

/** Scrapers that read pages of any site, and so use nearly all of src/extract. */
export const readers = [
  "url-to-markdown-scraper", "ecommerce-product-scraper", "contact-info-extractor", "faq-extractor-scraper",
  "seo-page-analyzer", "website-content-crawler", "article-extractor", "docs-crawler-scraper",
  "schema-org-scraper", "tech-stack-detector", "web-scraper", "company-enrichment-scraper",
  "page-change-monitor", "llms-txt-generator", "meta-tags-scraper", "opengraph-scraper", "redirect-tracker-scraper",
  "rss-discovery-scraper", "rss-feed-reader", "sitemap-extractor", "broken-link-checker", "email-finder-scraper",
] // biome-ignore format: a list reads better dense

const most = 60_000
const texts: Record<string, string> = {
  "rss-feed-reader": `<rss><channel><title>T</title><link>http://a.test</link>${`<item><title>a</title><link>/x</link><pubDate>Mon, 02 Jan 2006 15:04:05 GMT</pubDate><description><![CDATA[<p>b</p>]]></description><enclosure url="a.mp3" length="1"/></item>`.repeat(9)}</channel></rss>`,
  "sitemap-extractor": `<urlset>${"<url><loc>http://a.test/b</loc><lastmod>2024-01-01</lastmod><priority>0.5</priority></url>".repeat(20)}</urlset>`,
}

const folder = join(import.meta.dir, "../pages")
const pages = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".html"))
  .sort()
  .map((name) => readFileSync(join(folder, name), "utf8").slice(0, most))

/** Returns the unexpected exception of a reader on a mutated page; null if it threw none. */
export async function thrownAt(
  slug: string,
  seed: number,
): Promise<{ thrown: string | null; cpuMs: number }> {
  const next = random(seed)
  const base = texts[slug] && next() < 0.8 ? texts[slug] : pages[Math.floor(next() * pages.length)]!
  const { items, error, cpuMs } = await readHostile(scraperBySlug(slug)!, mutated(base, next))
  const stated = [error, ...items.map((item) => item.error as { message?: string } | undefined)]
  // Internal errors are recognized by these words (engine/runtime/run/target-work.ts).
  const issue = stated.find((one) => one?.message?.startsWith("The response could not be parsed:"))
  return { thrown: issue ? `${slug}, seed ${seed}: ${issue.message}` : null, cpuMs }
}
