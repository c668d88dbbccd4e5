import {
  Blocked,
  type Context,
  defineScraper,
  type InputOf,
  inputs,
  items,
  oneOf,
  partFailed,
  RateLimited,
  readOnce,
  record,
  type ScrapeError,
  UpstreamError,
  type UpstreamResponse,
} from "../kit/index.ts"
import { captchaMessage, google, googleChallenge, googleCookies } from "./google.ts"
import {
  basicResults,
  type Organic,
  organicResults,
  questions,
  relatedSearches,
  searchTable,
  statesNothingFound,
  totalOf,
} from "./results.ts"

const pageSize = 10
const kinds = ["organic", "peopleAlsoAsk", "relatedSearch"] as const
type Kind = (typeof kinds)[number]

const found = record({
  title: items.text("Title of the result, or of the page that answers the question."),
  url: items.text(
    "URL of the result, of the page that answers the question, or of the related search.",
  ),
  displayedUrl: items.text("URL, as Google displays it."),
  domain: items.text("Host of the page without www."),
  snippet: items.text("Excerpt of the page."),
  publishedAt: items.text("Day of the page, if Google displays it."),
  sitelinks: items.objects("Other pages of the site that are displayed below the result.", {
    title: items.requiredText("Text."),
    url: items.requiredText("URL of the page."),
  }),
  question: items.text('Question from "People also ask".'),
  answer: items.text("Answer to the question; null if the page does not contain it."),
  text: items.text("Text of the related search."),
})

const input = {
  queries: inputs.texts("Search words, with Google operators if needed, or result page URLs.", {
    max: 200,
  }),
  resultsPerQuery: inputs.count("Maximum web results per search; a page lists 10", {
    max: 100,
    or: 10,
  }),
  countryCode: inputs.textOr("Two-letter country code, for example us.", "us", {
    pattern: "^[A-Za-z]{2}$",
  }),
  language: inputs.textOr("Language code of the page, for example en.", "en", {
    pattern: "^[A-Za-z]{2,3}(-\\w+)?$",
  }),
  includeExtras: inputs.flag("Whether to include related questions and related searches."),
  safeSearch: inputs.safeSearch(),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "google-search-scraper",
  name: "Google Search",
  tagline:
    "Google web results for your queries, with people-also-ask and related searches on request.",
  notServed: ["search volume", "images"],
  category: "search",
  tier: "premium",
  input,
  item: {
    type: oneOf(kinds, { description: "Type of the result." }),
    query: items.requiredText("Search as written in the input."),
    position: items.requiredInteger("Position among the results of the same type, from 1."),
    ...found.fields,
    resultsTotal: items.integer("Number of results, as Google reports it."),
  },
  example: { queries: ["why is the sky blue"], resultsPerQuery: 10, includeExtras: true },
  probe: {
    input: { queries: ["wikipedia"], resultsPerQuery: 5 },
    expect: [
      "items.length gte 4",
      'items[*].url contains "wikipedia.org"',
      "items[*].title share 1",
      "items[*].domain share 1",
      "?items[*].snippet share 0.7",
    ],
  },
  unverified: ["safe search"],
  // A few dozen searches from one IP address trigger the captcha.
  rateLimit: { "www.google.com": { perSecond: 0.1, concurrency: 1 } },
  fetchMethods: ["browser", "http", "unlocker"],
  concurrency: 1,
  targets: ({ queries }) => queries,
  identify: (query) => ({ input: query, query }),

  async *scrape(query, ctx) {
    const { resultsPerQuery, includeExtras } = ctx.input
    const seen = new Set<string>()
    const first = await resultPage(query, 0, ctx)
    const resultsTotal = totalOf(first.document)
    const itemOf = (type: Kind, position: number, row: Parameters<typeof found.read>[0]) => ({
      ...found.read(row),
      query,
      resultsTotal,
      type,
      position,
    })
    let results = first.results
    for (let page = 1; ; page++) {
      const fresh = results.filter(({ url }) => !seen.has(url))
      for (const result of fresh) {
        seen.add(result.url)
        yield itemOf("organic", seen.size, { ...result })
        if (seen.size >= resultsPerQuery) break
      }
      if (fresh.length === 0 || seen.size >= resultsPerQuery) break
      try {
        results = (await resultPage(query, page * pageSize, ctx)).results
      } catch (error) {
        yield partFailed(ctx, error, { input: query, query })
        break
      }
    }
    if (!includeExtras) return
    const asked = questions(first.document, ctx.upstream(searchTable))
    yield* asked.map((question, index) => itemOf("peopleAlsoAsk", index + 1, question))
    const related = relatedSearches(first.document)
    yield* related.map((search, index) => itemOf("relatedSearch", index + 1, search))
  },
})

