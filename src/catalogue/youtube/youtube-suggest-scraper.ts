import { Type } from "@sinclair/typebox"
import { htmlToText } from "../../extract/core/index.ts"
import { at, parseGuarded } from "../../extract/embedded/index.ts"
import { defineScraper, inputs, items, readOnce, record } from "../kit/index.ts"
import { youtube } from "./youtube.ts"

const host = "suggestqueries-clients6.youtube.com"

const item = record({
  keyword: items.requiredText("Keyword as written in the input."),
  suggestion: items.requiredText("Text of the suggestion."),
  position: items.requiredInteger("Position among the suggestions, from 1."),
  suggestionType: items.integer("YouTube's number for the kind of suggestion."),
  subtypes: Type.Array(Type.Integer(), {
    description: "YouTube's numbers for more specific kinds.",
  }),
  language: items.text("Language code of the input."),
  country: items.text("Country code of the input."),
  url: items.requiredText("URL of the search for the suggestion."),
})

export default defineScraper({
  slug: "youtube-suggest-scraper",
  name: "YouTube Autocomplete",
  tagline: "Autocomplete suggestions of the YouTube search box for your keywords.",
  notServed: ["views"],
  category: "video",
  input: {
    keywords: inputs.texts("Beginnings of searches, for example how to.", { max: 1000 }),
    language: inputs.optionalText("Language code, for example en.", {
      pattern: "^[A-Za-z]{2,3}(-\\w+)?$",
    }),
    country: inputs.optionalText("Two-letter country code, for example DE.", {
      pattern: "^[A-Za-z]{2}$",
    }),
    maxPerKeyword: inputs.count("Maximum suggestions per keyword; YouTube returns up to 14", {
      max: 20,
      or: 10,
    }),
  },
  item,
  example: { keywords: ["how to make"], language: "en", country: "US" },
  probe: {
    expect: ["items.length gte 5", 'items[*].suggestion matches "how to make"'],
  },
  rateLimit: { [host]: { perSecond: 2, concurrency: 2 } },
  targets: ({ keywords }) => keywords,
  identify: (keyword) => ({ input: keyword, keyword }),

  async *scrape(keyword, ctx) {
    const { language, country, maxPerKeyword } = ctx.input
    const gl = country?.toUpperCase()
    const query = { client: "youtube", ds: "yt", q: keyword, xhr: "t", hl: language, gl }
    const what = "a list of suggestions"
    const response = await ctx.data(`https://${host}/complete/search`, {
      has: (response) => rowsOf(response) !== null,
      what,
      refusal: { statuses: [403, 429] },
      query,
      identity: "browser",
      headers: { accept: "*/*" },
      retries: 2,
    })
    const rows = rowsOf(response)
    if (!rows) throw response.explainMissing(what)
    const suggestions = rows.flatMap((row) => readRow(row) ?? [])
    if (rows.length > 0 && suggestions.length === 0)
      throw response.explainMissing("readable suggestions")
    for (const [index, suggestion] of suggestions.slice(0, maxPerKeyword).entries()) {
      yield item.read({
        keyword,
        ...suggestion,
        position: index + 1,
        language,
        country,
        url: `${youtube}/results?search_query=${encodeURIComponent(suggestion.suggestion)}`,
      })
    }
  },
})

const rowsOf = readOnce((response): unknown[] | null => {
  const rows = at(parseGuarded(response.text()), 1)
  return Array.isArray(rows) ? rows : null
})

/** Reads `[text, type, subtypes]`; some clients receive only the text, or other values after it. */
function readRow(row: unknown) {
  const [text, type, subtypes] = Array.isArray(row) ? row : [row]
  const suggestion = htmlToText(text)
  if (suggestion === null) return null
  return {
    suggestion,
    suggestionType: Number.isInteger(type) ? (type as number) : null,
    subtypes: Array.isArray(subtypes) ? subtypes.filter(Number.isInteger) : [],
  }
}
