import type { TSchema } from "@sinclair/typebox"
import {
  type AnyScraper,
  BadInput,
  briefText,
  type CheckedInput,
  checkInput,
  coerced,
  expectation,
  type InputIssue,
  maxIssues,
  ScrapeError,
  type Target,
} from "../../catalogue/kit/index.ts"

/**
 * Validates an input as a run would: by its schema, then by the scraper. An input with at least one
 * valid target is valid; the run returns an error item for each of the others.
 */
export function checkRunInput(scraper: AnyScraper, raw: unknown): CheckedInput {
  const checked = checkInput(scraper.input, coerced(scraper.input, raw))
  if (!checked.ok) return checked
  try {
    const issues = targetIssues(scraper, checked.input)
    return issues.length > 0 ? { ok: false, issues } : checked
  } catch (error) {
    if (!(error instanceof ScrapeError)) throw error
    return { ok: false, issues: [refusedIssue(scraper, checked.input, error.message)] }
  }
}

/** The issues of targets that the scraper refuses; none if it accepts at least one. */
function targetIssues(scraper: AnyScraper, input: Record<string, unknown>): InputIssue[] {
  const issues: InputIssue[] = []
  for (const target of scraper.targets(input)) {
    const refusal = refusalOf(scraper, input, target)
    if (!refusal) return []
    const item = typeof target === "string" ? { input: target } : target
    if (issues.length < maxIssues) {
      issues.push(refusedIssue(scraper, input, refusal.message, item))
    }
  }
  return issues
}

/** One error for all: each start of a run ends its validation by it. */
const noRequests = new Error("Requests are not made during validation.")

/**
 * Returns why a scraper refuses a target before its first request; undefined if it makes a request.
 */
function refusalOf(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  target: Target,
): BadInput | undefined {
  let isStarted = false
  const context = new Proxy({} as Parameters<AnyScraper["scrape"]>[1], {
    get(_, name) {
      if (name === "input") return input
      isStarted = true
      throw noRequests
    },
  })
  try {
    const first = scraper.scrape(target, context)[Symbol.asyncIterator]().next()
    first.catch(() => {})
    // A generator that throws before its first await has already been rejected.
    const error: unknown = Bun.peek(first)
    return !isStarted && error instanceof BadInput ? error : undefined
  } catch {
    return undefined
  }
}

/**
 * The issue of a value that passes the schema and that the scraper refuses. Scrapers' messages
 * start with `field: …` or quote the value; an error item names its target.
 */
export function refusedIssue(
  scraper: AnyScraper,
  input: Record<string, unknown>,
  message: string,
  item: Record<string, unknown> = {},
): InputIssue {
  const properties: Record<string, TSchema> = scraper.input.properties
  const named = /^(\w+): /.exec(message)?.[1]
  const field = named !== undefined && Object.hasOwn(properties, named) ? named : undefined
  const required: string[] = scraper.input.required ?? []
  const names = field ? [field] : [...new Set([...required, ...Object.keys(input)])]
  const target = positionOf(input, names, textsOf(item))
  const value = positionOf(input, names, quoted(message))
  // The value of another field than the target's is the invalid one.
  const position = value && value.name !== target?.name ? value : target
  const name = position?.name ?? names[0] ?? ""
  const schema = properties[name]
  return {
    field: position?.index === undefined ? name : `${name}[${position.index}]`,
    ...(position?.index === undefined ? {} : { index: position.index }),
    message: briefText(message, 500),
    expected: String(schema?.description ?? (schema ? expectation(schema) : "another input")),
    ...(position === undefined ? {} : { actual: briefText(position.text) }),
  }
}

interface Position {
  name: string
  text: string
  index?: number
}

/** The first of these texts that is the value of a field, or an entry of its list. */
function positionOf(
  input: Record<string, unknown>,
  names: string[],
  texts: string[],
): Position | undefined {
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

/** The texts in an error item that may name its target. */
function textsOf(item: Record<string, unknown>): string[] {
  const target = item.input
  const parts = typeof target === "object" && target !== null ? Object.values(target) : []
  return [target, item.url, ...parts, ...Object.values(item)]
    .filter((value) => typeof value === "string")
    .map((text) => text.trim())
}

function quoted(message: string): string[] {
  const [, shortest] = /"(.*?)"/s.exec(message) ?? []
  const [, quotedText] = /"(.*)"/s.exec(message) ?? []
  return [shortest, quotedText].filter((text) => text !== undefined).map((text) => text.trim())
}