/** Google's parameter `safe`. */
const safeLevels = { off: "off", moderate: "medium", strict: "active" } as const

/** Returns the search of a results page's URL, or the keywords. */
function searchOf(query: string, { countryCode, language, safeSearch }: Input) {
  const url = /^https?:\/\/(?:www\.)?google\.[a-z.]+\/search\?/i.test(query.trim())
    ? new URL(query.trim())
    : null
  const provided = (name: string) => url?.searchParams.get(name) ?? undefined
  return {
    q: provided("q") ?? query,
    hl: provided("hl") ?? language,
    gl: provided("gl") ?? countryCode.toLowerCase(),
    safe: safeSearch ? safeLevels[safeSearch] : provided("safe"),
  }
}

type ResultPage = { document: Document; results: Organic[] }

/**
 * Google returns a filled page only to Chrome, and to some clients one for old phones. Each is
 * requested once.
 */
function resultPage(query: string, start: number, ctx: Context<Input>): Promise<ResultPage> {
  const search = searchOf(query, ctx.input)
  const full = (ctx: Context) => fullPage(search, start, ctx)
  return ctx
    .escalate(google, {
      browser: full,
      http: (ctx) => basicPage(search, start, ctx),
      unlocker: full,
    })
    .catch((error) => {
      if (!(error instanceof Blocked)) throw error
      const { vendor, url, statusCode } = error
      // The engine reports a captcha with status 429 with its own message.
      const isNamed = vendor !== "Google" || error.message.startsWith("Google")
      const message = isNamed ? error.message : captchaMessage
      throw new Blocked(`${message} ${advice}`, vendor, { statusCode, url })
    })
}

const advice =
  "Google blocks nearly every IP address of a data centre this way: ask the operator for an unlocker (TRAWL_UNLOCKER_URL), or search from a home line."

type Search = ReturnType<typeof searchOf>

/**
 * @throws Blocked, EmptyShell, Changed if the page has neither results nor a notice that there are
 * none
 */
async function fullPage(search: Search, start: number, ctx: Context): Promise<ResultPage> {
  const resultsOn = readOnce(({ document }): Organic[] | null => {
    const results = organicResults(document, ctx.upstream(searchTable))
    return results.length > 0 || statesNothingFound(document) ? results : null
  })
  const response = await ctx.page(`${google}/search`, {
    has: (response) =>
      response.status >= 400 ||
      resultsOn(response) !== null ||
      googleChallenge(response) !== null ||
      isEnd(response, start),
    what,
    query: { ...search, pws: 0, start: start > 0 ? start : undefined },
    headers: { "accept-language": `${search.hl},en;q=0.8` },
    cookies: googleCookies(ctx),
    waitFor: "#rso, #search, #main, #captcha-form, .mnr-c",
    accept: [429, 503],
  })
  if (response.status >= 400) throw googleChallenge(response) ?? refusal(response)
  const { document } = response
  const results = resultsOn(response)
  if (results) return { document, results }
  const challenge = googleChallenge(response)
  if (challenge) throw challenge
  if (isEnd(response, start)) return { document, results: [] }
  throw response.explainMissing(what)
}

const what = "search results"

/** Later pages may end without a notice. */
const isEnd = ({ document }: UpstreamResponse, start: number) =>
  start > 0 && document.querySelector("#search, #botstuff") !== null

const refusal = (response: UpstreamResponse): ScrapeError =>
  response.status === 429
    ? new RateLimited("Google limits the rate of searches.", null, { response })
    : new UpstreamError(`Google failed (status ${response.status}).`, { response })

/** Returns the page for old phones, which Google still fills without JavaScript. Throws Blocked. */
async function basicPage(search: Search, start: number, ctx: Context): Promise<ResultPage> {
  const { q, hl, safe } = search
  const layout = ctx.upstream(searchTable)
  const response = await ctx.get(`${google}/wml/search`, {
    query: {
      q,
      sca_esv: 1,
      hl,
      safe,
      ie: "utf8",
      oe: "utf8",
      start: start > 0 ? start : undefined,
    },
    headers: { "user-agent": layout.basicAgent, accept: "*/*" },
    cookies: googleCookies(ctx),
    accept: [403, 429, 503],
    retries: 1,
  })
  const results = basicResults(response.document, layout)
  if (results.length > 0) return { document: response.document, results }
  const message = `Google's page for old phones has no results (status ${response.status}).`
  throw googleChallenge(response) ?? new Blocked(message, "Google", { response })
}
