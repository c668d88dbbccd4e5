import { expect, setDefaultTimeout, test } from "bun:test"
import { scraperBySlug } from "../../src/catalogue/index.ts"
import { maxElements } from "../../src/extract/core/tree-builder.ts"
import { everyNth } from "../samples.ts"
import { issueOf } from "./growth.ts"
import { hostilePages } from "./pages.ts"
import { answering, measure, readHostile } from "./read-hostile.ts"

setDefaultTimeout(120_000)

/**
 * Scrapers that read pages of any site. Each kind is read by one of them; `bun run bench hostile`
 * tests all pairs.
 */
const readers = [
  "url-to-markdown-scraper", "ecommerce-product-scraper", "contact-info-extractor", "faq-extractor-scraper",
  "seo-page-analyzer", "website-content-crawler", "article-extractor", "docs-crawler-scraper",
  "schema-org-scraper", "tech-stack-detector", "web-scraper", "company-enrichment-scraper",
  "page-change-monitor", "llms-txt-generator", "meta-tags-scraper",
] // biome-ignore format: a list reads better dense

const small = 1_500

// Each takes a tenth of a second, so `bun run verify` tests a sixth of the kinds, with all readers.
const kinds = everyNth(Object.entries(hostilePages), 6)

for (const [index, [kind, page]] of kinds.entries()) {
  const slug = readers[index % readers.length]!
  test(`${kind}, by ${slug}: four times the page, four times the time`, async () => {
    const scraper = scraperBySlug(slug)!
    const read = async (times: number) => (await readHostile(scraper, page(small * times))).cpuMs
    expect(await issueOf(read)).toBeNull()
  })
}

test("links of one host are scheduled in time by their number, before the first is checked", async () => {
  const scraper = scraperBySlug("broken-link-checker")!
  const input = { ...scraper.example, maxPages: 1 }
  const read = async (times: number) => {
    const page = hostilePages.images!(2_500 * times)
    const control = new AbortController()
    const environment = answering(scraper.slug, ({ method }) => {
      if (method === "HEAD") control.abort()
      return method === "GET" ? page : null
    })
    const { cpuMs } = await measure(scraper, input, environment, control)
    expect(control.signal.aborted).toBe(true)
    return cpuMs
  }
  expect(await issueOf(read)).toBeNull()
})

test("a page with more elements than the limit is reported as too large", async () => {
  const html = hostilePages["sibling hr"]!(maxElements + 1)
  for (const slug of everyNth(readers, 5)) {
    const { items, error } = await readHostile(scraperBySlug(slug)!, html)
    const message = error?.message ?? JSON.stringify(items)
    expect(message, slug).toContain(`more than ${maxElements.toLocaleString("en")} elements`)
    if (error) expect(error.code, slug).toBe("too_large")
  }
})
