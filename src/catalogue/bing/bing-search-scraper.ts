import { type Static, Type } from "@sinclair/typebox"
import {
  type Answer,
  Blocked,
  Changed,
  type Context,
  defineScraper,
  guarded,
  guardedPage,
  inputObject,
  inputs,
  itemObject,
  Outcome,
  orNull,
  pagedRows,
  textField,
  Unreachable,
} from "../kit/index.ts"
import { type BingResult, feedResults, pageResults } from "./results.ts"

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
  publishedAt: textField("Day of the page, where Bing shows it."),
  crawledAt: textField("When Bing last read the page (ISO 8601, UTC)."),
  sitelinks: Type.Array(
    itemObject({
      title: Type.String({ description: "Text." }),
      url: Type.String({ description: "Address." }),
    }),
    { description: "Further pages of the site that are shown below it." },
  ),
})

const input = inputObject({
  queries: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    minItems: 1,
    maxItems: 200,
    description: "Searches, with Bing's operators where wanted.",
  }),
  pagesPerQuery: inputs.count("Most pages of each search, of ten results.", { max: 20, or: 1 }),
  market: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z]{2,3}-[A-Za-z]{2,4}$",
      description: "Language and country, such as en-US.",
    }),
  ),
  maxResults: inputs.count("Most results of the whole run.", { max: 1000, or: 100 }),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "bing-search-scraper",
  name: "Bing Search",
  tagline: "Bing web results by query and market, page by page.",
  category: "search",
  tier: "free",
  input,
  item,
  deprecated: { date: "publishedAt" },
  example: { queries: ["renewable energy statistics"], pagesPerQuery: 1, market: "en-US" },
  pace: { "www.bing.com": { perSecond: 1, concurrency: 1 } },
  access: ["http", "browser"],
  targets: ({ queries }) => queries,
  identify: (query) => ({ input: query, query }),
  maxItems: ({ maxResults }) => maxResults,

  async *scrape(query, ctx) {
    const rows = pagedRows(ctx, resultPages(query, ctx), {
      cap: ctx.input.maxResults,
      keyOf: ({ result }) => result.url,
      target: { input: query, query },
    })
    let position = 0
    for await (const row of rows) {
      if ("error" in row) yield row
      else yield { ...row.result, query, position: ++position, page: row.page }
    }
  },
})

async function* resultPages(query: string, ctx: Context<Input>) {
  for (let page = 1; page <= ctx.input.pagesPerQuery; page++) {
    const results = await resultPage(query, page, ctx)
    yield results.map((result) => ({ result, page }))
  }
}

/** The feed of results; the page of results where the feed is none, or empty. */
async function resultPage(query: string, page: number, ctx: Context<Input>): Promise<BingResult[]> {
  const feed = await feedPage(query, page, ctx)
  if (feed instanceof Outcome) {
    return htmlPage(query, page, ctx).catch((error) => {
      // How the feed was refused says more than that nothing else answered.
      throw error instanceof Unreachable ? feed : error
    })
  }
  if (feed.length > 0 || page > 1) return feed
  return (await orNull(ctx, "page of results", () => htmlPage(query, page, ctx))) ?? []
}

const wall = { statuses: [403, 429] }

const firstOf = (page: number) => 1 + pageSize * (page - 1)

function languages(market: string | undefined) {
  const accepted = market ? `${market},${market.split("-")[0]};q=0.9` : "en-US,en;q=0.9"
  return { "accept-language": accepted }
}

async function feedPage(
  query: string,
  page: number,
  ctx: Context<Input>,
): Promise<BingResult[] | Outcome> {
  try {
    const { market } = ctx.input
    const answer = await guarded(ctx, root, wall, () =>
      ctx.get(root, {
        query: {
          q: query,
          format: "rss",
          mkt: market,
          setlang: market?.split("-")[0],
          first: page > 1 ? firstOf(page) : undefined,
        },
        headers: languages(market),
        identity: "browser",
      }),
    )
    return feedResults(answer) ?? pageResults(answer) ?? refusal(answer)
  } catch (error) {
    ctx.signal.throwIfAborted()
    if (error instanceof Blocked || error instanceof Changed) return error
    throw error
  }
}

async function htmlPage(query: string, page: number, ctx: Context<Input>): Promise<BingResult[]> {
  const { market } = ctx.input
  const answer = await guardedPage(ctx, root, wall, {
    query: { q: query, adlt: "off", mkt: market, first: firstOf(page), FORM: "PERE" },
    headers: languages(market),
    waitFor: "#b_results",
  })
  const results = pageResults(answer)
  if (!results) throw refusal(answer)
  return results
}

/** A page without a list of results, be it empty, is Bing's wall, also where it does not say so. */
function refusal(answer: Answer): Outcome {
  const { url, status, document } = answer
  const form = document.querySelector(
    "[action*='/fd/ls/CAPT'], [id*='captcha' i], [class*='captcha' i], .cf-turnstile",
  )
  const says = /verify you are human|one last step/i.test(document.body?.textContent ?? "")
  const isPage = /<html\b/i.test(answer.text().slice(0, 2000))
  const hasList = document.querySelector("#b_results") !== null
  if (!form && !says && (hasList || !isPage)) return answer.lacks("a list of results")
  const message = form || says ? "Bing asks for a captcha." : "Bing gives a page without results."
  return new Blocked(message, "Bing", { url, statusCode: status })
}
