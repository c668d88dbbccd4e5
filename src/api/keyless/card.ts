import type { Static, TSchema } from "@sinclair/typebox"
import { type AnyScraper, expectation, fetchMethodsOf } from "../../catalogue/kit/index.ts"
import { verificationOf } from "../../catalogue/verification.ts"
import type { HealthService } from "../../engine/ops/health/health-service.ts"
import type { KeylessResponse, parameterSchema } from "./response.ts"

type Parameter = Static<typeof parameterSchema>

export function requiredParams(scraper: AnyScraper): string[] {
  const properties: Record<string, TSchema> = scraper.input.properties
  const required: string[] = scraper.input.required ?? []
  return required.filter((name) => properties[name]?.default === undefined)
}

export function parametersOf(scraper: AnyScraper): Parameter[] {
  const required = requiredParams(scraper)
  const properties: Record<string, TSchema> = scraper.input.properties
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    required: required.includes(name),
    description: schema.description ?? "",
    expected: expectation(schema),
    ...(schema.default !== undefined && { default: schema.default }),
    ...allowedValues(schema),
  }))
}

function typeOf(schema: TSchema): string {
  if (schema.type === "array") return `array of ${schema.items ? typeOf(schema.items) : "any"}`
  return schema.type ?? "any"
}

function allowedValues(schema: TSchema): { allowedValues?: string[] } {
  const values: unknown = schema.enum ?? schema.items?.enum
  return Array.isArray(values) ? { allowedValues: values.map(String) } : {}
}

/** Returns the required part of the example, or its first field, as JSON text. */
export function exampleOf(scraper: AnyScraper): string {
  const example = scraper.example as Record<string, unknown>
  const needed = requiredParams(scraper)
  const names = needed.length > 0 ? needed : Object.keys(example).slice(0, 1)
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, example[name]])))
}

/** An input as query parameters: lists as repeated parameters, objects as JSON in `input`. */
export function exampleUrl(
  scraper: AnyScraper,
  root: string,
  input = scraper.example as Record<string, unknown>,
): string {
  const query = new URLSearchParams()
  const deep: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    const values = Array.isArray(value) ? value : [value]
    const isPlain = values.every(
      (entry) => typeof entry !== "object" && !(typeof entry === "string" && entry.includes("|")),
    )
    if (!isPlain) deep[name] = value
    else for (const entry of values) query.append(name, String(entry))
  }
  // A call without any parameter would return the usage again.
  const empty = query.size === 0 && Object.keys(deep).length === 0
  if (empty || Object.keys(deep).length > 0) query.set("input", JSON.stringify(deep))
  return `${root}/api/scrape/${scraper.slug}?${query}`
}

/** The fields of a usage response, in addition to those of every response. */
export function card(
  scraper: AnyScraper,
  root: string,
  health: HealthService,
): Partial<KeylessResponse> {
  const required = requiredParams(scraper)
  const needs =
    required.length > 0
      ? `Give ${required.join(", ")} as query ${required.length > 1 ? "parameters" : "parameter"}`
      : "No parameter is required: set any of them, or input={} for the defaults"
  return {
    name: scraper.name,
    tagline: scraper.tagline,
    ...(scraper.notServed && { notServed: [...scraper.notServed] }),
    fetchMethods: [...fetchMethodsOf(scraper)],
    verification: verificationOf(scraper),
    health: health.of(scraper.slug),
    howToCall: `${needs}. For lists, repeat a parameter or separate values with |. input=<JSON object, URL-encoded> sets the whole input.`,
    parameters: parametersOf(scraper),
    exampleUrl: exampleUrl(scraper, root),
    exampleInput: scraper.example as Record<string, unknown>,
  }
}
