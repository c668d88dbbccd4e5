import { Type } from "@sinclair/typebox"
import { unseen } from "../../extract/text.ts"
import { orNull, partFailed } from "../calls.ts"
import type { Answer, Context } from "../context.ts"
import { defineScraper } from "../define.ts"
import { inputObject, itemObject, textField } from "../fields.ts"
import { Blocked, Changed, Outcome } from "../outcome.ts"
import { type BingResult, feedResults, pageResults } from "./bing-results.ts"

const root = "https://www.bing.com/search"
const pageSize = 10

const item = itemObject({
  type: Type.String({ description: "Always organic." }),
  query: Type.String({ description: "The search as it was asked for." }),
  position: Type.Integer({ description: "Place among the results of the search, from 1." }),
  page: Type.Integer({ description: "Page of results, from 1." }),
  title: Type.String({ description: "Title." }),
  url: Type.String({ description: "The page found." }),
  displayedUrl: textField("The address as Bing shows it."),
  siteName: textField("The site's name."),
  domain: textField("The page's host without www."),
  snippet: textField("Text of the page."),
  date: textField("Day of the page, where Bing shows it."),
  crawledAt: textField("When Bing last read the page (ISO 8601, UTC)."),
  sitelinks: Type.Array(
    itemObject({
      title: Type.String({ description: "Text." }),
      url: Type.String({ description: "Address." }),
    }),
    { description: "Further pages of the site that are shown below it." },
  ),
})

interface Input {
  queries: string[]
  pagesPerQuery?: number
  market?: string
  maxResults?: number
}

export default defineScraper({
  slug: "bing-search-scraper",
  name: "Bing Search",
  tagline: "Bing web results by query and market, page by page.",
  category: "search",
  tier: "free",
  input: inputObject({
    queries: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      minItems: 1,
      maxItems: 200,
      description: "Searches, with Bing's operators where wanted.",
    }),
    pagesPerQuery: Type.Optional(
      Type.Integer({
        default: 1,
        minimum: 1,
        maximum: 20,
        description: "Most pages of each search, of ten results.",
      }),
    ),
    market: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z]{2,3}-[A-Za-z]{2,4}$",
        description: "Language and country, such as en-US.",
      }),
    ),
    maxResults: Type.Optional(
      Type.Integer({
        default: 100,
        minimum: 1,
        maximum: 1000,
        description: "Most results of the whole run.",
      }),
    ),
  }),
  item,
  example: { queries: ["renewable energy statistics"], pagesPerQuery: 1, market: "en-US" },
  pace: { "www.bing.com": { perSecond: 1, concurrency: 1 } },
  access: ["http", "browser"],
  targets: (input) => input.queries,
  identify: (query) => ({ input: query, query }),
  maxItems: (input) => input.maxResults,

  async *scrape(query, ctx) {
    const { pagesPerQuery = 1, maxResults = 100 } = ctx.input
    const seen = new Set<string>()
    let position = 0
    try {
      for (let page = 1; page <= pagesPerQuery; page++) {
        const results = unseen(await resultPage(query, page, ctx), seen, ({ url }) => url)
        for (const result of results) {
          yield { ...result, query, position: ++position, page }
          if (position >= maxResults) return
        }
        if (results.length === 0) return
      }
    } catch (error) {
      if (position === 0) throw error
      yield partFailed(ctx, error, { input: query, query })
    }
  },
})

/** The feed of results; the page of results where the feed is none, or empty. */
async function resultPage(query: string, page: number, ctx: Context<Input>): Promise<BingResult[]> {
  const feed = await feedPage(query, page, ctx)
  if (feed instanceof Outcome) return htmlPage(query, page, ctx)
  if (feed.length > 0 || page > 1) return feed
  return (await orNull(ctx, "page of results", () => htmlPage(query, page, ctx))) ?? []
}

function options(page: number, { market }: Input) {
  const language = market?.split("-")[0]
  return {
    query: {
      mkt: market,
      setlang: language,
      first: page > 1 ? 1 + pageSize * (page - 1) : undefined,
    },
    headers: {
      "accept-language": market ? `${market},${language};q=0.9` : "en-US,en;q=0.9",
    },
  }
}

async function feedPage(
  query: string,
  page: number,
  ctx: Context<Input>,
): Promise<BingResult[] | Outcome> {
  try {
    const { query: paging, headers } = options(page, ctx.input)
    const answer = await ctx.get(root, {
      query: { q: query, format: "rss", ...paging },
      headers,
      identity: "browser",
    })
    return feedResults(answer) ?? pageResults(answer) ?? answer.lacks("a feed of results")
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof Blocked || error instanceof Changed) return error
    throw error
  }
}

async function htmlPage(query: string, page: number, ctx: Context<Input>): Promise<BingResult[]> {
  const { query: paging, headers } = options(page, ctx.input)
  const answer = await ctx.html(root, {
    query: { q: query, adlt: "off", FORM: page > 1 ? "PERE" : undefined, ...paging },
    headers,
    waitFor: "#b_results",
  })
  const results = pageResults(answer)
  if (!results) throw wall(answer) ?? answer.lacks("a list of results")
  return results
}

function wall(answer: Answer): Blocked | null {
  const captcha = answer.document.querySelector(
    "[action*='/fd/ls/CAPT'], [id*='captcha' i], [class*='captcha' i], .cf-turnstile",
  )
  const says = /verify you are human|one last step/i.test(answer.document.body.textContent ?? "")
  if (!captcha && !says) return null
  return new Blocked("Bing asks for a captcha.", "Bing", {
    url: answer.url,
    statusCode: answer.status,
  })
}
