import { Type } from "@sinclair/typebox"
import { type AnyScraper, inputObject, oneOf } from "../../catalogue/kit/index.ts"
import { maxExpression } from "../../export/transforms.ts"
import { safeLevels } from "../search/engines.ts"
import { cursorPattern } from "./item-page.ts"

export const tokenBudget = { default: 8000, min: 200, max: 100_000 }

export const maxTokens = Type.Optional(
  Type.Integer({
    minimum: tokenBudget.min,
    maximum: tokenBudget.max,
    description: `Maximum tokens of the response (default ${tokenBudget.default}).`,
  }),
)

/** Maximum characters of a query, because it is compared with the words of every scraper. */
const maxQuery = 500

const name = { minLength: 1, maxLength: 200 }
/** A scraper and its input. run_scraper describes them for all tools: a model reads every token. */
const scraper = Type.String(name)
const input = Type.Object({}, { additionalProperties: true })
/** The ID of a run. get_run describes it for all tools. */
const run = Type.String(name)
const fields = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 200,
    description: "Item fields to return (default: all).",
  }),
)

const maxAge = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description: "Maximum age of a cached response in seconds; 0 fetches again.",
  }),
)

/** Its name explains it: each word is read by a model. */
const session = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }))

const pageUrl = Type.String({ minLength: 1, maxLength: 8000, description: "Page URL." })

/** Scrapers behind the tools for common needs. */
export const readingTools = {
  read_page: "url-to-markdown-scraper",
  extract: "web-scraper",
} as const

/** Options of every scraper's own tool, in addition to its inputs. */
export function responseOptions({
  input,
}: AnyScraper): Record<string, typeof fields | typeof maxTokens> {
  return {
    ...(Object.hasOwn(input.properties, "fields") ? {} : { fields }),
    ...(Object.hasOwn(input.properties, "maxTokens") ? {} : { maxTokens }),
  }
}

/** Inputs of the tools that are not scrapers. */
export const inputs = {
  read_page: inputObject({ url: pageUrl, maxTokens }),
  search_web: inputObject({
    query: Type.String({ pattern: "\\S", maxLength: maxQuery }),
    limit: Type.Integer({ minimum: 1, maximum: 50, default: 10 }),
    pages: Type.Integer({
      minimum: 0,
      maximum: 10,
      default: 0,
      description: "First results to read.",
    }),
    safeSearch: Type.Optional(oneOf(safeLevels)),
  }),
  extract: inputObject({
    url: pageUrl,
    schema: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'JSON Schema of an object. Rows: {"properties":{"rows":{"type":"array","items":{"properties":{"name":{"type":"string"}}}}}}.',
      },
    ),
  }),
  find_scrapers: inputObject({
    query: Type.String({
      pattern: "\\S",
      maxLength: maxQuery,
      description: "Task in your words, for example reviews of a mobile app; or a URL.",
    }),
    category: Type.Optional(
      Type.String({ maxLength: 100, description: "Category to search in, for example finance." }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 20, default: 5 }),
  }),
  run_scraper: inputObject({
    scraper: Type.String({ ...name, description: "Slug, for example pypi-package-scraper." }),
    input: Type.Object(
      {},
      { additionalProperties: true, description: "Input fields, as find_scrapers returns them." },
    ),
    ...{ fields, maxTokens, maxAge, session },
  }),
  start_run: inputObject({
    scraper,
    input,
    session,
    destination: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 63,
        description: "Name from list_destinations.",
      }),
    ),
  }),
  list_destinations: inputObject({}),
  get_run: inputObject({
    run: Type.Optional(
      Type.String({ ...name, description: "Run ID from start_run or an earlier response." }),
    ),
    wait: Type.Integer({
      minimum: 0,
      maximum: 50,
      default: 0,
      description: "Seconds to wait for the end of the run.",
    }),
  }),
  get_items: inputObject({
    run,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    fields,
    filter: Type.Optional(
      Type.Array(Type.String({ minLength: 3, maxLength: 700 }), {
        maxItems: 20,
        description: "Conditions that items must meet: price<20, title~oak, error, !error.",
      }),
    ),
    transform: Type.Optional(
      Type.String({
        maxLength: maxExpression,
        description: "JSONata expression that replaces each item.",
      }),
    ),
    cursor: Type.Optional(
      Type.String({ pattern: cursorPattern, description: "Cursor from the previous response." }),
    ),
    maxTokens,
  }),
  abort_run: inputObject({ run }),
  watch: inputObject({
    scraper,
    input,
    every: oneOf(["15 minutes", "hour", "day", "week"], { default: "day" }),
    webhook: Type.Optional(
      Type.String({ maxLength: 2000, description: "URL that receives the changes." }),
    ),
  }),
  claim_key: inputObject({
    claimStatusUrl: Type.String({
      pattern: "\\S",
      maxLength: 500,
    }),
  }),
}
