import { Type } from "@sinclair/typebox"
import {
  countWords,
  distinct,
  htmlToText,
  lineText,
  SearchedText,
  textLines,
} from "../../extract/core/index.ts"
import type { FeedEntry } from "../../extract/feed/index.ts"
import { completeUrl } from "../../extract/links/index.ts"
import { documentTitle, metaContent, readMeta } from "../../extract/page/index.ts"
import {
  BadInput,
  defineScraper,
  feedIn,
  field,
  type InputOf,
  inputs,
  items,
  readOnce,
  record,
  UnsupportedContent,
  type UpstreamResponse,
} from "../kit/index.ts"
import { conditions, notModified, validatorsOf } from "./crawl/known-pages.ts"
import { mainRoot } from "./page/documents.ts"
import { openPage } from "./page/open.ts"
import { isHtml, isReported } from "./page/readable.ts"

/** Matches the start of a feed. Some servers send feeds as text/html. */
const feedStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<(?:rss|feed|rdf:RDF)\b/i
const fewWords = 200
const maxFeedBytes = 25 * 1024 * 1024

const item = record({
  source: items.requiredText("Source as written in the input."),
  url: items.requiredText("URL after redirects."),
  sourceType: items.requiredText("Kind of source: page or feed."),
  sourceTitle: items.text("Title of the page or feed."),
  keyword: items.requiredText("Keyword as written in the input."),
  found: items.requiredBoolean("Whether the keyword occurs."),
  count: items.requiredInteger("Number of occurrences."),
  previousCount: items.integer("Number of occurrences in the last run."),
  countChange: items.integer("Difference between `count` and `previousCount`."),
  isNew: items.requiredBoolean("Whether the keyword occurs now, but did not in the last run."),
  snippets: field.texts("shown.*.snippet", "The first matches with the words around them."),
  matches: items.objects("For feeds: each snippet with its entry.", {
    snippet: items.requiredText("Match with the words around it."),
    entryTitle: items.text("Title of the entry; null for pages."),
    entryUrl: items.text("URL of the entry's page; null for pages."),
    publishedAt: items.text("Time at which the entry was published (ISO 8601, UTC)."),
  }),
  entriesMatched: items.integer("For feeds: number of entries that contain the keyword."),
  checkedAt: items.requiredText("Time of this check (ISO 8601)."),
})

const input = {
  sources: inputs.texts("Page or feed URLs, for example https://example.com/news.", { max: 500 }),
  keywords: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 200,
    description: "Words or phrases to find; quotation marks around a phrase are ignored.",
  }),
  caseSensitive: inputs.flag("Match upper and lower case exactly."),
  maxSnippetsPerKeyword: inputs.count("Maximum snippets per keyword", { min: 0, max: 50, or: 3 }),
}
type Input = InputOf<typeof input>

export default defineScraper({
  slug: "keyword-monitor",
  name: "Keyword Monitor",
  tagline: "Check pages and feeds for your keywords and get counts with snippets.",
  notServed: ["page changes without a word"],
  category: "web",
  isCheck: true,
  fetchMethods: ["http", "browser-http", "browser"],
  unverified: ["embedded state"],
  input,
  item,
  watch: {
    key: ["source", "keyword"],
    name: ["sourceTitle", "source"],
    value: "count",
    label: "The count",
    text: { found: "found", expected: "keyword" },
    conditions: [{ when: "appears" }],
  },
  example: { sources: ["https://news.ycombinator.com/rss"], keywords: ["open source"] },
  probe: {
    input: { sources: ["https://news.ycombinator.com/rss"], keywords: ["the"] },
    expect: [
      "items.length equals 1",
      "items[0].found equals true",
      "items[0].count gte 1",
      "items[0].checkedAt fresh 1",
    ],
  },
  pages: { ofTarget: 1 },
  targets: (input) => {
    if (keywordsOf(input).length === 0) throw new BadInput("keywords: all of them are empty.")
    return distinct(input.sources)
  },
  identify: (source) => ({ input: source, source, url: completeUrl(source) ?? source }),

  async *scrape(source, ctx) {
    const readingKey = `read ${source}`
    const stored = await ctx.memory.get<Reading>(readingKey)
    const before = stored?.search === searchOf(ctx.input) ? stored : undefined
    const { response } = await openPage(source, ctx, {
      documents: "files",
      types: ["*"],
      maxBytes: maxFeedBytes,
      has: (response) =>
        response.status === notModified ||
        !isHtml(response) ||
        feedOf(response) !== null ||
        isReported(response),
      what: "any text",
      headers: conditions(before),
      ...(before && { accept: [notModified] }),
    })
    const reading =
      before && response.status === notModified ? before : readingOf(response, ctx.input)
    const counts = (await ctx.memory.get<Record<string, number>>(source)) ?? {}
    const checkedAt = ctx.now().toISOString()
    for (const [at, keyword] of keywordsOf(ctx.input).entries()) {
      const matches = reading.matches[at]!
      const countKey = ctx.input.caseSensitive ? keyword : keyword.toLowerCase()
      const previousCount = counts[countKey] ?? null
      counts[countKey] = matches.count
      yield item.read({
        ...matches,
        source,
        url: response.url,
        sourceType: reading.type,
        sourceTitle: reading.title,
        keyword,
        found: matches.count > 0,
        previousCount,
        countChange: previousCount === null ? null : matches.count - previousCount,
        isNew: previousCount === 0 && matches.count > 0,
        matches: reading.type === "feed" ? matches.shown : [],
        entriesMatched: reading.type === "feed" ? matches.texts : null,
        checkedAt,
      })
    }
    await ctx.memory.set(source, counts)
    const isSmall = JSON.stringify(reading).length <= maxReadingChars
    await ctx.memory.set(readingKey, isSmall ? reading : null)
  },
})

