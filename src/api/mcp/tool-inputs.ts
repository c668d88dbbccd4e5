import { Type } from "@sinclair/typebox"
import { inputObject } from "../../catalogue/kit/index.ts"
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

/** What the tools that are no scrapers take. */
export const inputs = {
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
  run_scraper: inputObject({ scraper, input, fields, maxTokens }),
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
}
