import type { TObject } from "@sinclair/typebox"
import { findSlug } from "../../catalogue/find.ts"
import { briefValue, coerced } from "../../catalogue/kit/index.ts"
import { exampleOf } from "./card.ts"
import { invalidInput } from "./error.ts"
import type { Registry } from "./modes.ts"

/** Names of the body's fields in other APIs. */
const otherNames: Record<string, readonly string[]> = {
  scraper: ["slug", "tool", "actor", "name", "scraperId"],
  input: ["inputs", "params", "parameters", "arguments", "args"],
  pick: ["fields"],
}

/**
 * Returns the body of an agent's call in the form of its schema, if its meaning is certain: fields
 * by their names in other APIs, and inputs next to `scraper` instead of within `input`.
 * @throws {KeylessError} if the body or its input is not an object.
 */
export function agentBody(registry: Registry, schema: TObject, json: unknown): unknown {
  if (!isObject(json)) {
    const expected =
      'a JSON object, for example {"scraper":"pypi-package-scraper","input":{"packages":["requests"]}}'
    throw notObject("body", json, expected)
  }
  const own = Object.keys(schema.properties)
  const body: Record<string, unknown> = { ...json }
  for (const [name, others] of Object.entries(otherNames)) {
    const other = others.find((one) => Object.hasOwn(body, one) && !own.includes(one))
    if (body[name] !== undefined || other === undefined) continue
    // Next to `scraper`, `fields` is an input.
    if (name === "pick" && body.input === undefined) continue
    body[name] = body[other]
    delete body[other]
  }
  if (Array.isArray(body.pick)) body.pick = body.pick.join(",")
  const nextTo = Object.keys(body).filter((name) => !own.includes(name))
  if (body.input === undefined && nextTo.length > 0) {
    body.input = Object.fromEntries(nextTo.map((name) => [name, body[name]]))
    for (const name of nextTo) delete body[name]
  }
  const whole = coerced(schema, body) as Record<string, unknown>
  const { scraper, input } = whole
  if (input !== undefined && !isObject(input)) {
    const match = typeof scraper === "string" ? findSlug(scraper, registry.slugs) : undefined
    const known = match && "slug" in match ? registry.scraper(match.slug) : undefined
    const example = known ? exampleOf(known) : '{"urls":["https://example.com"]}'
    throw notObject("input", input, `an object, for example ${example}`)
  }
  return whole
}

function notObject(field: string, value: unknown, expected: string) {
  const actual = briefValue(value)
  const message = `"${field}" must be ${expected}, not ${JSON.stringify(actual)}.`
  return invalidInput([{ field, message, expected, actual }])
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
