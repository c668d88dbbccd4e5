import { Type } from "@sinclair/typebox"
import { distinct, isoDate, unseen } from "../../extract/core/index.ts"
import {
  BadInput,
  type Context,
  defineScraper,
  field,
  type InputOf,
  inputs,
  items,
  RateLimited,
  type RequestOptions,
  type Row,
  readRows,
  record,
  required,
  type UpstreamResponse,
} from "../kit/index.ts"

const throttleTries = 5
const throttleSeconds = 15
/** An empty response is requested again once, because GDELT also returns one under load. */
const emptySeconds = 8

const sortFields = {
  relevance: "hybridrel",
  newest: "datedesc",
  oldest: "dateasc",
  "tone-high": "tonedesc",
  "tone-low": "toneasc",
} as const

const input = {
  queries: inputs.texts('Search words; "phrases", (a OR b) and GDELT operators work.', {
    max: 100,
  }),
  timespan: inputs.textOr(
    "Time range back from now, 15min to 3 months; for example 15min, 24h, 7d, 2w or 1m.",
    "7d",
    { pattern: "^\\s*\\d+\\s*(min(ute)?s?|h(ours?)?|d(ays?)?|w(eeks?)?|m(onths?)?)\\s*$" },
  ),
  tone: inputs.optionalText("Tone filter: <-5 or -5 for worse, >5 or 5 for better.", {
    pattern: "^\\s*(?:tone(?:abs)?)?\\s*[<>]?\\s*-?\\d+(?:\\.\\d+)?\\s*$",
  }),
  sourceCountry: Type.Optional(inputs.text("Country of the source, for example United Kingdom.")),
  sourceLang: Type.Optional(inputs.text("Language of the article, for example Spanish.")),
  sort: inputs.choice(sortFields, "Sort order.", "relevance"),
  maxPerQuery: inputs.count("Maximum articles per search", { max: 250, or: 75 }),
}

const articleRecord = record({
  query: items.requiredText("Query as written in the input."),
  title: field.trimmed("title", "Title in GDELT's notation, with spaces around punctuation."),
  url: required(field.text("url", "URL of the article.")),
  mobileUrl: field.text("url_mobile", "URL of the mobile version of the article."),
  seenAt: field.text(
    "seendate",
    "Time at which GDELT found the article (ISO 8601, UTC); not the time of publication.",
    seenAt,
  ),
  domain: field.text("domain", "Site."),
  language: field.text("language", "English name of the language."),
  sourceCountry: field.text("sourcecountry", "English name of the site's country."),
  imageUrl: field.text("socialimage", "URL of the image."),
})

export default defineScraper({
  slug: "gdelt-news-scraper",
  name: "GDELT News",
  tagline:
    "News articles worldwide from the last three months, by keywords, country, language and tone (GDELT DOC 2.0).",
  notServed: ["full article text"],
  category: "news",
  input,
  item: articleRecord,
  example: { queries: ["renewable energy"], timespan: "24h", maxPerQuery: 10 },
  probe: {
    input: { queries: ["climate"], timespan: "24h", maxPerQuery: 5 },
    expect: [
      "items.length equals 5",
      "items[*].title share 1",
      "items[*].domain share 1",
      "items[*].seenAt fresh 2",
    ],
  },
  rateLimit: { "api.gdeltproject.org": { perSecond: 1 / 7, concurrency: 1 } },
  targets: ({ queries }) => distinct(queries),

  async *scrape(query, ctx) {
    const { sort, maxPerQuery, timespan } = ctx.input
    const search = {
      query: filtered(query, ctx.input),
      mode: "artlist",
      format: "json",
      maxrecords: maxPerQuery,
      sort: sortFields[sort],
      timespan: span(timespan),
    }
    let articles = await request(ctx, search)
    if (articles.length === 0) {
      await ctx.pause(emptySeconds, "GDELT found nothing; repeating the request once.")
      articles = await request(ctx, search)
    }
    const read = (article: Row) => articleRecord.read({ ...article, query })
    const result = await Array.fromAsync(readRows(articles, read, ctx))
    yield* unseen(result, new Set(), ({ url }) => url).slice(0, maxPerQuery)
  },
})

