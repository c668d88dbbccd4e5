import { type Static, Type } from "@sinclair/typebox"
import { absoluteUrl, isoDate, plainTime, textOf, unseen } from "../../extract/core/index.ts"
import {
  type Answer,
  Blocked,
  type Context,
  defineScraper,
  given,
  inputObject,
  inputs,
  itemObject,
  siteOf,
  textField,
} from "../kit/index.ts"

const root = "https://html.duckduckgo.com/html/"
const spans = { any: undefined, day: "d", week: "w", month: "m", year: "y" } as const
const blockedKey = "duckduckgo.blocked"

const item = itemObject({
  type: Type.String({ description: "Always organic." }),
  query: Type.String({ description: "The search as it was asked for." }),
  region: Type.String({ description: "Region that was asked for." }),
  position: Type.Integer({ description: "Place among the results, from 1." }),
  page: Type.Integer({ description: "Page of results, from 1." }),
  title: Type.String({ description: "Title." }),
  url: Type.String({ description: "The page found." }),
  displayedUrl: textField("The address as DuckDuckGo shows it."),
  domain: textField("The page's host without www."),
  snippet: textField("Text of the page."),
  publishedAt: textField("Date of the page (ISO 8601, UTC)."),
  iconUrl: textField("The site's icon."),
})

const input = inputObject({
  queries: Type.Array(Type.String({ minLength: 1, maxLength: 499 }), {
    minItems: 1,
    maxItems: 100,
    description: "Searches.",
  }),
  region: given(
    Type.String({
      pattern: "^[a-z]{2}-[a-z]{2,3}$",
      description: "Country and language, such as us-en or de-de; wt-wt for all.",
    }),
    "wt-wt",
  ),
  timeRange: inputs.choice(
    ["any", "day", "week", "month", "year"],
    "How old the pages may be.",
    "any",
  ),
  maxResults: inputs.count("Most results of the whole run.", { max: 300, or: 30 }),
})
type Input = Static<typeof input>

export default defineScraper({
  slug: "duckduckgo-search-scraper",
  name: "DuckDuckGo Search",
  tagline: "DuckDuckGo web results by query, region and time range.",
  category: "search",
  tier: "free",
  input,
  item,
  example: { queries: ["open source search engine"], region: "us-en", maxResults: 10 },
  // Faster readers are taken for robots.
  pace: { "html.duckduckgo.com": { perSecond: 0.4, concurrency: 1 } },
  concurrency: 1,
  targets: ({ queries }) => queries,
  identify: (query) => ({ input: query, query }),
  maxItems: ({ maxResults }) => maxResults,

  async *scrape(query, ctx) {
    const { region, maxResults } = ctx.input
    const seen = new Set<string>()
    let position = 0
    let form: Record<string, string> | null = firstForm(query, ctx.input)
    for (let page = 1; form; page++) {
      const answer = await resultPage(form, ctx)
      const results = resultsOf(answer)
      const fresh = unseen(results, seen, ({ url }) => url)
      for (const result of fresh) {
        yield { ...result, query, region, position: ++position, page }
        if (position >= maxResults) return
      }
      form = fresh.length > 0 ? nextForm(answer.document) : null
    }
  },
})

function firstForm(query: string, { region, timeRange }: Input) {
  // A word that begins with "!" would lead to another search engine.
  const q = query.replace(/(?<!\S)!\S+/g, '"$&"')
  const df = spans[timeRange]
  return { q, b: "", kl: region, ...(df ? { df } : {}) }
}

/** @throws Blocked, also for all later searches of the run: the block holds for about an hour */
async function resultPage(form: Record<string, string>, ctx: Context<Input>): Promise<Answer> {
  const earlier = ctx.shared.get(blockedKey)
  if (earlier instanceof Blocked) throw earlier
  return ctx
    .escalate(root, (ctx) => pageByOneWay(form, ctx))
    .catch((error) => {
      if (error instanceof Blocked) ctx.shared.set(blockedKey, error)
      throw error
    })
}

async function pageByOneWay(form: Record<string, string>, ctx: Context): Promise<Answer> {
  const answer = await ctx.post(root, {
    form,
    identity: "browser",
    headers: {
      referer: root,
      origin: "https://html.duckduckgo.com",
      "sec-fetch-site": "same-origin",
      "sec-fetch-user": "?1",
    },
    cookies: { kl: form.kl ?? "wt-wt", ...(form.df ? { df: form.df } : {}) },
    accept: [403],
  })
  if (!isChallenge(answer)) return answer
  throw new Blocked(
    "DuckDuckGo takes this address for a robot's and asks for a captcha.",
    "DuckDuckGo",
    { url: answer.url, statusCode: answer.status },
  )
}

function isChallenge(answer: Answer): boolean {
  if (answer.status === 202 || answer.status === 403) return true
  const sign = "form#challenge-form, .anomaly-modal__title, script[src*='/dist/anomaly.js']"
  return answer.document.querySelector(sign) !== null
}

/** @throws when the page has neither results nor the words that there are none */
function resultsOf(answer: Answer) {
  const { document } = answer
  const rows = [...document.querySelectorAll("#links .result")]
  const results = rows.flatMap((row) => resultOf(row) ?? [])
  if (results.length === 0 && !document.querySelector(".result--no-result, .no-results")) {
    throw answer.lacks("search results")
  }
  return results
}

function resultOf(row: Element) {
  const link = row.querySelector(".result__title a.result__a")
  const title = textOf(link)
  const url = target(link?.getAttribute("href"))
  const isOther = /(?:^|\s)result--(?:ad|no-result)(?:\s|$)/.test(row.className)
  if (!title || !url || isOther || isNoResult(url)) return null
  const extras = [...row.querySelectorAll(".result__extras__url > span")]
  const dates = extras.flatMap((span) => plainTime(isoDate(textOf(span))) ?? [])
  const icon = row.querySelector("img.result__icon__img")?.getAttribute("src")
  return {
    type: "organic",
    title,
    url,
    displayedUrl: textOf(row.querySelector("a.result__url")),
    domain: siteOf(url),
    snippet: textOf(row.querySelector(".result__snippet")),
    publishedAt: dates[0] ?? null,
    iconUrl: absoluteUrl(icon, root),
  }
}

/** The page behind DuckDuckGo's counting address; other addresses as they are. */
function target(href: string | null | undefined): string | null {
  const url = URL.parse(absoluteUrl(href, root) ?? "")
  const isCounting = url?.hostname.endsWith("duckduckgo.com") && url.pathname.startsWith("/l/")
  return url && isCounting ? absoluteUrl(url.searchParams.get("uddg"), root) : (url?.href ?? null)
}

/** Advertisements, and the link to another engine at the end of a list. */
function isNoResult(url: string): boolean {
  return /^https?:\/\/(?:duckduckgo\.com\/y\.js|www\.google\.com\/search)\?/.test(url)
}

/** All hidden fields of the last form: one for the page before may stand ahead of it. */
function nextForm(document: Document): Record<string, string> | null {
  const form = [...document.querySelectorAll(".nav-link form")].at(-1)
  const submit = form?.querySelector("input[type=submit]")?.getAttribute("value") ?? "Next"
  if (!form || /^prev/i.test(submit)) return null
  const fields = [...form.querySelectorAll("input[name]")].map((input) => [
    input.getAttribute("name")!,
    input.getAttribute("value") ?? "",
  ])
  const next = Object.fromEntries(fields) as Record<string, string>
  return next.vqd ? next : null
}
