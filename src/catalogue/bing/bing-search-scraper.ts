import {
  absoluteUrl,
  htmlToText,
  isoDate,
  isoDay,
  plainText,
  words,
} from "../../extract/core/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  defineScraper,
  EmptyShell,
  feedIn,
  type InputOf,
  inputs,
  items,
  type NamedLink,
  numbered,
  readPage,
  record,
  ScrapeError,
  siteOf,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { nothingFound } from "./words.json"

/** A result of the feed or of the page. */
const bingResult = record({
  type: items.requiredText('Always "organic".'),
  title: items.requiredText("Title."),
  url: items.requiredText("URL of the result."),
  displayedUrl: items.text("URL, as Bing displays it."),
  siteName: items.text("Name of the site."),
  domain: items.text("Host of the page without www."),
  snippet: items.text("Excerpt of the page."),
  publishedAt: items.text("Day of the page, if Bing displays it."),
  crawledAt: items.text("Time at which Bing last crawled the page (ISO 8601, UTC)."),
  sitelinks: items.objects("Other pages of the site that are displayed below the result.", {
    title: items.requiredText("Text."),
    url: items.requiredText("URL of the page."),
  }),
})

const root = "https://www.bing.com/search"
const pageSize = 10

const { type, ...fields } = bingResult.fields

const input = {
  queries: inputs.texts("Search words; Bing operators work, for example site:.", {
    max: 200,
    maxLength: 500,
  }),
  pagesPerQuery: inputs.count("Maximum result pages per search, of ten results each", {
    max: 20,
    or: 1,
  }),
  market: inputs.optionalText("Language and country, for example en-US.", {
    pattern: "^[A-Za-z]{2,3}-[A-Za-z]{2,4}$",
  }),
  maxResults: inputs.count("Maximum results of the run", { max: 1000, or: 100 }),
  safeSearch: inputs.safeSearch(),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "bing-search-scraper",
  name: "Bing Search",
  tagline: "Bing web results by query and market, page by page.",
  notServed: ["images"],
  category: "search",
  input,
  item: {
    type,
    query: items.requiredText("Search as written in the input."),
    position: items.requiredInteger("Position among the results of the search, from 1."),
    page: items.requiredInteger("Page of results, from 1."),
    ...fields,
  },
  example: { queries: ["renewable energy statistics"], pagesPerQuery: 1, market: "en-US" },
  probe: {
    input: { queries: ["wikipedia"], pagesPerQuery: 1, market: "en-US" },
    expect: [
      "items.length gte 5",
      'items[*].url contains "wikipedia.org"',
      "items[*].title share 1",
      "items[*].snippet share 0.7",
    ],
  },
  unverified: ["safe search"],
  rateLimit: { "www.bing.com": { perSecond: 1, concurrency: 1 } },
  fetchMethods: ["http", "browser-http", "browser"],
  targets: ({ queries }) => queries,
  identify: (query) => ({ input: query, query }),
  maxItems: ({ maxResults }) => maxResults,

  async *scrape(query, ctx) {
    const { pagesPerQuery: last, maxResults: cap } = ctx.input
    const request = async (page: number) => {
      const results = await ctx.escalate(root, {
        http: (ctx) => plainResults(query, page, ctx),
        browser: (ctx) => htmlPage(query, page, ctx),
      })
      return results.map((result) => ({ ...result, page }))
    }
    let position = 0
    const results = numbered(request, { last, cap, keyOf: ({ url }) => url })
    for await (const { page, ...result } of results) {
      yield { ...result, query, position: ++position, page }
    }
  },
})

/** Returns the results of the feed, or those of the page if the feed is missing or empty. */
async function plainResults(query: string, page: number, ctx: Context<Input>) {
  const feed = await feedPage(query, page, ctx)
  if (feed instanceof ScrapeError) {
    return htmlPage(query, page, ctx).catch((error) => {
      // The feed's refusal is more specific than an unreachable page.
      throw error instanceof Unreachable ? feed : error
    })
  }
  if (feed.length > 0 || page > 1) return feed
  // Bing returns an empty feed to some bots: only the page proves that there are no results.
  return htmlPage(query, page, ctx)
}

/** A page without any list of results is Bing's challenge, even if it has no sign of one. */
function isChallenge(response: UpstreamResponse): boolean {
  const { document } = response
  const form = document.querySelector(
    "[action*='/fd/ls/CAPT'], [id*='captcha' i], [class*='captcha' i], .cf-turnstile",
  )
  const isStated = /verify you are human|one last step/i.test(plainText(document.body) ?? "")
  if (form || isStated) return true
  const isPage = /<html\b/i.test(response.text().slice(0, 2000))
  const list = document.querySelector("#b_results")
  // Some bots get a page whose list is empty and has no notice about it.
  return isPage && (list === null || list.querySelector("a[href]") === null)
}

const refusal = { vendor: "Bing", statuses: [403, 429], sign: isChallenge }
const what = "a list of results"

const firstOf = (page: number) => 1 + pageSize * (page - 1)

