import { Type } from "@sinclair/typebox"
import { htmlToText, integerOrNull, textOrNull, unseen } from "../../extract/core/index.ts"
import { at, parseGuarded } from "../../extract/embedded/index.ts"
import {
  type Context,
  defineScraper,
  type InputOf,
  inputs,
  items,
  partFailed,
  type Row,
  record,
  type UpstreamResponse,
} from "../kit/index.ts"

const host = "suggestqueries.google.com"
const refusal = { statuses: [403, 429] }
const maxRequests = 500
const alphabet = "abcdefghijklmnopqrstuvwxyz"

const item = record({
  keyword: items.requiredText("Keyword as written in the input."),
  seed: items.requiredText("Typed text: the keyword, or the keyword and a letter."),
  suggestion: items.requiredText("Google's suggestion; a URL if the type is NAVIGATION."),
  position: items.requiredInteger("Position among the suggestions for this seed, from 1."),
  relevance: items.integer("Google's relevance score."),
  suggestionType: items.text("QUERY, NAVIGATION, ENTITY, CALCULATOR …"),
  subtypes: Type.Array(Type.Integer(), { description: "Google's numbers for subtypes." }),
  description: items.text("Title of a URL, or type of an entity."),
  language: items.requiredText("Requested language."),
  country: items.text("Requested country, as a code such as us."),
})

const input = {
  keywords: inputs.texts("Beginnings of searches, for example how to.", { max: 1000 }),
  languages: inputs.codes(
    "Language codes, for example en; each keyword is requested in each language.",
    { pattern: "^[A-Za-z]{2,3}(-\\w+)?$", max: 50, or: ["en"] },
  ),
  country: inputs.optionalText("Two-letter country code, for example us.", {
    pattern: "^[A-Za-z]{2}$",
  }),
  expandAlphabet: inputs.flag(
    "Whether to request each keyword followed by each letter from a to z as well.",
  ),
  maxResults: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 10_000,
      description: "Maximum suggestions of the run (default 100, or 1,000 with expandAlphabet).",
    }),
  ),
}
type Input = InputOf<typeof input>

type KeywordTarget = Row & { keyword: string; language: string }

export default defineScraper({
  slug: "google-autocomplete-scraper",
  name: "Google Autocomplete",
  tagline:
    "Google autocomplete suggestions per keyword, language and country, with a-to-z expansion.",
  notServed: ["search volume"],
  category: "search",
  input,
  item,
  example: { keywords: ["best coffee"], languages: ["en"], country: "us" },
  probe: {
    expect: [
      "items.length gte 5",
      'items[*].suggestion matches "coffee"',
      'items[0].seed equals "best coffee"',
    ],
  },
  rateLimit: { [host]: { perSecond: 3, concurrency: 2 } },
  targets: (input) =>
    input.keywords.flatMap((keyword) =>
      input.languages.map((language): KeywordTarget => ({ keyword, language })),
    ),
  identify: ({ keyword, language }) => ({ input: keyword, keyword, language }),
  maxItems: (input: Input) => input.maxResults ?? (input.expandAlphabet ? 1000 : 100),

  async *scrape({ keyword, language }, ctx) {
    const letters = ctx.input.expandAlphabet ? [...alphabet] : []
    const seen = new Set<string>()
    for (const seed of [keyword, ...letters.map((letter) => `${keyword} ${letter}`)]) {
      if (seed !== keyword && !mayRequest(ctx)) return
      try {
        const rows = await suggestions(seed, language, ctx)
        for (const row of unseen(rows, seen, ({ suggestion }) => suggestion)) {
          yield item.read({ keyword, seed, ...row, language, country: ctx.input.country })
        }
      } catch (error) {
        if (seed === keyword) throw error
        yield partFailed(ctx, error, { input: keyword, keyword, seed, language })
        return
      }
    }
  },
})

/** Returns whether the run's request limit allows another request for a letter. */
function mayRequest(ctx: Context<Input>): boolean {
  const { keywords, languages } = ctx.input
  const requested =
    (ctx.shared.get("requests") as number | undefined) ?? keywords.length * languages.length
  if (requested >= maxRequests) return false
  ctx.shared.set("requests", requested + 1)
  return true
}

async function suggestions(seed: string, language: string, ctx: Context<Input>) {
  const response = await ctx.data(`https://${host}/complete/search`, {
    has: (response) => Array.isArray(at(parseGuarded(response.text()), 1)),
    what: "a list of suggestions",
    refusal,
    query: {
      client: "chrome",
      q: seed,
      hl: language,
      gl: ctx.input.country,
      ie: "utf-8",
      oe: "utf-8",
    },
    identity: "browser",
    headers: { accept: "*/*" },
    retries: 2,
  })
  return readSuggestions(response)
}

/**
 * Parses `[query, texts, descriptions, [], { "google:suggestrelevance": […], … }]`, whose lists are
 * parallel.
 */
function readSuggestions(response: UpstreamResponse) {
  const data = parseGuarded(response.text())
  const texts = at(data, 1)
  if (!Array.isArray(data) || !Array.isArray(texts))
    throw response.explainMissing("a list of suggestions")
  const extra = data.find((part) => typeof part === "object" && part && !Array.isArray(part))
  const rows = texts.flatMap((text, index) => {
    const suggestion = htmlToText(text)
    if (suggestion === null) return []
    const subtypes = at(extra, "google:suggestsubtypes", index)
    return {
      suggestion,
      position: index + 1,
      relevance: integerOrNull(at(extra, "google:suggestrelevance", index)),
      suggestionType: textOrNull(at(extra, "google:suggesttype", index)),
      subtypes: Array.isArray(subtypes)
        ? subtypes.filter((subtype) => Number.isInteger(subtype))
        : [],
      description: htmlToText(at(data, 2, index)),
    }
  })
  if (texts.length > 0 && rows.length === 0) throw response.explainMissing("readable suggestions")
  return rows
}
