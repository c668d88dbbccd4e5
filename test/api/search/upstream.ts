import { catalogue } from "../../../src/catalogue/index.ts"
import { NotFound } from "../../../src/catalogue/kit/index.ts"
import type { WireRequest } from "../../../src/engine/net/http/exchange.ts"
import { TestApp } from "../app.ts"

/** The scrapers that a search uses. */
const slugs = [
  "url-to-markdown-scraper",
  "duckduckgo-search-scraper",
  "bing-search-scraper",
  "wikipedia-search-scraper",
  "bing-news-scraper",
]

type Found = [url: string, title: string, snippet: string]

/** The results of the fake engines. */
export const duck: Found[] = [
  ["https://harbour.test/lamps?utm_source=ddg", "Harbour lamps", "Short."],
  ["http://www.coast.test/keepers/", "Keepers of the coast", "Who lights the lamps."],
  ["https://tide.test/a", "Tides", "When the sea comes."],
]
export const bing: Found[] = [
  ["https://coast.test/keepers", "Keepers", "Who lights the lamps on this coast, and when."],
  ["https://rope.test/", "Ropes", "Knots of all kinds."],
  ["https://harbour.test/lamps", "Lamps", "All lamps of the harbour by their light."],
]

const duckPage = (rows: Found[]) =>
  `<html><body><div id="links">${rows
    .map(
      ([url, title, snippet]) =>
        `<div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="${url.replaceAll("&", "&amp;")}">${title}</a></h2><a class="result__snippet" href="${url}">${snippet}</a></div>`,
    )
    .join(
      "",
    )}${rows.length === 0 ? `<div class="no-results">No results.</div>` : ""}</div></body></html>`

const feed = (rows: Found[]) =>
  `<?xml version="1.0"?><rss version="2.0"><channel><title>Bing</title>${rows
    .map(
      ([url, title, snippet]) =>
        `<item><title>${title}</title><link>${url.replaceAll("&", "&amp;")}</link><description>${snippet}</description><pubDate>${new Date().toUTCString()}</pubDate></item>`,
    )
    .join("")}</channel></rss>`

const page = (title: string, words: number) =>
  `<!doctype html><html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${`The ${title} burns at night and all ships see it. `.repeat(words)}</p></main></body></html>`

const sites: Record<string, string> = {
  "harbour.test/lamps": page("Harbour lamp", 4),
  "coast.test/keepers": page("Keeper lamp", 2000),
}

/** Requests that were sent, by host. */
export const sent: string[] = []

/**
 * Fake engines and sites. Words of a query make engines fail: `noduck` and `nobing` are refused,
 * `stallbing` never responds, `nothing` has no results.
 */
export async function send({ url, signal, body }: WireRequest) {
  const { hostname, pathname, searchParams } = new URL(url)
  sent.push(hostname)
  const reply = (text: string, status = 200, type = "text/html") => ({
    status,
    headers: new Headers({ "content-type": type }),
    bytes: new TextEncoder().encode(text),
    via: "http" as const,
    firstByte: null,
  })
  if (pathname === "/robots.txt") return reply("", 404)
  if (hostname.endsWith("duckduckgo.com")) {
    const query = decodeURIComponent(String(body ?? url).replaceAll("+", " "))
    if (query.includes("noduck")) return reply("<p>No.</p>", 403)
    return reply(duckPage(query.includes("nothing") ? [] : duck))
  }
  if (hostname === "www.bing.com") {
    const query = searchParams.get("q") ?? ""
    if (query.includes("nobing")) return reply("<p>No.</p>", 403)
    if (query.includes("stallbing")) {
      await new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      )
    }
    if (query.includes("nothing")) {
      return searchParams.has("format")
        ? reply(feed([]), 200, "text/xml")
        : reply(
            `<html><body><ol id="b_results"><li class="b_no">No results</li></ol></body></html>`,
          )
    }
    return reply(feed(bing), 200, "text/xml")
  }
  const site = sites[`${hostname.replace(/^www\./, "")}${pathname.replace(/\/$/, "")}`]
  if (site) return reply(site)
  if (hostname === "rope.test") return reply("<h1>Gone</h1>", 404)
  throw new NotFound(`There is no ${hostname}.`)
}

/** The service over the fake engines. */
export function searchApp(settings: Parameters<typeof TestApp.open>[0] = {}): Promise<TestApp> {
  const scrapers = catalogue.filter(({ slug }) => slugs.includes(slug))
  const options = { keylessWait: 20, freeDaily: 1000, ...settings }
  return TestApp.open(options, scrapers, undefined, { send })
}