/** Returns the query with GDELT's operators for country, language and tone. */
function filtered(query: string, { sourceCountry, sourceLang, tone }: InputOf<typeof input>) {
  const name = (value: string) => value.toLowerCase().replace(/\s+/g, "")
  const parts = [query.trim()]
  if (sourceCountry) parts.push(`sourcecountry:${name(sourceCountry)}`)
  if (sourceLang) parts.push(`sourcelang:${name(sourceLang)}`)
  if (tone) parts.push(toneOperator(name(tone)))
  return parts.join(" ")
}

/** A number without an operator is a threshold: a minimum if positive, a maximum if negative. */
function toneOperator(tone: string): string {
  const [, field, sign, number] = /^(tone(?:abs)?)?([<>])?(.+)$/.exec(tone)!
  return `${field ?? "tone"}${sign ?? (number!.startsWith("-") ? "<" : ">")}${number}`
}

const unitMinutes: Record<string, number> = { min: 1, h: 60, d: 1440, w: 10_080, m: 43_200 }

/** @throws BadInput if the time range is below 15 minutes or above 3 months */
function span(timespan: string): string {
  const [, count, word] = /(?<!\d)(\d+)\s*([a-z]+)/i.exec(timespan)!
  const unit = word!.startsWith("mi") ? "min" : word![0]!
  const minutes = Number(count) * unitMinutes[unit]!
  // 13 weeks and 92 days count as three months, too.
  if (minutes < 15 || minutes > 92 * 1440) {
    throw new BadInput(`"${timespan}" is outside the supported range. Use 15min to 3 months.`)
  }
  return `${count}${unit}`
}

async function request(ctx: Context, query: RequestOptions["query"]): Promise<Row[]> {
  const options = { query, identity: "browser", accept: [429], retries: 1 } as const
  for (let attempt = 1; ; attempt++) {
    const response = await ctx.get("https://api.gdeltproject.org/api/v2/doc/doc", options)
    const isLimited = response.status === 429 || /^\s*Please limit requests/i.test(response.text())
    if (!isLimited) return articlesOf(response)
    if (attempt === throttleTries) {
      const message = `GDELT reports: ${response.text().trim().slice(0, 200)}`
      throw new RateLimited(message, throttleSeconds, { response })
    }
    await ctx.pause(throttleSeconds, "GDELT limits the rate of requests.")
  }
}

/** GDELT's errors are plain text with status 200 and the content type of JSON. */
function articlesOf(response: UpstreamResponse): Row[] {
  const text = response.text().trim()
  if (/^[^<{[].*(?:too short|too long|too common|invalid|not supported)/is.test(text)) {
    throw new BadInput(`GDELT reports: ${text.slice(0, 300)}`, { response })
  }
  const body = parsed(text)
  if (body && Object.keys(body).length === 0) return []
  if (!Array.isArray(body?.articles)) throw response.explainMissing("a list of articles")
  return body.articles
}

/** Titles may contain raw control characters and stray backslashes. */
function parsed(text: string): { articles?: Row[] } | null {
  for (const source of [text, withoutStrays(text)]) {
    try {
      const body: unknown = JSON.parse(source)
      return typeof body === "object" ? body : null
    } catch {}
  }
  return null
}

function withoutStrays(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what JSON forbids
      .replace(/[\u0000-\u001f]/g, "")
      .replace(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|\\/gi, (token) => (token.length > 1 ? token : ""))
  )
}

/** `20260515T011500Z` */
function seenAt(value: string): string | null {
  const parts = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z$/.exec(value)
  if (!parts) return isoDate(value)
  const [, year, month, day, hour, minute, second] = parts
  return isoDate(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
