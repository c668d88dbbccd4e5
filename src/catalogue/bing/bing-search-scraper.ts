import { Type } from "@sinclair/typebox"
import { plainText } from "../../extract/core/index.ts"
import {
  Blocked,
  Changed,
  type Context,
  defineScraper,
  EmptyShell,
  type InputOf,
  inputs,
  items,
  numbered,
  oneOf,
  readPage,
  ScrapeError,
  Unreachable,
  type UpstreamResponse,
} from "../kit/index.ts"
import { type BingResult, bingResult, feedResults, pageResults } from "./results.ts"

const root = "https://www.bing.com/search"
const pageSize = 10

const { type, ...fields } = bingResult.fields

const item = {
  type,
  query: items.requiredText("Search as written in the input."),
  position: items.requiredInteger("Position among the results of the search, from 1."),
  page: items.requiredInteger("Page of results, from 1."),
  ...fields,
}

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
  safeSearch: Type.Optional(
    oneOf(["off", "moderate", "strict"], { description: "Filter of adult content." }),
  ),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "bing-search-scraper",
  name: "Bing Search",
  tagline: "Bing web results by query and market, page by page.",
  notServed: ["images"],
  category: "search",
  input,
  item,
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

function languages(market: string | undefined) {
  const accepted = market ? `${market},${market.split("-")[0]};q=0.9` : "en-US,en;q=0.9"
  return { "accept-language": accepted }
}

async function feedPage(query: string, page: number, ctx: Context<Input>) {
  const { market, safeSearch } = ctx.input
  const read = (response: UpstreamResponse) => feedResults(response) ?? pageResults(response)
  const results = readPage(ctx, root, read, {
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
  })
  return results.catch((error) => {
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