/** Maximum characters of stored matches. Without them, the source is read in full again. */
const maxReadingChars = 50_000

type Reading = ReturnType<typeof readingOf>

/** Returns the key of a search. For another search, the source is read again. */
const searchOf = (input: Input) =>
  JSON.stringify([keywordsOf(input), input.caseSensitive, input.maxSnippetsPerKeyword])

/**
 * Returns the matches in a source by keyword, in the order of the input. They are stored for runs in
 * which its host reports that it has not changed.
 */
function readingOf(response: UpstreamResponse, input: Input) {
  const { texts, ...source } = readSource(response, input.caseSensitive)
  return {
    ...validatorsOf(response),
    search: searchOf(input),
    ...source,
    matches: keywordsOf(input).map((keyword) =>
      findMatches(texts, keyword, input.maxSnippetsPerKeyword),
    ),
  }
}

const keywordsOf = (input: Input) =>
  distinct(input.keywords.map((keyword) => keyword.trim())).filter((keyword) => keyword !== "")

const feedOf = readOnce((response) => {
  const mayBeFeed = !isHtml(response) || feedStart.test(response.text().slice(0, 2000))
  return mayBeFeed ? feedIn(response) : null
})

/** Returns the texts of a source; for feeds, each with the entry to which it belongs. */
function readSource(response: UpstreamResponse, caseSensitive: boolean) {
  const searched = (text: string, entry: FeedEntry | null) => ({
    text: new SearchedText(text, caseSensitive),
    entry,
  })
  const feed = feedOf(response)
  if (feed) {
    const texts = [...feed.entries()].map((entry) => {
      const body = htmlToText(entry.content) ?? entry.summary ?? ""
      return searched(`${entry.title ?? ""}\n${body}`, entry)
    })
    return { type: "feed" as const, title: feed.title, texts }
  }
  const text = isHtml(response) ? pageText(response) : plainText(response)
  const title = isHtml(response) ? documentTitle(response.document) : null
  return { type: "page" as const, title, texts: [searched(text, null)] }
}

/** Returns the title, description and content of a page; only the main content if it is long. */
function pageText(response: UpstreamResponse): string {
  const { document } = response
  const main = textLines(mainRoot(response)).join("\n")
  const all = countWords(main) < fewWords ? lineText(document.body) : main
  // A page may display less than its scripts' data contains.
  const body = all.length > main.length ? all : main
  const description = metaContent(readMeta(document), "description")
  return [documentTitle(document), description, body].filter(Boolean).join("\n")
}

function plainText(response: UpstreamResponse): string {
  if (/^text\/|json|xml/.test(response.contentType)) return response.text()
  const message = `The response is ${response.contentType}, neither a page nor a feed.`
  throw new UnsupportedContent(message, { response })
}

function findMatches(texts: ReturnType<typeof readSource>["texts"], keyword: string, max: number) {
  const visible = []
  let count = 0
  let matched = 0
  for (const { text, entry } of texts) {
    const places = text.find(keyword)
    if (places.length > 0) matched++
    count += places.length
    for (const place of places.slice(0, max - visible.length)) {
      visible.push({
        snippet: text.snippet(place, keyword),
        entryTitle: entry?.title ?? null,
        entryUrl: entry?.url ?? null,
        publishedAt: entry?.publishedAt ?? null,
      })
    }
  }
  return { count, texts: matched, shown: visible }
}
