import { unseen } from "../../extract/core/index.ts"
import {
  assertScrapeError,
  Blocked,
  type Context,
  defineScraper,
  type InputOf,
  inputs,
  items,
  record,
  type Steps,
  type UpstreamResponse,
} from "../kit/index.ts"
import { type Front, htmlFront, liteFront } from "./results.ts"

const spans = { any: undefined, day: "d", week: "w", month: "m", year: "y" } as const
/** DuckDuckGo's parameter `kp`. */
const safeLevels = { off: "-2", moderate: "-1", strict: "1" } as const
const blockedKey = "duckduckgo.blocked"

const item = record({
  type: items.requiredText('Always "organic".'),
  query: items.requiredText("Search as written in the input."),
  region: items.requiredText("Requested region."),
  position: items.requiredInteger("Position among the results, from 1."),
  page: items.requiredInteger("Page of results, from 1."),
  title: items.requiredText("Title."),
  url: items.requiredText("URL of the result."),
  displayedUrl: items.text("URL, as DuckDuckGo displays it."),
  domain: items.text("Host of the page without www."),
  snippet: items.text("Excerpt of the page."),
  publishedAt: items.text("Date of the page (ISO 8601, UTC)."),
  iconUrl: items.text("URL of the site's icon."),
})

const input = {
  queries: inputs.texts("Search words, for example electric cars.", { max: 100, maxLength: 499 }),
  region: inputs.textOr(
    "Country and language, for example us-en or de-de; wt-wt for all.",
    "wt-wt",
    { pattern: "^[a-z]{2}-[a-z]{2,3}$" },
  ),
  timeRange: inputs.choice(spans, "Maximum age of the pages.", "any"),
  maxResults: inputs.count("Maximum results of the run", { max: 300, or: 30 }),
  safeSearch: inputs.safeSearch(),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "duckduckgo-search-scraper",
  name: "DuckDuckGo Search",
  tagline: "DuckDuckGo web results by query, region and time range.",
  notServed: ["images"],
  category: "search",
  input,
  item,
  example: { queries: ["open source search engine"], region: "us-en", maxResults: 10 },
  probe: {
    input: { queries: ["wikipedia"], region: "us-en", maxResults: 5 },
    expect: [
      "items.length equals 5",
      'items[*].url contains "wikipedia.org"',
      "items[*].title share 1",
      "items[*].snippet share 0.7",
    ],
  },
  unverified: ["safe search"],
  // Faster clients are treated as bots.
  rateLimit: {
    "html.duckduckgo.com": { perSecond: 0.4, concurrency: 1 },
    "lite.duckduckgo.com": { perSecond: 0.4, concurrency: 1 },
  },
  // DuckDuckGo compares TLS handshake and user agent: plain HTTP gets an IP address blocked sooner.
  fetchMethods: ["browser-http", "http", "browser"],
  concurrency: 1,
  targets: ({ queries }) => queries,
  identify: (query) => ({ input: query, query }),
  maxItems: ({ maxResults }) => maxResults,

  async *scrape(query, ctx) {
    const { region, maxResults } = ctx.input
    const seen = new Set<string>()
    let position = 0
    const start = firstForm(query, ctx.input)
    let requested: Requested | null = { form: start }
    for (let page = 1; requested; page++) {
      const { front, results, document } = await resultPage(requested, ctx)
      const fresh = unseen(results, seen, ({ url }) => url)
      for (const result of fresh) {
        yield item.read({ ...result, query, region, position: ++position, page })
        if (position >= maxResults) return
      }
      const form = fresh.length > 0 ? front.next(document) : null
      requested = form && { form: { ...form, ...(start.kp ? { kp: start.kp } : {}) }, front }
    }
  },
})

type Form = Record<string, string>

/** Request for a page of results. A later page is requested from the same site. */
interface Requested {
  form: Form
  front?: Front
}

type ResultPage = ReturnType<typeof pageOf>

