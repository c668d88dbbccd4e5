import type { TSchema } from "@sinclair/typebox"
import {
  type AnyScraper,
  briefText,
  type CheckedInput,
  checkInput,
  expectation,
  type InputFault,
  Outcome,
} from "../../catalogue/kit/index.ts"

/** Checks an input as a run would take it: by its schema, then by the scraper's own reading of it. */
export function checkRunInput(scraper: AnyScraper, raw: unknown): CheckedInput {
  const checked = checkInput(scraper.input, raw)
  if (!checked.ok) return checked
  try {
    scraper.targets(checked.input)
    return checked
  } catch (error) {
    if (!(error instanceof Outcome)) throw error
    return { ok: false, faults: [refusedFault(scraper, checked.input, error.message)] }
  }
}

/**
 * The fault of a value that the schema lets through and the scraper refuses. Scrapers say of what
 * they refuse `field: …`, or quote it; an error item names its target.
 */
export function refusedFault(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  message: string,
  item: Record<string, unknown> = {},
): InputFault {
  const properties: Record<string, TSchema> = scraper.input.properties
  const stated = /^(\w+): /.exec(message)?.[1]
  const field = stated !== undefined && Object.hasOwn(properties, stated) ? stated : undefined
  const required: string[] = scraper.input.required ?? []
  const names = field ? [field] : [...new Set([...required, ...Object.keys(input)])]
  const place = placeOf(input, names, [...textsOf(item), ...quoted(message)])
  const name = place?.name ?? names[0] ?? ""
  const schema = properties[name]
  return {
    field: place?.index === undefined ? name : `${name}.${place.index}`,
    ...(place?.index === undefined ? {} : { index: place.index }),
    message: briefText(message, 500),
    expected: String(schema?.description ?? (schema ? expectation(schema) : "another input")),
    ...(place === undefined ? {} : { actual: briefText(place.text) }),
  }
}

interface Place {
  name: string
  text: string
  index?: number
}

/** The first of these texts that one of these fields is, or lists. */
function placeOf(
  input: Record<string, unknown>,
  names: string[],
  texts: string[],
): Place | undefined {
  for (const wanted of texts) {
    for (const name of names) {
      const value = input[name]
      const values: unknown[] = Array.isArray(value) ? value : [value]
      const index = values.findIndex(
        (entry) => typeof entry === "string" && entry.trim() === wanted,
      )
      if (index < 0) continue
      const text = values[index] as string
      return Array.isArray(value) ? { name, text, index } : { name, text }
    }
  }
  return undefined
}

/** What an error item calls its target. */
function textsOf(item: Record<string, unknown>): string[] {
  const target = item.input
  const parts = typeof target === "object" && target !== null ? Object.values(target) : []
  return [target, item.url, ...parts, ...Object.values(item)]
    .filter((value) => typeof value === "string")
    .map((text) => text.trim())
}

function quoted(message: string): string[] {
  const [, shortest] = /"(.*?)"/s.exec(message) ?? []
  const [, longest] = /"(.*)"/s.exec(message) ?? []
  return [shortest, longest].filter((text) => text !== undefined).map((text) => text.trim())
}
