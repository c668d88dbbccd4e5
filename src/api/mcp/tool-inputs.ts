import { Type } from "@sinclair/typebox"
import { type AnyScraper, inputObject, oneOf } from "../../catalogue/kit/index.ts"
import { longestExpression } from "../../export/transforms.ts"
import { cursorPattern } from "./item-page.ts"

export const tokenBudget = { default: 8000, least: 200, most: 100_000 }

export const maxTokens = Type.Optional(
  Type.Integer({
    minimum: tokenBudget.least,
    maximum: tokenBudget.most,
    description: `Tokens of the answer, about (default ${tokenBudget.default}).`,
  }),
)

/** A query is compared with the words of every scraper. */
const longestQuery = 500

const scraper = Type.String({ minLength: 1, maxLength: 200, description: "Its slug." })
const input = Type.Object(
  {},
  { additionalProperties: true, description: "As find_scrapers or its own tool describes it." },
)
const run = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "The run's name, from start_run or an answer.",
})
const fields = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 200,
    description: "Only these fields of the items.",
  }),
)

const maxAge = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description: "Seconds a cached response may be old.",
  }),
)

const pageUrl = Type.String({ minLength: 1, maxLength: 8000, description: "URL of the page." })

/** The scrapers behind the tools for the commonest needs. */
export const firstHand = {
  read_page: "url-to-markdown-scraper",
  search_web: ["duckduckgo-search-scraper", "bing-search-scraper"],
  extract: "web-scraper",
} as const

/** What every scraper's own tool takes beside its inputs. */
export function answerOptions({
  input,
}: AnyScraper): Record<string, typeof fields | typeof maxTokens> {
  return {
    ...(Object.hasOwn(input.properties, "fields") ? {} : { fields }),
    ...(Object.hasOwn(input.properties, "maxTokens") ? {} : { maxTokens }),
  }
}

/** What the tools that are no scrapers take. */
export const inputs = {
  read_page: inputObject({ url: pageUrl, maxTokens }),
  search_web: inputObject({
    query: Type.String({ pattern: "\\S", maxLength: longestQuery }),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
  }),
  extract: inputObject({
    url: pageUrl,
    schema: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "JSON Schema of an object; rows are a list under a property.",
      },
    ),
  }),
  find_scrapers: inputObject({
    query: Type.String({
      pattern: "\\S",
      maxLength: longestQuery,
      description: "What is wanted, such as 'reviews of a mobile app'.",
    }),
    category: Type.Optional(
      Type.String({ maxLength: 100, description: "Only scrapers of this category." }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 20, default: 5, description: "Most scrapers." }),
  }),
  run_scraper: inputObject({ scraper, input, fields, maxTokens, maxAge }),
  start_run: inputObject({ scraper, input }),
  get_run: inputObject({
    run: Type.Optional(run),
    wait: Type.Integer({
      minimum: 0,
      maximum: 50,
      default: 0,
      description: "Seconds to wait for its end.",
    }),
  }),
  get_items: inputObject({
    run,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    fields,
    filter: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 700 }), {
        maxItems: 20,
        description: "Only items for which these hold: price<20, title~oak, error, !error.",
      }),
    ),
    transform: Type.Optional(
      Type.String({
        maxLength: longestExpression,
        description: "JSONata of what to give in place of each item.",
      }),
    ),
    cursor: Type.Optional(
      Type.String({ pattern: cursorPattern, description: "From the answer before." }),
    ),
    maxTokens,
  }),
  abort_run: inputObject({ run }),
  watch: inputObject({
    scraper,
    input,
    every: oneOf(["15 minutes", "hour", "day", "week"], { default: "day" }),
    webhook: Type.Optional(Type.String({ maxLength: 2000, description: "URL to tell." })),
  }),
  claim_key: inputObject({
    claimStatusUrl: Type.String({
      pattern: "^\\S{1,500}$",
    }),
  }),
}