const languages = (market: string | undefined) => ({
  "accept-language": market ? `${market},${market.split("-")[0]};q=0.9` : "en-US,en;q=0.9",
})

async function feedPage(query: string, page: number, ctx: Context<Input>) {
  const { market, safeSearch } = ctx.input
  const read = (response: UpstreamResponse) => feedResults(response) ?? pageResults(response)
  return readPage(ctx, root, read, {
    what,
    types: ["*"],
    refusal,
    query: {
      q: query,
      format: "rss",
      mkt: market,
      setlang: market?.split("-")[0],
      adlt: safeSearch,
      first: page > 1 ? firstOf(page) : undefined,
    },
    headers: languages(market),
  }).catch((error) => {
    ctx.signal.throwIfAborted()
    if (error instanceof Blocked || error instanceof Changed || error instanceof EmptyShell)
      return error
    throw error
  })
}

function htmlPage(query: string, page: number, ctx: Context<Input>): Promise<BingResult[]> {
  const { market, safeSearch = "off" } = ctx.input
  return readPage(ctx, root, pageResults, {
    what,
    refusal,
    query: { q: query, adlt: safeSearch, mkt: market, first: firstOf(page), FORM: "PERE" },
    headers: languages(market),
    waitFor: "#b_results",
  })
}

/** Bing's notice in the languages of its markets; the desktop page marks it with a class as well. */
const nothing = new RegExp(words(nothingFound), "iu")
type BingResult = ReturnType<typeof bingResult.read>

/** Returns the results of Bing's feed; null if the response is not a feed. */
function feedResults(response: UpstreamResponse): BingResult[] | null {
  if (!/^\s*<(?:\?xml|rss)\b/i.test(response.text().slice(0, 500))) return null
  const feed = feedIn(response)
  if (!feed) return null
  const results = [...feed.entries()].flatMap(({ title, publishedAt, node }): BingResult | [] => {
    const url = node?.text("link")
    if (!title || !node || !url) return []
    return bingResult.read({
      type: "organic",
      title,
      url,
      domain: siteOf(url),
      snippet: htmlToText(node.text("description")),
      // The feed's date is the day on which Bing crawled the page, not the page's own.
      crawledAt: publishedAt,
    })
  })
  if (feed.entryCount > 0 && results.length === 0) {
    const message = "Bing's feed contains no result with a title and a URL."
    throw new Changed(message, { url: response.url })
  }
  return results
}

/** Returns the results of a page: empty if Bing reports none, null if it is not a results page. */
export function pageResults(response: UpstreamResponse): BingResult[] | null {
  const list = response.document.querySelector("#b_results")
  if (!list) return null
  const rows = [...list.children].filter((row) => row.classList.contains("b_algo"))
  const results = rows.flatMap((row) => resultOf(row, response.url) ?? [])
  if (results.length > 0) return results
  return list.querySelector(".b_no") || nothing.test(plainText(list) ?? "") ? [] : null
}

function resultOf(row: Element, base: string): BingResult | null {
  // On the desktop page the link is inside the heading, on the mobile page around it.
  const heading = row.querySelector("h2 a[href]") ?? row.querySelector("a[href] h2")
  const link = linkOf(heading?.closest("a[href]") ?? null, base)
  if (!link) return null
  const caption = row.querySelector(".b_caption p") ?? row.querySelector("p")
  const date = plainText(row.querySelector(".news_dt"))
  const sitelinks = [...row.querySelectorAll(".b_deep a[href], .b_vlist2col a[href]")]
  return bingResult.read({
    type: "organic",
    ...link,
    displayedUrl: plainText(row.querySelector("cite")),
    siteName: plainText(row.querySelector(".tptt")),
    domain: siteOf(link.url),
    snippet: snippetOf(caption, date),
    publishedAt: isoDay(date) ?? isoDate(date),
    sitelinks: sitelinks.flatMap((sitelink) => linkOf(sitelink, base) ?? []),
  })
}

function linkOf(link: Element | null, base: string): NamedLink | null {
  const title = plainText(link)
  const url = absoluteUrl(link?.getAttribute("href"), base)
  return title && url ? { title, url: target(url) } : null
}

/** Returns the caption without Bing's own labels and without the leading date. */
function snippetOf(caption: Element | null, date: string | null): string | null {
  const icon = plainText(caption?.querySelector(".algoSlug_icon"))
  let text = plainText(caption)
  for (const mark of [icon, date]) {
    if (text && mark && text.startsWith(mark)) text = text.slice(mark.length)
  }
  return text?.replace(/^[\s·—-]+/, "").trim() || null
}

/** Returns the page in `bing.com/ck/a?…&u=a1<base64url>`, or an unreadable URL as it is. */
function target(href: string): string {
  const url = new URL(href)
  const packed = url.pathname === "/ck/a" ? url.searchParams.get("u") : null
  if (!packed?.startsWith("a1")) return href
  try {
    const bytes = Uint8Array.fromBase64(packed.slice(2).replace(/(?<!=)=+$/, ""), {
      alphabet: "base64url",
    })
    return absoluteUrl(new TextDecoder().decode(bytes), url.origin) ?? href
  } catch {
    return href
  }
}