function firstForm(query: string, { region, timeRange, safeSearch }: Input): Form {
  // DuckDuckGo redirects a word that begins with "!" to another search engine.
  const q = query.replace(/(?<!\S)!\S+/g, '"$&"')
  const df = spans[timeRange]
  const kp = safeSearch && safeLevels[safeSearch]
  return { q, b: "", kl: region, ...(df ? { df } : {}), ...(kp ? { kp } : {}) }
}

/** Returns a page of results. A block lasts about an hour, so it fails all later searches, too. */
async function resultPage(requested: Requested, ctx: Context<Input>): Promise<ResultPage> {
  const earlier = ctx.shared.get(blockedKey)
  if (earlier instanceof Blocked) throw earlier
  const { front, form } = requested
  const steps: Steps<ResultPage, Input> = front
    ? { http: (ctx) => posted(front, form, ctx), "browser-http": (ctx) => posted(front, form, ctx) }
    : {
        http: (ctx) => postedAnywhere(form, ctx),
        // Chrome opens the URL; a form posted from here would look like a script's request.
        "browser-http": (ctx) => opened(htmlFront, form, ctx),
        browser: (ctx) => opened(htmlFront, form, ctx),
      }
  return ctx.escalate(htmlFront.root, steps).catch((error) => {
    if (error instanceof Blocked) ctx.shared.set(blockedKey, error)
    throw error
  })
}

/** Posts the form to the HTML site, then the lite site. Throws the first refusal if both fail. */
async function postedAnywhere(form: Form, ctx: Context): Promise<ResultPage> {
  try {
    return await posted(htmlFront, form, ctx)
  } catch (refused) {
    if (!(refused instanceof Blocked)) throw refused
    ctx.log(`${refused.message} Asking ${new URL(liteFront.root).host}.`)
    const { b: _unknownThere, ...fields } = form
    return posted(liteFront, fields, ctx).catch((error) => {
      assertScrapeError(error, ctx)
      throw refused
    })
  }
}

const cookiesOf = ({ kl, df, kp }: Form) => ({
  kl: kl ?? "wt-wt",
  ...(df ? { df } : {}),
  // The cookie of this setting has another name than its parameter.
  ...(kp ? { p: kp } : {}),
})

/** Posts the form of the site's own page. */
async function posted(front: Front, form: Form, ctx: Context): Promise<ResultPage> {
  const response = await ctx.post(front.root, {
    form,
    identity: "browser",
    headers: {
      // Without the charset parameter, every client gets a challenge.
      "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
      referer: front.root,
      origin: new URL(front.root).origin,
      // The region decides the results; the notice of the lite site is read in English.
      "accept-language": "en-US,en;q=0.9",
      "sec-fetch-site": "same-origin",
      "sec-fetch-user": "?1",
    },
    cookies: cookiesOf(form),
    accept: [403],
  })
  if (isChallenge(response)) {
    const message = "DuckDuckGo treats this IP address as a bot and requires a captcha."
    throw new Blocked(message, "DuckDuckGo", { response })
  }
  return pageOf(front, response)
}

async function opened(front: Front, { b: _ofTheForm, ...query }: Form, ctx: Context) {
  const response = await ctx.page(front.root, {
    has: (response) => !isChallenge(response) && front.results(response.document) !== null,
    what: "search results",
    refusal: { vendor: "DuckDuckGo", statuses: [403], sign: isChallenge },
    query,
    cookies: cookiesOf(query),
  })
  return pageOf(front, response)
}

function pageOf(front: Front, response: UpstreamResponse) {
  const results = front.results(response.document)
  if (!results) throw response.explainMissing("search results")
  return { front, results, document: response.document }
}

function isChallenge(response: UpstreamResponse): boolean {
  if (response.status === 202 || response.status === 403) return true
  const sign = "form#challenge-form, .anomaly-modal__title, script[src*='/dist/anomaly.js']"
  return response.document.querySelector(sign) !== null
}
